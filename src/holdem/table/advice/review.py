"""A person's hands beside the bot's: decision by decision, how often the bot does the same and what was lost.

What a decision lost is the worth of the best action less the worth of the one taken. An estimate has a standard error,
and is not driven up by luck: half of the deals say which action is best, the other half what it gains. An action whose
worth is not shown loses something that is not known, and so does a size that is far from all sizes with a worth: it
is priced as itself, as a choice of the solve, or not at all. How the worth was found is part of every figure.

A loss is called clear only if it exceeds the accuracy of the solve and a share of the pot that covers most of what the
time of a solve changes, the solve itself hardly ever plays like this, and a second solve with more time says so too.
Of decisions to which the bot hardly ever comes nothing is clear, and they count in no sum: their ranges are guesses,
and so is what they lost.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from holdem.abstraction.betting.tree import position_names
from holdem.cards.cards import format_cards
from holdem.errors import ConfigError
from holdem.game.actions import Action, ActionKind
from holdem.game.agent import Observation, PublicState, as_called, observe
from holdem.game.hand import Hand
from holdem.game.records import HoleCardsDealt
from holdem.realtime.search.decision import Method
from holdem.realtime.search.history import action_of
from holdem.table.advice.advisor import Advisor
from holdem.table.advice.beliefs import shares_of
from holdem.table.advice.recommendation import CLEAR_ERRORS, Recommendation, position_name, smallest_loss, words_of
from holdem.table.history.hand_history import StoredHand
from holdem.types import STREET_NAMES
from holdem.util.rng import derived_seed
from holdem.util.words import counted

CLEAR_SHARE = 0.05
"""Of the pot: more than a loss changes with the time of the solve in 97 of 100 cases (docs/tables.md)."""
FAR = 1.5
"""A raise to so many times more or less than all raises with a worth is none of them."""
HARDLY_COME_TO = "that the bot hardly ever comes to"
NO_WORTH = "without EVs"
FREE_FOLD = "with a fold where a check is free"
NOT_TAKEN = "with an action that the bot hardly ever takes"
NO_SUCH_SIZE = "with a size that the bot has nothing like"
HARDLY_PLAYED = 0.05
"""A solve agrees that an action is wrong if it plays it less often than this."""


@dataclass(frozen=True)
class ReviewedDecision:
    """One decision: what was done, what the bot does, and chips lost (None where worth is not known)."""

    hand: int
    taken: Action
    frequency: float
    """How often the bot does what was done."""
    recommendation: Recommendation
    lost: float | None
    lost_error: float | None
    """The standard error of an estimate; None where nothing was estimated."""
    priced_as: str = ""
    """What an action that the bot's menu does not have was priced as."""
    priced_frequency: float = 0.0
    """How often the bot does what it was priced as."""
    confirmed: bool = True
    """Whether no second solve denies that the loss is clear."""

    @property
    def street(self) -> str:
        """`flop`."""
        return STREET_NAMES[self.recommendation.observation.street]

    @property
    def position(self) -> str:
        """`BB`."""
        return position_name(self.recommendation.observation)

    @property
    def taken_words(self) -> str:
        """`call 300`."""
        return words_of(self.taken, self.recommendation.observation)

    @property
    def best_words(self) -> str | None:
        """The action that is worth most; None where no worth is known."""
        best = self.recommendation.best
        return None if best is None else self.recommendation.words(self.recommendation.decision.actions[best])

    @property
    def counted(self) -> bool:
        """Whether what was lost is known well enough to count in sums."""
        return self.lost is not None and not self.recommendation.decision.hardly_comes_here

    @property
    def not_counted_because(self) -> str:
        """Why it counts in no sum, to follow `1 decision`; empty if it does."""
        found = self.recommendation.decision
        if self.counted:
            return ""
        if found.hardly_comes_here:
            return HARDLY_COME_TO
        if found.evs is None:
            return NO_WORTH
        if self.taken.kind is ActionKind.FOLD and not self.recommendation.observation.legal.can_fold:
            return FREE_FOLD
        known = as_called(self.taken, self.recommendation.observation) in _called(self.recommendation)
        return NOT_TAKEN if known or self.priced_as else NO_SUCH_SIZE

    @property
    def clear(self) -> bool:
        """Whether something was lost by more than errors, accuracy and the margin of time explain."""
        found, seen = self.recommendation.decision, self.recommendation.observation
        least = max(CLEAR_ERRORS * (self.lost_error or 0.0), CLEAR_SHARE * seen.pot, smallest_loss(seen))
        if found.method is Method.SEARCH:
            if found.accuracy is None or self.priced_frequency >= HARDLY_PLAYED:
                return False
            least = max(least, found.accuracy, found.hand_accuracy or 0.0)
        return self.confirmed and self.counted and (self.lost or 0.0) > least

    def for_sums(self) -> "ReviewedDecision":
        """The same without the deals of an estimate, a megabyte of them, which only `to_plain` asks."""
        return replace(self, recommendation=replace(self.recommendation, worth=None))

    def to_plain(self) -> dict[str, Any]:
        """What JSON holds."""
        error = _rounded(self.lost_error)
        return {
            "hand": self.hand,
            "street": self.street,
            "position": self.position,
            "taken": self.taken_words,
            "bot_frequency": round(self.frequency, 4),
            "best": self.best_words,
            "lost": _rounded(self.lost),
            "lost_error": error,
            "lost_standard_error": error,
            "counted": self.counted,
            "not_counted_because": self.not_counted_because,
            "clear": self.clear,
            "priced_as": self.priced_as,
            "bot": self.recommendation.to_plain(),
        }


def summary(reviewed: Sequence[ReviewedDecision]) -> dict[str, Any]:
    """Decisions and chips lost, in all, by street and by position, and a sentence about those that do not count."""
    lost = total(reviewed)
    positions = sorted({decision.position for decision in reviewed}, key=_place_at_table(reviewed).index)
    return {
        "hands": len({decision.hand for decision in reviewed}),
        "lost": lost,
        "not_counted_words": _not_counted_words(reviewed),
        "by_street": _totals(reviewed, STREET_NAMES, lambda decision: decision.street),
        "by_position": _totals(reviewed, positions, lambda decision: decision.position),
    }


def _not_counted_words(reviewed: Sequence[ReviewedDecision]) -> str:
    """`not counted: 2 decisions that the bot hardly ever comes to`, reason by reason; empty if all count."""
    reasons = Counter(decision.not_counted_because for decision in reviewed if decision.not_counted_because)
    parts = [f"{counted(count, 'decision')} {reason}" for reason, count in reasons.items()]
    return f"not counted: {', '.join(parts)}" if parts else ""


def worst(reviewed: Sequence[ReviewedDecision], count: int | None = None) -> list[ReviewedDecision]:
    """The decisions that clearly lost something, the most expensive first."""
    return sorted((decision for decision in reviewed if decision.clear), key=lambda one: -(one.lost or 0.0))[:count]


def total(reviewed: Sequence[ReviewedDecision]) -> dict[str, Any]:
    """Chips lost by some decisions: those that count, and how many do not. Errors of estimates add up in squares."""
    known = [decision for decision in reviewed if decision.counted]
    error = round(sum((decision.lost_error or 0.0) ** 2 for decision in known) ** 0.5, 2)
    return {
        "decisions": len(reviewed),
        "measured": len(known),
        "not_counted": len(reviewed) - len(known),
        "clear": sum(decision.clear for decision in known),
        "chips": round(sum(decision.lost or 0.0 for decision in known), 2),
        "error": error,
        "standard_error": error,
    }


def _totals(
    reviewed: Sequence[ReviewedDecision], names: Sequence[str], name_of: Callable[[ReviewedDecision], str]
) -> dict[str, dict[str, Any]]:
    """By name, in the order of the names; only of those that occur."""
    parts = {name: [decision for decision in reviewed if name_of(decision) == name] for name in names}
    return {name: total(part) for name, part in parts.items() if part}


def _place_at_table(reviewed: Sequence[ReviewedDecision]) -> list[str]:
    """Names of positions in the order of the table, of whatever tables there were."""
    tables = [position_names(decision.recommendation.observation.config) for decision in reviewed]
    return [name for names in sorted(tables, key=len, reverse=True) for name in names]


def _rounded(chips: float | None) -> float | None:
    return None if chips is None else round(chips, 2)


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
        again.act(action, recorded=True)


def own_decisions(stored: StoredHand, seat: int) -> int | None:
    """How many decisions of a seat were its player's own, who left then; None if all of them were."""
    left = stored.fields.get("_left")
    return left if type(left) is int and left >= 0 and seat == stored.hero else None


def own_decisions_of(stored: StoredHand, seat: int) -> Iterator[tuple[Observation, Action]]:
    """The decisions of a seat that its player made: not what was checked or folded after the player had left."""
    left, most = own_decisions(stored, seat), len(stored.hand.records)  # a file may say any number
    return islice(decisions_of(stored.hand, seat), most if left is None else min(left, most))


def review_decision(advisor: Advisor, number: int, observation: Observation, taken: Action) -> ReviewedDecision:
    """One decision beside the advisor's; a loss that looks clear is solved once more, and the smaller one told."""
    reviewed = _beside(advisor.recommend(observation, taken), number, taken)
    if not reviewed.clear or reviewed.recommendation.decision.method is not Method.SEARCH:
        return reviewed
    again = advisor.second_opinion(observation, taken)
    return reviewed if again is None else _agreed(reviewed, _beside(again, number, taken))


def _agreed(first: ReviewedDecision, second: ReviewedDecision) -> ReviewedDecision:
    """What two solves of a decision say together: nothing of what was lost if one of them does not know it."""
    if second.lost is None or not second.counted:
        return second
    smaller = min(first, second, key=lambda one: one.lost or 0.0)
    return replace(smaller, confirmed=first.clear and second.clear)


def _beside(recommendation: Recommendation, number: int, taken: Action) -> ReviewedDecision:
    """What was done beside a recommendation."""
    decision, observation = recommendation.decision, recommendation.observation
    taken_for, actions = as_called(taken, observation), _called(recommendation)
    priced = _priced_shares(taken_for, actions, observation)
    shares = [(_known_twin(place, actions, recommendation), share) for place, share in priced]
    mixture = [0.0] * len(decision.actions)
    for place, share in shares:
        mixture[place] = share
    same = sum(chance for known, chance in zip(actions, decision.probabilities, strict=True) if known == taken_for)
    lost, error = recommendation.lost(mixture) if shares else (None, None)
    parts = [f"{share:.0%} {recommendation.words(decision.actions[place])}" for place, share in shares]
    priced_as = "" if taken_for in actions else " and ".join(parts)
    often = sum(share * sum(decision.probabilities[twin] for twin in _twins(place, actions)) for place, share in shares)
    return ReviewedDecision(number, taken, same, recommendation, lost, error, priced_as, often)


def _twins(place: int, actions: Sequence[Action]) -> list[int]:
    """Places of actions that are the same as one when they are called, itself too."""
    return [other for other, action in enumerate(actions) if action == actions[place]]


def _known_twin(place: int, actions: Sequence[Action], recommendation: Recommendation) -> int:
    """Of the same actions the likeliest one, of those whose worth is shown if there are any."""
    shown, chances = recommendation.shown, recommendation.decision.probabilities
    return max(_twins(place, actions), key=lambda twin: (twin in shown, chances[twin]))


def _called(recommendation: Recommendation) -> list[Action]:
    """The actions of a decision as they can be called: an all-in of the larger stack is one of the smaller stack."""
    return [as_called(action, recommendation.observation) for action in recommendation.decision.actions]


def _priced_shares(taken: Action, actions: Sequence[Action], state: PublicState) -> list[tuple[int, float]]:
    """Which of `actions` stand for what was done; none if it is a size far below or above all of them."""
    sizes = [action.amount for action in actions if action.kind is ActionKind.RAISE_TO]
    if taken.kind is ActionKind.RAISE_TO and sizes and not min(sizes) / FAR <= taken.amount <= max(sizes) * FAR:
        return []
    return shares_of(taken, actions, state)
