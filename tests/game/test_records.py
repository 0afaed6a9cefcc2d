"""Records read as sentences and hide nothing but hole cards."""

from holdem.game import format_records, records
from holdem.game.records import public_records
from tests.game.tables import table


def test_a_hand_reads_as_a_story() -> None:
    hand = table((1000, 150), "c r990 c", pairs="AhAd KhKd", ante=10, board="2c7d9hJs3c")
    assert format_records(hand.records) == (
        "custom: button seat 1, stacks 1000 150\n"
        "seat 0 posts ante 10\n"
        "seat 1 posts ante 10\n"
        "seat 1 posts blind 50\n"
        "seat 0 posts blind 100\n"
        "seat 0 is dealt AhAd\n"
        "seat 1 is dealt KhKd\n"
        "seat 1 calls 50\n"
        "seat 0 raises to 990 all-in\n"
        "seat 1 calls 40 all-in\n"
        "seat 0 takes back 850\n"
        "seat 0 shows AhAd\n"
        "seat 1 shows KhKd\n"
        "flop 2c7d9h\n"
        "turn Js\n"
        "river 3c\n"
        "main pot of 300: seat 0 300\n"
    )


def test_public_records_hide_hole_cards_only() -> None:
    hand = table((1000, 1000), "r1000 c", pairs="AhAd KhKd")
    seen = public_records(hand.records)
    assert [type(record) for record in seen] == [type(record) for record in hand.records]
    assert [record.cards for record in seen if isinstance(record, records.HoleCardsDealt)] == [None, None]
    assert [record for record in seen if isinstance(record, records.CardsShown)]
