"""A person at a page: advice is found in a thread of its own, so that no move waits for it.

What is found after the move was made is dropped: it would stand beside another question.
"""

import queue
import threading
from collections.abc import Callable, Sequence

from holdem.game.actions import Action
from holdem.game.agent import Observation, RangeAgent
from holdem.table.advice.advisor import Advisor
from holdem.table.person.person import Person
from holdem.util.logs import LOGGER
from holdem.web.play.page_side import PageSide


class PagePerson(Person):
    """A `Person` whose session goes on while advice is found; `close` ends the thread before the advisor goes."""

    def __init__(
        self, side: PageSide, advisor: Advisor | None, open_blueprint: Callable[[], RangeAgent | None]
    ) -> None:
        super().__init__(side, advisor, open_blueprint)
        self._wishes: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        side.waits_too = self._wishes.qsize
        self._answered = 0
        """Questions that have their answer."""
        self._lock = threading.Lock()
        """Over that number: advice is sent before what the answer brings about, or not at all."""
        self._thread = threading.Thread(target=self._work, name="advice", daemon=True)
        self._thread.start()

    def act(self, observation: Observation) -> Action:
        """As at every table; with the answer the advice for it has lost its use."""
        action = super().act(observation)
        self._next_question()
        return action

    def between_hands(self) -> None:
        """Likewise."""
        super().between_hands()
        self._next_question()

    def advise(self, decisions: Sequence[tuple[Observation, Action | None]]) -> None:
        """Find it beside the session."""
        question = self._answered
        self._wishes.put(lambda: self._advise_at(question, decisions))

    def close(self) -> None:
        """Wait for the advice that is being found, and forget the rest."""
        self._next_question()
        self._wishes.put(None)
        self._thread.join()

    def _advise_at(self, question: int, decisions: Sequence[tuple[Observation, Action | None]]) -> None:
        found = []
        for decision in decisions:
            if question != self._answered:
                return
            found.append(self.recommended(*decision))
        with self._lock:
            if question == self._answered:
                self.side.advise(found)

    def _next_question(self) -> None:
        with self._lock:
            self._answered += 1

    def _work(self) -> None:
        while (wish := self._wishes.get()) is not None:
            try:
                wish()
            except Exception:  # the hand goes on without advice
                LOGGER.exception("advice at the browser table failed")
