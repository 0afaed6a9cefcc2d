"""Strengths of all holes on a complete board, from two tables that phevaluator fills: of ranks, and of flushes.

Seven cards with five of a suit have at least five different ranks, so nothing better than a flush but a straight flush
is among them, and the ranks of that suit alone say which. Filling the tables takes half a second.
"""

from functools import cache
from itertools import combinations, combinations_with_replacement

import numpy as np
from phevaluator import evaluate_cards

from holdem.cards.cards import HOLE_CARDS, NUM_CARDS, Cards
from holdem.util.arrays import Bools, Int64

BEST = 7_463
"""Less the rank that phevaluator gives, 1 for a royal flush: the stronger, the larger."""

_RANKS, _SUITS = HOLE_CARDS.astype(np.int64) // 4, HOLE_CARDS.astype(np.int64) % 4
_HOLDERS = (np.arange(NUM_CARDS)[:, None, None] == HOLE_CARDS).any(axis=2)
"""(52, 1326) which holes have a card."""
_POWERS = 5 ** np.arange(13, dtype=np.int64)
_SUMS, _SUM_OF_HOLE = np.unique(_POWERS[_RANKS].sum(axis=1), return_inverse=True)
"""A multiset of ranks by a sum of powers of five, since no rank comes more than four times."""


def shares_card(board: Cards) -> Bools:
    """(1326,) whether a hole cannot be held with this board."""
    return np.asarray(_HOLDERS[list(board)].any(axis=0))


def strengths(board: Cards) -> Int64:
    """(1326,) of each hole with five board cards; 0 if it shares a card with them."""
    cards = np.array(board)
    sums, values = _without_flush()
    found = values[np.searchsorted(sums, np.minimum(_SUMS + _POWERS[cards // 4].sum(), sums[-1]))]
    result: Int64 = found[_SUM_OF_HOLE.reshape(-1)]
    suit, count = max(enumerate(np.bincount(cards % 4).tolist()), key=lambda pair: pair[1])
    if count >= 3:
        mask = int((1 << cards[cards % 4 == suit] // 4).sum())
        result = np.maximum(result, _flushes()[np.where(suit == _SUITS, 1 << _RANKS, 0).sum(axis=1) | mask])
    result[shares_card(board)] = 0
    return result


@cache
def _without_flush() -> tuple[Int64, Int64]:
    """Sums of seven ranks, ascending, and their strengths; suits in turn, so that none comes three times."""
    sevens = combinations_with_replacement(range(13), 7)
    hands = [ranks for ranks in sevens if all(ranks[i] != ranks[i + 4] for i in range(3))]
    values = [BEST - evaluate_cards(*(4 * rank + i % 4 for i, rank in enumerate(ranks))) for ranks in hands]
    sums = _POWERS[np.array(hands)].sum(axis=1)
    order = np.argsort(sums)
    return sums[order], np.array(values)[order]


@cache
def _flushes() -> Int64:
    """(8192,) strengths by the ranks of one suit as bits, 0 where there are not five to seven."""
    table = np.zeros(1 << 13, dtype=np.int64)
    for count in (5, 6, 7):
        for ranks in combinations(range(13), count):
            table[sum(1 << rank for rank in ranks)] = BEST - evaluate_cards(*(4 * rank for rank in ranks))
    return table
