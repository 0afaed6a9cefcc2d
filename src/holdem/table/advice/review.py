"""A person's hands beside the bot's: decision by decision, how often the bot does the same and what was lost.

What a decision lost is what the bot's own mixture is worth less what the action taken is worth, under the same
beliefs about the other hands. So it has no bias towards the luckiest of several estimates, and in an exact solution
it is the usual loss of expected value. How the worth was found is part of every figure.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from holdem.cards.cards import format_cards
from holdem.errors import ConfigError
from holdem.game.actions import Action
from holdem.game.agent import Observation, observe
from holdem.game.hand import Hand
from holdem.game.records import HoleCardsDealt
from holdem.realtime.search.history import action_of
from holdem.table.advice.advisor import Advisor
from holdem.table.advice.beliefs import shares_of
from holdem.table.advice.recommendation import Recommendation, words_of
from holdem.table.history.hand_history import StoredHand
from holdem.types import STREET_NAMES
from holdem.util.rng import derived_seed

CLEAR_ERRORS = 2.0
"""A loss of more standard errors than this is called clear."""


@dataclass(frozen=True)
class ReviewedDecision:
    """One decision: what was done, what the bot does, and chips lost (None where worth was not computed)."""

    hand: int
    taken: Action
    frequency: float
    """How often the bot does what was done."""
    recommendation: Recommendation
    lost: float | None
    lost_error: float | None
    """Standard error; None where the loss is exact."""
    priced_as: str = ""
    """What an action that the bot's menu does not have was priced as."""

    @property
    def street(self) -> str:
        """`flop`."""
        return STREET_NAMES[self.recommendation.observation.street]

    @property
    def taken_words(self) -> str:
        """`call 300`."""
        return words_of(self.taken, self.recommendation.observation)

    @property
    def clear(self) -> bool:
        """Whether something was lost beyond doubt."""
        if self.lost is None:
            return False
        return self.lost > CLEAR_ERRORS * (self.lost_error or 0.0) and self.lost > 0.5

    def to_plain(self) -> dict[str, Any]:
        """What JSON holds."""
        rounded = None if self.lost is None else round(self.lost, 2)
        error = None if self.lost_error is None else round(self.lost_error, 2)
        return {
            "hand": self.hand,
            "taken": self.taken_words,
            "bot_frequency": round(self.frequency, 4),
            "lost": rounded,
            "lost_standard_error": error,
            "clear": self.clear,
            "priced_as": self.priced_as,
            "bot": self.recommendation.to_plain(),
        }


def seat_to_review(stored: StoredHand, player: str | None) -> int | None:
    """The seat of a player's name; without a name the seat from which the hand was seen. None if it is not there."""
    if player is not None:
        return stored.players.index(player) if player in stored.players else None
    if stored.hero is not None:
        return stored.hero
    known = [seat for seat, cards in enumerate(dealt_cards(stored.hand)) if cards]
    return known[0] if len(known) == 1 else None


def check_player(stored: list[StoredHand], player: str | None) -> None:
    """ConfigError if no hand of a file has somebody to review."""
    if not any(seat_to_review(one, player) is not None for one in stored):
        names = sorted({name for one in stored for name in one.players})
        what = f"nobody is called {player!r} there" if player else "the file does not say whose hands they are"
        raise ConfigError(f"{what}; name one with --player: {', '.join(names) or 'there are no hands'}")


def dealt_cards(hand: Hand) -> list[tuple[int, ...] | None]:
    """Hole cards that were known when they were dealt, by seat; not those shown later."""
    cards: list[tuple[int, ...] | None] = [None] * hand.num_seats
    for record in hand.records:
        if isinstance(record, HoleCardsDealt):
            cards[record.seat] = record.cards
    return cards


def decisions_of(hand: Hand, seat: int) -> Iterator[tuple[Observation, Action]]:
    """What a seat saw at each of its turns, and what it did; nothing if its cards are not known."""
    own = hand.hole_cards[seat]
    if own is None:
        return
    pairs = [own if place == seat else None for place in range(hand.num_seats)]
    again = Hand(hand.config, pairs, hand.board, button=hand.button, stacks=hand.starting_stacks)
    deal = derived_seed(0, f"review {format_cards(own)} {format_cards(hand.board)}")
    decision = 0
    for record in hand.records:
        action = action_of(record)
        if action is None:
            continue
        if again.actor == seat:
            yield observe(again, deal, decision), action
            decision += 1
        again.act(action)


def review_decision(advisor: Advisor, number: int, observation: Observation, taken: Action) -> ReviewedDecision:
    """One decision beside the advisor's."""
    recommendation = advisor.recommend(observation)
    decision = recommendation.decision
    shares = shares_of(taken, decision.actions, observation)
    mixture = [0.0] * len(decision.actions)
    for place, share in shares:
        mixture[place] = share
    same = decision.probabilities[decision.actions.index(taken)] if taken in decision.actions else 0.0
    lost, error = recommendation.lost(mixture) if shares else (None, None)
    parts = [f"{share:.0%} {recommendation.words(decision.actions[place])}" for place, share in shares]
    priced_as = "" if taken in decision.actions else " and ".join(parts)
    return ReviewedDecision(number, taken, same, recommendation, lost, error, priced_as)
