"""What a run writes and when: iteration mode saves checkpoints at multiples of `checkpoint_interval`, a time budget
saves snapshots (a checkpoint and a policy) by the clock. `saving` keeps both below a share of the training time.
"""

import time
from pathlib import Path

from holdem.mccfr.run.checkpoint import CheckpointInfo, Clock, save_checkpoint
from holdem.mccfr.run.directory import BUCKETS_NAME, checkpoint_name
from holdem.mccfr.run.engine import Engine
from holdem.mccfr.run.saving import FIRST_GUESS_BYTES_PER_SECOND, SavingClock
from holdem.mccfr.run.spec import Run
from holdem.mccfr.schedules.intervals import next_multiple, snapshot_due
from holdem.policy.policy import BucketReference, PolicyInfo, save_table
from holdem.util.logs import LOGGER

NO_END = 1 << 62


class RunSaver:
    """Saves the table of an engine for a run; `seconds` are always seconds of training so far."""

    def __init__(self, run: Run, engine: Engine) -> None:
        self.run, self.engine = run, engine
        self.last_checkpoint: int | None = None
        self._clock = SavingClock(engine.tracker.table.nbytes / FIRST_GUESS_BYTES_PER_SECOND, last=run.clock.seconds)
        self._snapshot_pending = False

    def next_stop(self, seconds: float) -> int:
        """The budget's end, or the next multiple of the checkpoint interval if a save may happen there."""
        end = self.run.budget.iterations
        if end is None:
            return NO_END
        if seconds < self._clock.allowed_from:
            return end
        return min(end, next_multiple(self.engine.iteration, self.run.config.checkpoint_interval))

    def note_step(self, first: int, before: float, after: float) -> None:
        """A step from iteration `first` on took the training time from `before` to `after`."""
        due = next_multiple(first, self.run.config.checkpoint_interval)
        if self.run.budget.iterations is not None and due < self.engine.iteration:
            self._clock.may_save(before)  # a checkpoint was due on the way and too early: the log says so once
        if self.run.budget.seconds is not None:
            self._snapshot_pending |= snapshot_due(before, after, self.run.config.snapshot_interval_seconds)

    def save_if_due(self, seconds: float) -> None:
        """Save a checkpoint or a snapshot, unless the run ends here: its end is saved anyway."""
        iteration, budget = self.engine.iteration, self.run.budget
        on_iteration = budget.iterations is not None and iteration % self.run.config.checkpoint_interval == 0
        ended = budget.share_done(iteration, seconds) >= 1.0
        if ended or not (on_iteration or self._snapshot_pending) or not self._clock.may_save(seconds):
            return
        start = time.perf_counter()
        self._save_checkpoint(checkpoint_name(iteration), seconds)
        if self._snapshot_pending:
            self._save_policy(self.run.directory.snapshot(iteration))
            self._save_policy(self.run.directory.path)
            self._snapshot_pending = False
            LOGGER.info(f"Snapshot at iteration {iteration:,} after {seconds:,.0f} s of training")
        self._clock.saved(seconds, time.perf_counter() - start)
        self.run.directory.forget_old_checkpoints(self.run.keep)

    def save_end(self, reason: str, seconds: float) -> None:
        """The checkpoint and the policy of a run that ends for this reason."""
        final = reason == "completed"
        self._save_checkpoint("checkpoint_final.pkl" if final else checkpoint_name(self.engine.iteration), seconds)
        self._save_policy(self.run.directory.path)
        self.run.directory.forget_old_checkpoints(self.run.keep)

    def _save_checkpoint(self, name: str, seconds: float) -> None:
        game = self.run.game
        info = CheckpointInfo(
            iteration=self.engine.iteration,
            seed=self.run.config.seed,
            stream_start=self.run.stream_start,
            game=game.config.model_dump(mode="json"),
            buckets_per_street=list(game.buckets_per_street),
            fingerprint=self.run.fingerprint,
        )
        clock = Clock(seconds, self.run.clock.nodes + self.engine.statistics.nodes)
        save_checkpoint(self.run.directory.path / name, info, self.engine.tracker.table, clock)
        self.last_checkpoint = self.engine.iteration

    def _save_policy(self, folder: Path) -> None:
        game, bucketing = self.run.game, self.run.bucketing
        reference = None
        if bucketing is not None and game.bucketing_hash == bucketing.content_hash:
            folder.mkdir(parents=True, exist_ok=True)
            bucketing.save_manifest(folder / BUCKETS_NAME)
            reference = BucketReference.of(BUCKETS_NAME, bucketing)
        info = PolicyInfo(game.config, game.buckets_per_street, self.engine.iteration, reference, self.run.fingerprint)
        save_table(folder, info, self.engine.tracker.table, game.tree)
