"""Who shows first, who may muck and who wins, as functions of what is on the table."""

from collections.abc import Mapping, Sequence

from holdem.game.pots import Pot


def showdown_order(first: int, live: Sequence[bool]) -> list[int]:
    """Live seats clockwise from `first`, the last aggressor of the last street, if any (TDA rule 17)."""
    count = len(live)
    return [seat % count for seat in range(first, first + count) if live[seat % count]]


def can_win(seat: int, strength: int, shown: Mapping[int, int], pots: Sequence[Pot]) -> bool:
    """Whether a hand of `strength` wins or shares some pot against the strengths shown so far."""
    return any(
        seat in pot.seats and all(shown.get(other, 0) <= strength for other in pot.seats if other != seat)
        for pot in pots
    )


def winners(pot: Pot, strengths: Mapping[int, int]) -> list[int]:
    """The seats of `pot` with the best hand; a seat without a strength has mucked."""
    contenders = [seat for seat in pot.seats if seat in strengths]
    best = max(strengths[seat] for seat in contenders)
    return [seat for seat in contenders if strengths[seat] == best]
