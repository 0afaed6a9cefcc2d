"""A hand as one seat saw it: what observers get, what histories keep.

There is no place here for cards that the seat did not see: other hole cards are None unless they were shown.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from holdem.cards.cards import Cards
from holdem.game.agent import Observation
from holdem.game.records import CardsShown, HandStarted, HoleCardsDealt, Record


@dataclass(frozen=True)
class ObservedHand:
    """One hand from beside a seat; `players` are names by seat, `payoffs` chips won by seat (0 while it goes on)."""

    number: int
    seat: int
    players: tuple[str, ...]
    records: tuple[Record, ...]
    payoffs: tuple[int, ...]

    @property
    def started(self) -> HandStarted:
        """Rules, button and stacks."""
        first = self.records[0]
        assert isinstance(first, HandStarted)
        return first

    @property
    def hole_cards(self) -> Cards | None:
        """The seat's own cards."""
        return next((r.cards for r in self.records if isinstance(r, HoleCardsDealt) and r.seat == self.seat), None)

    @property
    def shown(self) -> dict[int, Cards]:
        """Cards that were shown, by seat."""
        return {record.seat: record.cards for record in self.records if isinstance(record, CardsShown)}


def seen_by(records: Iterable[Record], seat: int) -> tuple[Record, ...]:
    """Records as a seat sees them: no hole cards but its own and those shown."""
    return tuple(
        HoleCardsDealt(r.seat, None) if isinstance(r, HoleCardsDealt) and r.seat != seat else r for r in records
    )


class SeatObserver:
    """Somebody beside one seat. Every method returns nothing: an observer has no way to act."""

    def hand_started(self, hand: ObservedHand) -> None:
        """A hand was dealt; antes and blinds are posted."""

    def happened(self, record: Record) -> None:
        """Something happened that the seat could see."""

    def to_act(self, observation: Observation) -> None:
        """The seat is to act and has not acted yet."""

    def hand_over(self, hand: ObservedHand) -> None:
        """The hand is over."""
