"""Training from Python in one process.

solver = MCCFRSolver(MCCFRConfig(seed=7), TrainingGame.from_preset("leduc"))
solver.run(100_000)
solver.tracker.average_strategy(node=0, bucket=3)
"""

from pathlib import Path

from holdem.mccfr.run.spec import Summary
from holdem.mccfr.run.start import load_run, train_from_python
from holdem.mccfr.trainer import Trainer


class MCCFRSolver(Trainer):
    """Monte Carlo CFR on one game: a `Trainer` that can also do a whole run with files."""

    def train(self, logdir: Path, use_tensorboard: bool = True, resume_from: Path | None = None) -> Summary:
        """A whole run in this process, as `train_blueprint` does it: budget, checkpoints, policy, summary.

        It begins at iteration 0 or at the checkpoint, ends as the configuration says (`num_iterations`,
        `time_budget_seconds`), and leaves its table here as well.
        """
        config = self.config.model_copy(update={"num_workers": 1})
        summary = train_from_python(config, self.game.config, self.bucketing, logdir, use_tensorboard, resume_from)
        self.iteration = load_run(Path(logdir), self.tracker)
        return summary
