"""One instance of a multi-instance run: an ordinary run in a folder of its own that says how far it is.

The coordinator starts it as `python -m holdem.mccfr.instances.instance` with its job as JSON on standard input. The
input stays open for as long as the coordinator lives: when it closes, the instance saves and stops, so nothing is left
behind by a coordinator that was killed. `--instance-range START:END --instance-id K` runs the same by hand.
"""

import json
import logging
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from holdem.abstraction.bucketing import HandBucketing
from holdem.errors import ConfigError, HoldemError
from holdem.mccfr.instances.exchange import FileMailbox, Mailbox, Offer
from holdem.mccfr.instances.progress import InstanceProgress, write_progress
from holdem.mccfr.run.directory import EXCHANGE_NAME
from holdem.mccfr.run.engine import Engine
from holdem.mccfr.run.spec import Budget
from holdem.mccfr.run.start import RunOptions, check_budget, train
from holdem.types import GameConfig, MCCFRConfig
from holdem.util.logs import LOGGER
from holdem.util.signals import StopSignals

REPORT_SECONDS = 1.0
STREAMS_PER_INSTANCE = 1 << 40
"""Random streams between two instances that have no range: more iterations than one can ever do."""


@dataclass(frozen=True)
class InstanceSpec:
    """Which instance it is, and its iterations [start_iter, end_iter); `end_iter` is None where time alone ends it."""

    instance_id: int
    start_iter: int = 0
    end_iter: int | None = None

    @property
    def iterations(self) -> int | None:
        """How many iterations the range has."""
        return None if self.end_iter is None else self.end_iter - self.start_iter

    @property
    def stream_start(self) -> int:
        """The first of its random streams: no two instances of a run share one."""
        return self.start_iter if self.end_iter is not None else self.instance_id * STREAMS_PER_INSTANCE

    @property
    def name(self) -> str:
        """`instance_0`."""
        return f"instance_{self.instance_id}"

    def settings(self, config: MCCFRConfig) -> MCCFRConfig:
        """The run's settings as this instance trains with them: one worker, its own seed, its own iterations."""
        seed = (config.seed + self.instance_id) % 2**63
        return config.model_copy(update={"num_iterations": self.iterations, "num_workers": 1, "seed": seed})


def parse_instance(instance_id: int | None, text: str | None) -> InstanceSpec:
    """The instance that `--instance-id K` and `--instance-range START:END` name."""
    if instance_id is None:
        raise ConfigError("--instance-range needs --instance-id K, the number of this instance")
    if instance_id < 0:
        raise ConfigError(f"--instance-id {instance_id} is no number of an instance; they count from 0")
    if text is None:
        return InstanceSpec(instance_id)
    start, _, end = text.partition(":")
    if not (start.isdecimal() and end.isdecimal() and int(start) < int(end)):
        raise ConfigError(f"--instance-range {text!r} is not a range; write START:END, such as 0:250000")
    return InstanceSpec(instance_id, int(start), int(end))


class InstanceCompanion:
    """Reports an instance's progress and, with a mailbox, merges its table with the others'.

    publish: takes every new state; `merge_seconds`: training seconds between two merges; `done`: iterations of the
    checkpoint that it goes on from.
    """

    def __init__(
        self,
        spec: InstanceSpec,
        budget: Budget,
        publish: Callable[[InstanceProgress], None],
        mailbox: Mailbox | None = None,
        merge_seconds: float = 0.0,
        joining: bool = False,
        done: int = 0,
    ) -> None:
        self.spec, self.budget, self.publish = spec, budget, publish
        self.mailbox, self.merge_seconds, self.joining = mailbox, merge_seconds, joining
        self.state = InstanceProgress.at_start(spec.instance_id, spec.start_iter, spec.end_iter, done)
        self._reported = 0.0
        self._merged_at, self._merged_seconds, self._seconds = 0, 0.0, 0.0
        self.started = False

    def before_start(self, engine: Engine, stop: StopSignals) -> None:
        """Say that training begins; where the table came from a checkpoint, fetch the merged one first."""
        self.started, self._merged_at = True, engine.iteration
        self._report(engine.iteration, self.state.progress_pct)
        self._reported = 0.0
        if self.mailbox is not None and self.joining:
            self._merge(engine, stop, joining=True)

    def after_step(self, engine: Engine, seconds: float, stop: StopSignals) -> None:
        """Report about once a second; merge when the interval is over."""
        self._seconds = seconds
        if time.monotonic() - self._reported >= REPORT_SECONDS:
            self._report(engine.iteration, 100.0 * self.budget.share_done(engine.iteration, seconds))
        if self.mailbox is not None and seconds - self._merged_seconds >= self.merge_seconds:
            self._merged_seconds = seconds
            self._merge(engine, stop)

    def before_end(self, engine: Engine, reason: str, stop: StopSignals) -> None:
        """Merge once more with everybody: an instance that is done waits for those that are not."""
        self._report(engine.iteration, 100.0 * self.budget.share_done(engine.iteration, self._seconds))
        if self.mailbox is not None and reason == "completed":
            while not self._merge(engine, stop, finished=True):
                pass

    def end(self, status: str, error: str | None = None) -> None:
        """Say how it ended."""
        share = 100.0 if status == "completed" else self.state.progress_pct
        self.state = replace(self.state, status=status, error_msg=error, progress_pct=share)
        self.publish(self.state)

    def told_to_stop(self, stop: StopSignals) -> bool:
        """Whether a wait for the others is to end."""
        return stop.received is not None

    def _report(self, iteration: int, percentage: float) -> None:
        current = self.spec.start_iter + iteration
        self.state = replace(self.state, status="running", current_iter=current, progress_pct=percentage)
        self.publish(self.state)
        self._reported = time.monotonic()

    def _merge(self, engine: Engine, stop: StopSignals, joining: bool = False, finished: bool = False) -> bool:
        """Whether this was the last merge, or none will come because the instance was told to stop."""
        assert self.mailbox is not None
        start, table = time.perf_counter(), engine.tracker.table
        since = engine.iteration - self._merged_at
        offer = Offer(self.spec.instance_id, engine.iteration, since, table, joining, finished)
        merged = self.mailbox.exchange(offer, lambda: self.told_to_stop(stop))
        if merged is None:
            return True
        table[:] = merged.table
        self._merged_at = engine.iteration
        LOGGER.info(
            f"Merged at iteration {engine.iteration:,}: {since:,} iterations since the last merge, "
            f"{table.nbytes / 1e6:,.1f} MB each way, {time.perf_counter() - start:.2f} s with waiting"
        )
        return merged.last


def train_instance(
    config: MCCFRConfig,
    game: GameConfig,
    bucketing: HandBucketing | None,
    companion: InstanceCompanion,
    options: RunOptions,
) -> int:
    """Train one instance in this process and report how it ends; `options.logdir` is the folder of the whole run."""
    spec = companion.spec
    own = replace(
        options,
        logdir=options.logdir / spec.name,
        log_name=f"{spec.name}.log",
        stream_start=spec.stream_start,
        companion=companion,
    )
    try:
        summary, status = train(config, game, bucketing, own)
    except BaseException as error:
        if companion.started or options.prepared:  # a command that was refused writes nothing
            known = isinstance(error, HoldemError)
            companion.end("failed", str(error) if known else f"{type(error).__name__}: {error}")
        raise
    companion.end("completed" if summary.exit_reason == "completed" else "interrupted")
    return status


def file_companion(
    spec: InstanceSpec,
    config: MCCFRConfig,
    run: Path,
    merge_seconds: float | None = None,
    joining: bool = False,
    done: int = 0,
) -> InstanceCompanion:
    """A companion that reports, and merges where it is asked to, through files of the run directory."""
    mailbox = None if merge_seconds is None else FileMailbox(run / EXCHANGE_NAME)
    budget = check_budget(config)
    publish = lambda progress: write_progress(run, progress)  # noqa: E731
    return InstanceCompanion(spec, budget, publish, mailbox, merge_seconds or 0.0, joining, done)


@dataclass(frozen=True)
class InstanceJob:
    """Everything that an instance's process is told; plain data, so that it travels as JSON or through Ray."""

    spec: InstanceSpec
    config: dict[str, Any]
    game: dict[str, Any]
    logdir: str
    buckets: str | None = None
    resume_from: str | None = None
    tensorboard: bool = True
    keep: int = 3
    memory_limit: int | None = None
    log_level: str = "INFO"
    merge_seconds: float | None = None
    joining: bool = False
    done: int = 0
    """Iterations of the checkpoint that it goes on from."""

    @classmethod
    def from_plain(cls, content: dict[str, Any]) -> "InstanceJob":
        """Back from `dataclasses.asdict`."""
        return cls(**content | {"spec": InstanceSpec(**content["spec"])})

    @property
    def options(self) -> RunOptions:
        """Where it writes and how."""
        return RunOptions(
            Path(self.logdir),
            None if self.resume_from is None else Path(self.resume_from),
            self.tensorboard,
            self.keep,
            self.memory_limit,
            prepared=True,
        )

    def train(self, companion: InstanceCompanion) -> int:
        """Train to the end in this process."""
        LOGGER.setLevel(self.log_level)
        LOGGER.propagate = False
        bucketing = None if self.buckets is None else HandBucketing.load(self.buckets)
        game = GameConfig.model_validate(self.game)
        return train_instance(MCCFRConfig.model_validate(self.config), game, bucketing, companion, self.options)


def _stop_when_input_ends() -> None:
    while os.read(0, 1):  # not sys.stdin: a thread that waits in it cannot be left behind when the process ends
        pass
    signal.raise_signal(signal.SIGTERM)


def main() -> int:
    """The process of one instance; what it prints goes to its log, where the coordinator sends both outputs."""
    job = InstanceJob.from_plain(json.loads(sys.stdin.readline()))
    threading.Thread(target=_stop_when_input_ends, daemon=True).start()
    config = MCCFRConfig.model_validate(job.config)
    companion = file_companion(job.spec, config, Path(job.logdir), job.merge_seconds, job.joining, job.done)
    try:
        return job.train(companion)
    except HoldemError as error:
        print(f"ERROR: {error}", flush=True)
        return error.exit_status
    except Exception:
        traceback.print_exc()
        return 1
    finally:
        logging.shutdown()


if __name__ == "__main__":
    sys.exit(main())
