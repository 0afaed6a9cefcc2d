"""Compiled chances of one hand at showdown against each hand of an opponent, over every board that may still come.

The opponent's seven cards are the board so far and two, three or four more: from the flop, two that come and the two
that it holds. Which of the four it holds does not change its strength, so each set of four is evaluated once and
compared in its six ways; that is a sixth of the evaluations.
"""

import numpy as np
import numpy.typing as npt

from holdem.cards.kernels.evaluator import CARD_BITS, CARD_KEYS, START_KEYS, strength_of
from holdem.util.arrays import Int32, Int64, UInt8
from holdem.util.jit import inline_kernel, kernel


@inline_kernel
def _points(mine: int, theirs: int) -> int:
    """2 for a win, 1 for a tie."""
    return (mine > theirs) + (mine >= theirs)


@kernel
def _score_river(key: int, bits: int, mine: int, keys: Int64, masks: Int64, scores: Int32) -> None:
    for a in range(1, len(keys)):
        for b in range(a):
            theirs = strength_of(key + keys[a] + keys[b], bits | masks[a] | masks[b])
            scores[a, b] += _points(mine, theirs)


@kernel
def _score_turn(key: int, bits: int, mine: Int32, keys: Int64, masks: Int64, scores: Int32) -> None:
    """mine: (cards,) strength by the place of the river card."""
    for a in range(2, len(keys)):
        for b in range(1, a):
            pair_key = key + keys[a] + keys[b]
            pair_bits = bits | masks[a] | masks[b]
            for c in range(b):
                theirs = strength_of(pair_key + keys[c], pair_bits | masks[c])
                scores[a, b] += _points(mine[c], theirs)
                scores[a, c] += _points(mine[b], theirs)
                scores[b, c] += _points(mine[a], theirs)


@kernel
def _score_flop(key: int, bits: int, mine: Int32, keys: Int64, masks: Int64, scores: Int32) -> None:
    """mine: (cards, cards) strength by the places of the two cards to come, the later place first."""
    for a in range(3, len(keys)):
        for b in range(2, a):
            for c in range(1, b):
                triple_key = key + keys[a] + keys[b] + keys[c]
                triple_bits = bits | masks[a] | masks[b] | masks[c]
                row_a, row_b, row_c = scores[a], scores[b], scores[c]
                mine_a, mine_b, mine_c = mine[a], mine[b], mine[c]
                ab, ac, bc = mine_a[b], mine_a[c], mine_b[c]
                sum_ab = 0
                sum_ac = 0
                sum_bc = 0
                for d in range(c):
                    theirs = strength_of(triple_key + keys[d], triple_bits | masks[d])
                    sum_ab += _points(mine_c[d], theirs)
                    sum_ac += _points(mine_b[d], theirs)
                    sum_bc += _points(mine_a[d], theirs)
                    row_a[d] += _points(bc, theirs)
                    row_b[d] += _points(ac, theirs)
                    row_c[d] += _points(ab, theirs)
                row_a[b] += sum_ab
                row_a[c] += sum_ac
                row_b[c] += sum_bc


@kernel
def showdown_chances(hole: UInt8, board: UInt8, chances: npt.NDArray[np.float64]) -> None:
    """The chance of `hole` to win plus half of that to tie against each hole pair; 0 against those that share a card.

    hole: (2,), board: (3 to 5,) uint8; chances: (1326,) in the numbering of hole pairs. Every completion of the board
    counts once: 990 from the flop, 44 from the turn.
    """
    key = START_KEYS[7]
    bits = 0
    for card in board:
        key += CARD_KEYS[card]
        bits |= CARD_BITS[card]
    hole_bits = CARD_BITS[hole[0]] | CARD_BITS[hole[1]]
    my_key = key + CARD_KEYS[hole[0]] + CARD_KEYS[hole[1]]
    my_bits = bits | hole_bits
    deck = np.array([card for card in range(52) if not my_bits & CARD_BITS[card]])
    keys = CARD_KEYS[deck]
    masks = CARD_BITS[deck]
    count = len(deck)
    scores = np.zeros((count, count), dtype=np.int32)
    left = count - 2
    if len(board) == 5:
        completions = 1
        _score_river(key, bits, strength_of(my_key, my_bits), keys, masks, scores)
    elif len(board) == 4:
        completions = left
        mine = np.empty(count, dtype=np.int32)
        for a in range(count):
            mine[a] = strength_of(my_key + keys[a], my_bits | masks[a])
        _score_turn(key, bits, mine, keys, masks, scores)
    else:
        completions = left * (left - 1) // 2
        both = np.zeros((count, count), dtype=np.int32)
        for a in range(1, count):
            for b in range(a):
                both[a, b] = strength_of(my_key + keys[a] + keys[b], my_bits | masks[a] | masks[b])
        _score_flop(key, bits, both, keys, masks, scores)
    chances[:] = 0.0
    for a in range(1, count):
        for b in range(a):
            chances[deck[a] * (deck[a] - 1) // 2 + deck[b]] = scores[a, b] / (2.0 * completions)
