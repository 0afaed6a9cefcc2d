"""Sessions of people at tables: each has a thread, a table and agents of its own.

What they share is read-only (the policy's memory map) or locked (the file of hands). The rules and the search are plain
blocking code, so they run in these threads and never in the server's loop.
"""

import gc
import itertools
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack

from holdem.errors import HoldemError
from holdem.table.hand_history import HandHistory
from holdem.table.leave_signals import LeaveSignals
from holdem.table.person import Person, play_hands
from holdem.table.person_table import PersonTable
from holdem.table.session import HistoryKeeper, Limits
from holdem.util.logs import LOGGER
from holdem.util.rng import derived_seed
from holdem.web.page_side import PageSide

MOST_SESSIONS = 8
"""At once; each has agents of its own, which take memory and cores."""
PATIENCE_SECONDS = 20.0
"""How long the end of the server waits for hands to be played out."""


class PlaySession:
    """One person at one table, in a thread."""

    def __init__(
        self, plan: PersonTable, history: HandHistory, side: PageSide, seed: int | None, ended: Callable[[], None]
    ) -> None:
        """`ended` is called in the session's thread when all is over."""
        self.plan, self.history, self.side, self.seed, self._ended = plan, history, side, seed, ended
        self.thread = threading.Thread(target=self._run, name="play session", daemon=True)

    def _run(self) -> None:
        try:
            self._play()
        except HoldemError as error:
            self.side.tell(str(error))
        except Exception:
            LOGGER.exception("a session at the browser table failed")
            self.side.tell("the table failed; the log of the server says why")
        finally:
            # Agents refer to each other in circles: a few objects, which nobody collects for long, with hundreds of MB.
            gc.collect()
            self._ended()

    def _play(self) -> None:
        leave = LeaveSignals()  # never entered: signals are for the server, which ends sessions through their side
        with ExitStack() as stack:
            keeper = HistoryKeeper(self.history, leave)
            stack.callback(keeper.leave_table)
            person = Person(self.side, stack.enter_context(self.plan.advisor()))
            observers = (keeper, self.side.view)
            table = stack.enter_context(self.plan.seat(person, leave, observers, self.seed))
            person.leaving = self.side.gone
            limits = Limits(self.plan.profile.max_hands)
            play_hands(table, person, limits, leave)
            if why := limits.reached(table.hands_played, 0.0):
                self.side.tell(f"{why}: the table is closed")


class PlaySessions:
    """All sessions of a server."""

    def __init__(self, plan: PersonTable, history: HandHistory, seed: int | None = None) -> None:
        self.plan, self.history, self.seed = plan, history, seed
        self.hands_before = history.hands
        self._numbers = itertools.count()
        self._running: set[PlaySession] = set()
        self._lock = threading.Lock()

    def begin(self, side: PageSide, ended: Callable[[], None]) -> PlaySession | None:
        """Seat somebody; None if all tables are taken."""
        with self._lock:
            if len(self._running) >= MOST_SESSIONS:
                return None
            number = next(self._numbers)
            seed = None if self.seed is None else session_seed(self.seed, number)

            def over() -> None:
                with self._lock:
                    self._running.discard(session)
                ended()

            session = PlaySession(self.plan, self.history, side, seed, over)
            self._running.add(session)
        session.thread.start()
        return session

    def close(self) -> None:
        """Everybody leaves; hands that are going on are played to their end and kept."""
        with self._lock:
            running = list(self._running)
        for session in running:
            session.side.leave()
        deadline = time.monotonic() + PATIENCE_SECONDS
        for session in running:
            session.thread.join(max(0.0, deadline - time.monotonic()))

    @property
    def running(self) -> int:
        """Sessions that have not ended."""
        with self._lock:
            return len(self._running)

    @property
    def hands_played(self) -> int:
        """By everybody."""
        return self.history.hands - self.hands_before


def session_seed(seed: int, number: int) -> int:
    """The seed of a session's cards: the first session of the same server seed has the same cards again."""
    return derived_seed(seed, "browser session", number)
