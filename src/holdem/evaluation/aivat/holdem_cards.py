"""Hold'em's cards for AIVAT: all 1,326 holes, exact means over the boards that may come.

Turn and river are 49 and 48 boards. The flop has 22,100. Strategies that look at the 169 classes before the flop do not
tell suits apart: then 1,755 flops stand for all; and if one player's hole is what it is, its suits may be renamed to
those of any other hole of its class. So few means are needed, and they are remembered by what was played.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property, lru_cache, partial
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.abstraction.bucketing import HandBucketing
from holdem.abstraction.buckets.cached_tables import with_tables
from holdem.blueprint.buckets import tabled_bucketing
from holdem.cards.cards import HOLE_CARDS, NUM_HOLE_PAIRS, Cards
from holdem.cards.kernels.equity import complete_boards
from holdem.cards.ranges import CLASS_OF_HOLE
from holdem.errors import ArtifactError
from holdem.evaluation.kernels import aivat as kernels
from holdem.policy.policy import AveragePolicy
from holdem.util.arrays import Float64, Int64, UInt8, UInt16

STREET_OF_BOARD = {0: 0, 3: 1, 4: 2, 5: 3}
NUM_FLOPS = 22_100
FLOP_MEANS = 100_000
"""Remembered means over flops."""


_HOLES = HOLE_CARDS.astype(np.int8)
_FIRST_OF_CLASS = np.unique(CLASS_OF_HOLE, return_index=True)[1]
_SHARES_CARD = (HOLE_CARDS[:, :, None] == np.arange(52)).any(axis=1)
_RENAMINGS = np.array(
    [[a, b, c, 6 - a - b - c] for a in range(4) for b in range(4) for c in range(4) if len({a, b, c}) == 3]
)


class HoldemCards:
    """A `CardModel` with the buckets of one card abstraction."""

    num_holes = NUM_HOLE_PAIRS
    last_street = 3

    def __init__(self, policy: AveragePolicy, bucketing: HandBucketing | None = None) -> None:
        bucketing = tabled_bucketing(policy) if bucketing is None else with_tables(bucketing)
        if bucketing is None:
            raise ArtifactError(
                f"{policy.path or 'this policy'} was trained without a card abstraction, and AIVAT needs one; "
                "use --no-aivat"
            )
        self.bucketing = bucketing
        self._buckets_of_holes = lru_cache(maxsize=64)(self._list_buckets)
        self._flop_means: OrderedDict[bytes, float] = OrderedDict()

    def street(self, board: Cards) -> int:
        """The street that a board belongs to."""
        return STREET_OF_BOARD[len(board)]

    def held(self, hole: int) -> Float64:
        """(1326,) 1 for the holes that share no card with `hole`, else 0."""
        return self.restricted(np.ones(NUM_HOLE_PAIRS), tuple(HOLE_CARDS[hole].tolist()))

    def restricted(self, weights: Float64, board: Cards) -> Float64:
        """A range without the holes that share a card with the board."""
        return np.where(_SHARES_CARD[:, list(board)].any(axis=1), 0.0, weights)

    def against(self, weights: Float64) -> Float64:
        """(1326,) the weight that can be held against each hole."""
        out = np.empty(NUM_HOLE_PAIRS)
        kernels.against(np.ascontiguousarray(weights), _HOLES, out)
        return out

    def value(self, board: Cards, first: Float64, second: Float64, matrix: Float64) -> float:
        """The mean of the matrix over the buckets of two ranges."""
        buckets = self._buckets_of_holes(board)
        size = len(matrix)
        left = np.bincount(buckets, weights=first, minlength=size + 1)[:size]
        right = np.bincount(buckets, weights=second, minlength=size + 1)[:size]
        return float(left @ matrix @ right / (left.sum() * right.sum()))

    def expected_value(self, board: Cards, first: Float64, second: Float64, matrix: Float64) -> float:
        """The exact mean of `value` over the next street's boards."""
        if not board:
            return self._mean_over_flops(first, second, matrix)
        boards = _with_one_more(board)
        return _mean(self._buckets(boards), np.ones(len(boards)), first, second, matrix)

    def showdown(self, board: Cards, first: Float64, second: Float64) -> float:
        """How often the first range beats the second on five cards minus how often it loses."""
        return self._showdowns(np.array([board], dtype=np.uint8), first, second)

    def expected_showdown(self, board: Cards, first: Float64, second: Float64) -> float:
        """The exact mean of `showdown` over the river cards, from the turn."""
        return self._showdowns(_with_one_more(board), first, second)

    def _showdowns(self, boards: UInt8, first: Float64, second: Float64) -> float:
        masses, wins = np.empty((2, len(boards)))
        kernels.showdowns_on_boards(
            boards, _HOLES, np.ascontiguousarray(first), np.ascontiguousarray(second), masses, wins
        )
        return float(wins.sum() / masses.sum())

    def _mean_over_flops(self, first: Float64, second: Float64, matrix: Float64) -> float:
        """The mean over all flops; remembered if the ranges tell suits apart by nothing but one known hole."""
        if _is_suit_blind(first) and _is_suit_blind(second):
            return self._remembered((first, second, matrix), lambda: _mean(*self._flop_kinds, first, second, matrix))
        for dealt, other, columns in ((first, second, matrix), (second, first, np.ascontiguousarray(matrix.T))):
            renamed = self._with_usual_suits(dealt, other)
            if renamed is not None:
                hole, weights = renamed
                flops = self._flops_beside(hole)
                return self._remembered(
                    (np.array([hole]), weights, columns),
                    partial(kernels.mean_with_one_hole, self._all_flops, *flops, hole, weights, columns),
                )
        return _mean(self._all_flops, np.ones(NUM_FLOPS), first, second, matrix)

    def _with_usual_suits(self, dealt: Float64, other: Float64) -> tuple[int, Float64] | None:
        """One hole and a range that is blind to suits but for the cards of that hole, with the hole's suits renamed to
        those of the first hole of its class; None if the ranges are not such."""
        hole = np.flatnonzero(dealt)
        if len(hole) != 1:
            return None
        possible = self.held(int(hole[0])) > 0.0
        by_class = np.zeros(len(_FIRST_OF_CLASS))
        by_class[CLASS_OF_HOLE[possible]] = other[possible]
        if not np.array_equal(np.where(possible, by_class[CLASS_OF_HOLE], 0.0), other):
            return None
        usual = int(_FIRST_OF_CLASS[CLASS_OF_HOLE[hole[0]]])
        return usual, self.held(usual) * by_class[CLASS_OF_HOLE]

    def _remembered(self, arrays: tuple[npt.NDArray[Any], ...], mean: Callable[[], float]) -> float:
        digest = hashlib.blake2b(digest_size=16)
        for array in arrays:
            digest.update(array.tobytes())
        key = digest.digest()
        if key not in self._flop_means:
            self._flop_means[key] = mean()
            if len(self._flop_means) > FLOP_MEANS:
                self._flop_means.popitem(last=False)
        return self._flop_means[key]

    @lru_cache(maxsize=169)  # noqa: B019 - one model lives as long as its match
    def _flops_beside(self, hole: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Rows of `_all_flops`, one for each kind of flop where only that hole tells suits apart, and their numbers."""
        cards = HOLE_CARDS[hole]
        keeping = [suits for suits in _RENAMINGS if {_renamed(card, suits) for card in cards} == set(cards.tolist())]
        boards, times = np.empty((NUM_FLOPS, 3), dtype=np.uint8), np.empty(NUM_FLOPS, dtype=np.int64)
        count = complete_boards(np.empty(0, dtype=np.uint8), np.array(keeping), boards, times)
        low, middle, high = np.sort(boards[:count].astype(np.int64), axis=1).T
        return _flop_number(low, middle, high), times[:count].copy()

    def _buckets(self, boards: UInt8) -> UInt16:
        """(boards, 1326) the bucket of every hole."""
        table = self.bucketing.tables[STREET_OF_BOARD[boards.shape[1]] - 1]
        buckets: UInt16 = np.empty((len(boards), NUM_HOLE_PAIRS), dtype=np.uint16)
        kernels.buckets_on_boards(boards, _HOLES, table, buckets)
        return buckets

    def _list_buckets(self, board: Cards) -> npt.NDArray[np.int64]:
        """(1326,) the bucket of every hole, one more than there are buckets where it shares a card with the board."""
        if not board:
            return CLASS_OF_HOLE.astype(np.int64)
        street = STREET_OF_BOARD[len(board)]
        buckets = self._buckets(np.array([board], dtype=np.uint8))[0].astype(np.int64)
        return np.asarray(np.minimum(buckets, self.bucketing.buckets_per_street[street]))

    @cached_property
    def _all_flops(self) -> UInt16:
        """(22100, 1326) the bucket of every hole on every flop: 59 MB."""
        flops = np.array(list(combinations(range(52), 3)), dtype=np.uint8)
        return self._buckets(flops[np.argsort(_flop_number(*flops.T.astype(np.int64)))])

    @cached_property
    def _flop_kinds(self) -> tuple[UInt16, Float64]:
        """The buckets on one flop of each of the 1,755 kinds, and how many flops are of that kind."""
        boards, times = np.empty((NUM_FLOPS, 3), dtype=np.uint8), np.empty(NUM_FLOPS, dtype=np.int64)
        count = complete_boards(np.empty(0, dtype=np.uint8), _RENAMINGS, boards, times)
        return self._buckets(boards[:count]), times[:count].astype(np.float64)


def _mean(buckets: UInt16, times: Float64, first: Float64, second: Float64, matrix: Float64) -> float:
    """The mean value over boards, each as likely as the pairs of holes that it leaves, and counted `times`."""
    masses, values = np.empty((2, len(buckets)))
    kernels.values_on_boards(
        buckets, _HOLES, np.ascontiguousarray(first), np.ascontiguousarray(second), matrix, masses, values
    )
    return float((masses * times) @ values / (masses @ times))


def _with_one_more(board: Cards) -> UInt8:
    return np.array([[*board, card] for card in range(52) if card not in board], dtype=np.uint8)


def _is_suit_blind(weights: Float64) -> bool:
    """Whether all holes of a class weigh the same."""
    return bool(np.array_equal(weights, weights[_FIRST_OF_CLASS][CLASS_OF_HOLE]))


def _flop_number(low: Int64, middle: Int64, high: Int64) -> Int64:
    """The number of each flop among all 22,100 (colexicographic)."""
    return np.asarray(low + middle * (middle - 1) // 2 + high * (high - 1) * (high - 2) // 6)


def _renamed(card: int, suits: Int64) -> int:
    return int(card // 4 * 4 + suits[card % 4])
