"""The life of a run: advance, save when due, show, stop; whatever ends it, what is on disk is whole.

The loop knows an *engine* that advances a table (one process, or many), and a run directory. Iteration mode saves at
multiples of `checkpoint_interval`; a time budget saves snapshots (a checkpoint and a policy) by the clock.
"""

import os
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from holdem.abstraction.bucketing import HandBucketing
from holdem.errors import ArtifactError, RunFailed
from holdem.mccfr.run.checkpoint import CheckpointInfo, Clock, checkpoint_name, newest_valid, save_checkpoint
from holdem.mccfr.run.directory import BUCKETS_NAME, RunDirectory
from holdem.mccfr.run.progress import ProgressDisplay
from holdem.mccfr.run.saving import FIRST_GUESS_BYTES_PER_SECOND, SavingClock
from holdem.mccfr.run.state import RunReporter
from holdem.mccfr.run.telemetry import TableFigures, TensorBoard, look_at
from holdem.mccfr.sampling.sampler import Statistics
from holdem.mccfr.schedules.discount import DiscountSchedule
from holdem.mccfr.schedules.intervals import next_multiple, snapshot_due
from holdem.mccfr.table.regret_tracker import RegretTracker
from holdem.mccfr.trainer import Trainer
from holdem.mccfr.training_game import TrainingGame
from holdem.policy.fingerprint import Fingerprint, fingerprint
from holdem.policy.policy import BucketReference, PolicyInfo, save_strategy_sums
from holdem.types import MCCFRConfig
from holdem.util.artifacts import write_json
from holdem.util.logs import LOGGER
from holdem.util.memory import MemoryMeter
from holdem.util.signals import StopSignals

STEP_SECONDS = 0.2
SCALARS_SECONDS = 5.0
LOOK_SHARE = 0.01
"""Looking at the whole table for TensorBoard costs at most this share of the time."""


class Engine(Protocol):
    """Advances a table. Between two calls nothing writes to it."""

    @property
    def iteration(self) -> int:
        """Iterations done so far."""

    @property
    def workers(self) -> int:
        """Processes that train."""

    @property
    def worker_processes(self) -> list[int]:
        """The numbers of the processes that share the table with this one now."""

    @property
    def tracker(self) -> RegretTracker:
        """The table."""

    @property
    def statistics(self) -> Statistics:
        """Counted since the engine was made."""

    def advance(self, last: int, seconds: float) -> None:
        """Run up to iteration `last`, or for about that many seconds if they end first."""


class Companion(Protocol):
    """Goes along with a run: reports it, or brings its table together with those of others."""

    def before_start(self, engine: Engine, stop: StopSignals) -> None:
        """Called once before the first step; here and below the table may be changed, the iteration may not."""

    def after_step(self, engine: Engine, seconds: float, stop: StopSignals) -> None:
        """Called between two steps, with the seconds of training so far."""

    def before_end(self, engine: Engine, reason: str, stop: StopSignals) -> None:
        """Called once before a run that ends for this reason saves its table."""


class SequentialEngine:
    """One solver in this process."""

    def __init__(self, solver: Trainer) -> None:
        self.solver = solver
        self._pace = 200.0

    @property
    def iteration(self) -> int:
        return self.solver.iteration

    @property
    def workers(self) -> int:
        return 1

    @property
    def worker_processes(self) -> list[int]:
        return []

    @property
    def tracker(self) -> RegretTracker:
        return self.solver.tracker

    @property
    def statistics(self) -> Statistics:
        return self.solver.statistics

    def advance(self, last: int, seconds: float) -> None:
        """A share of the seconds at a time, so that a guess of the pace that is off does little harm."""
        start = now = time.perf_counter()
        while self.iteration < last and now - start < seconds:
            wanted = max(1, int(self._pace * min(seconds / 4, seconds - (now - start))))
            before = self.iteration
            self.solver.run(min(wanted, last - before))
            then, now = now, time.perf_counter()
            self._pace = (self.iteration - before) / max(now - then, 1e-6)


@dataclass(frozen=True)
class Budget:
    """When a run ends: at an iteration, after seconds of training, or at whichever comes first."""

    iterations: int | None
    seconds: float | None

    def share_done(self, iteration: int, seconds: float) -> float:
        """Progress between 0 and 1."""
        shares = [0.0]
        if self.iterations:
            shares.append(iteration / self.iterations)
        if self.seconds:
            shares.append(seconds / self.seconds)
        return min(max(shares), 1.0)


@dataclass(frozen=True)
class Summary:
    """How a run ended: the content of `summary.json`."""

    iterations: int
    seconds: float
    iterations_per_second: float
    nodes_per_second: float
    workers: int
    peak_memory_bytes: int
    infosets_touched: int
    exit_reason: str


@dataclass
class Run:
    """One run: where it writes, what it trains, when it ends."""

    config: MCCFRConfig
    game: TrainingGame
    directory: RunDirectory
    budget: Budget
    bucketing: HandBucketing | None = None
    stream_start: int = 0
    keep: int = 3
    tensorboard: bool = True
    clock: Clock = field(default_factory=Clock)
    companion: Companion | None = None
    source: Path | None = None
    """The checkpoint that it goes on from."""

    @property
    def fingerprint(self) -> Fingerprint:
        """What shapes the table."""
        game, training = self.game, self.config.model_dump(mode="json")
        return fingerprint(game.config, game.buckets_per_street, game.bucketing_hash, training)

    def train(self, engine: Engine, stop: StopSignals) -> Summary:
        """Run until the budget or a signal ends it."""
        return _Loop(self, engine, stop).run()


class _Loop:
    def __init__(self, run: Run, engine: Engine, stop: StopSignals) -> None:
        self.r, self.engine, self.stop = run, engine, stop
        self.seconds, self.start_iteration = run.clock.seconds, engine.iteration
        self.session_seconds = 0.0
        table = engine.tracker.table
        self.saving = SavingClock(table.nbytes / FIRST_GUESS_BYTES_PER_SECOND, last=self.seconds)
        self.discounts = DiscountSchedule(
            run.config.discount_interval, run.config.regret_discount_alpha, run.config.strategy_discount_beta
        )
        self.snapshot_pending = False
        self.last_scalars = self.last_look = (self.seconds, engine.iteration, 0)
        self.look_cost = 0.0
        self.writer = self._open_tensorboard() if run.tensorboard else None
        self.memory = MemoryMeter(lambda: [os.getpid(), *engine.worker_processes], table.nbytes)
        self.display = ProgressDisplay(run.budget.share_done, self.memory.now)
        self.reporter = RunReporter(run.directory.path, run.budget.iterations, engine.workers)

    def run(self) -> Summary:
        reason = "failed"
        try:
            with self.display:
                if self.r.companion is not None:
                    self.r.companion.before_start(self.engine, self.stop)
                reason = self._advance_and_save_a_failure()
                if self.r.companion is not None:
                    self.r.companion.before_end(self.engine, reason, self.stop)
                self._save_end(reason)
        except OSError as error:
            raise RunFailed(
                f"{self.r.directory.path} cannot be written ({error.strerror or error}); make room and {self._way_on()}"
            ) from error
        finally:
            if self.writer is not None:
                self.writer.close()
            summary = self._summary(reason)
            self._write_summary(summary)
            self.reporter.end(reason, self.engine.iteration, self.seconds, self._share_done())
        return summary

    def _way_on(self) -> str:
        """What to do after a disk failed: only a checkpoint that is there and whole is worth naming."""
        for place in (self.r.directory.path, self.r.source):
            with suppress(ArtifactError):
                if place is not None and newest_valid(place):
                    return f"go on with --resume-from {place}"
        return "start again: no checkpoint had been saved"

    # Advancing

    def _advance_and_save_a_failure(self) -> str:
        """Advance; if the engine fails, what it has done so far is saved all the same."""
        try:
            return self._advance_until_the_end()
        except RunFailed:
            self._save_end("failed")
            raise

    def _advance_until_the_end(self) -> str:
        budget = self.r.budget
        while True:
            if self.stop.received is not None:
                return "interrupted" if self.stop.received.name == "SIGINT" else "terminated"
            if budget.iterations is not None and self.engine.iteration >= budget.iterations:
                return "completed"
            if budget.seconds is not None and self.seconds >= budget.seconds:
                return "completed"
            self._step()
            if self.r.companion is not None:
                self.r.companion.after_step(self.engine, self.seconds, self.stop)
            self._save_if_due()
            self._show()

    def _step(self) -> None:
        left = STEP_SECONDS if self.r.budget.seconds is None else self.r.budget.seconds - self.seconds
        start = time.perf_counter()
        before, first = self.seconds, self.engine.iteration
        self.engine.advance(self._next_stop(), min(STEP_SECONDS, max(left, 1e-3)))
        elapsed = time.perf_counter() - start
        self.seconds += elapsed
        self.session_seconds += elapsed
        due = next_multiple(first, self.r.config.checkpoint_interval)
        if self.r.budget.iterations is not None and due < self.engine.iteration:
            self.saving.may_save(before)  # a checkpoint was due on the way and too early: the log says so once
        if self.r.budget.seconds is not None:
            self.snapshot_pending |= snapshot_due(before, self.seconds, self.r.config.snapshot_interval_seconds)

    def _next_stop(self) -> int:
        """The budget's end, or the next multiple of the checkpoint interval if a save may happen there."""
        end = self.r.budget.iterations
        if end is None:
            return 1 << 62
        if self.seconds < self.saving.allowed_from:
            return end
        return min(end, next_multiple(self.engine.iteration, self.r.config.checkpoint_interval))

    # Saving

    def _save_if_due(self) -> None:
        iteration, interval = self.engine.iteration, self.r.config.checkpoint_interval
        on_iteration = self.r.budget.iterations is not None and iteration % interval == 0
        ended = self._share_done() >= 1.0
        if ended or not (on_iteration or self.snapshot_pending) or not self.saving.may_save(self.seconds):
            return
        start = time.perf_counter()
        self._save_checkpoint(checkpoint_name(iteration))
        if self.snapshot_pending:
            self._save_policy(self.r.directory.snapshot(iteration))
            self._save_policy(self.r.directory.path)
            self.snapshot_pending = False
            LOGGER.info(f"Snapshot at iteration {iteration:,} after {self.seconds:,.0f} s of training")
        self.saving.saved(self.seconds, time.perf_counter() - start)
        self.r.directory.forget_old_checkpoints(self.r.keep)

    def _save_checkpoint(self, name: str) -> None:
        game = self.r.game
        info = CheckpointInfo(
            iteration=self.engine.iteration,
            seed=self.r.config.seed,
            stream_start=self.r.stream_start,
            game=game.config.model_dump(mode="json"),
            buckets_per_street=list(game.buckets_per_street),
            fingerprint=self.r.fingerprint,
        )
        clock = Clock(self.seconds, self.r.clock.nodes + self.engine.statistics.nodes)
        save_checkpoint(self.r.directory.path / name, info, self.engine.tracker.table, clock)
        self.display.last_checkpoint = self.engine.iteration

    def _save_policy(self, folder: Path) -> None:
        game, bucketing = self.r.game, self.r.bucketing
        reference = None
        if bucketing is not None and game.bucketing_hash == bucketing.content_hash:
            folder.mkdir(parents=True, exist_ok=True)
            bucketing.save_manifest(folder / BUCKETS_NAME)
            reference = BucketReference.of(BUCKETS_NAME, bucketing)
        info = PolicyInfo(game.config, game.buckets_per_street, self.engine.iteration, reference, self.r.fingerprint)
        save_strategy_sums(folder, info, self.engine.tracker.strategy_sums, game.tree)

    def _save_end(self, reason: str) -> None:
        self.display.say("saving")
        final = reason == "completed"
        self._save_checkpoint("checkpoint_final.pkl" if final else checkpoint_name(self.engine.iteration))
        self._save_policy(self.r.directory.path)
        self.r.directory.forget_old_checkpoints(self.r.keep)
        self._look()

    # Showing

    def _open_tensorboard(self) -> TensorBoard:
        texts = {
            "config": f"```\n{self.r.config.model_dump_json(indent=2)}\n```",
            "game": f"```\n{self.r.game.config.model_dump_json(indent=2)}\n```",
        }
        return TensorBoard(self.r.directory.tensorboard, texts)

    def _share_done(self) -> float:
        return self.r.budget.share_done(self.engine.iteration, self.seconds)

    def _show(self) -> None:
        nodes = self.engine.statistics.nodes
        self.memory.now()
        self.display.update(self.engine.iteration, self.seconds, nodes)
        self.reporter.update(self.engine.iteration, self.seconds, nodes, self._share_done())
        if self.seconds - self.last_scalars[0] >= SCALARS_SECONDS:
            self._write_scalars()
        if self.writer and self.seconds - self.last_look[0] >= max(SCALARS_SECONDS, self.look_cost / LOOK_SHARE):
            self._look()

    def _write_scalars(self) -> None:
        seconds, iteration, nodes = self.last_scalars
        statistics = self.engine.statistics
        elapsed = self.seconds - seconds
        if self.writer is not None:
            values = {
                "Performance/IterationsPerSecond": (self.engine.iteration - iteration) / elapsed,
                "Performance/NodesPerSecond": (statistics.nodes - nodes) / elapsed,
                "Performance/MemoryBytes": float(self.memory.now()),
                "Training/PrunedShare": statistics.actions_pruned / max(statistics.actions_considered, 1),
            }
            for player in range(self.r.game.num_players):
                values[f"Training/Utility/Position{player}"] = statistics.value_chips(player)
            values["Training/Utility"] = statistics.value_chips(0)
            self.writer.scalars(self.engine.iteration, values)
        self.last_scalars = self.seconds, self.engine.iteration, statistics.nodes

    def _look(self) -> TableFigures:
        start = time.perf_counter()
        figures = look_at(self.engine.tracker)
        if self.writer is not None:
            weight, _ = self.discounts.weights(max(self.engine.iteration - 1, 0))
            self.writer.table(self.engine.iteration, figures, weight.mantissa)
        self.look_cost = time.perf_counter() - start
        self.last_look = self.seconds, self.engine.iteration, 0
        return figures

    def _summary(self, reason: str) -> Summary:
        session = max(self.session_seconds, 1e-9)
        return Summary(
            iterations=self.engine.iteration,
            seconds=round(self.seconds, 3),
            iterations_per_second=round((self.engine.iteration - self.start_iteration) / session, 1),
            nodes_per_second=round(self.engine.statistics.nodes / session, 1),
            workers=self.engine.workers,
            peak_memory_bytes=self.memory.peak(),
            infosets_touched=look_at(self.engine.tracker).infosets_touched,
            exit_reason=reason,
        )

    def _write_summary(self, summary: Summary) -> None:
        try:
            write_json(self.r.directory.summary, summary.__dict__)
        except OSError as error:
            LOGGER.error(f"{self.r.directory.summary} cannot be written ({error.strerror or error})")
