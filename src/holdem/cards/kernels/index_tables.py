"""Tables behind the suit-isomorphic hand index (after Waugh 2013, "A Fast and Optimal Hand Isomorphism Algorithm").

Split a hand (two hole cards, a board whose order is forgotten) by suit. Each suit has a *shape*, how many
hole and board cards it holds, and a *place*, which rank sets those are among all of that shape. Renaming suits
permutes the four (shape, place) pairs, so a hand up to suits is a multiset of them. The sorted shapes are the
*pattern*: each pattern owns a block of indices, and within it suits of equal shape count as a multiset of
places, `C(places + k − 1, k)` of them for k suits.
"""

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb, prod

import numpy as np
import numpy.typing as npt

BOARD_SIZES = (0, 3, 4, 5)
NUM_SHAPES = 18


def shape_code(hole: int, board: int) -> int:
    """Number of the shape with `hole` (0..2) hole cards and `board` (0..5) board cards in the suit."""
    return 6 * hole + board


SHAPE_PLACES = np.array([comb(13, c // 6) * comb(13 - c // 6, c % 6) for c in range(NUM_SHAPES)], dtype=np.int64)
"""(18,): how many places each shape has."""


def _rank_set_places() -> npt.NDArray[np.int16]:
    """(8192,): place of a set of ranks among the sets of its size, in colexicographic order."""
    places = np.zeros(1 << 13, dtype=np.int16)
    for mask in range(1 << 13):
        ranks = [rank for rank in range(13) if mask >> rank & 1]
        places[mask] = sum(comb(rank, i + 1) for i, rank in enumerate(ranks))
    return places


RANK_SET_PLACE = _rank_set_places()
RANK_SET_SIZE = np.array([mask.bit_count() for mask in range(1 << 13)], dtype=np.int8)


def _rank_sets() -> npt.NDArray[np.int16]:
    """(14, 1716): the set of ranks of each size and place, the inverse of `RANK_SET_PLACE`."""
    sets = np.zeros((14, 1716), dtype=np.int16)
    sets[RANK_SET_SIZE, RANK_SET_PLACE] = np.arange(1 << 13)
    return sets


RANK_SETS = _rank_sets()


@dataclass(frozen=True)
class Patterns:
    """The patterns of one board size.

    shapes: (n, 4) the suits' shapes, largest first; starts: (n,) first index of each pattern's block; total: all
    indices. A suit adds `weight × C(place + run − 1, run)` to the start of the block, where run (n, 4) counts the
    suits of equal shape from the last one, and weight (n, 4) is the size of all groups behind its own.
    """

    shapes: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    weights: npt.NDArray[np.int64]
    runs: npt.NDArray[np.int64]
    total: int


def _group_sizes(shapes: tuple[int, ...]) -> list[int]:
    """Number of multisets of places for each different shape, in the order of the shapes."""
    groups = sorted(set(shapes), reverse=True)
    return [comb(int(SHAPE_PLACES[s]) + shapes.count(s) - 1, shapes.count(s)) for s in groups]


def _weights_and_runs(shapes: tuple[int, ...]) -> tuple[list[int], list[int]]:
    groups = sorted(set(shapes), reverse=True)
    sizes = _group_sizes(shapes)
    weights = [prod(sizes[groups.index(shape) + 1 :]) for shape in shapes]
    runs = [shapes[i:].count(shape) for i, shape in enumerate(shapes)]
    return weights, runs


def _patterns(board: int) -> Patterns:
    found = []
    for shapes in combinations_with_replacement(range(NUM_SHAPES - 1, -1, -1), 4):
        hole_cards, board_cards = sum(s // 6 for s in shapes), sum(s % 6 for s in shapes)
        if hole_cards == 2 and board_cards == board:
            found.append(shapes)
    ends = np.cumsum([prod(_group_sizes(shapes)) for shapes in found])
    weights, runs = zip(*map(_weights_and_runs, found), strict=True)
    starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
    return Patterns(np.array(found), starts, np.array(weights), np.array(runs), int(ends[-1]))


PATTERNS = {board: _patterns(board) for board in BOARD_SIZES}
INDEX_SIZES = {board: PATTERNS[board].total for board in BOARD_SIZES}
"""Hands up to suits by board size: 169; 1,286,792; 13,960,050; 123,156,254."""


def _shape_weights() -> npt.NDArray[np.int64]:
    """Small numbers for the shapes such that the sum over four suits names the pattern, found greedily.

    Parts of patterns are told apart too (the empty shape fills them up to four), or a shape that two parts
    have in common could never be added.
    """
    parts: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for shapes in combinations_with_replacement(range(NUM_SHAPES), 4):
        hole_cards, board_cards = sum(s // 6 for s in shapes), sum(s % 6 for s in shapes)
        if hole_cards <= 2 and board_cards <= 5:
            parts.setdefault((hole_cards, board_cards), []).append(shapes)
    weights = [0]
    for shape in range(1, NUM_SHAPES):
        known = [[p for p in group if p[3] <= shape] for group in parts.values()]
        weight = weights[-1] + 1
        while not _all_different(known, [*weights, weight]):
            weight += 1
        weights.append(weight)
    return np.array(weights, dtype=np.int64)


def _all_different(groups: list[list[tuple[int, ...]]], weights: list[int]) -> bool:
    return all(len({sum(weights[s] for s in p) for p in group}) == len(group) for group in groups)


SHAPE_WEIGHTS = _shape_weights()


def _pattern_rows() -> npt.NDArray[np.int16]:
    """(6, sums): row in the stacked pattern tables of the pattern of this board size with this sum of weights."""
    rows = np.zeros((6, 4 * int(SHAPE_WEIGHTS.max()) + 1), dtype=np.int16)
    first = 0
    for board in BOARD_SIZES:
        shapes = PATTERNS[board].shapes
        rows[board, SHAPE_WEIGHTS[shapes].sum(axis=1)] = first + np.arange(len(shapes))
        first += len(shapes)
    return rows


PATTERN_ROW = _pattern_rows()
PATTERN_START = np.concatenate([PATTERNS[board].starts for board in BOARD_SIZES])
PATTERN_WEIGHTS = np.concatenate([PATTERNS[board].weights for board in BOARD_SIZES])
PATTERN_RUNS = np.concatenate([PATTERNS[board].runs for board in BOARD_SIZES])
PATTERN_SHAPES = np.concatenate([PATTERNS[board].shapes for board in BOARD_SIZES])
PATTERN_RANGE = np.zeros((6, 2), dtype=np.int64)
"""(6, 2): first and last + 1 row of each board size in the stacked tables."""
for _board in BOARD_SIZES:
    _first = sum(len(PATTERNS[smaller].shapes) for smaller in BOARD_SIZES if smaller < _board)
    PATTERN_RANGE[_board] = _first, _first + len(PATTERNS[_board].shapes)
