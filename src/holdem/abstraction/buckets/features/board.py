"""What all hole pairs of one board feature, at once: the same figures as hand by hand, a hundred times faster.

The runouts of a board are scored for all hands together, each pair of a turn and a river once for both orders.
"""

from itertools import combinations

import numpy as np

from holdem.abstraction.buckets.features.potential import bin_of_score, row_width, turn_bin_width
from holdem.abstraction.kernels.features import scores_of_boards
from holdem.cards.cards import HOLE_CARDS, NUM_HOLE_PAIRS, Cards
from holdem.util.arrays import Int32, Int64, UInt8

DECK = 52


def board_features(board: Cards, bins: int) -> tuple[Int64, UInt8]:
    """(1326,) equity sums and (1326, width) cumulative histograms over the next card, of no meaning for hands that the
    board blocks; on the river there is nothing to spread, and no histogram."""
    if len(board) == 5:
        return _scores([board])[0].astype(np.int64), np.empty((NUM_HOLE_PAIRS, 0), dtype=np.uint8)
    rest = [card for card in range(DECK) if card not in board]
    if len(board) == 4:
        values = _scores([(*board, river) for river in rest]).astype(np.int64)
        places = bin_of_score(bins)[values]
    else:
        values = _turn_sums(board, rest)
        places = (values // turn_bin_width(bins)).astype(np.uint8)
    dealt = ~(HOLE_CARDS[None, :, :] == np.array(rest)[:, None, None]).any(axis=2)
    rows = np.zeros((NUM_HOLE_PAIRS, row_width(bins)), dtype=np.uint8)
    hands = np.arange(NUM_HOLE_PAIRS)
    for card in range(len(rest)):
        rows[hands[dealt[card]], places[card, dealt[card]]] += 1
    return values.sum(axis=0, dtype=np.int64), np.cumsum(rows, axis=1, dtype=np.uint8)


def _turn_sums(board: Cards, rest: list[int]) -> Int64:
    """(49, 1326) scores of a flop's hands after each turn, added up over rivers; 0 where the turn blocks the hand."""
    pairs = list(combinations(range(len(rest)), 2))
    scores = _scores([(*board, rest[first], rest[second]) for first, second in pairs])
    sums = np.zeros((len(rest), NUM_HOLE_PAIRS), dtype=np.int64)
    for (first, second), row in zip(pairs, scores, strict=True):
        sums[first] += row
        sums[second] += row
    return sums


def _scores(boards: list[Cards]) -> Int32:
    """(boards, 1326) scores, 0 where the board blocks the hand."""
    scores = np.empty((len(boards), NUM_HOLE_PAIRS), dtype=np.int32)
    scores_of_boards(np.array(boards, dtype=np.uint8), scores)
    return scores
