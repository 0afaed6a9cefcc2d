"""Cards, hand strength, suit-isomorphic indices, ranges and equities.

Compiled code takes half a second to load, so it is imported by what needs it when that is called, and indices, whose
tables are computed, when they are first asked for: cards, ranges, rules and the preflop table start at once.
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
from holdem.cards.evaluator import category, evaluate
from holdem.cards.ranges import Range

if TYPE_CHECKING:
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


def __getattr__(name: str) -> object:
    if name not in ("INDEX_SIZES", "hand_index", "hand_of_index"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module("holdem.cards.suit_index"), name)
    return value
