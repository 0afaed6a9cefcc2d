"""What happened at a table in words: with names for seats, and `you` for the seat from which it is told."""

from dataclasses import dataclass

from holdem.cards.cards import Cards
from holdem.cards.evaluator import category, evaluate
from holdem.game import records as rec
from holdem.types import STREET_NAMES

YOU = "you"
"""What a person is called at its own table, and in the hand histories of it."""


@dataclass(frozen=True)
class Told:
    """A line about a hand: words, perhaps cards, perhaps a remark about them."""

    words: str
    cards: Cards = ()
    remark: str = ""


def tell(record: rec.Record, players: tuple[str, ...], own_seat: int | None, board: Cards) -> list[Told]:
    """Lines about one record; `board` are all board cards that lie there after it. With no own seat all have names."""

    def who(seat: int, verb: str) -> str:
        return said_of(YOU if seat == own_seat else players[seat], verb)

    match record:
        case rec.HandStarted() | rec.HoleCardsDealt():
            return []
        case rec.BoardDealt(street=street):
            return [Told(STREET_NAMES[street], board)]
        case rec.CardsShown(seat=seat, cards=cards):
            return [Told(who(seat, "show"), cards, category(evaluate(cards + board)) if len(board) == 5 else "")]
        case rec.PotAwarded(winners=winners, shares=shares):
            return [Told(f"{who(seat, 'win')} {share:,}") for seat, share in zip(winners, shares, strict=True)]
    return [Told(who(record.seat, action_words(record)))]


def action_words(record: rec.Record) -> str:
    """What a seat does, as one says it to the seat: `raise to 900`, `post blind 50`, `take back 300`."""
    match record:
        case rec.AntePosted(amount=amount):
            words = f"post ante {amount:,}"
        case rec.BlindPosted(amount=amount):
            words = f"post blind {amount:,}"
        case rec.StraddlePosted(amount=amount):
            words = f"post straddle {amount:,}"
        case rec.Fold():
            words = "fold"
        case rec.Check():
            words = "check"
        case rec.Call(amount=amount):
            words = f"call {amount:,}"
        case rec.Bet(amount=amount):
            words = f"bet {amount:,}"
        case rec.Raise(amount=amount):
            words = f"raise to {amount:,}"
        case rec.UncalledBetReturned(amount=amount):
            words = f"take back {amount:,}"
        case rec.CardsMucked():
            words = "muck"
        case _:
            return ""
    return f"{words} all-in" if getattr(record, "all_in", False) else words


def said_of(player: str, words: str) -> str:
    """`you raise to 900`, `bot raises to 900`."""
    verb, blank, rest = words.partition(" ")
    return f"{player} {verb if player == YOU else verb + 's'}{blank}{rest}"
