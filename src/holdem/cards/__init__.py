"""Cards, hand strength, suit-isomorphic indices, ranges and equities.

Strength and indices bring compiled code, half a second of it, so they are imported when they are first asked for: what
needs only cards, ranges or the preflop table starts at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from holdem.cards.cards import (
    NUM_CARDS,
    NUM_HOLE_PAIRS,
    Cards,
    format_card,
    format_cards,
    hole_cards,
    hole_index,
    parse_card,
    parse_cards,
)
from holdem.cards.equity import Equity, equity, hand_equities
from holdem.cards.ranges import Range

if TYPE_CHECKING:
    from holdem.cards.evaluator import category, evaluate
    from holdem.cards.suit_index import INDEX_SIZES, hand_index, hand_of_index

__all__ = [
    "INDEX_SIZES",
    "NUM_CARDS",
    "NUM_HOLE_PAIRS",
    "Cards",
    "Equity",
    "Range",
    "category",
    "equity",
    "evaluate",
    "format_card",
    "format_cards",
    "hand_equities",
    "hand_index",
    "hand_of_index",
    "hole_cards",
    "hole_index",
    "parse_card",
    "parse_cards",
]

_MODULE_OF = {
    "INDEX_SIZES": "suit_index",
    "category": "evaluator",
    "evaluate": "evaluator",
    "hand_index": "suit_index",
    "hand_of_index": "suit_index",
}


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    return value
