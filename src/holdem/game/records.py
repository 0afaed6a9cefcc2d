"""Everything that happens in a hand, one frozen record each; the list of records is the hand history.

`replay(records)` gives the same hand again. Amounts are chips that moved, except in `Bet` and `Raise`,
whose `amount` is all that the player then has in front of them on that street. Hole cards that nobody has
seen are None.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from holdem.cards.cards import Cards, format_cards
from holdem.types import STREET_NAMES, GameConfig


@dataclass(frozen=True, slots=True)
class HandStarted:
    """The rules, the button and the stacks by seat, before antes and blinds."""

    config: GameConfig
    button: int
    stacks: tuple[int, ...]
    show_all: bool = False

    def __str__(self) -> str:
        return f"{self.config.name}: button seat {self.button}, stacks {' '.join(map(str, self.stacks))}"


@dataclass(frozen=True, slots=True)
class AntePosted:
    seat: int
    amount: int
    all_in: bool

    def __str__(self) -> str:
        return f"seat {self.seat} posts ante {self.amount}{_all_in(self.all_in)}"


@dataclass(frozen=True, slots=True)
class BlindPosted:
    seat: int
    amount: int
    all_in: bool

    def __str__(self) -> str:
        return f"seat {self.seat} posts blind {self.amount}{_all_in(self.all_in)}"


@dataclass(frozen=True, slots=True)
class StraddlePosted:
    seat: int
    amount: int
    all_in: bool

    def __str__(self) -> str:
        return f"seat {self.seat} posts straddle {self.amount}{_all_in(self.all_in)}"


@dataclass(frozen=True, slots=True)
class HoleCardsDealt:
    seat: int
    cards: Cards | None

    def __str__(self) -> str:
        return f"seat {self.seat} is dealt {format_cards(self.cards) if self.cards else '????'}"


@dataclass(frozen=True, slots=True)
class BoardDealt:
    """The new board cards of a street."""

    street: int
    cards: Cards

    def __str__(self) -> str:
        return f"{STREET_NAMES[self.street]} {format_cards(self.cards)}"


@dataclass(frozen=True, slots=True)
class Fold:
    seat: int

    def __str__(self) -> str:
        return f"seat {self.seat} folds"


@dataclass(frozen=True, slots=True)
class Check:
    seat: int

    def __str__(self) -> str:
        return f"seat {self.seat} checks"


@dataclass(frozen=True, slots=True)
class Call:
    seat: int
    amount: int
    all_in: bool

    def __str__(self) -> str:
        return f"seat {self.seat} calls {self.amount}{_all_in(self.all_in)}"


@dataclass(frozen=True, slots=True)
class Bet:
    """The first chips of a street; before the flop these are the blinds, and a bet over them is a `Raise`."""

    seat: int
    amount: int
    all_in: bool

    def __str__(self) -> str:
        return f"seat {self.seat} bets {self.amount}{_all_in(self.all_in)}"


@dataclass(frozen=True, slots=True)
class Raise:
    seat: int
    amount: int
    all_in: bool

    def __str__(self) -> str:
        return f"seat {self.seat} raises to {self.amount}{_all_in(self.all_in)}"


@dataclass(frozen=True, slots=True)
class UncalledBetReturned:
    seat: int
    amount: int

    def __str__(self) -> str:
        return f"seat {self.seat} takes back {self.amount}"


@dataclass(frozen=True, slots=True)
class CardsShown:
    seat: int
    cards: Cards

    def __str__(self) -> str:
        return f"seat {self.seat} shows {format_cards(self.cards)}"


@dataclass(frozen=True, slots=True)
class CardsMucked:
    seat: int

    def __str__(self) -> str:
        return f"seat {self.seat} mucks"


@dataclass(frozen=True, slots=True)
class PotAwarded:
    """Pot 0 is the main pot, pot k the k-th side pot; `shares` are the chips of each of `winners`."""

    pot: int
    amount: int
    winners: tuple[int, ...]
    shares: tuple[int, ...]

    def __str__(self) -> str:
        name = f"side pot {self.pot}" if self.pot else "main pot"
        shares = ", ".join(f"seat {w} {s}" for w, s in zip(self.winners, self.shares, strict=True))
        return f"{name} of {self.amount}: {shares}"


BettingRecord = Fold | Check | Call | Bet | Raise
Record = (
    HandStarted
    | AntePosted
    | BlindPosted
    | StraddlePosted
    | HoleCardsDealt
    | BoardDealt
    | BettingRecord
    | UncalledBetReturned
    | CardsShown
    | CardsMucked
    | PotAwarded
)


def _all_in(flag: bool) -> str:
    return " all-in" if flag else ""


def public_records(records: Iterable[Record]) -> tuple[Record, ...]:
    """The history that everybody at the table saw: no hole cards but those shown."""
    return tuple(HoleCardsDealt(r.seat, None) if isinstance(r, HoleCardsDealt) else r for r in records)


def format_records(records: Iterable[Record]) -> str:
    """The history as text, one line a record."""
    return "".join(f"{record}\n" for record in records)
