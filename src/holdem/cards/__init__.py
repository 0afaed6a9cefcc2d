"""Cards, hand strength, suit-isomorphic indices, ranges and equities."""

from holdem.cards.cards import (
    NUM_CARDS,
    NUM_HOLE_PAIRS,
    format_card,
    format_cards,
    hole_cards,
    hole_index,
    parse_card,
    parse_cards,
)

__all__ = [
    "NUM_CARDS",
    "NUM_HOLE_PAIRS",
    "format_card",
    "format_cards",
    "hole_cards",
    "hole_index",
    "parse_card",
    "parse_cards",
]
