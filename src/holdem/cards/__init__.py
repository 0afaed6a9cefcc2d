"""Cards, hand strength, suit-isomorphic indices, ranges and equities."""

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
from holdem.cards.hand_index import INDEX_SIZES, hand_index, hand_of_index
from holdem.cards.ranges import Range

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
