"""Trains one table in one process: schedules, sampler and table together.

A trainer's state is its table and its iteration number, nothing else: whoever saves both can go on with
`Trainer(config, game, table=table, iteration=iteration)`, and the result is the same to the last bit, however the
iterations were cut into calls.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.errors import ConfigError
from holdem.game.presets import PRESET_BY_PLAYERS, load_preset
from holdem.mccfr.dealers import Bucketing
from holdem.mccfr.sampling.external import ExternalSampler
from holdem.mccfr.sampling.outcome import OutcomeSampler
from holdem.mccfr.sampling.sampler import Sampler, Statistics
from holdem.mccfr.schedules.discount import DiscountSchedule
from holdem.mccfr.table.regret_tracker import RegretTracker
from holdem.mccfr.training_game import TrainingGame
from holdem.types import MCCFRConfig

TABLE_DTYPES: dict[str, type[np.generic]] = {"external": np.int32, "outcome": np.float64}
_SAMPLERS: dict[str, type[ExternalSampler] | type[OutcomeSampler]] = {
    "external": ExternalSampler,
    "outcome": OutcomeSampler,
}


class Trainer:
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
        self.bucketing = None if isinstance(game, TrainingGame) else game
        self.game = game if isinstance(game, TrainingGame) else preset_game(game, num_players or config.num_players)
        if num_players is not None and num_players != self.game.num_players:
            raise ConfigError(f"{self.game.config.name} is for {self.game.num_players} players, not for {num_players}")
        if table is None:
            self.tracker = RegretTracker.allocate(self.game, TABLE_DTYPES[config.sampling])
        else:
            self.tracker = RegretTracker(self.game, table)
        self.iteration = iteration
        self.discounts = DiscountSchedule.of(config, self.game.num_players)
        self.sampler: Sampler = _SAMPLERS[config.sampling](
            config, self.tracker, shared=shared, stream_start=stream_start
        )

    @property
    def statistics(self) -> Statistics:
        """What was visited since this trainer was made."""
        return self.sampler.statistics

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
