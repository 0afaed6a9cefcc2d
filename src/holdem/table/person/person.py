"""A person in a seat: something shows the table and reads lines, a terminal or a page in a browser.

What the lines mean is the same wherever they come from (`person_input`); the end of the input is a way to leave.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Protocol

from holdem.errors import IllegalAction
from holdem.game.actions import Action
from holdem.game.agent import Observation, RangeAgent
from holdem.policy.run_names import TRAIN_COMMAND
from holdem.table.advice.advisor import Advisor
from holdem.table.advice.recommendation import Recommendation, words_of
from holdem.table.history.record_words import YOU
from holdem.table.person.equity import OTHER_RANGES, OwnEquity, own_equity
from holdem.table.person.input import Request, parse_between, parse_input
from holdem.table.session.leave_signals import LeaveSignals
from holdem.table.session.local_table import LocalTable
from holdem.table.session.safe_action import check_or_fold
from holdem.table.session.session import Limits
from holdem.util.logs import LOGGER

Advice = tuple[Recommendation, Action | None]
"""What the bot would do, and what the person did, if that is decided."""


class PersonSide(Protocol):
    """The person's side of a table: what is shown, and what is answered."""

    def turn(self, observation: Observation) -> None:
        """The person is to act."""

    def between(self) -> None:
        """The hand is over; the next one waits."""

    def tell(self, sentence: str) -> None:
        """An answer was not understood or not allowed."""

    def help(self) -> None:
        """What may be answered."""

    def advise(self, advice: Sequence[Advice]) -> None:
        """What the bot would do: now, or at every decision of the hand that is over."""

    def show_equity(self, found: OwnEquity) -> None:
        """How often the own hand would win."""

    def acted_for(self, words: str) -> None:
        """The person is gone, and this was done for them."""

    def read(self) -> str | None:
        """The next line; None when no more lines will come."""


class Person:
    """An `Agent` who is asked."""

    def __init__(
        self, side: PersonSide, advisor: Advisor | None, open_blueprint: Callable[[], RangeAgent | None] = lambda: None
    ) -> None:
        """`open_blueprint` gives whose play says what others may hold, when the equity of the hand is asked for."""
        self.side, self.advisor, self._open_blueprint = side, advisor, open_blueprint
        self.leaving = False
        self.decisions: list[tuple[Observation, Action]] = []
        """What was decided in this hand."""

    @cached_property
    def blueprint(self) -> RangeAgent | None:
        """As whose the others' betting is read; opened once."""
        return self._open_blueprint()

    @property
    def name(self) -> str:
        """What histories call the person."""
        return YOU

    def act(self, observation: Observation) -> Action:
        """Ask until there is an answer that the rules allow."""
        if not self.leaving:
            self.side.turn(observation)
        while not self.leaving:
            action = self._answer(observation)
            if isinstance(action, Action):
                self.decisions.append((observation, action))
                return action
        action = check_or_fold(observation.legal)
        self.side.acted_for(words_of(action, observation))
        return action

    def between_hands(self) -> None:
        """Go on, look back, or leave."""
        if not self.leaving:
            self.side.between()
        while not self.leaving and self._answer(None) is None:
            pass
        self.decisions.clear()

    def _answer(self, observation: Observation | None) -> Action | Request | None:
        """Read a line: an action of this turn, or the wish for another hand; None if it was anything else."""
        line = self.side.read()
        if line is None:
            self.leaving = True
            return None
        try:
            answer = parse_between(line) if observation is None else parse_input(line, observation)
        except IllegalAction as error:
            self.side.tell(str(error))
            return None
        if isinstance(answer, Action) or answer is Request.NEXT_HAND:
            return answer
        if answer is Request.LEAVE:
            self.leaving = True
        elif answer is Request.HELP:
            self.side.help()
        elif answer is Request.EQUITY and observation is not None:
            self._show_equity(observation)
        else:
            self._advise(list(self.decisions) if observation is None else [(observation, None)])
        return None

    def _show_equity(self, observation: Observation) -> None:
        try:
            found = own_equity(observation, self.blueprint)
            if self.advisor is not None and self.advisor.solves and observation.street > 0:
                found = replace(found, against=f"{found.against}; {OTHER_RANGES}")
        except Exception as error:  # the question is still there, and the hand goes on without it
            LOGGER.warning("how often the own hand wins was not found: %s", error)
            self.side.tell("how often your hand wins could not be found; the log says why")
        else:
            self.side.show_equity(found)

    def _advise(self, decisions: Sequence[tuple[Observation, Action | None]]) -> None:
        if self.advisor is None:
            self.side.tell(f"there is no blueprint to ask; train one with: {TRAIN_COMMAND}")
        elif not decisions:
            self.side.tell("you had nothing to decide in this hand")
        else:
            self.advise(decisions)

    def advise(self, decisions: Sequence[tuple[Observation, Action | None]]) -> None:
        """Find what the bot would do, and show it."""
        self.side.advise([self.recommended(*decision) for decision in decisions])

    def recommended(self, observation: Observation, taken: Action | None) -> Advice:
        """What the bot would do at one decision."""
        assert self.advisor is not None
        return self.advisor.recommend(observation), taken


def play_hands(table: LocalTable, person: Person, limits: Limits, leave: LeaveSignals) -> None:
    """Hands until the person leaves, or was asked to, or a limit is reached."""
    while not (person.leaving or leave.after_hand or limits.reached(table.hands_played, 0.0)):
        table.play_hand()
        person.between_hands()
