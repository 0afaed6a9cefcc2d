"""Train one table in one process: schedules, sampler and table together.

    solver = MCCFRSolver(MCCFRConfig(seed=7), TrainingGame.from_preset("leduc"))
    solver.run(100_000)
    solver.tracker.average_strategy(node=0, bucket=3)

A solver's state is its table and its iteration number, nothing else: whoever saves both can go on with
`MCCFRSolver(config, game, table=table, iteration=iteration)`, and the result is the same to the last bit, however the
iterations were cut into calls.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from holdem.errors import ConfigError
from holdem.game.presets import load_preset
from holdem.mccfr.dealers import Bucketing
from holdem.mccfr.external_sampler import ExternalSampler
from holdem.mccfr.outcome_sampler import OutcomeSampler
from holdem.mccfr.regret_tracker import RegretTracker
from holdem.mccfr.sampler import Sampler, Statistics
from holdem.mccfr.schedules.discount import DiscountSchedule
from holdem.mccfr.training_game import TrainingGame
from holdem.types import MCCFRConfig

if TYPE_CHECKING:
    from holdem.mccfr.training import Summary

PRESET_BY_PLAYERS = {
    2: "headsup_100bb",
    3: "threemax_100bb",
    4: "fourmax_100bb",
    5: "fivemax_100bb",
    6: "sixmax_100bb",
}
TABLE_DTYPES: dict[str, type[np.generic]] = {"external": np.int32, "outcome": np.float64}
_SAMPLERS: dict[str, type[ExternalSampler] | type[OutcomeSampler]] = {
    "external": ExternalSampler,
    "outcome": OutcomeSampler,
}


class MCCFRSolver:
    """Monte Carlo CFR on one game.

    game: a `TrainingGame`, or a bucketing for the preset of hold'em with `num_players` players
    table, iteration: where an earlier run stood; the table is used in place, not copied
    shared: whether others write to the table at the same time
    stream_start: added to the iteration number in the choice of random streams, so that several runs see other cards
    """

    def __init__(
        self,
        config: MCCFRConfig,
        game: TrainingGame | Bucketing,
        num_players: int | None = None,
        *,
        table: npt.NDArray[Any] | None = None,
        iteration: int = 0,
        shared: bool = False,
        stream_start: int = 0,
    ) -> None:
        self.config = config
        self._bucketing = None if isinstance(game, TrainingGame) else game
        self.game = game if isinstance(game, TrainingGame) else preset_game(game, num_players or config.num_players)
        if num_players is not None and num_players != self.game.num_players:
            raise ConfigError(f"{self.game.config.name} is for {self.game.num_players} players, not for {num_players}")
        if table is None:
            self.tracker = RegretTracker.allocate(self.game, TABLE_DTYPES[config.sampling])
        else:
            self.tracker = RegretTracker(self.game, table)
        self.iteration = iteration
        self.discounts = DiscountSchedule(
            config.discount_interval, config.regret_discount_alpha, config.strategy_discount_beta
        )
        self.sampler: Sampler = _SAMPLERS[config.sampling](
            config, self.tracker, shared=shared, stream_start=stream_start
        )

    @property
    def statistics(self) -> Statistics:
        """What was visited since this solver was made."""
        return self.sampler.statistics

    def train(self, logdir: Path, use_tensorboard: bool = True, resume_from: Path | None = None) -> "Summary":
        """A whole run in this process, as `train_blueprint` does it: budget, checkpoints, policy, summary.

        It begins at iteration 0 or at the checkpoint, ends as the configuration says (`num_iterations`,
        `time_budget_seconds`), and leaves its table here as well.
        """
        # A run is made of solvers, so these modules import this one.
        from holdem.mccfr.parallel_solver import train_run
        from holdem.mccfr.start import load_run

        config = self.config.model_copy(update={"num_workers": 1})
        summary = train_run(config, self.game.config, self._bucketing, logdir, use_tensorboard, resume_from)
        self.iteration = load_run(Path(logdir), self.tracker)
        return summary

    def run(self, iterations: int) -> None:
        """Advance by exactly this many iterations."""
        for stretch in self.discounts.stretches(self.iteration, self.iteration + iterations):
            if stretch.regret_halvings or stretch.strategy_halvings:
                self.tracker.halve(stretch.regret_halvings, stretch.strategy_halvings)
            self.sampler.run(stretch.first, stretch.last, stretch.regret_weight, stretch.strategy_weight)
            self.iteration = stretch.last


def preset_game(bucketing: Bucketing, num_players: int) -> TrainingGame:
    """Hold'em for that number of players, 100 big blinds deep."""
    return TrainingGame.from_config(load_preset(PRESET_BY_PLAYERS[num_players]), bucketing)
