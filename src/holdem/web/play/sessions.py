"""Sessions of people at tables: each has a thread, a table and agents of its own.

What they share is read-only (the policy's arrays) or locked (the file of hands). The rules and the search are plain
blocking code, so they run in these threads and never in the server's loop.

A page that is loaded again or cut off finds its session by a token and goes on. Who leaves, or does not come back in
time, gives the place back at once; the thread plays the hand to the end without thinking and ends.
"""

import gc
import itertools
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack

from holdem.errors import HoldemError
from holdem.policy.unpacked_models import short_name
from holdem.table.history.hand_history import HandHistory
from holdem.table.person.person import play_hands
from holdem.table.person.table import PersonTable
from holdem.table.session.leave_signals import LeaveSignals
from holdem.table.session.session import Limits
from holdem.util.compiling import COMPILATIONS
from holdem.util.logs import LOGGER
from holdem.util.rng import derived_seed
from holdem.web.play.keeper import SessionKeeper
from holdem.web.play.page_link import PageLink
from holdem.web.play.page_person import PagePerson
from holdem.web.play.page_side import PageSide
from holdem.web.play.table_view import Message
from holdem.web.run_folder import readable

MOST_SESSIONS = 64
"""At once; each has agents of its own, which take a little memory, and cores while they search."""
MOST_THREADS = 2 * MOST_SESSIONS
"""Includes threads that finish hands of closed pages, so that closing pages quickly cannot pile them up."""
PATIENCE_SECONDS = 2.0
"""How long the end of the server waits for hands to be played out; what lasts longer is kept unfinished."""


class PlaySession:
    """One person at one table, in a thread."""

    def __init__(
        self, plan: PersonTable, history: HandHistory, welcome: Message, seed: int | None, ended: Callable[[], None]
    ) -> None:
        """`ended` is called in the session's thread when all is over."""
        self.plan, self.seed, self._ended = plan, seed, ended
        self._signals = LeaveSignals()  # never entered: signals are for the server, which ends sessions by their side
        self.keeper = SessionKeeper(history, self._signals)
        self.side = PageSide(welcome, self.keeper)
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
            self.side.close()
            self._ended()

    def _play(self) -> None:
        with ExitStack() as stack:
            stack.callback(self.keeper.leave_table)
            with COMPILATIONS.heard_by(self.side.tell):  # opening the first table of a policy takes seconds
                person = PagePerson(self.side, stack.enter_context(self.plan.advisor()), self.plan.blueprint)
                stack.callback(person.close)
                self.keeper.decided = lambda: len(person.decisions)
                if self.side.gone:
                    return
                observers = (self.keeper, self.side.view)
                if words := self.plan.translation_words():
                    self.side.tell(words)
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
        """`plan` is the table of whoever chooses nothing else. Each session has cards of its own, also with a seed."""
        self.plan, self.history = plan, history
        self.seed = plan.profile.seed if seed is None else seed
        self.history_name = readable(history.path.name)
        """The name of the file of hands in links to the review page."""
        self.hands_before = history.hands
        self._numbers = itertools.count()
        self._running: dict[str, PlaySession] = {}
        """By token."""
        self._lock = threading.Lock()

    def begin(self, plan: PersonTable, link: PageLink, told: str = "") -> PlaySession | None:
        """Seat a person, with a sentence for them; None if all tables are taken."""
        with self._lock:
            self._make_room()
            if self._seated() >= MOST_SESSIONS or len(self._running) >= MOST_THREADS:
                return None
            number = next(self._numbers)
            seed = None if self.seed is None else session_seed(self.seed, number)
            token = secrets.token_urlsafe(24)
            session = PlaySession(plan, self.history, self._welcome(plan, token), seed, lambda: self._over(token))
            self._running[token] = session
        session.side.attach(link)
        if told:
            session.side.tell(told)
        try:
            session.thread.start()
        except RuntimeError:  # no more threads
            self._over(token)
            raise
        return session

    def resume(self, token: str, link: PageLink) -> PlaySession | None:
        """The session of a token, whose page is this one from now on; None if it is over."""
        with self._lock:
            session = self._running.get(token)
        return session if session is not None and session.side.attach(link, resumed=True) else None

    def _make_room(self) -> None:
        """Where all places are taken, whoever is away for longest gives theirs to somebody who is there."""
        if self._seated() < MOST_SESSIONS:
            return
        sides = [session.side for session in self._running.values() if not session.side.gone]
        away = [(side.lost_at, number) for number, side in enumerate(sides) if side.lost_at is not None]
        if away:
            sides[min(away)[1]].leave()

    def _over(self, token: str) -> None:
        with self._lock:
            del self._running[token]
            last = not self._running
        if last:  # the shared policy is in circles of a few objects with hundreds of MB, collected late
            gc.collect()

    def _welcome(self, plan: PersonTable, token: str) -> Message:
        return {
            "type": "welcome",
            "game": plan.game.name,
            "seats": plan.game.num_players,
            "you": plan.hero_seat,
            "small_blind": plan.game.small_blind,
            "big_blind": plan.game.big_blind,
            "advice": plan.policy is not None,
            "policy": None if plan.policy is None else short_name(plan.policy),
            "searches": plan.search is not None,
            "token": token,
            "history": self.history_name,
        }

    def dismiss(self) -> list[PlaySession]:
        """Everybody leaves; those whose hands are now played to the end."""
        with self._lock:
            running = list(self._running.values())
        for session in running:
            session.side.dismiss()
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
        return sum(not session.side.gone for session in self._running.values())

    @property
    def seated(self) -> int:
        """Sessions whose page is open, or may come back."""
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
