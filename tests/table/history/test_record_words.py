"""Records in words, for the seat that they are told to."""

from holdem.cards import parse_cards
from holdem.game import records as rec
from holdem.table.history.record_words import Told, tell

PLAYERS = ("you", "bot")
BOARD = parse_cards("Ks7d2c5h5c")


def test_you_and_the_others() -> None:
    assert tell(rec.Raise(0, 900, False), PLAYERS, 0, ()) == [Told("you raise to 900")]
    assert tell(rec.Raise(1, 10_000, True), PLAYERS, 0, ()) == [Told("bot raises to 10,000 all-in")]
    assert tell(rec.BlindPosted(1, 50, False), PLAYERS, 0, ()) == [Told("bot posts blind 50")]
    assert tell(rec.UncalledBetReturned(0, 300), PLAYERS, 0, ()) == [Told("you take back 300")]
    assert tell(rec.PotAwarded(0, 400, (0, 1), (200, 200)), PLAYERS, 0, BOARD) == [
        Told("you win 200"),
        Told("bot wins 200"),
    ]


def test_without_an_own_seat_all_have_names() -> None:
    assert tell(rec.Raise(0, 900, False), ("Ann", "Bob"), None, ()) == [Told("Ann raises to 900")]


def test_cards_and_what_they_make() -> None:
    cards = parse_cards("KhKd")
    assert tell(rec.CardsShown(1, cards), PLAYERS, 0, BOARD) == [Told("bot shows", cards, "full house")]
    assert tell(rec.CardsShown(1, cards), PLAYERS, 0, BOARD[:3]) == [Told("bot shows", cards)]
    assert tell(rec.BoardDealt(2, BOARD[3:4]), PLAYERS, 0, BOARD[:4]) == [Told("turn", BOARD[:4])]
    assert tell(rec.HoleCardsDealt(0, cards), PLAYERS, 0, ()) == []
