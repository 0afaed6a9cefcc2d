"""Rows that another process writes to in the middle of a visit: strategies still add up to one, and halvings to a half.

The other process is a thread that does nothing else, which makes in a second the meetings of hours of training.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from holdem.mccfr.kernels.outcome import match_regrets
from holdem.mccfr.kernels.table import HIGHEST_ENTRY, add_in_place, halve_row
from holdem.mccfr.sampling.external import STRATEGY_UNIT, ExternalSampler
from holdem.mccfr.table.regret_tracker import RegretTracker
from holdem.mccfr.training_game import TrainingGame
from holdem.types import MCCFRConfig
from holdem.util.jit import kernel
from tests.mccfr.games import kuhn

LARGE = 1_000_000


@kernel
def flip_regrets(table: npt.NDArray[np.generic], high: float, running: npt.NDArray[np.int64]) -> None:
    """Set all regrets to `high` and back to 0 until `running[0]` is 0; counts how often in `running[1]`."""
    while running[0]:
        add_in_place(running, 0, 0, 1)  # so that the compiler reads it anew
        for entry in range(len(table)):
            table[entry, 0] = high
        for entry in range(len(table)):
            table[entry, 0] = 0
        running[1] += 1


@kernel
def worst_total(table: npt.NDArray[np.float64], strategy: npt.NDArray[np.float64], times: int) -> float:
    """How far from one the strategy of the first row ever was."""
    worst = 0.0
    for _ in range(times):
        match_regrets(table, 0, len(strategy), strategy)
        worst = max(worst, abs(strategy.sum() - 1.0))
    return worst


def while_regrets_flip(table: npt.NDArray[np.generic], work: Callable[[], object]) -> int:
    """Do the work while another thread flips the table's regrets, until both have run at the same time; how often."""
    running = np.zeros(2, dtype=np.int64)
    flip_regrets(table, LARGE, running)  # compile before the thread starts
    running[0] = 1
    with ThreadPoolExecutor(1) as pool:
        flips = pool.submit(flip_regrets, table, LARGE, running)
        try:
            while not running[1]:  # until it has a core of its own
                time.sleep(0.001)
            before, rounds = running[1], 0
            while not rounds or running[1] < before + 100:
                work()
                rounds += 1
        finally:
            running[0] = 0
        flips.result()
    return rounds


def check_external(game: TrainingGame, iterations: int) -> None:
    tracker = RegretTracker.allocate(game)
    sampler = ExternalSampler(MCCFRConfig(seed=3, enable_pruning=False), tracker, shared=True)
    rounds = while_regrets_flip(tracker.table, lambda: sampler.run(0, iterations, 1.0, 1.0))
    statistics, width = sampler.statistics, int(game.tree.num_actions.max())
    # A visit shares STRATEGY_UNIT out among the actions, each rounded up by less than one.
    assert 0 < tracker.strategy_sums.astype(np.int64).sum() <= statistics.decisions * (STRATEGY_UNIT + width)
    # A traversal is worth a mean of payoffs: none is beyond the largest swing.
    largest = game.largest_swing_chips * game.unit
    assert (np.abs(statistics.utilities[:, 0]) <= rounds * iterations * largest).all()
    assert (statistics.utilities[:, 1] <= rounds * iterations * largest**2).all()


def test_external_sampling_of_two_players() -> None:
    check_external(TrainingGame.from_preset("leduc"), 100_000)


def test_external_sampling_of_three_players() -> None:
    check_external(kuhn(3), 100_000)


def test_outcome_sampling() -> None:
    table, strategy, worst = np.zeros((3, 2)), np.zeros(3), np.zeros(1)
    worst_total(table, strategy, 1)

    def work() -> None:
        worst[0] = max(worst[0], worst_total(table, strategy, 3_000_000))

    while_regrets_flip(table, work)
    assert worst[0] < 1e-12


@kernel
def halve_rows(table: npt.NDArray[np.int32], reached: npt.NDArray[np.int64], me: int) -> None:
    """Halve every row of three, together with the other thread: nobody goes on before both have come to a row."""
    for row in range(len(table) // 3):
        add_in_place(reached, me, 1, 1)
        while reached[1 - me] <= row:
            add_in_place(reached, 1 - me, 0, 1)  # so that the compiler reads it anew
        halve_row(table, 6 * row, 6 * row + 6, 1)


def test_a_full_row_is_halved_once() -> None:
    rows = 500
    full = np.array([[HIGHEST_ENTRY + 7, 1], [HIGHEST_ENTRY // 2, 2], [1_000, 3]], dtype=np.int32)
    table, reached = np.tile(full, (rows, 1)), np.zeros(2, dtype=np.int64)
    halve_rows(table[:3].copy(), np.full(2, 9), 0)  # compile before the threads start
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda me: halve_rows(table, reached, me), (0, 1)))
    halved = np.array([[HIGHEST_ENTRY // 2 + 4, 1], [HIGHEST_ENTRY // 4, 2], [500, 3]])
    np.testing.assert_array_equal(table.reshape(rows, 3, 2), np.broadcast_to(halved, (rows, 3, 2)))
