"""Compiled count of how often each class of hole pairs beats each other class over complete boards.

As in `kernels.equity`, hands are walked by rising strength, and what a hand (a, b) beats is what is weaker, less the
weaker hands that hold a or b. Here "what is weaker" is a vector over the 169 classes instead of one number.
"""

import numpy as np
import numpy.typing as npt

from holdem.cards.kernels.equity import _PLACE_MASK, _STRENGTH_SHIFT, sort_by_strength
from holdem.cards.kernels.evaluator import CARD_BITS, CARD_KEYS, START_KEYS, strength_of
from holdem.util.jit import kernel


@kernel
def add_class_wins(
    boards: npt.NDArray[np.uint8],
    multiplicities: npt.NDArray[np.int64],
    low_cards: npt.NDArray[np.uint8],
    high_cards: npt.NDArray[np.uint8],
    classes: npt.NDArray[np.int16],
    wins: npt.NDArray[np.int32],
) -> None:
    """Add to `wins[c, d]` the deals in which a hand of class c beats one of class d.

    boards: (n, 5); multiplicities: (n,); low_cards, high_cards, classes: (1326,); wins: (169, width of at least 169)
    """
    hands, width = len(low_cards), wins.shape[1]
    keys = np.empty(hands, dtype=np.int32)
    spare = np.empty(hands, dtype=np.int32)
    below = np.empty(width, dtype=np.int16)
    below_by_card = np.empty((52, width), dtype=np.int16)
    for n in range(len(boards)):
        board_key = START_KEYS[7]
        board_bits = 0
        for j in range(5):
            board_key += CARD_KEYS[boards[n, j]]
            board_bits |= CARD_BITS[boards[n, j]]
        count = 0
        for h in range(hands):
            low, high = low_cards[h], high_cards[h]
            bits = CARD_BITS[low] | CARD_BITS[high]
            if not bits & board_bits:
                strength = strength_of(board_key + CARD_KEYS[low] + CARD_KEYS[high], board_bits | bits)
                keys[count] = (strength << _STRENGTH_SHIFT) | h
                count += 1
        sort_by_strength(keys, count, spare)
        below[:] = 0
        below_by_card[:] = 0
        times = np.int32(multiplicities[n])
        start = 0
        while start < count:
            strength = keys[start] >> _STRENGTH_SHIFT
            end = start
            while end < count and keys[end] >> _STRENGTH_SHIFT == strength:
                h = keys[end] & _PLACE_MASK
                row = wins[classes[h]]
                with_low, with_high = below_by_card[low_cards[h]], below_by_card[high_cards[h]]
                for d in range(width):
                    row[d] += times * np.int32(below[d] - with_low[d] - with_high[d])
                end += 1
            for i in range(start, end):
                h = keys[i] & _PLACE_MASK
                below[classes[h]] += 1
                below_by_card[low_cards[h], classes[h]] += 1
                below_by_card[high_cards[h], classes[h]] += 1
            start = end
