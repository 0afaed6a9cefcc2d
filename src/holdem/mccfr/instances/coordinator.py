"""`--num-instances N`: independent solvers under one coordinator, each a process with one worker and its own folder.

The coordinator starts them, shows where they are, hands tables around where `--merge-interval` asks for it, and says at
the end whether all completed. It trains nothing itself, and an instance that fails leaves the others alone. How an
instance is started and watched is a `Launcher`'s business: processes of this machine here, Ray actors in `cluster`.
"""

import logging
import shutil
import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from holdem.abstraction.bucketing import HandBucketing
from holdem.mccfr.instances.exchange import Hub, Merger
from holdem.mccfr.instances.instance import InstanceJob, InstanceSpec
from holdem.mccfr.instances.plan import ResumeSource, check_all_fit, find_sources, plan_instances
from holdem.mccfr.instances.process import LocalLauncher
from holdem.mccfr.instances.progress import (
    ENDED,
    InstanceProgress,
    progress_block,
    read_progress,
    write_progress,
)
from holdem.mccfr.run.directory import EXCHANGE_NAME, LOG_NAME, PROGRESS_NAME, RunDirectory
from holdem.mccfr.run.estimate import check_disk
from holdem.mccfr.run.lock import RunLock
from holdem.mccfr.run.start import RunOptions
from holdem.mccfr.schedules.discount import DiscountSchedule
from holdem.mccfr.training_game import TrainingGame, tables_for
from holdem.types import GameConfig, MCCFRConfig
from holdem.util.logs import LOGGER, log_into, stop_logging_into
from holdem.util.signals import StopSignals
from holdem.util.words import counted

SHOW_SECONDS = 30.0
POLL_SECONDS = 0.1
STOP_SECONDS = 120.0
"""How long an instance may take to save what it has before it is ended for good."""


class Handle(Protocol):
    """One instance that was started."""

    @property
    def where(self) -> str:
        """`PID: 12345`, or the node that it runs on."""

    @property
    def placed(self) -> bool:
        """Whether it runs; one that waits for a machine is not waited for in a merge."""

    def poll(self) -> int | None:
        """The exit status of an instance that has ended, otherwise None."""

    def ask_to_stop(self) -> None:
        """Ask it to save and stop."""

    def kill(self) -> None:
        """End it now."""

    def failure(self) -> str:
        """Why it ended with a status other than 0, in one sentence."""


class Launcher(Protocol):
    """Starts instances somewhere."""

    def start(self, job: InstanceJob) -> Handle: ...

    def hub(self, folder: Path) -> Hub:
        """Where the instances bring their tables for a merge."""

    def close(self) -> None:
        """Let go of whatever is needed to start instances."""


@dataclass(frozen=True)
class MultiOptions:
    """How many instances, and whether and how often they merge."""

    instances: int
    merge_seconds: float | None = None
    show_seconds: float = SHOW_SECONDS
    launcher: Launcher = field(default_factory=LocalLauncher)
    local: bool = True


def train_instances(
    config: MCCFRConfig, game: GameConfig, bucketing: HandBucketing | None, options: RunOptions, multi: MultiOptions
) -> int:
    """Run all instances to their end; returns the exit status: 0 only if all completed."""
    merging = multi.merge_seconds is not None
    specs = plan_instances(config, multi.instances)
    bucketing = tables_for(game, bucketing)  # here, and not once in each instance
    # On a cluster each machine has instances of its own: there it is Ray that looks for room.
    local = multi.instances if multi.local else 1
    one = check_all_fit(config, game, bucketing, local, options.memory_limit, merging)
    with RunLock(options.logdir) as lock:
        sources = ResumeSource({spec.instance_id: None for spec in specs})
        if options.resume_from is not None:
            sources = find_sources(options.resume_from, specs, config, game, bucketing)
        check_disk(options.logdir, multi.instances * one.bytes_on_disk)
        lock.make()
        in_place = options.resume_from is not None and options.resume_from.resolve() == options.logdir.resolve()
        previous = RunDirectory(options.logdir).prepare(keep=in_place)
        log = log_into(options.logdir / LOG_NAME)
        try:
            if previous is not None:
                LOGGER.info(f"{options.logdir} held a run already; it is now in {previous}")
                sources = _moved(sources, options.logdir, previous)
            jobs = [_job(spec, config, game, bucketing, options, multi, sources) for spec in specs]
            merger = _merger(config, game, bucketing) if merging else None
            with StopSignals() as stop:
                return Coordinator(options.logdir, jobs, multi, merger, stop).run()
        finally:
            multi.launcher.close()
            stop_logging_into(log)


def _moved(sources: ResumeSource, logdir: Path, previous: Path) -> ResumeSource:
    """Checkpoints of a run inside the log directory that has just moved aside."""
    checkpoints: dict[int, Path | None] = {}
    for number, path in sources.checkpoints.items():
        inside = path is not None and path.resolve().is_relative_to(logdir.resolve()) and not path.exists()
        checkpoints[number] = previous / path.resolve().relative_to(logdir.resolve()) if path and inside else path
    return ResumeSource(checkpoints, sources.iterations)


def _job(
    spec: InstanceSpec,
    config: MCCFRConfig,
    game: GameConfig,
    bucketing: HandBucketing | None,
    options: RunOptions,
    multi: MultiOptions,
    sources: ResumeSource,
) -> InstanceJob:
    source = sources.checkpoints[spec.instance_id]
    return InstanceJob(
        spec=spec,
        config=spec.settings(config).model_dump(mode="json"),
        game=game.model_dump(mode="json"),
        logdir=str(options.logdir.resolve()),
        buckets=None if bucketing is None or bucketing.path is None else str(bucketing.path.resolve()),
        resume_from=None if source is None else str(source.resolve()),
        tensorboard=options.tensorboard,
        keep=options.keep,
        memory_limit=options.memory_limit,
        log_level=logging.getLevelName(LOGGER.getEffectiveLevel()),
        merge_seconds=multi.merge_seconds,
        joining=sources.any_found,
        done=sources.iterations.get(spec.instance_id, 0),
    )


def _merger(config: MCCFRConfig, game: GameConfig, bucketing: HandBucketing | None) -> Merger:
    built = TrainingGame.from_config(game, bucketing)
    schedule = DiscountSchedule.of(config, built.num_players)
    return Merger(built.tree, built.buckets_per_street, schedule)


class Coordinator:
    """Watches the instances of one run from their start to their end."""

    def __init__(
        self, run: Path, jobs: list[InstanceJob], multi: MultiOptions, merger: Merger | None, stop: StopSignals
    ) -> None:
        self.path, self.jobs, self.multi, self.merger, self.stop = run, jobs, multi, merger, stop
        self.hub: Hub | None = multi.launcher.hub(run / EXCHANGE_NAME) if merger is not None else None
        self.handles: dict[int, Handle] = {}
        self.statuses: dict[int, int] = {}
        self.stopping_since: float | None = None

    def run(self) -> int:
        """Start, watch, and say how it ended."""
        (self.path / PROGRESS_NAME).mkdir(exist_ok=True)
        for job in self.jobs:
            (self.path / job.spec.name).mkdir(exist_ok=True)
            write_progress(self.path, _at_start(job))
        LOGGER.info(f"Starting {counted(len(self.jobs), 'instance')} in {self.path}")
        try:
            for job in self.jobs:
                handle = self.multi.launcher.start(job)
                self.handles[job.spec.instance_id] = handle
                LOGGER.info(f"Instance {job.spec.instance_id} started ({handle.where}){_range_text(job)}")
            self._watch()
        finally:
            for number in self._running():
                self.handles[number].kill()
            shutil.rmtree(self.path / EXCHANGE_NAME, ignore_errors=True)
        show(progress_block(self._all_progress()))
        return self._conclude()

    def _running(self) -> list[int]:
        return [number for number in self.handles if number not in self.statuses]

    def _watch(self) -> None:
        shown = time.monotonic()
        while self._running():
            for number in self._running():
                status = self.handles[number].poll()
                if status is not None:
                    self._ended(number, status)
            self._merge_if_all_offered()
            self._stop_if_asked()
            if time.monotonic() - shown >= self.multi.show_seconds and self._running():
                shown = time.monotonic()
                show(progress_block(self._all_progress()))
            time.sleep(POLL_SECONDS)

    def _ended(self, number: int, status: int) -> None:
        self.statuses[number] = status
        said = self._progress(number)
        if said.status not in ENDED:  # it could not say so itself
            interrupted = self.stop.received is not None
            reason = None if interrupted else self.handles[number].failure()
            said = replace(said, status="interrupted" if interrupted else "failed", error_msg=reason)
            write_progress(self.path, said)
        if said.status == "failed":
            log = self.path / f"instance_{number}" / f"instance_{number}.log"
            LOGGER.error(f"Instance {number} failed: {said.error_msg} (log: {log})")
        else:
            LOGGER.info(f"Instance {number} {said.status} after {counted(said.own_iterations, 'iteration')}")

    def _merge_if_all_offered(self) -> None:
        running = [number for number in self._running() if self.handles[number].placed]
        if self.hub is None or self.merger is None or not running or self.stop.received is not None:
            return
        start = time.perf_counter()
        offers = self.hub.offers(running)
        if offers is None:
            return
        merged = self.merger.combine(offers)
        self.hub.hand_back(merged)
        size = offers[0].table.nbytes / 1e6
        LOGGER.info(
            f"Merged {len(offers)} tables of {size:,.1f} MB in {time.perf_counter() - start:.2f} s "
            f"({sum(offer.since for offer in offers):,} iterations since the last merge)"
        )

    def _stop_if_asked(self) -> None:
        if self.stop.received is None:
            return
        if self.stopping_since is None:
            self.stopping_since = time.monotonic()
            show("Received interrupt signal, shutting down instances...")
            for number in self._running():
                show(f"Terminating instance {number} ({self.handles[number].where})")
                self.handles[number].ask_to_stop()
        elif time.monotonic() - self.stopping_since > STOP_SECONDS:
            for number in self._running():
                LOGGER.warning(f"Instance {number} did not stop in {STOP_SECONDS:.0f} s and is killed")
                self.handles[number].kill()

    def _progress(self, number: int) -> InstanceProgress:
        return read_progress(self.path, number) or _at_start(self.jobs[number])

    def _all_progress(self) -> list[InstanceProgress]:
        return [self._progress(job.spec.instance_id) for job in self.jobs]

    def _conclude(self) -> int:
        states = [progress.status for progress in self._all_progress()]
        completed = states.count("completed")
        LOGGER.info(f"{completed} of {len(states)} instances completed")
        if self.stop.received is not None:
            return self.stop.exit_status
        return 0 if completed == len(states) else 1


def _at_start(job: InstanceJob) -> InstanceProgress:
    spec = job.spec
    return InstanceProgress.at_start(spec.instance_id, spec.start_iter, spec.end_iter, job.done)


def _range_text(job: InstanceJob) -> str:
    spec = job.spec
    words = [] if spec.end_iter is None else [f"iterations {spec.start_iter:,} to {spec.end_iter - 1:,}"]
    if job.resume_from is not None:
        words.append(f"{job.done:,} are done, in {job.resume_from}")
    return f": {', '.join(words)}" if words else ""


def show(text: str) -> None:
    """Print for a person who watches; what a terminal cannot write is replaced."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, errors="replace").decode(encoding), flush=True)
