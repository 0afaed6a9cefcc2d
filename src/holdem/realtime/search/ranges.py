"""What each seat can hold: a weight for each of the 1,326 hole pairs per seat, updated by Bayes' rule.

A weight is the chance of the seat's actions so far if it holds that pair: for the own seat by the strategy that it
really used, solve by solve ("frozen", as in Brown & Sandholm 2019, "Superhuman AI for multiplayer poker"), for the
others by the blueprint. Weights are of each seat alone. Two seats cannot hold the same card; the solvers see to that.

Nobody plays exactly the strategy that is assumed. Every action therefore keeps a small chance with every hand, so that
a line which the strategy never takes leaves a range that is wide, not empty.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from holdem.cards.cards import HOLE_CARDS, NUM_HOLE_PAIRS
from holdem.errors import HoldemError
from holdem.util.arrays import Float64

FLOOR = 0.002
"""The chance that an action has in any case, whatever the strategy says."""
HARDLY_EVER_DONE = 0.01
"""What a smaller share of a range does leaves a range that is a guess."""


def free_of(cards: Sequence[int]) -> npt.NDArray[np.bool_]:
    """(1326,): the hole pairs that hold none of these cards."""
    return np.asarray(~np.isin(HOLE_CARDS, list(cards)).any(axis=1))


@dataclass(frozen=True)
class SeatRanges:
    """`weights`: (seats, 1326), the largest of each seat is 1."""

    weights: Float64
    rarest: Mapping[int, float] = field(default_factory=dict)
    """By seat, the smallest share of its range that took one of the actions so far: where it is next to nothing, the
    strategy does not play like this, and the range says little."""

    @classmethod
    def all_hands(cls, num_seats: int) -> "SeatRanges":
        """Before anybody has acted."""
        return cls(np.ones((num_seats, NUM_HOLE_PAIRS)))

    def after_board(self, board: Sequence[int]) -> "SeatRanges":
        """Board cards are on the table: nobody holds one of them."""
        return replace(self, weights=_scaled(self.weights * free_of(board)))

    def after_action(self, seat: int, chances: Float64, floor: float = FLOOR) -> "SeatRanges":
        """A seat took an action that its strategy takes with these chances, (1326,), by hand."""
        if chances.shape != (NUM_HOLE_PAIRS,):
            raise HoldemError(f"an action has {NUM_HOLE_PAIRS} chances, one per hole pair, not {chances.shape}")
        weights, chances = self.weights.copy(), np.clip(chances, 0.0, 1.0)
        share = float(weights[seat] @ chances / weights[seat].sum())
        weights[seat] *= floor + (1.0 - floor) * chances
        return SeatRanges(_scaled(weights), {**self.rarest, seat: min(share, self.rarest.get(seat, 1.0))})

    def rarest_of_others(self, seat: int) -> float:
        """The smallest share of a range that did what another seat than this one did."""
        return min((share for other, share in self.rarest.items() if other != seat), default=1.0)


def _scaled(weights: Float64) -> Float64:
    largest = weights.max(axis=1, keepdims=True)
    if not np.all(largest > 0.0):
        raise HoldemError("a seat has no hand left that fits the board; check the cards of the hand")
    return np.asarray(weights / largest)
