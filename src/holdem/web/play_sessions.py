"""Sessions of people at tables: each has a thread, a table and agents of its own.

What they share is read-only (the policy's arrays) or locked (the file of hands). The rules and the search are plain
blocking code, so they run in these threads and never in the server's loop.

A page that is closed gives its place back at once. Its thread plays the hand to the end without thinking and ends.
"""

import gc
import itertools
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack

from holdem.errors import HoldemError
from holdem.table.history.hand_history import HandHistory
from holdem.table.person.person import Person, play_hands
from holdem.table.person.table import PersonTable
from holdem.table.session.leave_signals import LeaveSignals
from holdem.table.session.session import Limits
from holdem.util.logs import LOGGER
from holdem.util.rng import derived_seed
from holdem.web.page_side import PageSide
from holdem.web.session_keeper import SessionKeeper

MOST_SESSIONS = 8
"""At once; each has agents of its own, which take cores and some memory."""
MOST_THREADS = 4 * MOST_SESSIONS
"""Includes threads that finish hands of closed pages, so that closing pages quickly cannot pile them up."""
PATIENCE_SECONDS = 2.0
"""How long the end of the server waits for hands to be played out; what lasts longer is kept unfinished."""


class PlaySession:
    """One person at one table, in a thread."""

    def __init__(
        self, plan: PersonTable, history: HandHistory, side: PageSide, seed: int | None, ended: Callable[[], None]
    ) -> None:
        """`ended` is called in the session's thread when all is over."""
        self.plan, self.side, self.seed, self._ended = plan, side, seed, ended
        self._signals = LeaveSignals()  # never entered: signals are for the server, which ends sessions by their side
        self.keeper = SessionKeeper(history, self._signals)
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
            self._ended()

    def _play(self) -> None:
        with ExitStack() as stack:
            stack.callback(self.keeper.leave_table)
            person = Person(self.side, stack.enter_context(self.plan.advisor()))
            observers = (self.keeper, self.side.view)
            if self.side.gone:  # opening the first table of a policy takes seconds
                return
            seat = self.plan.seat(person, self._signals, observers, self.seed, lambda: self.side.gone)
            table = stack.enter_context(seat)
            table.pause = self.side.pause
            person.leaving = self.side.gone
            limits = Limits(self.plan.profile.max_hands)
            play_hands(table, person, limits, self._signals)
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
        """Seat a person; None if all tables are taken."""
        with self._lock:
            if self._seated() >= MOST_SESSIONS or len(self._running) >= MOST_THREADS:
                return None
            number = next(self._numbers)
            seed = None if self.seed is None else session_seed(self.seed, number)

            def over() -> None:
                with self._lock:
                    self._running.discard(session)
                    last = not self._running
                ended()
                if last:  # the shared policy is in circles of a few objects with hundreds of MB, collected late
                    gc.collect()

            session = PlaySession(self.plan, self.history, side, seed, over)
            self._running.add(session)
        session.thread.start()
        return session

    def dismiss(self) -> list[PlaySession]:
        """Everybody leaves; those whose hands are now played to the end."""
        with self._lock:
            running = list(self._running)
        for session in running:
            session.side.leave()
        return running

    def close(self) -> None:
        """Everybody leaves; hands that are going on are played to their end and kept, or kept unfinished."""
        running = self.dismiss()
        deadline = time.monotonic() + PATIENCE_SECONDS
        for session in running:
            session.thread.join(max(0.0, deadline - time.monotonic()))
        for session in running:
            session.keeper.give_up()

    def _seated(self) -> int:
        return sum(not session.side.gone for session in self._running)

    @property
    def seated(self) -> int:
        """Sessions whose page is open."""
        with self._lock:
            return self._seated()

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
