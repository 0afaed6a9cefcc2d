"""Cards as small integers: parsing, printing and the numbering of hole pairs.

A card is 4 × rank + suit, ranks 2..A as 0..12 and suits c, d, h, s as 0..3, so 2c is 0 and As is 51.
A hole pair {low, high} with low < high has the number high × (high − 1) / 2 + low, from 0 to 1325.
"""

import re
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from holdem.errors import CardError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
NUM_CARDS = 52
NUM_HOLE_PAIRS = 1326

Cards = tuple[int, ...]

_SEPARATORS = re.compile(r"[\s,]+")


def make_card(rank: int, suit: int) -> int:
    """The card of a rank (0..12) and a suit (0..3)."""
    return 4 * rank + suit


def parse_card(text: str) -> int:
    """One card such as `Ah`; the rank may be of either case and `10` stands for `T`."""
    letters = text.strip()
    normal = "T" + letters[2:] if letters.startswith("10") else letters
    if len(normal) == 2:
        rank, suit = RANKS.find(normal[0].upper()), SUITS.find(normal[1].lower())
        if rank >= 0 and suit >= 0:
            return make_card(rank, suit)
    raise CardError(f"{text!r} is not a card; write a rank of {RANKS} and a suit of {SUITS}, such as Ah")


def parse_cards(text: str) -> Cards:
    """Distinct cards in the order written: `AhKd`, `As Ks Qs`, `As,Ks`; the empty text is no cards."""
    compact = _SEPARATORS.sub("", text).replace("10", "T")
    if len(compact) % 2:
        raise CardError(f"{text!r} is not a list of cards; write two letters for each, such as AhKd")
    cards = tuple(parse_card(compact[i : i + 2]) for i in range(0, len(compact), 2))
    return check_distinct(cards)


def check_distinct(cards: Iterable[int]) -> Cards:
    """The same cards as a tuple, or a CardError naming one that is repeated or is no card."""
    result = tuple(int(card) for card in cards)
    seen: set[int] = set()
    for card in result:
        if not 0 <= card < NUM_CARDS:
            raise CardError(f"{card} is not a card number; cards are 0 (2c) to 51 (As)")
        if card in seen:
            raise CardError(f"{format_card(card)} appears twice; every card can be dealt once")
        seen.add(card)
    return result


def format_card(card: int) -> str:
    """`Ah` for 50."""
    return RANKS[card >> 2] + SUITS[card & 3]


def format_cards(cards: Iterable[int], separator: str = "") -> str:
    """The cards in the given order: `AhKd`."""
    return separator.join(format_card(card) for card in cards)


def hole_index(first: int, second: int) -> int:
    """Number of a hole pair, 0..1325, in either order of its cards."""
    low, high = (first, second) if first < second else (second, first)
    return high * (high - 1) // 2 + low


def _all_hole_cards() -> npt.NDArray[np.int8]:
    pairs = [(low, high) for high in range(NUM_CARDS) for low in range(high)]
    table = np.array(pairs, dtype=np.int8)
    table.setflags(write=False)
    return table


HOLE_CARDS = _all_hole_cards()
"""(1326, 2) int8: low and high card of each hole pair."""

HOLE_MASKS = (1 << HOLE_CARDS[:, 0].astype(np.int64)) | (1 << HOLE_CARDS[:, 1].astype(np.int64))
"""(1326,) int64: the pair's cards as bits."""
HOLE_MASKS.setflags(write=False)


def hole_cards(index: int) -> tuple[int, int]:
    """The two cards of a hole pair, low one first."""
    if not 0 <= index < NUM_HOLE_PAIRS:
        raise CardError(f"{index} is not a hole pair; pairs are 0 to {NUM_HOLE_PAIRS - 1}")
    return int(HOLE_CARDS[index, 0]), int(HOLE_CARDS[index, 1])
