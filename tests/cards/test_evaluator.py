"""Hand strength against published counts, phevaluator, and a brute force over five-card subsets."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from phevaluator import evaluate_cards

from holdem.cards import category, evaluate, parse_cards
from holdem.cards.cards import HOLE_CARDS
from holdem.cards.evaluator import BEST_STRENGTH, CATEGORY_TOPS
from holdem.cards.kernels.evaluator import (
    board_strengths,
    count_seven_card_strengths,
    evaluate_hands,
    evaluate_seven_card_hands,
)
from holdem.cards.kernels.evaluator_tables import TABLE_PATH, build_tables, flush_score, rank_score, strength_numbers
from holdem.errors import CardError

# Frequencies of seven-card hands by category (out of C(52, 7)), as published in probability tables.
SEVEN_CARD_COUNTS = {
    "high card": 23_294_460,
    "pair": 58_627_800,
    "two pair": 31_433_400,
    "trips": 6_461_620,
    "straight": 6_180_020,
    "flush": 4_047_644,
    "full house": 3_473_184,
    "quads": 224_848,
    "straight flush": 41_584,
}

STRENGTH_NUMBERS = strength_numbers()

hands = st.integers(5, 7).flatmap(lambda size: st.lists(st.integers(0, 51), min_size=size, max_size=size, unique=True))


def brute_force(cards: tuple[int, ...]) -> int:
    """Best five-card subset, scored by rank counts and suits alone."""

    def score(five: tuple[int, ...]) -> tuple[int, ...]:
        counts = tuple(sum(1 for card in five if card >> 2 == rank) for rank in range(13))
        if len({card & 3 for card in five}) == 1:
            return flush_score(sum(1 << (card >> 2) for card in five))
        return rank_score(counts)

    return STRENGTH_NUMBERS[max(score(five) for five in combinations(cards, 5))]


def random_hands(number: int, size: int, seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    keys = np.random.default_rng(seed).random((number, 52))
    return keys.argpartition(size, axis=1)[:, :size].astype(np.uint8)


def test_all_seven_card_hands_by_category() -> None:
    histogram = np.zeros(BEST_STRENGTH + 1, dtype=np.int64)
    count_seven_card_strengths(0, 52, histogram)
    assert histogram.sum() == 133_784_560
    below = 0
    for name, top in CATEGORY_TOPS.items():
        assert histogram[below + 1 : top + 1].sum() == SEVEN_CARD_COUNTS[name], name
        below = top


@pytest.mark.long
@pytest.mark.parametrize(("size", "number"), [(5, 50_000), (6, 50_000), (7, 900_000)])
def test_same_order_as_phevaluator_on_a_million_hands(size: int, number: int) -> None:
    # phevaluator counts the same 7,462 classes from the best (1) down, so equality gives the same order.
    cards = random_hands(number, size, seed=size)
    strengths = np.empty(number, dtype=np.int16)
    evaluate_hands(cards, strengths)
    assert [7463 - evaluate_cards(*hand) for hand in cards.tolist()] == strengths.tolist()
    if size == 7:
        unrolled = np.empty(number, dtype=np.int16)
        evaluate_seven_card_hands(cards, unrolled)
        assert np.array_equal(unrolled, strengths)


@given(hands)
def test_best_of_all_five_card_subsets(cards: list[int]) -> None:
    assert evaluate(cards) == brute_force(tuple(cards))


def test_shipped_tables_are_what_the_builder_builds() -> None:
    with np.load(TABLE_PATH) as shipped:
        built = build_tables()
        assert sorted(shipped) == sorted(built)
        for name, table in built.items():
            assert np.array_equal(shipped[name], table), name


@given(st.integers(3, 5).flatmap(lambda n: st.lists(st.integers(0, 51), min_size=n, max_size=n, unique=True)))
def test_board_strengths_are_single_evaluations(board: list[int]) -> None:
    strengths = np.empty(1326, dtype=np.int16)
    board_strengths(np.array(board, dtype=np.uint8), strengths)
    for index in range(0, 1326, 53):
        hole = tuple(int(card) for card in HOLE_CARDS[index])
        expected = -1 if set(hole) & set(board) else evaluate((*hole, *board))
        assert strengths[index] == expected


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("5h4h3h2hAh Kc Kd", "AsAcAdAh KsKcKd"),
        ("6d5c4h3s2c", "5c4h3s2cAd"),
        ("AhKhQhJh9h", "AcKdQhJsTc"),
        ("2c2d2h3s3c", "AhKhQhJh9h"),
    ],
)
def test_well_known_orders(better: str, worse: str) -> None:
    assert evaluate(parse_cards(better)) > evaluate(parse_cards(worse))


def test_category_names() -> None:
    assert category(evaluate(parse_cards("AsKsQsJsTs"))) == "straight flush"
    assert category(evaluate(parse_cards("2c3d4h5s7c"))) == "high card"
    assert evaluate(parse_cards("2c3d4h5s7c")) == 1


@pytest.mark.parametrize("text", ["AhKd", "AhKdQc2s3s4s5s6s"])
def test_wrong_number_of_cards(text: str) -> None:
    with pytest.raises(CardError, match="5, 6 or 7"):
        evaluate(parse_cards(text))


def test_repeated_card() -> None:
    with pytest.raises(CardError, match="As appears twice"):
        evaluate((51, 51, 1, 2, 3))
