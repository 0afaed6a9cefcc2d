"""Main pot and side pots, the uncalled part of a bet, and the division of a pot.

Chips are split in layers at the contributions of the players still in the hand: whoever put in less than a
layer cannot win it (TDA rule 21). Chips of folded players stay in the layers that they reached.
"""

from collections.abc import Sequence
from typing import NamedTuple


class Pot(NamedTuple):
    """Chips, and the seats that can win them."""

    amount: int
    seats: tuple[int, ...]


def side_pots(contributions: Sequence[int], live: Sequence[bool]) -> list[Pot]:
    """The main pot, then the side pots: `contributions` are chips of the whole hand by seat."""
    seats = range(len(contributions))
    levels = sorted({contributions[seat] for seat in seats if live[seat]})
    pots = []
    floor = 0
    for level in levels:
        amount = sum(min(chips, level) - floor for chips in contributions if chips > floor)
        if amount:
            pots.append(Pot(amount, tuple(seat for seat in seats if live[seat] and contributions[seat] >= level)))
        floor = level
    return pots


def uncalled(contributions: Sequence[int]) -> tuple[int, int]:
    """The seat with the most chips in, and how many of them nobody else has matched."""
    second, first = sorted(contributions)[-2:]
    return contributions.index(first), first - second


def split(amount: int, winners: Sequence[int], button: int, num_seats: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Winners left of the button and their shares; odd chips go to the first, one each (TDA rule 20)."""
    order = sorted(winners, key=lambda seat: (seat - button - 1) % num_seats)
    share, odd = divmod(amount, len(order))
    return tuple(order), tuple(share + (place < odd) for place in range(len(order)))
