"""What a solve of one street says: the strategies of all hands where they will be needed, and the values of actions.

It keeps the decisions on the line that was played, the decision asked about, and those that follow it as long as the
others only check, call or fold: then the street is over. After a raise there will be another solve.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from holdem.cards.cards import NUM_HOLE_PAIRS
from holdem.game.actions import Action, ActionKind
from holdem.util.arrays import Float32, Float64, Int64

Line = tuple[Action, ...]
"""The actions of a street up to a decision."""
Options = tuple[tuple[Action, ...], Float32]
"""The actions of a decision, and (1326, actions) their probabilities."""
LEAST_FREQUENCY = 0.001
"""Of a range, the share that takes an action whose EV is told: what fewer do is answered by strategies that had nothing
to train against."""
Timing = tuple[float, float, float]
"""Seconds before the iterations of a solve, of them, and after them."""


@dataclass(frozen=True)
class CarriedValues:
    """What a solve promises the opponent on the next street: the most that each of his hands can get there.

    A safe root of the next street offers him these values, so that nothing is given away that this street's solve
    counted on. They are of his best response to the strategy that is played (Burch, Johanson & Bowling 2014); what a
    hand gets in self-play is too little to be a promise.

    hands: the opponent's; values: (cards, hands) by the line that closes the street, in chips × reach of the own range;
    reach: (1326,) of the own range there
    """

    cards: tuple[int, ...]
    hands: Int64
    values: dict[Line, Float32]
    reach: dict[Line, Float32]

    def promised(self, line: Line, card: int, own: Float64) -> Float64 | None:
        """(1326,) for a root to which the own range comes with the weights `own`; None for a line that is not known."""
        if line not in self.values or card not in self.cards:
            return None
        free = own > 0.0
        before = float(self.reach[line][free].sum())
        if before <= 0.0:
            return None
        promised = np.zeros(NUM_HOLE_PAIRS)
        promised[self.hands] = self.values[line][self.cards.index(card)] * (float(own[free].sum()) / before)
        return promised


@dataclass(frozen=True)
class Accuracy:
    """What a best response of the seat from the decision asked about on gains over the strategy of the solve.

    The opponent plays the solve's strategy. The best action of a hand is worth at most what the hand's mixture is worth
    and what it gains; over the range the gain is at most twice the exploitability of the solve, of those deals that
    come to the decision: a best response of the whole solve may play as before until there.

    gains: (1326,) chips of each hand, NaN where nothing is known; of_range: the mean over the seat's range there;
    reached: the share of the deals of the solve that come to the decision
    """

    gains: Float32
    of_range: float
    reached: float


@dataclass(frozen=True)
class StreetSolution:
    """`decisions`: options by the line that leads to them; `line`: the decision asked about."""

    line: Line
    decisions: dict[Line, Options]
    action_values: Float32
    """(1326, actions) chips from here on, counted from what the seat has behind now; NaN where nothing is known."""
    iterations: int
    note: str
    timing: Timing = (0.0, 0.0, 0.0)
    fallbacks: tuple[str, ...] = ()
    """Fallbacks on the way to this answer."""
    carried: CarriedValues | None = None
    """What it promises the opponent on the next street."""
    accuracy: Accuracy | None = None
    """None where nobody asked, and with more than two players: then no best response is known."""
    left_out: npt.NDArray[np.bool_] | None = None
    """(1326,) hands that were not solved and play the blueprint."""
    beside: int | None = None
    """A hand that was solved for advice, though the betting leaves it out of the range."""
    off_the_line: bool = False
    """Whether the line was opened for advice, since the solve hardly ever takes it."""
    ends: tuple[bool, ...] = ()
    """Of each action of the decision asked about whether nothing is decided after it."""
    defended: tuple[bool, ...] | None = None
    """What `told` says of the range that comes here; None where nobody asked."""

    def told(self, reach: Float64) -> tuple[bool, ...]:
        """Of each action whether its values mean something: the range takes it, or nothing is decided after it.

        reach: (1326,) weights of the range at the decision asked about
        """
        total = float(reach.sum())
        taken = reach @ self.options[1] >= LEAST_FREQUENCY * total if total > 0.0 else [False] * len(self.ends)
        return tuple(bool(often) or ends for often, ends in zip(taken, self.ends, strict=True))

    @property
    def options(self) -> Options:
        """Those of the decision asked about."""
        return self.decisions[self.line]

    def lacks(self, hand: int) -> bool:
        """Whether a hand is not in the range that the betting leaves."""
        return self.beside == hand or (self.left_out is not None and bool(self.left_out[hand]))

    def chances(self, line: Line, action: Action) -> npt.NDArray[np.float64] | None:
        """(1326,) how likely each hand takes an action after a line; None if that decision was not kept."""
        options = self.decisions.get(line)
        if options is None:
            return None
        actions, policy = options
        place = nearest(actions, action)
        return None if place is None else policy[:, place].astype(np.float64)


def nearest(actions: Iterable[Action], action: Action) -> int | None:
    """The place of an action among others; a raise is found by its amount, exactly or nearest."""
    places = [place for place, other in enumerate(actions) if other.kind is action.kind]
    if not places:
        return None
    listed = list(actions)
    return min(places, key=lambda place: abs(listed[place].amount - action.amount))


def aligned(options: Options, actions: tuple[Action, ...]) -> Float32:
    """(1326, actions): probabilities of other options in the order of `actions`, which may have more of them."""
    policy = np.zeros((NUM_HOLE_PAIRS, len(actions)), dtype=np.float32)
    for place, action in enumerate(options[0]):
        target = nearest(actions, action)
        if target is None:
            target = nearest(actions, Action.check_or_call())
        policy[:, 0 if target is None else target] += options[1][:, place]
    return policy


def is_passive(action: Action) -> bool:
    """Whether the street may be over after it."""
    return action.kind is not ActionKind.RAISE_TO


def lines_to_keep(line: Line, actions_after: Callable[[Line], tuple[Action, ...] | None], first: int = 0) -> list[Line]:
    """The decisions of a tree to keep, from the `first` one of the street on.

    `actions_after` gives the actions of a decision, None where there is none.
    """
    kept = [line[:length] for length in range(first, len(line) + 1)]
    open_lines = [(*line, action) for action in actions_after(line) or ()]
    while open_lines:
        after = open_lines.pop()
        actions = actions_after(after)
        if actions is not None:
            kept.append(after)
            open_lines.extend((*after, action) for action in actions if is_passive(action))
    return kept
