"""Compiled hand evaluation: add one number per card, test for a flush, read one table.

A hand's key is `START_KEYS[cards]` plus `CARD_KEYS[card]` for each of its cards. Its low bits are the sum that
names the multiset of ranks (see `evaluator_tables`); four counters above them count the suits, each starting
at 3, so that a fifth card of a suit sets the counter's high bit.
"""

import numpy as np
import numpy.typing as npt

from holdem.cards.kernels.evaluator_tables import COLUMN_BITS, RANK_KEYS, SUM_BITS, TABLE_PATH
from holdem.util.arrays import Int64
from holdem.util.jit import inline_kernel, kernel

with np.load(TABLE_PATH) as _tables:
    ROW_SHIFT = _tables["row_shift"]
    STRENGTH = _tables["strength"]
    FLUSH_STRENGTH = _tables["flush_strength"]

CARD_KEYS = np.array([RANK_KEYS[c >> 2] + (1 << (32 + 4 * (c & 3))) for c in range(52)], dtype=np.int64)
CARD_BITS = np.array([1 << (13 * (c & 3) + (c >> 2)) for c in range(52)], dtype=np.int64)
"""(52,) int64: the card as one of 52 bits, thirteen ranks for each suit in turn."""
_SUIT_COUNTERS = 0x3333 << 32
START_KEYS = np.array([_SUIT_COUNTERS + ((7 - n) << SUM_BITS) if n >= 5 else 0 for n in range(8)], dtype=np.int64)
FLUSH_FLAGS = 0x8888 << 32
SUM_MASK = (1 << 32) - 1
COLUMN_MASK = (1 << COLUMN_BITS) - 1


@inline_kernel
def strength_of_ranks(key: int) -> int:
    """Strength of a hand without a flush, from its key."""
    total = key & SUM_MASK
    return STRENGTH[ROW_SHIFT[total >> COLUMN_BITS] + (total & COLUMN_MASK)]


@inline_kernel
def strength_of_flush(key: int, bits: int) -> int:
    """Strength of a hand whose key has a flush flag, from the OR of its `CARD_BITS`."""
    flags = (key & FLUSH_FLAGS) >> 32
    shift = 0 if flags & 0x8 else 13 if flags & 0x80 else 26 if flags & 0x800 else 39
    return FLUSH_STRENGTH[(bits >> shift) & 8191]


@inline_kernel
def strength_of(key: int, bits: int) -> int:
    """Strength of a hand from its key and the OR of its `CARD_BITS`."""
    if key & FLUSH_FLAGS:
        return strength_of_flush(key, bits)
    return strength_of_ranks(key)


@kernel
def evaluate_hand(cards: npt.NDArray[np.uint8]) -> int:
    """Strength of 5 to 7 distinct cards, `cards: (n,) uint8`."""
    key = START_KEYS[len(cards)]
    for card in cards:
        key += CARD_KEYS[card]
    if key & FLUSH_FLAGS:
        bits = 0
        for card in cards:
            bits |= CARD_BITS[card]
        return strength_of_flush(key, bits)
    return strength_of_ranks(key)


@kernel
def evaluate_hands(hands: npt.NDArray[np.uint8], strengths: npt.NDArray[np.int16]) -> None:
    """Strength of each row of `hands: (hands, 5 to 7) uint8` into `strengths: (hands,) int16`."""
    cards = hands.shape[1]
    start = START_KEYS[cards]
    for i in range(hands.shape[0]):
        key = start
        for j in range(cards):
            key += CARD_KEYS[hands[i, j]]
        if key & FLUSH_FLAGS:
            bits = 0
            for j in range(cards):
                bits |= CARD_BITS[hands[i, j]]
            strengths[i] = strength_of_flush(key, bits)
        else:
            strengths[i] = strength_of_ranks(key)


@kernel
def evaluate_seven_card_hands(hands: npt.NDArray[np.uint8], strengths: npt.NDArray[np.int16]) -> None:
    """As `evaluate_hands` for exactly seven cards, unrolled: `hands: (hands, 7) uint8`."""
    for i in range(hands.shape[0]):
        hand = hands[i]
        key = (
            _SUIT_COUNTERS
            + CARD_KEYS[hand[0]]
            + CARD_KEYS[hand[1]]
            + CARD_KEYS[hand[2]]
            + CARD_KEYS[hand[3]]
            + CARD_KEYS[hand[4]]
            + CARD_KEYS[hand[5]]
            + CARD_KEYS[hand[6]]
        )
        if key & FLUSH_FLAGS:
            bits = 0
            for j in range(7):
                bits |= CARD_BITS[hand[j]]
            strengths[i] = strength_of_flush(key, bits)
        else:
            strengths[i] = strength_of_ranks(key)


@kernel
def board_strengths(board: npt.NDArray[np.uint8], strengths: npt.NDArray[np.int16]) -> None:
    """Strength of every hole pair with a board of 3 to 5 cards into `strengths: (1326,) int16`.

    Pairs that share a card with the board get −1.
    """
    key = START_KEYS[len(board) + 2]
    bits = 0
    on_board = 0
    for card in board:
        key += CARD_KEYS[card]
        bits |= CARD_BITS[card]
        on_board |= 1 << card
    index = 0
    for high in range(52):
        if (on_board >> high) & 1:
            strengths[index : index + high] = -1
            index += high
            continue
        high_key = key + CARD_KEYS[high]
        high_bits = bits | CARD_BITS[high]
        for low in range(high):
            if (on_board >> low) & 1:
                strengths[index] = -1
            else:
                strengths[index] = strength_of(high_key + CARD_KEYS[low], high_bits | CARD_BITS[low])
            index += 1


@kernel
def count_seven_card_strengths(first: int, last: int, histogram: Int64) -> None:
    """Add the strengths of all seven-card hands whose lowest card is in [first, last) to `histogram: (7463,)`."""
    for a in range(first, last):
        for b in range(a + 1, 52):
            for c in range(b + 1, 52):
                for d in range(c + 1, 52):
                    key4 = _SUIT_COUNTERS + CARD_KEYS[a] + CARD_KEYS[b] + CARD_KEYS[c] + CARD_KEYS[d]
                    bits4 = CARD_BITS[a] | CARD_BITS[b] | CARD_BITS[c] | CARD_BITS[d]
                    for e in range(d + 1, 52):
                        key5 = key4 + CARD_KEYS[e]
                        bits5 = bits4 | CARD_BITS[e]
                        for f in range(e + 1, 52):
                            key6 = key5 + CARD_KEYS[f]
                            bits6 = bits5 | CARD_BITS[f]
                            for g in range(f + 1, 52):
                                histogram[strength_of(key6 + CARD_KEYS[g], bits6 | CARD_BITS[g])] += 1
