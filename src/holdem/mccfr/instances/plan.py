"""What a multi-instance run consists of, checked before anything is written: ranges, memory, where to go on from."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from holdem.abstraction.bucketing import HandBucketing
from holdem.errors import ArtifactError, ConfigError
from holdem.mccfr.instances.instance import InstanceSpec
from holdem.mccfr.instances.progress import read_progress
from holdem.mccfr.run.checkpoint import CheckpointInfo, check_fingerprint, newest_valid
from holdem.mccfr.run.directory import instance_folders
from holdem.mccfr.run.estimate import BUCKET_TABLE_BYTES, TrainingEstimate, check_memory, estimate_training
from holdem.mccfr.run.start import expected_fingerprint
from holdem.mccfr.schedules.ranges import instance_ranges
from holdem.mccfr.training_game import buckets_for, needs_buckets
from holdem.types import GameConfig, MCCFRConfig
from holdem.util.logs import LOGGER

FEW_ITERATIONS = 50_000


def check_flags(config: MCCFRConfig, workers_given: bool, instances: int) -> None:
    """Refuse what a multi-instance run cannot be; `workers_given`: a flag named the number of workers."""
    if instances < 1:
        raise ConfigError(f"--num-instances is {instances}; give 1 or more")
    if config.num_workers != 1:
        if workers_given:
            raise ConfigError("--num-instances cannot be used with --num-workers: each instance uses one worker")
        LOGGER.warning(f"num_workers: {config.num_workers} of the YAML file is ignored: each instance uses one worker")
    if config.num_iterations is None and config.time_budget_seconds is None:
        raise ConfigError("Multi-instance mode requires either --iters or --time-budget")
    if config.num_iterations is not None and config.num_iterations < instances:
        raise ConfigError(
            f"{config.num_iterations} iterations cannot be divided among {instances} instances; "
            "give more --iters or fewer --num-instances"
        )


def plan_instances(config: MCCFRConfig, instances: int) -> list[InstanceSpec]:
    """The instances with their ranges; without iterations each runs for the whole time budget."""
    if config.num_iterations is None:
        return [InstanceSpec(number) for number in range(instances)]
    ranges = instance_ranges(config.num_iterations, instances)
    if len(ranges[-1]) < FEW_ITERATIONS:
        LOGGER.warning(
            f"{len(ranges[-1]):,} iterations an instance are few: starting costs more than it brings below "
            f"{FEW_ITERATIONS:,}"
        )
    return [InstanceSpec(number, found.start, found.stop) for number, found in enumerate(ranges)]


def memory_of_all(one: TrainingEstimate, instances: int, game: GameConfig, merging: bool) -> TrainingEstimate:
    """What all instances on one machine take: all but the buckets is theirs alone; merging holds two tables more."""
    shared = BUCKET_TABLE_BYTES if needs_buckets(game) else 0
    own = one.memory_bytes - shared + (one.table_bytes if merging else 0)
    return replace(one, memory_bytes=instances * own + shared + (2 * one.table_bytes if merging else 0))


def check_all_fit(
    config: MCCFRConfig,
    game: GameConfig,
    bucketing: HandBucketing | None,
    instances: int,
    limit: int | None,
    merging: bool,
) -> TrainingEstimate:
    """Refuse instances that do not fit on this machine together; returns the estimate of one."""
    one = estimate_training(game, buckets_for(game, bucketing), config)
    check_memory(memory_of_all(one, instances, game, merging), limit, f"{game.name} with {instances} instances")
    return one


@dataclass(frozen=True)
class ResumeSource:
    """Where each instance goes on: a checkpoint, or None to start at zero; and the iterations in it."""

    checkpoints: dict[int, Path | None]
    iterations: dict[int, int] = field(default_factory=dict)

    @property
    def any_found(self) -> bool:
        """Whether at least one instance has something to go on from."""
        return any(path is not None for path in self.checkpoints.values())


def find_sources(
    old_run: Path,
    specs: list[InstanceSpec],
    config: MCCFRConfig,
    game: GameConfig,
    bucketing: HandBucketing | None,
) -> ResumeSource:
    """The newest whole checkpoint of each instance of a run with the same counts, checked."""
    if not old_run.exists():
        raise ArtifactError(f"{old_run} does not exist; name the folder of a multi-instance run with --resume-from")
    folders = instance_folders(old_run)
    if not folders:
        raise ArtifactError(
            f"{old_run} holds no instance_0/ to resume from; name the folder of a multi-instance run with --resume-from"
        )
    if list(folders) != [spec.instance_id for spec in specs]:
        raise ConfigError(
            f"{old_run} has {len(folders)} instances and --num-instances is {len(specs)}; "
            f"resume with --num-instances {len(folders)}"
        )
    for spec in specs:
        check_range(old_run, spec, None)
    expected = expected_fingerprint(config, game, bucketing)
    found: dict[int, Path | None] = {}
    iterations: dict[int, int] = {}
    for spec in specs:
        path, info = _newest(folders[spec.instance_id], spec)
        check_range(old_run, spec, info)
        if path is not None and info is not None:
            check_fingerprint(path, info.fingerprint, expected)
            iterations[spec.instance_id] = info.iteration
        found[spec.instance_id] = path
    return ResumeSource(found, iterations)


def _newest(folder: Path, spec: InstanceSpec) -> tuple[Path | None, CheckpointInfo | None]:
    try:
        path, info, warnings = newest_valid(folder, "its iterations are repeated")
    except ArtifactError as error:
        LOGGER.warning(f"Instance {spec.instance_id} starts at zero: {error}")
        return None, None
    for warning in warnings:
        LOGGER.warning(f"Instance {spec.instance_id} passed over: {warning}")
    return path, info


def check_range(old_run: Path, spec: InstanceSpec, info: CheckpointInfo | None) -> None:
    """The range that the old run gave this instance must be the one that it has now."""
    said = read_progress(old_run, spec.instance_id)
    if said is not None:
        same = (said.start_iter, said.end_iter) == (spec.start_iter, spec.end_iter)
        was = f"{said.start_iter}:{said.end_iter}" if said.end_iter is not None else "a time budget"
    elif info is not None:
        same, was = info.stream_start == spec.stream_start, f"iterations from {info.stream_start} on"
    else:
        return
    if not same:
        now = f"{spec.start_iter}:{spec.end_iter}" if spec.end_iter is not None else "a time budget"
        raise ConfigError(
            f"instance {spec.instance_id} of {old_run} had {was} and would now have {now}; "
            "resume with the --iters and --num-instances of the original run"
        )
