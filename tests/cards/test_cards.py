"""Cards and hole pairs as numbers, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem.cards import format_card, format_cards, hole_cards, hole_index, parse_card, parse_cards
from holdem.errors import CardError


def test_numbering_is_rank_major_with_suits_cdhs() -> None:
    assert [parse_card(text) for text in ("2c", "2d", "2h", "2s", "3c", "As")] == [0, 1, 2, 3, 4, 51]


@pytest.mark.parametrize("text", ["AhKd", "Ah Kd", "Ah,Kd", " ah  KD ", "Ah, Kd"])
def test_spellings_of_two_cards(text: str) -> None:
    assert parse_cards(text) == (50, 45)


def test_ten_may_be_written_with_two_digits() -> None:
    assert parse_cards("10h Td") == parse_cards("ThTd")


def test_no_cards() -> None:
    assert parse_cards("") == ()


@pytest.mark.parametrize(
    ("text", "named"), [("AhAh", "Ah"), ("Ax", "'Ax'"), ("1h", "'1h'"), ("AhK", "AhK"), ("A♥", "'A♥'")]
)
def test_what_is_wrong_is_named(text: str, named: str) -> None:
    with pytest.raises(CardError, match=named):
        parse_cards(text)


@given(st.permutations(range(52)))
def test_parsing_undoes_printing(deck: list[int]) -> None:
    assert parse_cards(format_cards(deck)) == tuple(deck)
    assert parse_cards(format_cards(deck, " ")) == tuple(deck)
    assert [parse_card(format_card(card)) for card in deck] == deck


def test_hole_pairs_are_numbered_densely() -> None:
    numbers = sorted(hole_index(high, low) for high in range(52) for low in range(high))
    assert numbers == list(range(1326))
    for index in range(1326):
        low, high = hole_cards(index)
        assert low < high
        assert hole_index(low, high) == hole_index(high, low) == index


def test_hole_pair_out_of_range() -> None:
    with pytest.raises(CardError, match="1326"):
        hole_cards(1326)
