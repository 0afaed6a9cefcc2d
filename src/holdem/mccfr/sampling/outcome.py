"""Outcome sampling: a traversal follows one line of play, with importance weights for the traverser's draws."""

import numpy as np

from holdem.mccfr.kernels.outcome import STEP_FLOATS, STEP_INTS, run_outcome
from holdem.mccfr.sampling.sampler import DEALS_PER_CALL, Sampler
from holdem.mccfr.schedules.epsilon import epsilon_at
from holdem.mccfr.table.node_records import deepest_line
from holdem.mccfr.table.regret_tracker import RegretTracker
from holdem.types import MCCFRConfig


class OutcomeSampler(Sampler):
    """Runs outcome sampling. It never prunes."""

    name, dtype = "outcome", "float64"

    def __init__(
        self, config: MCCFRConfig, tracker: RegretTracker, *, shared: bool = False, stream_start: int = 0
    ) -> None:
        super().__init__(config, tracker, shared=shared, stream_start=stream_start)
        game = tracker.game
        if config.exploration_epsilon <= 0.0:
            raise ValueError("outcome sampling without exploration would never try some actions")
        depth, width = deepest_line(game.tree), int(game.tree.num_actions.max())
        self._step_ints = np.zeros((depth, STEP_INTS), dtype=np.int64)
        self._step_floats = np.zeros((depth, STEP_FLOATS))
        self._strategy, self._payoffs = np.zeros(width), np.zeros(game.num_players)

    def run(self, first: int, last: int, regret_weight: float, strategy_weight: float) -> None:
        """Iterations [first, last), all with the same weights."""
        for start in range(first, last, DEALS_PER_CALL):
            self._run_call(start, min(start + DEALS_PER_CALL, last), regret_weight, strategy_weight)

    def _run_call(self, first: int, last: int, regret_weight: float, strategy_weight: float) -> None:
        run_outcome(
            *self._dealt(first, last),
            self._step_ints,
            self._step_floats,
            self._strategy,
            self._payoffs,
            regret_weight,
            strategy_weight,
            epsilon_at(first, self.config.exploration_epsilon),
            *self._counted(),
        )
