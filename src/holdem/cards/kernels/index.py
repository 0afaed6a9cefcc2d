"""Compiled suit-isomorphic hand index and its inverse; `index_tables` explains the numbering.

Cards come as the OR of their `CARD_BITS`: thirteen bits of ranks for each suit in turn.
"""

import numpy as np
import numpy.typing as npt

from holdem.cards.kernels.evaluator import CARD_BITS
from holdem.cards.kernels.index_tables import (
    PATTERN_RANGE,
    PATTERN_ROW,
    PATTERN_RUNS,
    PATTERN_SHAPES,
    PATTERN_START,
    PATTERN_WEIGHTS,
    RANK_SET_PLACE,
    RANK_SET_SIZE,
    RANK_SETS,
    SHAPE_PLACES,
    SHAPE_WEIGHTS,
)
from holdem.util.jit import inline_kernel, kernel

_PLACE_BITS = 16
_PLACE_MASK = (1 << _PLACE_BITS) - 1
BOARD_CHOICES = np.array([[SHAPE_PLACES[6 * h + b] // SHAPE_PLACES[6 * h] for b in range(6)] for h in range(3)])
"""(3, 6): sets of b board ranks beside h hole ranks of the same suit."""


@inline_kernel
def _close_gap(ranks: int, rank_bit: int) -> int:
    """The set of ranks when one rank, which is not in it, is taken out of the deck."""
    below = rank_bit - 1
    return (ranks & below) | ((ranks >> 1) & ~below)


@inline_kernel
def _suit_key(hole: int, board: int) -> int:
    """Shape and place of one suit in a number that sorts by shape first; both arguments are rank sets."""
    if hole == 0:
        return (RANK_SET_SIZE[board] << _PLACE_BITS) | RANK_SET_PLACE[board]
    num_hole = RANK_SET_SIZE[hole]
    num_board = RANK_SET_SIZE[board]
    low_bit = hole & -hole
    rest = board
    if num_hole == 2:
        rest = _close_gap(rest, hole ^ low_bit)
    rest = _close_gap(rest, low_bit)
    place = RANK_SET_PLACE[hole] * BOARD_CHOICES[num_hole, num_board] + RANK_SET_PLACE[rest]
    return ((6 * num_hole + num_board) << _PLACE_BITS) | place


@inline_kernel
def _multisets(place: int, run: int) -> int:
    """C(place + run − 1, run) for run 1, 2 or 3."""
    if run == 1:
        return place
    if run == 2:
        return (place * (place + 1)) >> 1
    return place * (place + 1) * (place + 2) // 6


@inline_kernel
def index_of_bits(hole_bits: int, board_bits: int, num_board: int) -> int:
    """Dense index of a hand up to suits, 0 .. INDEX_SIZES[num_board] − 1."""
    a = _suit_key(hole_bits & 8191, board_bits & 8191)
    b = _suit_key((hole_bits >> 13) & 8191, (board_bits >> 13) & 8191)
    c = _suit_key((hole_bits >> 26) & 8191, (board_bits >> 26) & 8191)
    d = _suit_key((hole_bits >> 39) & 8191, (board_bits >> 39) & 8191)
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    row = PATTERN_ROW[
        num_board,
        SHAPE_WEIGHTS[a >> _PLACE_BITS]
        + SHAPE_WEIGHTS[b >> _PLACE_BITS]
        + SHAPE_WEIGHTS[c >> _PLACE_BITS]
        + SHAPE_WEIGHTS[d >> _PLACE_BITS],
    ]
    return (
        PATTERN_START[row]
        + PATTERN_WEIGHTS[row, 0] * _multisets(a & _PLACE_MASK, PATTERN_RUNS[row, 0])
        + PATTERN_WEIGHTS[row, 1] * _multisets(b & _PLACE_MASK, PATTERN_RUNS[row, 1])
        + PATTERN_WEIGHTS[row, 2] * _multisets(c & _PLACE_MASK, PATTERN_RUNS[row, 2])
        + PATTERN_WEIGHTS[row, 3] * _multisets(d & _PLACE_MASK, PATTERN_RUNS[row, 3])
    )


@kernel
def index_of_hand(cards: npt.NDArray[np.uint8]) -> int:
    """Index of a hand: `cards: (2 + board,) uint8`, the two hole cards first."""
    board_bits = 0
    for i in range(2, len(cards)):
        board_bits |= CARD_BITS[cards[i]]
    return index_of_bits(CARD_BITS[cards[0]] | CARD_BITS[cards[1]], board_bits, len(cards) - 2)


@kernel
def index_hands(hands: npt.NDArray[np.uint8], indices: npt.NDArray[np.int64]) -> None:
    """Index of each row of `hands: (hands, 2 + board) uint8` into `indices: (hands,) int64`."""
    num_board = hands.shape[1] - 2
    for i in range(hands.shape[0]):
        board_bits = 0
        for j in range(num_board):
            board_bits |= CARD_BITS[hands[i, 2 + j]]
        indices[i] = index_of_bits(CARD_BITS[hands[i, 0]] | CARD_BITS[hands[i, 1]], board_bits, num_board)


@inline_kernel
def _open_gap(ranks: int, rank_bit: int) -> int:
    """Inverse of `_close_gap`."""
    below = rank_bit - 1
    return (ranks & below) | ((ranks & ~below) << 1)


@kernel
def _place_at_most(multisets: int, run: int) -> int:
    """The largest place with `_multisets(place, run)` at most the given number."""
    if run == 1:
        return multisets
    place = int((multisets * (2.0 if run == 2 else 6.0)) ** (1.0 / run))
    while _multisets(place, run) > multisets:
        place -= 1
    while _multisets(place + 1, run) <= multisets:
        place += 1
    return place


@kernel
def bits_of_index(index: int, num_board: int) -> tuple[int, int]:
    """Hole bits and board bits of the representative of a hand, the inverse of `index_of_bits`."""
    row = PATTERN_RANGE[num_board, 1] - 1
    while PATTERN_START[row] > index:
        row -= 1
    rest = index - PATTERN_START[row]
    hole_bits = 0
    board_bits = 0
    for suit in range(4):
        weight = PATTERN_WEIGHTS[row, suit]
        run = PATTERN_RUNS[row, suit]
        shape = PATTERN_SHAPES[row, suit]
        place = _place_at_most(rest // weight, run)
        rest -= weight * _multisets(place, run)
        num_hole, num_board_here = shape // 6, shape % 6
        choices = BOARD_CHOICES[num_hole, num_board_here]
        hole = np.int64(RANK_SETS[num_hole, place // choices])
        board = np.int64(RANK_SETS[num_board_here, place % choices])
        if num_hole:
            low_bit = hole & -hole
            board = _open_gap(board, low_bit)
            if num_hole == 2:
                board = _open_gap(board, hole ^ low_bit)
        hole_bits |= hole << (13 * suit)
        board_bits |= board << (13 * suit)
    return hole_bits, board_bits


@kernel
def cards_of_bits(bits: int, cards: npt.NDArray[np.uint8]) -> int:
    """Write the cards of a set into `cards` in rising order; returns how many there are."""
    count = 0
    for card in range(52):
        if bits & CARD_BITS[card]:
            cards[count] = card
            count += 1
    return count
