"""Side pots, uncalled bets and odd chips, on numbers that can be checked on paper."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from holdem.game.pots import Pot, side_pots, split, uncalled


def test_one_pot_when_everybody_put_in_the_same() -> None:
    assert side_pots([100, 100, 100], [True, True, True]) == [Pot(300, (0, 1, 2))]


def test_layers_at_each_all_in() -> None:
    """TDA rule 21: 50, 120 and 300 twice make 200, 210 and 360."""
    assert side_pots([50, 120, 300, 300], [True] * 4) == [
        Pot(200, (0, 1, 2, 3)),
        Pot(210, (1, 2, 3)),
        Pot(360, (2, 3)),
    ]


def test_folded_chips_stay_in_the_layers_they_reached() -> None:
    assert side_pots([50, 120, 300, 300], [True, False, True, True]) == [
        Pot(200, (0, 2, 3)),
        Pot(570, (2, 3)),
    ]


def test_the_uncalled_part_is_what_nobody_matched() -> None:
    assert uncalled([50, 300, 120]) == (1, 180)
    assert uncalled([300, 300, 120])[1] == 0


def test_odd_chips_go_one_each_to_the_first_seats_left_of_the_button() -> None:
    """TDA rule 20; with the button at seat 1 the order is 2, 3, 0."""
    assert split(101, [0, 2, 3], button=1, num_seats=4) == ((2, 3, 0), (34, 34, 33))


@given(
    st.lists(st.tuples(st.integers(0, 50), st.booleans()), min_size=2, max_size=6).filter(
        lambda seats: any(live for _, live in seats)
    )
)
def test_pots_hold_every_chip_up_to_the_largest_live_stake(seats: list[tuple[int, bool]]) -> None:
    chips, live = [seat[0] for seat in seats], [seat[1] for seat in seats]
    top = max(stake for stake, alive in seats if alive)
    pots = side_pots(chips, live)
    assert sum(pot.amount for pot in pots) == sum(min(stake, top) for stake in chips)
    assert all(set(after.seats) < set(before.seats) for before, after in pairwise(pots))


@given(st.integers(0, 1000), st.sets(st.integers(0, 5), min_size=1), st.integers(0, 5))
def test_shares_make_the_pot_and_differ_by_one_chip(amount: int, winners: set[int], button: int) -> None:
    seats, shares = split(amount, sorted(winners), button, 6)
    assert set(seats) == winners
    assert sum(shares) == amount
    assert list(shares) == sorted(shares, reverse=True)
    assert shares[0] - shares[-1] <= 1
