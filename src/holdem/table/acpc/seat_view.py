"""What one seat sees of a match: state messages in, decisions and finished hands out.

Client and proxy read the same lines through it. A message that cannot be understood is logged whole and counted;
where an answer may be due, the safe one comes with it.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from holdem.game.agent import Observation
from holdem.game.hand import Hand
from holdem.game.records import Bet, Call, Check, Fold, Raise
from holdem.table.acpc.conversion import hand_of, observation_of, safe_answer
from holdem.table.acpc.game_definition import GameDefinition
from holdem.table.acpc.protocol import MatchState, StateError, is_comment, parse_state
from holdem.table.acpc.rules import AcpcAction, hand_values
from holdem.table.history.observed_hand import ObservedHand, SeatObserver, seen_by
from holdem.util.logs import LOGGER
from holdem.util.rng import derived_seed

_ACTIONS = (Fold, Check, Call, Bet, Raise)


@dataclass(frozen=True)
class Turn:
    """The seat is to act."""

    observation: Observation
    hand: Hand
    state: MatchState


@dataclass(frozen=True)
class HandOver:
    """A hand is finished; `chips` is what the dealer counts for this seat, with fractions where a pot is split."""

    hand: Hand
    number: int
    chips: float


@dataclass(frozen=True)
class Unreadable:
    """A message that cannot be understood; `answer` is None where none can be due."""

    line: str
    reason: str
    answer: AcpcAction | None


class SeatView:
    """Follows one seat through the messages of a match; each of them tells its hand from the start."""

    def __init__(
        self,
        game: GameDefinition,
        seat: int = 0,
        name: str = "hero",
        seed: int = 0,
        observers: Sequence[SeatObserver] = (),
    ) -> None:
        """`seat` is where this player sits at every hand of ours; `seed` keys the random streams of its agent."""
        self.game, self.config, self.seat, self.seed = game, game.config(), seat, seed
        self.observers = tuple(observers)
        count = game.num_players
        self.names = tuple(name if s == seat else f"player {(s - seat) % count + 1}" for s in range(count))
        self.hands = 0
        self.chips = 0.0
        self.unreadable = 0
        self.unfinished = 0
        """Hands whose end the dealer never announced."""
        self.in_hand = False
        """Whether a hand has begun and is not over."""
        self._number: int | None = None
        self._last: MatchState | None = None
        self._told = 0

    def read(self, line: str) -> Turn | HandOver | Unreadable | None:
        """What a line from the dealer means for this seat; None where it has nothing to do."""
        if is_comment(line):
            return None
        try:
            state = parse_state(line, self.game)
            if state.hand_number == self._number and not self.in_hand:
                return None  # the end of a hand, told again
            return self._follow(state)
        except StateError as error:
            self.unreadable += 1
            LOGGER.error("a state message cannot be understood: %s; the whole line: %r", error, line)
            return Unreadable(line, str(error), self._answer_due(line, error))

    def _answer_due(self, line: str, error: StateError) -> AcpcAction | None:
        betting = error.betting
        if betting is None:
            return safe_answer(None) if line.startswith("MATCHSTATE:") else None
        if betting.finished or betting.current_player != error.position:
            return None
        return safe_answer(betting)

    def _follow(self, state: MatchState) -> Turn | HandOver | None:
        self._check_follows(state)
        if state.hand_number != self._number:
            self._begin(state.hand_number)
        self._last = state
        over = state.betting.finished
        chips = self._count(state) if over else 0.0  # also where our rules do not have the hand
        if not (self.observers or state.is_turn or over):
            return None
        hand = hand_of(state, self.config, self.seat)
        self._tell(hand)
        if over:
            for observer in self.observers:
                observer.hand_over(self._observed(hand))
            return HandOver(hand, state.hand_number, chips)
        return self._turn(state, hand) if state.is_turn else None

    def _check_follows(self, state: MatchState) -> None:
        """StateError if a state of the same hand cannot come after the last one."""
        last = self._last
        if last is None or last.hand_number != state.hand_number:
            return
        same_cards = state.hole_cards[state.position] == last.hole_cards[last.position]
        same_board = state.board[: len(last.board)] == last.board
        goes_on = state.betting.line[: last.betting.num_actions] == last.betting.line
        if state.position != last.position or not (same_cards and same_board and goes_on):
            raise StateError(f"it does not follow from {last.text()}", state.position, state.betting)

    def _begin(self, number: int) -> None:
        if self.in_hand:
            self.unfinished += 1
            # Some dealers tell no ends at all, such as a table of ours that asks a program: one line is enough.
            level = logging.WARNING if self.unfinished == 1 else logging.DEBUG
            LOGGER.log(level, "hand %s has no end: the dealer went on to hand %s", self._number, number)
        self._number, self._told, self.in_hand = number, 0, True

    def _turn(self, state: MatchState, hand: Hand) -> Turn:
        decision = sum(1 for record in hand.records if isinstance(record, _ACTIONS) and record.seat == self.seat)
        deal = derived_seed(self.seed, "acpc hand", state.hand_number)
        observation = observation_of(hand, state.betting, deal, decision)
        for observer in self.observers:
            observer.to_act(observation)
        return Turn(observation, hand, state)

    def _count(self, state: MatchState) -> float:
        """Chips of a finished hand, added up."""
        chips = hand_values(state.betting, state.hole_cards, state.board)[state.position]
        self.hands += 1
        self.chips += chips
        self.in_hand = False
        return chips

    def _tell(self, hand: Hand) -> None:
        """Pass on what is new in a hand."""
        if not self.observers:
            return
        records = hand.records
        if not self._told:
            beginning = next((place for place, record in enumerate(records) if isinstance(record, _ACTIONS)), None)
            started = self._observed(hand, beginning)
            self._told = len(started.records)
            for observer in self.observers:
                observer.hand_started(started)
        for record in seen_by(records[self._told :], self.seat):
            for observer in self.observers:
                observer.happened(record)
        self._told = len(records)

    def _observed(self, hand: Hand, count: int | None = None) -> ObservedHand:
        payoffs = hand.payoffs if hand.is_over else (0,) * hand.num_seats
        assert self._number is not None
        return ObservedHand(self._number, self.seat, self.names, seen_by(hand.records[:count], self.seat), payoffs)
