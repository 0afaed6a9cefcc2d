"""Equities against published figures and a brute force that plays out every deal."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phevaluator import evaluate_cards

from holdem.cards import Range, equity, hand_equities, hole_cards, hole_index, parse_cards
from holdem.cards.equity import as_range, equities_of_ranges
from holdem.errors import CardError


def brute_force(hero: Range, villain: Range, board: tuple[int, ...]) -> tuple[float, float, float]:
    """Win, tie and total weight over every deal, one at a time, with somebody else's evaluator."""
    win = tie = total = 0.0
    for i, j in product(np.flatnonzero(hero.weights), np.flatnonzero(villain.weights)):
        mine, theirs = hole_cards(int(i)), hole_cards(int(j))
        used = {*mine, *theirs, *board}
        if len(used) < 4 + len(board):
            continue
        weight = float(hero.weights[i] * villain.weights[j])
        for rest in combinations([card for card in range(52) if card not in used], 5 - len(board)):
            difference = evaluate_cards(*theirs, *board, *rest) - evaluate_cards(*mine, *board, *rest)
            win += weight * (difference > 0)
            tie += weight * (difference == 0)
            total += weight
    return win, tie, total


@pytest.mark.parametrize(
    ("hero", "villain", "percent"),
    [
        # Published preflop match-ups, ties counted half.
        ("AA", "KK", 81.95),
        ("AhKd", "QsQc", 42.84),
        ("AA", "random", 85.20),
        ("72o", "random", 34.58),
    ],
)
def test_published_preflop_equities(hero: str, villain: str, percent: float) -> None:
    assert 100 * equity(hero, villain).equity == pytest.approx(percent, abs=0.006)


def test_a_single_hand_has_the_equity_of_its_class() -> None:
    assert equity("7c2d", "random").equity == pytest.approx(equity("72o", "random").equity, abs=1e-12)


@st.composite
def spots(draw: st.DrawFn) -> tuple[Range, Range, tuple[int, ...]]:
    deck = draw(st.permutations(range(52)))
    board = tuple(deck[: draw(st.sampled_from((3, 4, 4, 5, 5)))])
    sides = []
    for start in (5, 17):
        pairs = draw(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), min_size=1, max_size=5))
        values = np.zeros(1326)
        for a, b in pairs:
            if a != b:
                values[hole_index(deck[start + a], deck[start + b])] = draw(st.sampled_from((1.0, 0.5, 0.25)))
        values[hole_index(deck[start], deck[start + 1])] = 1.0
        sides.append(Range(values))
    return sides[0], sides[1], board


@settings(max_examples=60)
@given(spots())
def test_exact_equity_is_a_brute_force_over_all_deals(spot: tuple[Range, Range, tuple[int, ...]]) -> None:
    hero, villain, board = spot
    win, tie, total = brute_force(hero, villain, board)
    result = equity(hero, villain, board)
    # Weights are multiples of 1/4 and counts are small, so all sums are exact; only the divisions round.
    assert result.win == pytest.approx(win / total, abs=1e-12)
    assert result.tie == pytest.approx(tie / total, abs=1e-12)
    assert result.deals == pytest.approx(total)


def test_every_hand_against_a_range_on_the_river() -> None:
    board = parse_cards("Qh7d2c5s9s")
    villain = Range.parse("22+, A2s+, KTo+:0.5").without(board)
    against = hand_equities(villain, board)
    for index in range(0, 1326, 31):
        hole = hole_cards(index)
        if set(hole) & set(board):
            assert np.isnan(against[index])
            continue
        win, tie, total = brute_force(as_range(hole), villain, board)
        assert against[index] == pytest.approx((win + tie / 2) / total, abs=1e-12)


def test_every_hand_before_the_flop_adds_up() -> None:
    against = hand_equities("random")
    assert against.mean() == pytest.approx(0.5, abs=1e-12)
    assert against[hole_index(*parse_cards("AhAs"))] == pytest.approx(0.85204, abs=5e-6)


def test_two_sides_add_up_to_one() -> None:
    first, second = equity("22+, AhKd", "KTo+", "Qh7d2c"), equity("KTo+", "22+, AhKd", "Qh7d2c")
    assert first.equity + second.equity == pytest.approx(1.0, abs=1e-12)
    assert first.win == pytest.approx(second.lose, abs=1e-12)


@pytest.mark.parametrize("board", ["", "Qh7d2c"])
def test_sampling_agrees_within_its_standard_error(board: str) -> None:
    exact = equity("22+, A2s+", "KTo+, QJs:0.5", board)
    sampled = equity("22+, A2s+", "KTo+, QJs:0.5", board, samples=400_000, seed=7)
    # Five standard errors: one failure in 1.7 million seeds, and the seed is fixed.
    assert abs(sampled.equity - exact.equity) < 5 * sampled.standard_error
    # The largest variance of a number in [0, 1] is 1/4.
    assert 0 < sampled.standard_error <= 0.5 / np.sqrt(400_000 - 1)


def test_same_seed_same_samples_for_any_number_of_threads() -> None:
    results = {equity("AA", "KK", samples=600_000, seed=1, threads=threads).equity for threads in (1, 2, 3)}
    assert len(results) == 1
    assert equity("AA", "KK", samples=600_000, seed=2).equity not in results


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("AhKd", "AhQs", ""), "cannot be dealt together"),
        (("AhKd", "QQ", "AhKd2c"), "share cards"),
        (("AA", "KK", "2c3c4c5c6c7c"), "at most 5"),
        (("AA", "KK", "2c2c"), "2c appears twice"),
    ],
)
def test_impossible_spots(arguments: tuple[str, str, str], said: str) -> None:
    with pytest.raises(CardError, match=said):
        equity(*arguments)


@pytest.mark.parametrize("board", ["Ks7d2c", "Ks7d2c5h", "Ks7d2c5h9s"])
def test_equities_of_two_ranges_hand_by_hand(board: str) -> None:
    """Against the equity of each hand alone, with weights and hands that touch the board or cannot meet."""
    first, second = Range.parse("AA:0.5, KQs, 76s, AhAd"), Range.parse("22, QJs:0.25, 7c6c, AhAd")
    cards = parse_cards(board)
    found = equities_of_ranges(first.weights, second.weights, cards)
    for own, other, values in ((first, second, found[0]), (second, first, found[1])):
        for hand in range(1326):
            if own.weights[hand] == 0 or set(hole_cards(hand)) & set(cards):
                assert np.isnan(values[hand])
            else:
                expected = equity(hole_cards(hand), other, board).equity
                assert values[hand] == pytest.approx(expected, abs=1e-12)


def test_hands_that_never_meet_have_no_equity() -> None:
    aces = Range.parse("AhAd").weights
    for values in equities_of_ranges(aces, aces, parse_cards("Ks7d2c")):
        assert np.isnan(values).all()
