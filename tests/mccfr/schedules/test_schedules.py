"""Schedules at their boundaries, against their definitions computed step by step."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem.mccfr.schedules.discount import (
    DiscountSchedule,
    RegretWeights,
    Weight,
    period,
    regret_factor,
    strategy_factor,
    strategy_weight,
)
from holdem.mccfr.schedules.epsilon import epsilon_at, sampling_probability
from holdem.mccfr.schedules.intervals import checkpoint_due, next_multiple, snapshot_due
from holdem.mccfr.schedules.pruning import LOWEST_REGRET, Pruning, acts_from, pruning_at
from holdem.mccfr.schedules.ranges import batch_shares, instance_ranges, shares


def as_number(weight: Weight) -> float:
    return weight.mantissa * 2.0**weight.halvings


def test_discount_factors() -> None:
    assert [regret_factor(k, 1.0) for k in (1, 2, 3)] == [1 / 2, 2 / 3, 3 / 4]
    assert regret_factor(4, 1.5) == 8 / 9
    assert regret_factor(7, 0.0) == 1 / 2
    assert [strategy_factor(k, 1.0) for k in (1, 2)] == [1 / 2, 2 / 3]
    assert strategy_factor(1, 2.0) == 1 / 4
    assert strategy_factor(9, 0.0) == 1.0


def test_periods_start_at_multiples_of_the_interval() -> None:
    assert [period(t, 5000) for t in (0, 4999, 5000, 9999, 10_000)] == [1, 1, 2, 2, 3]
    assert period(10**9, 0) == 1


@given(k=st.integers(1, 300), alpha=st.sampled_from([0.0, 0.5, 1.0, 1.5, 3.0]))
def test_weights_undo_the_discounts(k: int, alpha: float) -> None:
    """w_k times the discounts before period k is 1, which is what makes a weight equal to discounting."""
    regrets = math.prod(regret_factor(j, alpha) for j in range(1, k))
    sums = math.prod(strategy_factor(j, alpha) for j in range(1, k))
    assert as_number(RegretWeights(alpha).at(k)) * regrets == pytest.approx(1.0, rel=1e-9)
    assert as_number(strategy_weight(k, alpha)) * sums == pytest.approx(1.0, rel=1e-9)
    assert 1.0 <= RegretWeights(alpha).at(k).mantissa < 2.0
    assert 1.0 <= strategy_weight(k, alpha).mantissa < 2.0


def test_linear_weights_are_exact() -> None:
    assert [as_number(RegretWeights(1.0).at(k)) for k in (1, 2, 3, 1_000_003)] == [1, 2, 3, 1_000_003]
    assert [as_number(strategy_weight(k, 2.0)) for k in (1, 3, 1000)] == [1, 9, 1_000_000]


@given(ks=st.lists(st.integers(1, 200), min_size=1, max_size=20))
def test_weights_do_not_depend_on_what_was_asked_before(ks: list[int]) -> None:
    weights = RegretWeights(1.3)
    for k in ks:
        assert weights.at(k) == RegretWeights(1.3).at(k)


def test_halvings_happen_just_before_the_first_iteration_of_a_period() -> None:
    schedule = DiscountSchedule(100, 1.0, 2.0)
    # Linear weights 1, 2, 3, 4, ... are halved when they reach 2 and 4; squares 1, 4, 9, 16 twice, once, once.
    assert [schedule.halvings_at(t) for t in (0, 99, 100, 101, 200, 300)] == [
        (0, 0),
        (0, 0),
        (1, 2),
        (0, 0),
        (0, 1),
        (1, 1),
    ]
    assert DiscountSchedule(0, 1.0, 1.0).halvings_at(5000) == (0, 0)


@given(first=st.integers(0, 2000), length=st.integers(0, 2000), interval=st.sampled_from([0, 1, 7, 100, 5000]))
def test_stretches_cover_every_iteration_once(first: int, length: int, interval: int) -> None:
    schedule = DiscountSchedule(interval, 1.0, 1.0)
    at = first
    for stretch in schedule.stretches(first, first + length):
        assert stretch.first == at < stretch.last
        assert period(stretch.first, interval) == period(stretch.last - 1, interval)
        assert stretch.regret_weight == schedule.weights(stretch.last - 1)[0].mantissa
        at = stretch.last
    assert at == first + length


def pruning(iteration: int, weight: float = 1.0, unit: int = 1, enabled: bool = True) -> Pruning:
    return pruning_at(
        iteration,
        weight,
        enabled=enabled,
        probability=0.95,
        threshold_chips=-3e8,
        unit=unit,
        largest_swing_chips=20_000,
    )


def test_pruning_starts_when_a_regret_can_be_below_the_threshold() -> None:
    assert acts_from(-3e8, 20_000) == 15_001  # 15,000 iterations of -20,000 are exactly the threshold, not below it
    assert acts_from(-1.0, 20_000) == 1
    assert pruning(15_000).probability == 0.0
    assert pruning(15_001).probability == 0.95


def test_threshold_and_floor_scale_with_the_weight() -> None:
    assert pruning(10**6, weight=1.5).threshold == -4.5e8
    assert pruning(10**6, weight=1.5).floor == pytest.approx(-4.65e8)
    assert pruning(0).floor == pytest.approx(-3.1e8)


def test_pruning_is_off_when_asked_or_out_of_reach() -> None:
    off = Pruning(0.0, LOWEST_REGRET, LOWEST_REGRET)
    assert pruning(10**6, enabled=False) == off
    assert pruning(10**6, unit=1000) == off  # -3e11 table units do not fit an integer


def test_epsilon() -> None:
    assert epsilon_at(0, 0.6) == epsilon_at(10**9, 0.6) == 0.6
    assert sampling_probability(0.0, 3, 0.6) == pytest.approx(0.2)
    assert sampling_probability(1.0, 3, 0.6) == pytest.approx(0.6)
    assert sum(sampling_probability(p, 3, 0.6) for p in (0.2, 0.3, 0.5)) == pytest.approx(1.0)
    assert sampling_probability(0.3, 2, 0.0) == 0.3


def test_instances_share_iterations() -> None:
    assert [len(part) for part in instance_ranges(1_000_000, 3)] == [333_334, 333_333, 333_333]
    assert instance_ranges(5, 2) == [range(3), range(3, 5)]
    assert instance_ranges(1, 3) == [range(1), range(1, 1), range(1, 1)]
    with pytest.raises(ValueError, match="0 parts"):
        shares(10, 0)


@given(total=st.integers(0, 10**12), parts=st.integers(1, 100))
def test_shares_add_up(total: int, parts: int) -> None:
    pieces = shares(total, parts)
    assert sum(pieces) == total
    assert max(pieces) - min(pieces) <= 1
    assert pieces == sorted(pieces, reverse=True)


def test_workers_share_a_batch() -> None:
    assert batch_shares(100, 6) == [20, 16, 16, 16, 16, 16]
    assert batch_shares(100, 1) == [100]
    assert batch_shares(2, 3) == [2, 0, 0]
    with pytest.raises(ValueError, match="0 workers"):
        batch_shares(100, 0)


def test_checkpoints_and_snapshots_fall_due() -> None:
    assert [next_multiple(t, 100) for t in (0, 99, 100, 101)] == [100, 100, 200, 200]
    assert not checkpoint_due(0, 99, 100)
    assert checkpoint_due(0, 100, 100)
    assert not checkpoint_due(100, 199, 100)
    assert checkpoint_due(150, 420, 100)
    assert not snapshot_due(0.0, 599.9, 600.0)
    assert snapshot_due(599.9, 600.0, 600.0)
    assert snapshot_due(10.0, 1900.0, 600.0)
    with pytest.raises(ValueError, match="interval of 0"):
        next_multiple(5, 0)
