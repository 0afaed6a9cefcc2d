"""Range notation to 1,326 weights and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem.cards import Range, equity, hand_index, hole_cards, hole_index, parse_cards
from holdem.cards.cards import HOLE_CARDS
from holdem.cards.ranges import CLASS_NAMES, CLASS_OF_HOLE, CLASS_SIZES, joint_weight, opposing_weight
from holdem.errors import CardError


# Counts are combinatorics: 6 per pair, 4 per suited hand, 12 per offsuit hand.
@pytest.mark.parametrize(
    ("text", "combinations"),
    [
        ("22+", 13 * 6),
        ("TT-66", 5 * 6),
        ("66-TT", 5 * 6),
        ("TT–66, AQs—A2s, 55−44", 5 * 6 + 11 * 4 + 12),
        ("A2s+", 12 * 4),
        ("AQs-A2s", 11 * 4),
        ("KTo+", 3 * 12),
        ("AK", 16),
        ("AT+", 4 * 16),
        ("AhKd", 1),
        ("Ah Kd", 1),
        ("76s:0.5", 2),
        ("JTs-54s", 7 * 4),
        ("random", 1326),
        ("AA, AhAs:0.25", 5.25),
        ("22+, TT-66, A2s+, AQs-A2s, KTo+, AK, AhKd, 76s:0.5", 78 + 48 + 36 + 12 + 2),
        ("aks", 4),
        ("KAs", 4),
        ("\ufeffQQ - 99, AA: 0.5; KK :0.25\nAhKd : 1", 4 * 6 + 3 + 1.5 + 1),
    ],
)
def test_number_of_combinations(text: str, combinations: float) -> None:
    assert Range.parse(text).combinations == pytest.approx(combinations)


def test_combinations_of_the_solved_spots() -> None:
    # The reference solver counted 289 and 337 hands on Ah 9c 4d 7s 2h for these ranges.
    board = parse_cards("Ah 9c 4d 7s 2h")
    oop = "22+,A2s+,A8o+,K8s+,KTo+,Q9s+,QTo+,J9s+,JTo,T8s+,97s+,86s+,75s+,65s,54s"
    ip = "22+,A2s+,A7o+,K7s+,K9o+,Q8s+,QTo+,J8s+,J9o+,T8s+,T9o,97s+,86s+,75s+,64s+,54s"
    assert Range.parse(oop).without(board).combinations == 289
    assert Range.parse(ip).without(board).combinations == 337


weights = st.one_of(st.sampled_from((0.0, 1.0, 0.5)), st.floats(0.0, 1.0))
ranges = st.one_of(
    st.lists(st.sampled_from((0.0, 0.0, 1.0, 0.5)), min_size=169, max_size=169).map(
        lambda by_class: Range(np.array(by_class)[CLASS_OF_HOLE])
    ),
    st.dictionaries(st.integers(0, 1325), weights, max_size=20).map(
        lambda chosen: Range(np.array([chosen.get(i, 0.0) for i in range(1326)]))
    ),
)


@given(ranges)
def test_parsing_undoes_printing(hands: Range) -> None:
    assert Range.parse(str(hands)) == hands


def test_printing_is_short() -> None:
    text = "22+, A2s+, KTs-K8s, AKo"
    assert str(Range.parse(text)) == text


def test_classes_are_the_preflop_index() -> None:
    for index in range(1326):
        assert CLASS_OF_HOLE[index] == hand_index(hole_cards(index))
    assert CLASS_NAMES[CLASS_OF_HOLE[hole_index(*parse_cards("AhKd"))]] == "AKo"
    assert sorted(set(CLASS_SIZES.tolist())) == [4, 6, 12]
    assert len(set(CLASS_NAMES)) == 169


def test_grid_has_aces_first_and_suited_above_the_diagonal() -> None:
    grid = Range.parse("AA, AKs, 32o:0.5").grid()
    assert grid[0, 0] == 1.0
    assert grid[0, 1] == 1.0
    assert grid[1, 0] == 0.0
    assert grid[12, 11] == 0.5
    assert grid.sum() == 2.5


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("AA, KX", "'KX'"),
        ("AAs", "'AAs'"),
        ("AKs:1.5", "'1.5'"),
        ("AKs:x", "'x'"),
        ("AQs-K2s", "'AQs-K2s'"),
        ("TT-65s", "'TT-65s'"),
        ("AhAh", "Ah appears twice"),
        ("", "empty"),
        ("A", "'A'"),
    ],
)
def test_errors_name_the_entry(text: str, named: str) -> None:
    with pytest.raises(CardError, match=named):
        Range.parse(text)


def test_blanks_cost_what_they_are_long() -> None:
    """Counted in the square of their number, these would take minutes."""
    blanks = " \t\n\u00a0" * 25_000
    assert Range.parse(f"AA{blanks}QQ{blanks}-{blanks}99{blanks}:{blanks}0.5") == Range.parse("AA, QQ-99:0.5")


def test_a_range_names_no_hand_again_and_again() -> None:
    with pytest.raises(CardError, match="14,000 entries"):
        Range.parse("random," * 14_000)


def test_weights_must_be_between_zero_and_one() -> None:
    with pytest.raises(CardError, match="between 0 and 1"):
        Range(np.full(1326, 2.0))
    with pytest.raises(CardError, match="1326"):
        Range(np.zeros(169))


def test_opposing_weight_is_the_sum_over_pairs_without_a_common_card() -> None:
    weights = np.random.default_rng(1).random(1326)
    apart = np.array([[not set(a) & set(b) for b in HOLE_CARDS.tolist()] for a in HOLE_CARDS[:200].tolist()])
    np.testing.assert_allclose(opposing_weight(weights)[:200], apart @ weights, rtol=1e-12)
    assert opposing_weight(np.ones(1326)) == pytest.approx(np.full(1326, 50 * 49 / 2))


def test_joint_weight_counts_pairs_that_can_meet() -> None:
    """AA against AA: 6 × 6 ordered pairs of pairs, of which 6 share no card."""
    aces = np.array(Range.parse("AA").weights)
    assert joint_weight(aces, aces) == 6.0
    assert opposing_weight(aces)[aces > 0].tolist() == [1.0] * 6


def test_what_cannot_meet_has_no_weight_at_all_and_small_weights_count() -> None:
    """Hands with the ace of spades meet none of each other; weights of any scale are weights."""
    one_ace = np.where((HOLE_CARDS == 51).any(axis=1), np.random.default_rng(3).random(1326), 0.0)
    assert (opposing_weight(one_ace)[one_ace > 0] == 0.0).all()
    tiny = 1e-12 * np.array(Range.parse("AA").weights)
    assert equity(Range(tiny), "KK", "2c2d2h3c").equity == equity("AA", "KK", "2c2d2h3c").equity
