"""All 169 × 169 preflop all-ins against the exact equities, counts and published figures."""

import numpy as np
import pytest

from holdem.cards import Range, equity, hand_equities, hole_cards
from holdem.cards.preflop_equity import (
    BOARDS_PER_PAIR,
    TABLE_PATH,
    class_index,
    class_weights,
    joint_combinations,
    preflop_equities,
    preflop_equity,
)
from holdem.cards.preflop_table import count_wins
from holdem.cards.ranges import CLASS_NAMES, CLASS_SIZES
from holdem.errors import CardError

TABLE = preflop_equities()


@pytest.mark.parametrize(
    ("hero", "villain"), [("AA", "KK"), ("AKs", "QQ"), ("72o", "32s"), ("JTs", "JTo"), ("55", "55")]
)
def test_it_is_the_exact_equity(hero: str, villain: str) -> None:
    exact = equity(hero, villain)
    row, column = class_index(hero), class_index(villain)
    deals = TABLE.combinations[row, column] * BOARDS_PER_PAIR
    assert TABLE.equity[row, column] == pytest.approx(exact.equity, abs=1e-12)
    assert TABLE.wins[row, column] / deals == pytest.approx(exact.win, abs=1e-12)
    assert TABLE.ties[row, column] / deals == pytest.approx(exact.tie, abs=1e-12)


@pytest.mark.slow
def test_every_class_against_a_range_is_the_exact_equity() -> None:
    """All rows at once: against pocket eights, and so the column of one class."""
    exact = hand_equities("88")
    for name in CLASS_NAMES:
        hands = np.flatnonzero(Range.parse(name).weights)
        met = np.isfinite(exact[hands])
        if name != "88":
            # Combinations that share no, one or two cards with the eights weigh by the eights that they leave.
            left = np.array([eights_left(int(hand)) for hand in hands[met]])
            mean = (exact[hands[met]] * left).sum() / left.sum()
            assert TABLE.equity[class_index(name), class_index("88")] == pytest.approx(mean, abs=1e-12)


def eights_left(hand: int) -> float:
    return Range.parse("88").without(hole_cards(hand)).combinations


def test_published_figures() -> None:
    """The usual match-ups, in per cent as poker books print them."""
    published = {("AA", "KK"): 81.9, ("AKs", "QQ"): 46.0, ("AKo", "QQ"): 43.2, ("JTs", "22"): 54.0, ("AA", "72o"): 88.2}
    for (hero, villain), percent in published.items():
        # Books round to one decimal and often show one choice of suits: half a point covers both.
        assert 100 * TABLE.equity[class_index(hero), class_index(villain)] == pytest.approx(percent, abs=0.5)


def test_counts_are_consistent() -> None:
    assert TABLE.combinations.sum() == 1326 * 1225
    assert np.array_equal(TABLE.combinations.sum(axis=1), CLASS_SIZES * 1225)
    assert np.array_equal(TABLE.combinations, TABLE.combinations.T)
    assert np.array_equal(TABLE.ties, TABLE.ties.T)
    assert TABLE.ties.min() >= 0
    assert np.abs(TABLE.equity + TABLE.equity.T - 1.0).max() < 1e-12
    assert joint_combinations()[class_index("AA"), class_index("AA")] == 6
    assert joint_combinations()[class_index("AA"), class_index("AKs")] == 12
    # Aces against a random hand: 85.2 % (the best), 32o 32.3 % (the worst).
    against_all = (TABLE.equity * TABLE.combinations).sum(axis=1) / TABLE.combinations.sum(axis=1)
    assert against_all[class_index("AA")] == pytest.approx(0.8520, abs=5e-5)
    assert against_all[class_index("32o")] == pytest.approx(0.3230, abs=5e-5)
    assert (CLASS_NAMES[against_all.argmax()], CLASS_NAMES[against_all.argmin()]) == ("AA", "32o")


@pytest.mark.parametrize(
    ("hero", "villain"), [("AA", "random"), ("22+, A2s+, KTo:0.25", "QQ-88, AK, 76s:0.5"), ("random", "JTs, 55")]
)
def test_ranges_of_whole_classes_are_the_exact_equity(hero: str, villain: str) -> None:
    first, second = class_weights(Range.parse(hero)), class_weights(Range.parse(villain))
    assert first is not None and second is not None
    found, exact = preflop_equity(first, second), equity(hero, villain)
    assert found.exact and found.standard_error == 0.0
    assert found.deals == pytest.approx(exact.deals, rel=1e-12)
    for name in ("equity", "win", "tie", "lose"):
        assert getattr(found, name) == pytest.approx(getattr(exact, name), abs=1e-12)


@pytest.mark.parametrize("notation", ["AhKd", "AA, AsKs", "22+, 7h2d:0.5"])
def test_a_class_with_one_suit_more_likely_is_not_in_the_table(notation: str) -> None:
    assert class_weights(Range.parse(notation)) is None


def test_unknown_classes_are_refused() -> None:
    with pytest.raises(CardError, match="KAs"):
        class_index("KAs")


@pytest.mark.slow
def test_the_shipped_table_can_be_counted_again() -> None:
    with np.load(TABLE_PATH) as file:
        assert np.array_equal(file["wins"], count_wins())
