"""Outcome sampling: a traversal follows one line of play, with importance weights for the traverser's draws."""

from typing import Literal

import numpy as np

from holdem.mccfr.kernels.outcome import STEP_FLOATS, STEP_INTS, run_outcome
from holdem.mccfr.sampling.sampler import DEALS_PER_CALL, Statistics
from holdem.mccfr.schedules.epsilon import epsilon_at
from holdem.mccfr.table.node_records import deepest_line
from holdem.mccfr.table.regret_tracker import RegretTracker
from holdem.types import MCCFRConfig


class OutcomeSampler:
    """Runs outcome sampling on a float64 table; the arguments are those of `ExternalSampler`. It never prunes."""

    def __init__(
        self, config: MCCFRConfig, tracker: RegretTracker, *, shared: bool = False, stream_start: int = 0
    ) -> None:
        game = tracker.game
        if tracker.table.dtype != np.float64:
            raise ValueError(f"outcome sampling needs a table of float64, not {tracker.table.dtype}")
        if config.exploration_epsilon <= 0.0:
            raise ValueError("outcome sampling without exploration would never try some actions")
        self.config, self.tracker = config, tracker
        self.statistics = Statistics.empty(game.num_players, game.unit)
        self._shared: Literal[1] | None = 1 if shared else None
        self._stream_start = stream_start
        self._rows = np.zeros((DEALS_PER_CALL, game.num_slots), dtype=np.int64)
        self._strengths = np.zeros((DEALS_PER_CALL, game.num_players), dtype=np.int64)
        depth, width = deepest_line(game.tree), int(game.tree.num_actions.max())
        self._step_ints = np.zeros((depth, STEP_INTS), dtype=np.int64)
        self._step_floats = np.zeros((depth, STEP_FLOATS))
        self._strategy, self._payoffs = np.zeros(width), np.zeros(game.num_players)

    def run(self, first: int, last: int, regret_weight: float, strategy_weight: float) -> None:
        """Iterations [first, last), all with the same weights."""
        for start in range(first, last, DEALS_PER_CALL):
            self._run_call(start, min(start + DEALS_PER_CALL, last), regret_weight, strategy_weight)

    def _run_call(self, first: int, last: int, regret_weight: float, strategy_weight: float) -> None:
        game, config, statistics = self.tracker.game, self.config, self.statistics
        rows, strengths = self._rows[: last - first], self._strengths[: last - first]
        game.dealer.deal(config.seed, self._stream_start + first, rows, strengths)
        run_outcome(
            config.seed,
            self._stream_start + first,
            game.records,
            game.tree.chips_in,
            game.unit,
            rows,
            strengths,
            self.tracker.table,
            self._step_ints,
            self._step_floats,
            self._strategy,
            self._payoffs,
            regret_weight,
            strategy_weight,
            epsilon_at(first, config.exploration_epsilon),
            statistics.counters,
            statistics.utilities,
            self._shared,
        )
        statistics.iterations += last - first
