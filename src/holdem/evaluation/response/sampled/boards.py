"""A sampled tree of boards below one flop: some turns, below each of them some rivers, all hands on each.

Every next card is equally likely for two hands that do not hold it. A hand's value is the mean over the sampled cards
that it does not hold itself, so that it is neither more nor less certain to go on than it really is; with all cards in
the sample this is exact.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from holdem.cards.cards import HOLE_CARDS, HOLE_MASKS, Cards
from holdem.evaluation.kernels.sampled import BoardArrays, fill_edges, fill_strengths
from holdem.util.arrays import Int64

BucketsOfHoles = Callable[[Cards], Int64]
"""(1326,) the bucket of every hole pair on a board, −1 where it cannot be held."""


@dataclass(frozen=True)
class Board:
    """One board of the tree; `parent` is its number, −1 for the first."""

    cards: Cards
    parent: int
    holes: Int64
    """Hole pairs that it leaves, weakest first on the last street."""


def hole_pairs(deck: Cards, board: Cards) -> Int64:
    """Numbers of the hole pairs of a deck that share no card with a board, ascending."""
    allowed = sum(1 << card for card in deck if card not in board)
    return np.flatnonzero((HOLE_MASKS & ~allowed) == 0)


def sample_tree(
    deck: Cards, board_cards: Sequence[int], first: Cards, samples: Sequence[int], generator: np.random.Generator
) -> tuple[list[Board], list[int], list[int]]:
    """Boards below `first`, breadth first; the first child and the number of children of each, −1 on the last street.

    board_cards: cards on the board on each street from that of `first` on; samples: next boards at each street's end,
    all of them where there are no more.
    """
    boards = [Board(first, -1, hole_pairs(deck, first))]
    first_child, children = [], []
    for number, board in enumerate(boards):  # grows while it is walked
        street = board_cards.index(len(board.cards))
        last = street == len(board_cards) - 1
        first_child.append(len(boards))
        children.append(-1)
        if last:
            continue
        rest = [card for card in deck if card not in board.cards]
        more = list(combinations(rest, board_cards[street + 1] - len(board.cards)))
        count = min(samples[street], len(more))
        for place in sorted(generator.choice(len(more), count, replace=False).tolist()):
            cards = board.cards + more[place]
            boards.append(Board(cards, number, hole_pairs(deck, cards)))
        children[number] = count
    return boards, first_child, children


def board_arrays(
    deck: Cards,
    board_cards: Sequence[int],
    first: Cards,
    samples: Sequence[int],
    generator: np.random.Generator,
    buckets_of_holes: BucketsOfHoles,
    all_ins: Sequence[bool],
) -> BoardArrays:
    """The sampled tree below `first` as the kernels read it; `all_ins`: by street, whether all-ins are possible."""
    boards, first_child, children = sample_tree(deck, board_cards, first, samples, generator)
    width = len(boards[0].holes)
    upper = sum(count >= 0 for count in children)
    shape = (len(boards), width)
    arrays = BoardArrays(
        hands=np.array([len(board.holes) for board in boards], dtype=np.int32),
        low=np.zeros(shape, np.uint8),
        high=np.zeros(shape, np.uint8),
        bucket=np.zeros(shape, np.uint32),
        strength=np.zeros(shape, np.int32),
        in_parent=np.zeros(shape, np.int32),
        weight=np.zeros(shape, np.float32),
        first_child=np.array(first_child, dtype=np.int32),
        children=np.array(children, dtype=np.int32),
        edges=np.zeros((max(upper, 1), width, width), np.int16),
        runouts=np.ones(max(upper, 1), np.float32),
    )
    for number, board in enumerate(boards):
        street = board_cards.index(len(board.cards))
        if children[number] < 0:
            board = boards[number] = Board(board.cards, board.parent, _by_strength(board, arrays.strength[number]))
        count = len(board.holes)
        arrays.low[number, :count], arrays.high[number, :count] = HOLE_CARDS[board.holes].T
        arrays.bucket[number, :count] = buckets_of_holes(board.cards)[board.holes]
        if children[number] >= 0 and all_ins[street]:
            _fill_edges(deck, board_cards[-1], board, arrays, number)
        if board.parent >= 0:
            places = np.searchsorted(boards[board.parent].holes, board.holes)
            arrays.in_parent[number, :count] = places
            arrays.weight[number, :count] = _weights(deck, boards, board, children, places)
    return arrays


def _by_strength(board: Board, strength: npt.NDArray[np.int32]) -> Int64:
    low, high = HOLE_CARDS[board.holes].astype(np.uint8).T.copy()
    strengths = np.empty(len(board.holes), dtype=np.int16)
    fill_strengths(np.array(board.cards, dtype=np.uint8), low, high, strengths)
    order = np.argsort(strengths, kind="stable")
    strength[: len(order)] = strengths[order]
    return board.holes[order]


def _fill_edges(deck: Cards, board_size: int, board: Board, arrays: BoardArrays, number: int) -> None:
    rest = [card for card in deck if card not in board.cards]
    missing = board_size - len(board.cards)
    runouts = [board.cards + more for more in combinations(rest, missing)]
    count = len(board.holes)
    low, high = arrays.low[number, :count], arrays.high[number, :count]
    fill_edges(np.array(runouts, dtype=np.uint8), low, high, arrays.edges[number])
    arrays.runouts[number] = comb(len(rest) - 4, missing)


def _weights(
    deck: Cards, boards: list[Board], board: Board, children: list[int], places: Int64
) -> npt.NDArray[np.float64]:
    """Of this board in the value of each of its hands on the board before: see the module's first lines."""
    parent = boards[board.parent]
    siblings = [other for other in boards if other.parent == board.parent]
    held = np.zeros(len(parent.holes))
    for other in siblings:
        held += ~np.isin(HOLE_CARDS[parent.holes], other.cards[len(parent.cards) :]).any(axis=1)
    left, more = len(deck) - len(parent.cards), len(board.cards) - len(parent.cards)
    weights: npt.NDArray[np.float64] = comb(left - 2, more) / held[places] / comb(left - 4, more)
    return weights
