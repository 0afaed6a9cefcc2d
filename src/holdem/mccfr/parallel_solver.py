"""Training in several processes from Python:

    config = MCCFRConfig(time_budget_seconds=3600, num_workers=0, batch_size=100)
    bucketing = HandBucketing.load(Path("assets/abstraction/precomputed_buckets.pkl"))
    solver = ParallelMCCFRSolver(config, bucketing, num_players=2)
    solver.train(logdir=Path("runs/parallel_demo"), use_tensorboard=True)

No `if __name__ == "__main__"` is needed: workers import `holdem` and nothing of the script or notebook that started
them.
"""

from pathlib import Path

from holdem.abstraction.bucketing import HandBucketing
from holdem.errors import ConfigError
from holdem.game.presets import PRESET_BY_PLAYERS, load_preset
from holdem.mccfr.run.spec import Summary
from holdem.mccfr.run.start import train_from_python
from holdem.types import GameConfig, MCCFRConfig
from holdem.util.parallel import workers_for


class ParallelMCCFRSolver:
    """A run of `config.num_workers` processes on one table (0: every core; 1: this process alone).

    bucketing: the card abstraction; None for games that need none
    game: another game than the preset of hold'em for `num_players`
    """

    def __init__(
        self,
        config: MCCFRConfig,
        bucketing: HandBucketing | None = None,
        num_players: int | None = None,
        *,
        game: GameConfig | None = None,
    ) -> None:
        players = num_players if num_players is not None else game.num_players if game else config.num_players
        if players not in PRESET_BY_PLAYERS:
            raise ConfigError(f"num_players is {players}; a table has 2 to 6 players")
        self.game = game if game is not None else load_preset(PRESET_BY_PLAYERS[players])
        if self.game.num_players != players:
            raise ConfigError(f"{self.game.name} is for {self.game.num_players} players, not for {players}")
        self.config = config.model_copy(update={"num_players": players})
        self.bucketing = bucketing

    @property
    def num_workers(self) -> int:
        """Processes that will train."""
        return workers_for(self.config.num_workers)

    def train(self, logdir: Path, use_tensorboard: bool = True, resume_from: Path | None = None) -> Summary:
        """Train until the budget or Ctrl+C ends it, with everything that `train_blueprint` writes into `logdir`.

        resume_from: a checkpoint or a run directory to go on from, whatever its number of workers was
        """
        return train_from_python(self.config, self.game, self.bucketing, logdir, use_tensorboard, resume_from)
