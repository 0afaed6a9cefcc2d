"""One number for all hands that differ only in the names of suits and the order of cards.

The board's order is forgotten as well: a turn hand is a pair and a set of four cards. There are 169 hands
before the flop, 1,286,792 on it, 13,960,050 on the turn and 123,156,254 on the river.
"""

from collections.abc import Iterable

import numpy as np

from holdem.cards.cards import Cards, check_distinct, format_cards
from holdem.cards.kernels.index import bits_of_index, cards_of_bits, index_of_hand
from holdem.cards.kernels.index_tables import BOARD_SIZES, INDEX_SIZES
from holdem.errors import CardError

__all__ = ["BOARD_SIZES", "INDEX_SIZES", "hand_index", "hand_of_index"]


def hand_index(hole: Iterable[int], board: Iterable[int] = ()) -> int:
    """Dense suit-isomorphic index of two hole cards with 0, 3, 4 or 5 board cards."""
    hole, board = tuple(hole), tuple(board)
    check_hole(hole)
    check_board_size(len(board))
    return int(index_of_hand(np.array(check_distinct(hole + board), dtype=np.uint8)))


def hand_of_index(index: int, board_size: int) -> tuple[Cards, Cards]:
    """A hand (hole, board) that has this index: the inverse of `hand_index` up to suits."""
    check_board_size(board_size)
    if not 0 <= index < INDEX_SIZES[board_size]:
        raise CardError(
            f"{index} is not the index of a hand with {board_size} board cards; "
            f"they run from 0 to {INDEX_SIZES[board_size] - 1:,}"
        )
    hole_bits, board_bits = bits_of_index(index, board_size)
    return _cards(hole_bits), _cards(board_bits)


def check_hole(hole: Cards) -> None:
    """Refuse anything but two hole cards."""
    if len(hole) != 2:
        raise CardError(f"{format_cards(hole) or 'no cards'}: a hold'em hand has two hole cards, such as AhKd")


def check_board_size(size: int) -> None:
    """Refuse a board that no street has."""
    if size not in BOARD_SIZES:
        raise CardError(f"a board of {size} cards belongs to no street; give 0, 3, 4 or 5 cards")


def _cards(bits: int) -> Cards:
    cards = np.zeros(7, dtype=np.uint8)
    count = cards_of_bits(bits, cards)
    return tuple(int(card) for card in cards[:count])
