"""The pseudo-harmonic mapping: the axioms of Ganzfried & Sandholm (2013), and what it was derived from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem.blueprint.translation import probability_of_smaller, translate

sizes = st.floats(0.0, 20.0)


@st.composite
def bets(draw: st.DrawFn) -> tuple[float, float, float]:
    """Two sizes at least a hundredth of a pot apart, and a bet between them."""
    smaller = draw(sizes)
    larger = smaller + draw(st.floats(0.01, 20.0))
    return smaller, larger, smaller + draw(st.floats(0.0, 1.0)) * (larger - smaller)


@given(bets())
def test_boundaries(bet: tuple[float, float, float]) -> None:
    smaller, larger, size = bet
    assert probability_of_smaller(smaller, larger, smaller) == 1.0
    assert probability_of_smaller(smaller, larger, larger) == 0.0
    assert -1e-12 <= probability_of_smaller(smaller, larger, size) <= 1.0 + 1e-12


@given(bets(), st.floats(1e-3, 1.0))
def test_a_larger_bet_is_less_often_the_smaller_size(bet: tuple[float, float, float], step: float) -> None:
    smaller, larger, size = bet
    further = size + step * (larger - size)
    before, after = (probability_of_smaller(smaller, larger, x) for x in (size, further))
    assert after <= before + 1e-12


@given(bets(), st.floats(0.01, 1000.0))
def test_the_unit_does_not_matter(bet: tuple[float, float, float], unit: float) -> None:
    in_pots = probability_of_smaller(*bet)
    smaller, larger, size = (size * unit for size in bet)
    in_chips = probability_of_smaller(smaller, larger, size, unit)
    # Differences of neighbouring sizes lose digits: at most 20 / 0.01 = 2,000 roundings of 1e-16, and a margin.
    assert in_chips == pytest.approx(in_pots, abs=1e-11)


@given(bets())
def test_the_answer_keeps_the_right_frequency_of_calls(bet: tuple[float, float, float]) -> None:
    """In the clairvoyance game a bet of x pots is called 1 / (1 + x) of the time; that is what the mapping solves."""
    smaller, larger, size = bet
    share = probability_of_smaller(smaller, larger, size)
    called = share / (1.0 + smaller) + (1.0 - share) / (1.0 + larger)
    assert called == pytest.approx(1.0 / (1.0 + size), abs=1e-11)


@given(bets())
def test_it_is_indifferent_at_the_published_point(bet: tuple[float, float, float]) -> None:
    smaller, larger, _ = bet
    median = (smaller + larger + 2.0 * smaller * larger) / (smaller + larger + 2.0)
    assert probability_of_smaller(smaller, larger, median) == pytest.approx(0.5, abs=1e-10)


@given(bets(), st.floats(-1e-6, 1e-6))
def test_a_small_change_of_a_size_changes_little(bet: tuple[float, float, float], change: float) -> None:
    """Action robustness. The derivatives by A, B and x are at most 21 (1 + A) / (B - A) <= 21 * 21 / 0.01 here."""
    smaller, larger, size = bet
    limit = abs(change) * 21 * 21 / 0.01 + 1e-9
    here = probability_of_smaller(smaller, larger, size)
    for moved in ((smaller + change, larger), (smaller, larger + change)):
        assert abs(probability_of_smaller(*moved, size) - here) <= limit


def test_values_by_hand() -> None:
    """A bet of the pot between a check and 100 pots is a check half of the time; by distance it would be 0.99."""
    assert probability_of_smaller(0.0, 100.0, 1.0) == pytest.approx(0.495)
    assert probability_of_smaller(0.5, 1.0, 0.75) == pytest.approx(0.25 * 1.5 / (0.5 * 1.75))


def test_places() -> None:
    menu = [0.5, 1.0, 4.0]
    assert translate(menu, 0.1) == [(0, 1.0)]
    assert translate(menu, 0.5) == [(0, 1.0)]
    assert translate(menu, 1.0) == [(1, 1.0)]
    assert translate(menu, 9.0) == [(2, 1.0)]
    (low, share), (high, rest) = translate(menu, 2.0)
    assert (low, high) == (1, 2)
    assert share == pytest.approx(2.0 * 2.0 / (3.0 * 3.0))
    assert share + rest == 1.0
