"""Additions that are never lost and never wrap."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from holdem.mccfr.kernels.external import run_external
from holdem.mccfr.kernels.table import HIGHEST_ENTRY, LARGEST_INCREMENT, add_many, halve_floats, halve_integers
from holdem.mccfr.sampling.external import ExternalSampler
from holdem.mccfr.schedules.pruning import LOWEST_REGRET
from holdem.mccfr.table.regret_tracker import RegretTracker
from holdem.mccfr.training_game import TrainingGame
from holdem.types import MCCFRConfig
from tests.mccfr.games import kuhn


@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_two_threads_lose_nothing(dtype: type[np.generic]) -> None:
    table = np.zeros((4, 2), dtype=dtype)
    add_many(table, 0, 0, 1, 1)  # compile before the threads start
    count = 3_000_000
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda step: add_many(table, 3, step, count, 1), (1, 2)))
    assert table[1, 1] == 3 * count
    assert np.count_nonzero(table) == 1


def test_plain_and_atomic_additions_agree() -> None:
    tables = []
    for shared in (False, True):
        tracker = RegretTracker.allocate(kuhn())
        ExternalSampler(MCCFRConfig(seed=3), tracker, shared=shared).run(0, 2_000, 1.25, 1.75)
        tables.append(tracker.table)
    assert np.array_equal(tables[0], tables[1])
    assert len(run_external.signatures) >= 2  # type: ignore[attr-defined]


def test_halving_goes_towards_zero() -> None:
    table = np.array([[5, 5], [-5, 4], [1, 1], [-1, 0]], dtype=np.int32)
    halve_integers(table, 1, 2)
    assert table.tolist() == [[2, 1], [-2, 1], [0, 0], [0, 0]]
    floats = np.array([[5.0, -3.0], [0.0, 8.0]])
    halve_floats(floats, 1, 3)
    assert floats.tolist() == [[2.5, -0.375], [0.0, 1.0]]


def test_full_entries_halve_their_row_and_never_wrap() -> None:
    """All regrets and sums start at the limit; 63 processes' worth of increments fit above it."""
    assert HIGHEST_ENTRY + 63 * LARGEST_INCREMENT < 2**31
    game = TrainingGame.from_preset("leduc")
    tracker = RegretTracker.allocate(game)
    tracker.table[:] = HIGHEST_ENTRY
    before = tracker.table.copy()
    ExternalSampler(MCCFRConfig(), tracker).run(0, 20_000, 1.999, 1.999)
    assert tracker.regrets.min() >= LOWEST_REGRET
    assert tracker.regrets.max() <= HIGHEST_ENTRY + LARGEST_INCREMENT
    assert tracker.strategy_sums.min() >= 0
    assert tracker.strategy_sums.max() <= HIGHEST_ENTRY + LARGEST_INCREMENT
    rows_of_root = tracker.table[: int(game.tree.num_actions[0])]
    assert (rows_of_root[:, 1] < before[: len(rows_of_root), 1]).all()


def test_regrets_stop_at_the_floor() -> None:
    game = kuhn()
    tracker = RegretTracker.allocate(game)
    tracker.table[:, 0] = LOWEST_REGRET + 1
    ExternalSampler(MCCFRConfig(), tracker).run(0, 5_000, 1.0, 1.0)
    assert tracker.regrets.min() == LOWEST_REGRET
    tracker.table[:] = 0
    config = MCCFRConfig(pruning_threshold=-30.0)
    ExternalSampler(config, tracker).run(0, 50_000, 1.0, 1.0)
    assert tracker.regrets.min() == -31 * game.unit


def test_rows_become_strategies() -> None:
    game = TrainingGame.from_preset("leduc")
    tracker = RegretTracker.allocate(game)
    rng = np.random.default_rng(1)
    tracker.table[:] = rng.integers(-50, 50, size=tracker.table.shape)
    tracker.table[:, 1] = np.maximum(tracker.table[:, 1], 0)
    average, current = tracker.average_strategy_table(), tracker.current_strategy_table()
    seen = np.zeros(game.layout.entries, dtype=bool)
    for node in np.flatnonzero(game.tree.player >= 0):
        for bucket in range(game.buckets_per_street[game.tree.street[node]]):
            start = game.layout.row_start(int(node), bucket)
            row = slice(start, start + int(game.tree.num_actions[node]))
            assert average[row].tolist() == tracker.average_strategy(int(node), bucket).tolist()
            assert current[row].tolist() == tracker.current_strategy(int(node), bucket).tolist()
            assert average[row].sum() == pytest.approx(1.0, abs=1e-12)
            seen[row] = True
    assert seen.all()


def test_touched_infosets_are_counted() -> None:
    game = kuhn()
    tracker = RegretTracker.allocate(game)
    assert tracker.infosets_touched() == 0
    assert tracker.average_strategy(0, 1).tolist() == [0.5, 0.5]
    ExternalSampler(MCCFRConfig(), tracker).run(0, 200, 1.0, 1.0)
    assert tracker.infosets_touched() == 12


def test_a_table_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        RegretTracker(kuhn(), np.zeros((5, 2), dtype=np.int32))
    with pytest.raises(ValueError, match="int32"):
        ExternalSampler(MCCFRConfig(), RegretTracker.allocate(kuhn(), np.float64))
