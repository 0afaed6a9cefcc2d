"""From settings to a running run: check everything that can be checked, then write, then train."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy.typing as npt

from holdem.abstraction.bucketing import HandBucketing
from holdem.errors import ArtifactError, ConfigError
from holdem.mccfr.dealers import Bucketing
from holdem.mccfr.diagnostics import announce_and_test, check_descriptors
from holdem.mccfr.run.checkpoint import (
    CheckpointInfo,
    Clock,
    check_fingerprint,
    newest_valid,
    read_clock,
    restore_table,
)
from holdem.mccfr.run.directory import LOG_NAME, SNAPSHOTS_NAME, RunDirectory, instance_folders
from holdem.mccfr.run.engine import Companion, Engine, SequentialEngine
from holdem.mccfr.run.estimate import (
    TrainingEstimate,
    check_disk,
    check_memory,
    estimate_training,
    measure_speed,
    size_lines,
    time_lines,
)
from holdem.mccfr.run.lock import RunLock
from holdem.mccfr.run.loop import TrainingLoop
from holdem.mccfr.run.spec import Budget, Run, Summary
from holdem.mccfr.table.regret_tracker import RegretTracker
from holdem.mccfr.trainer import Trainer
from holdem.mccfr.training_game import TrainingGame, buckets_for, tables_for
from holdem.mccfr.workers.engine import open_parallel_engine
from holdem.policy.fingerprint import fingerprint
from holdem.types import GameConfig, MCCFRConfig
from holdem.util.configs import check_config
from holdem.util.logs import LOGGER, log_into, start_logging, stop_logging_into
from holdem.util.parallel import workers_for
from holdem.util.signals import StopSignals
from holdem.util.words import counted

_SNAPSHOT = re.compile(r"\d+$")


@dataclass(frozen=True)
class RunOptions:
    """Where a run writes and how; nothing here shapes the table."""

    logdir: Path
    resume_from: Path | None = None
    tensorboard: bool = True
    keep: int = 3
    memory_limit: int | None = None
    log_name: str = LOG_NAME
    stream_start: int = 0
    """Added to iteration numbers in the choice of random streams; a checkpoint that is resumed brings its own."""
    prepared: bool = False
    """Whether whoever calls holds the folder above, has made this one ready and moved an old run aside."""
    companion: Companion | None = None


def train(
    config: MCCFRConfig, game: GameConfig, bucketing: HandBucketing | None, options: RunOptions
) -> tuple[Summary, int]:
    """Train one run; returns its summary and the exit status that its end calls for."""
    budget = check_budget(config)
    workers = workers_for(config.num_workers)
    bucketing = tables_for(game, bucketing)
    estimate = estimate_training(game, buckets_for(game, bucketing), config, workers)
    check_memory(estimate, options.memory_limit, game.name)
    with RunLock(options.logdir, above_is_ours=options.prepared) as lock:
        source = find_checkpoint(options.resume_from)
        if source is not None:
            check_fingerprint(source.path, source.info.fingerprint, expected_fingerprint(config, game, bucketing))
            config = config.model_copy(update={"seed": source.info.seed})
        check_disk(options.logdir, estimate.bytes_on_disk)
        lock.make()
        with _prepared(options, source):
            _log_lines(size_lines(game, estimate))
            run = _make_run(config, TrainingGame.from_config(game, bucketing), budget, bucketing, options, source)
            with StopSignals() as stop:
                _log_start(config, run.game, budget, workers, estimate)
                with _open_engine(run, source, workers, stop) as engine:
                    summary = TrainingLoop(run, engine, stop).train()
            LOGGER.info(f"Training {summary.exit_reason} at iteration {summary.iterations:,}")
            return summary, stop.exit_status


@contextmanager
def _prepared(options: RunOptions, source: "Source | None") -> Iterator[None]:
    """The folder is free of an old run, and log lines go into it as well."""
    directory = RunDirectory(options.logdir)
    in_place = source is not None and source.path.resolve().is_relative_to(options.logdir.resolve())
    previous = directory.prepare(keep=in_place or options.prepared)
    log = log_into(directory.path / options.log_name)
    try:
        if previous is not None:
            LOGGER.info(f"{options.logdir} held a run already; it is now in {previous}")
        yield
    finally:
        stop_logging_into(log)


def _make_run(
    config: MCCFRConfig,
    game: TrainingGame,
    budget: Budget,
    bucketing: HandBucketing | None,
    options: RunOptions,
    source: "Source | None",
) -> Run:
    return Run(
        config,
        game,
        RunDirectory(options.logdir),
        budget,
        bucketing,
        stream_start=source.info.stream_start if source else options.stream_start,
        keep=options.keep,
        tensorboard=options.tensorboard,
        clock=read_clock(source.path) if source else Clock(),
        companion=options.companion,
        source=source.path if source else None,
    )


def check_budget(config: MCCFRConfig) -> Budget:
    """Iterations, seconds or both; a run without either would never end."""
    if config.num_iterations is None and config.time_budget_seconds is None:
        raise ConfigError(
            "training needs an end: give --iters N or --time-budget SECONDS "
            "(num_iterations or time_budget_seconds in the YAML file)"
        )
    return Budget(config.num_iterations, config.time_budget_seconds)


@dataclass(frozen=True)
class Source:
    """A checkpoint to go on from."""

    path: Path
    info: CheckpointInfo


def find_checkpoint(resume_from: Path | None) -> Source | None:
    """The checkpoint that a file, a run directory or a snapshot stands for."""
    if resume_from is None:
        return None
    path, info, warnings = newest_valid(_run_of(resume_from))
    for warning in warnings:
        LOGGER.warning(f"passed over: {warning}")
    return Source(path, info)


def _run_of(resume_from: Path) -> Path:
    """What `newest_valid` looks at: a snapshot folder stands for the checkpoint of its iteration."""
    if not resume_from.exists():
        raise ArtifactError(f"{resume_from} does not exist; name a checkpoint or a run directory with --resume-from")
    if resume_from.parent.name == SNAPSHOTS_NAME and _SNAPSHOT.match(resume_from.name):
        return resume_from.parents[1] / f"checkpoint_{resume_from.name}.pkl"
    return resume_from


def resumed_game(resume_from: Path) -> GameConfig:
    """The game that a run goes on with; a run of instances has it in any whole checkpoint of theirs."""
    instances = [*instance_folders(resume_from).values()]
    for folder in instances:
        with suppress(ArtifactError):
            path, info, _ = newest_valid(folder)
            return check_config(GameConfig, info.game, str(path))
    if instances:
        raise ArtifactError(
            f"{resume_from} has no whole checkpoint that tells its game; name it with --game or --game-config"
        )
    path, info, _ = newest_valid(_run_of(resume_from))
    return check_config(GameConfig, info.game, str(path))


def load_run(logdir: Path, tracker: RegretTracker) -> int:
    """Fill a table with the newest checkpoint of a run; returns its iteration."""
    path, info, _ = newest_valid(logdir)
    tracker.table[:] = 0
    restore_table(path, tracker.table, info.fingerprint)
    return info.iteration


def expected_fingerprint(config: MCCFRConfig, game: GameConfig, bucketing: HandBucketing | None) -> dict[str, object]:
    """What a checkpoint that these settings can go on from carries."""
    digest = bucketing.content_hash if bucketing is not None else "lossless"
    return fingerprint(game, buckets_for(game, bucketing), digest, config.model_dump(mode="json"))


@contextmanager
def _open_engine(run: Run, source: Source | None, workers: int, stop: StopSignals) -> Iterator[Engine]:
    """One solver in this process, or so many workers on one table."""

    def make_solver(table: npt.NDArray[Any] | None = None) -> Trainer:
        shared = table is not None
        options = {"table": table, "shared": shared, "stream_start": run.stream_start}
        return _make_solver(run.config, run.game, source, options)

    if workers == 1:
        yield SequentialEngine(make_solver())
        return
    with open_parallel_engine(
        run.config, run.game, run.bucketing, workers, make_solver, lambda: stop.received is not None, run.stream_start
    ) as engine:
        yield engine


def _make_solver(config: MCCFRConfig, game: TrainingGame, source: Source | None, options: dict[str, Any]) -> Trainer:
    if source is None:
        return Trainer(config, game, **options)
    start = time.perf_counter()
    solver = Trainer(config, game, iteration=source.info.iteration, **options)
    restore_table(source.path, solver.tracker.table, source.info.fingerprint)
    LOGGER.info(
        f"Resumed from {source.path} at iteration {source.info.iteration:,} ({time.perf_counter() - start:.1f} s)"
    )
    return solver


def estimate_lines(
    config: MCCFRConfig, game: GameConfig, bucketing: HandBucketing | None, memory_limit: int | None
) -> list[str]:
    """What a run of these settings takes, in words; one that does not fit is not measured, and says so."""
    workers = workers_for(config.num_workers)
    estimate = estimate_training(game, buckets_for(game, bucketing), config, workers)
    lines = size_lines(game, estimate)
    try:
        check_memory(estimate, memory_limit, game.name)
    except ConfigError as refusal:
        return [*lines, str(refusal)]
    return lines + time_lines(measure_speed(config, TrainingGame.from_config(game, bucketing)), estimate, workers)


def _log_lines(lines: list[str]) -> None:
    for line in lines:
        LOGGER.info(line)


def _log_start(
    config: MCCFRConfig, game: TrainingGame, budget: Budget, workers: int, estimate: TrainingEstimate
) -> None:
    if config.sampling == "external":
        LOGGER.info("Sampling: external (exploration_epsilon belongs to outcome sampling and is not used)")
    else:
        LOGGER.info(f"Sampling: outcome, exploration_epsilon {config.exploration_epsilon}")
    _log_lines(time_lines(measure_speed(config, game), estimate, workers))
    if workers == 1:
        LOGGER.info(f"Starting MCCFR training {_budget_text(budget)}")
        return
    check_descriptors(workers)
    announce_and_test()
    LOGGER.info(f"Starting parallel MCCFR training {_budget_text(budget)}")
    LOGGER.info(f"Using {workers} worker process(es)")
    LOGGER.info(f"Batch size: {config.batch_size} iterations (merge period between workers)")


def _budget_text(budget: Budget) -> str:
    if budget.iterations is not None and budget.seconds is not None:
        return f"for {budget.iterations:,} iterations or {budget.seconds:.1f} seconds, whichever comes first"
    if budget.iterations is not None:
        return f"for {counted(budget.iterations, 'iteration')}"
    assert budget.seconds is not None
    return f"with time budget: {budget.seconds:.1f} seconds ({budget.seconds / 86400:.2f} days)"


def train_from_python(
    config: MCCFRConfig,
    game: GameConfig,
    bucketing: Bucketing | None,
    logdir: Path,
    use_tensorboard: bool = True,
    resume_from: Path | None = None,
) -> Summary:
    """A whole run from Python; log lines go to stderr unless the program has set up the logger `holdem` itself."""
    check_budget(config)
    if not LOGGER.handlers:
        start_logging()
    source = Path(resume_from) if resume_from is not None else None
    options = RunOptions(Path(logdir), source, use_tensorboard)
    return train(config, game, cast(HandBucketing | None, bucketing), options)[0]
