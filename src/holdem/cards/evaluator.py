"""How strong a hand is: 5 to 7 cards to a number from 1 (worst) to 7,462 (royal flush), ties equal."""

from collections.abc import Callable, Iterable
from functools import cache

import numpy as np

from holdem.cards.cards import check_distinct
from holdem.errors import CardError
from holdem.util.arrays import UInt8

BEST_STRENGTH = 7462

CATEGORY_TOPS = {
    "high card": 1277,
    "pair": 4137,
    "two pair": 4995,
    "trips": 5853,
    "straight": 5863,
    "flush": 7140,
    "full house": 7296,
    "quads": 7452,
    "straight flush": BEST_STRENGTH,
}
"""Strongest number of each category, weakest category first (class counts: Cactus Kev's 7,462)."""


def evaluate(cards: Iterable[int]) -> int:
    """Strength of the best five-card hand in 5 to 7 distinct cards; larger is better, ties are equal."""
    hand = check_distinct(cards)
    if not 5 <= len(hand) <= 7:
        raise CardError(f"a hand of {len(hand)} cards cannot be evaluated; give 5, 6 or 7 cards")
    return int(_kernel()(np.array(hand, dtype=np.uint8)))


@cache
def _kernel() -> Callable[[UInt8], int]:
    """Compiled code is loaded when a hand is evaluated, so that the rules start at once."""
    from holdem.cards.kernels.evaluator import evaluate_hand

    return evaluate_hand


def category(strength: int) -> str:
    """Name of the category of a strength: `full house`."""
    for name, top in CATEGORY_TOPS.items():
        if 0 < strength <= top:
            return name
    raise CardError(f"{strength} is not a hand strength; they run from 1 to {BEST_STRENGTH}")
