"""External sampling: a traversal tries all actions of its player and draws those of the others."""

import numpy as np

from holdem.errors import ConfigError
from holdem.mccfr.kernels.external import FRAME_SIZE, run_external
from holdem.mccfr.kernels.table import LARGEST_INCREMENT
from holdem.mccfr.sampling.sampler import DEALS_PER_CALL, Sampler
from holdem.mccfr.schedules.pruning import acts_from, pruning_at
from holdem.mccfr.table.node_records import deepest_line
from holdem.mccfr.table.regret_tracker import RegretTracker
from holdem.types import MCCFRConfig

STRATEGY_UNIT = 16
"""What a strategy adds to the integer sums of its row at weight 1, rounded at random so that the mean is right.

Small enough that a row takes some 50 million visits before it is full and has to be halved: halved sums forget, and an
average that forgets faster than the regrets stops getting better (with 1,000 units, Leduc does after 10 million
iterations)."""


class ExternalSampler(Sampler):
    """Runs external sampling. learner: the one player who learns while the others play as their rows are; or None."""

    name, dtype = "external", "int32"

    def __init__(
        self,
        config: MCCFRConfig,
        tracker: RegretTracker,
        *,
        shared: bool = False,
        stream_start: int = 0,
        learner: int | None = None,
    ) -> None:
        super().__init__(config, tracker, shared=shared, stream_start=stream_start)
        game = tracker.game
        if 2 * game.largest_swing_chips * game.unit >= LARGEST_INCREMENT:
            raise ConfigError(
                f"{game.config.name} has up to {game.largest_swing_chips:,} chips in the pot, and training counts to "
                f"{LARGEST_INCREMENT // 2:,}; divide all chips by a common factor"
            )
        self._learners = (0, game.num_players - 1) if learner is None else (learner, learner)
        self._pruning_from = acts_from(config.pruning_threshold, game.largest_swing_chips)
        depth, width = deepest_line(game.tree), int(game.tree.num_actions.max())
        self._frames = np.zeros((depth + 1, FRAME_SIZE), dtype=np.int64)
        self._targets = np.zeros((depth + 2, width), dtype=np.int64)
        self._values, self._probabilities = np.zeros((depth + 1, width)), np.zeros((depth + 1, width))
        self._payoffs = np.zeros(game.num_players)

    def run(self, first: int, last: int, regret_weight: float, strategy_weight: float) -> None:
        """Iterations [first, last), all with the same weights."""
        while first < last:
            stop = min(first + DEALS_PER_CALL, last)
            if first < self._pruning_from < stop:
                stop = self._pruning_from
            self._run_call(first, stop, regret_weight, strategy_weight)
            first = stop

    def _run_call(self, first: int, last: int, regret_weight: float, strategy_weight: float) -> None:
        game, config = self.tracker.game, self.config
        pruning = pruning_at(
            first,
            regret_weight,
            enabled=config.enable_pruning,
            probability=config.pruning_probability,
            threshold_chips=config.pruning_threshold,
            unit=game.unit,
            largest_swing_chips=game.largest_swing_chips,
        )
        run_external(
            *self._dealt(first, last),
            self._frames,
            self._targets,
            self._values,
            self._probabilities,
            self._payoffs,
            regret_weight,
            strategy_weight * STRATEGY_UNIT,
            pruning.probability,
            int(pruning.threshold),
            int(pruning.floor),
            self._learners[0],
            self._learners[1],
            *self._counted(),
        )
