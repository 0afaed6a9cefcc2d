"""`holdem merge`: one blueprint from the instances of a run.

Each table divided by the total weight of its iterations is a mean; the means are averaged by iterations, and the result
is brought to the scale that one run of all iterations together would have (`schedules.total_weight`). So the strategy
sums of every instance count by its iterations, regrets are averaged and not added, and the merged checkpoint can be
resumed from as if one run had come that far. A row that training halved because it grew too large (`kernels.table`)
counts half in it; instances of equal length halve the same rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from holdem.abstraction.betting.tree import BettingTree, build_tree
from holdem.abstraction.bucketing import HandBucketing
from holdem.errors import ArtifactError, ConfigError
from holdem.mccfr.run.checkpoint import (
    CheckpointInfo,
    Clock,
    newest_valid,
    read_clock,
    restore_table,
    save_checkpoint,
    zeroed_table,
)
from holdem.mccfr.run.directory import BUCKETS_NAME, RunDirectory, instance_folders
from holdem.mccfr.run.estimate import POLICY_ENTRY_BYTES, check_disk
from holdem.mccfr.run.lock import RunLock
from holdem.mccfr.schedules.discount import DiscountSchedule
from holdem.mccfr.schedules.total_weight import total_weights
from holdem.mccfr.table.average import average_tables
from holdem.policy.fingerprint import differences
from holdem.policy.policy import BucketReference, PolicyInfo, save_table
from holdem.types import GameConfig, MCCFRConfig
from holdem.util.arrays import AnyArray
from holdem.util.artifacts import write_json
from holdem.util.logs import LOGGER

DISCOUNT_KEYS = ("discount_interval", "regret_discount_alpha", "strategy_discount_beta")


@dataclass(frozen=True)
class Part:
    """One instance's newest whole checkpoint."""

    path: Path
    info: CheckpointInfo


@dataclass(frozen=True)
class MergeSummary:
    """What was merged."""

    iterations: int
    parts: list[str]
    seconds: float
    """Seconds of training of all parts together."""


def find_parts(runs: Sequence[Path]) -> list[Part]:
    """The checkpoints of all instances of multi-instance directories; other runs and checkpoint files count as one.

    An instance that has none, because it failed early, is passed over with a warning; a run that was named is not.
    """
    parts: list[Part] = []
    for run in runs:
        if not run.exists():
            raise ArtifactError(f"{run} does not exist; name a multi-instance run directory")
        instances = instance_folders(run).values()
        for source in instances or [run]:
            try:
                parts += _part(source)
            except ArtifactError as error:
                if not instances:
                    raise
                LOGGER.warning(f"passed over: {error}")
    if not parts:
        raise ConfigError(f"{' '.join(map(str, runs))}: no instance has a checkpoint with iterations in it yet")
    return parts


def _part(source: Path) -> list[Part]:
    """The newest checkpoint of a run, none where it has no iterations."""
    path, info, warnings = newest_valid(source, "name the folder of a run or of its instances")
    for warning in warnings:
        LOGGER.warning(f"passed over: {warning}")
    if not info.iteration:
        LOGGER.warning(f"passed over: {path} has no iterations yet")
    return [Part(path, info)] if info.iteration else []


def check_parts(parts: Sequence[Part]) -> None:
    """Refuse parts of different games, buckets or settings, with what differs."""
    first = parts[0]
    for part in parts[1:]:
        different = differences(first.info.fingerprint, part.info.fingerprint)
        if different:
            raise ArtifactError(
                f"{first.path} and {part.path} cannot be merged, they were made with other settings "
                f"({'; '.join(different)}); merge runs of the same game, buckets and settings"
            )


def check_out(parts: Sequence[Part], out: Path) -> None:
    """Refuse to write where the parts are: an old run in that folder moves aside, and they would go with it."""
    for part in parts:
        if part.path.resolve().is_relative_to(out.resolve()):
            raise ConfigError(f"--out {out} holds {part.path}, one of the runs to merge; name another folder")


def merge_runs(runs: Sequence[Path], out: Path) -> MergeSummary:
    """Write `checkpoint_final.pkl`, `avg_policy.json`, the bucket manifest and `summary.json` of the merged run."""
    parts = find_parts(runs)
    check_parts(parts)
    check_out(parts, out)
    bucketing = _bucketing_of(parts)
    with RunLock(out) as lock:
        tree = build_tree(GameConfig.model_validate(parts[0].info.game))
        merged = merge_tables(tree, [(part.info, load_table(part)) for part in parts])
        check_disk(out, merged.nbytes + POLICY_ENTRY_BYTES * len(merged))
        lock.make()
        return _write_merged(parts, bucketing, tree, merged, RunDirectory(out))


def _write_merged(
    parts: Sequence[Part], bucketing: HandBucketing | None, tree: BettingTree, merged: AnyArray, directory: RunDirectory
) -> MergeSummary:
    total = sum(part.info.iteration for part in parts)
    first = parts[0].info
    clocks = [read_clock(part.path) for part in parts]
    clock = Clock(sum(c.seconds for c in clocks), sum(c.nodes for c in clocks))
    directory.prepare(keep=False)
    reference = None
    if bucketing is not None:
        bucketing.save_manifest(directory.buckets)
        reference = BucketReference.of_runs(BUCKETS_NAME, bucketing.content_hash, _folders_of(parts))
    info = CheckpointInfo(
        total, first.seed, first.stream_start, first.game, first.buckets_per_street, first.fingerprint
    )
    save_checkpoint(directory.final_checkpoint, info, merged, clock)
    policy = PolicyInfo(tree.config, tuple(first.buckets_per_street), total, reference, first.fingerprint)
    save_table(directory.path, policy, merged, tree)
    summary = MergeSummary(total, [str(part.path) for part in parts], round(clock.seconds, 3))
    write_json(directory.summary, {**summary.__dict__, "exit_reason": "merged"})
    return summary


def load_table(part: Part) -> AnyArray:
    """The whole table of a checkpoint."""
    table: AnyArray = zeroed_table(part.path, part.info)
    restore_table(part.path, table, part.info.fingerprint)
    return table


def merge_tables(tree: BettingTree, parts: Sequence[tuple[CheckpointInfo, AnyArray]]) -> AnyArray:
    """One table at the scale of a run of all iterations; (entries, 2)."""
    schedule = schedule_of(parts[0][0], tree.num_players)
    iterations = [info.iteration for info, _ in parts]
    all_regret, all_sum = total_weights(schedule, sum(iterations))
    regret_shares, sum_shares = [], []
    for count in iterations:
        regret_total, sum_total = total_weights(schedule, count)
        regret_shares.append(count / sum(iterations) * all_regret / regret_total)
        sum_shares.append(count / sum(iterations) * all_sum / sum_total)
    tables = [table for _, table in parts]
    out = np.empty_like(tables[0])
    average_tables(tree, parts[0][0].buckets_per_street, tables, regret_shares, sum_shares, out)
    return out


def schedule_of(info: CheckpointInfo, players: int) -> DiscountSchedule:
    """The discounts that shaped a checkpoint; its other settings may be of a version that had more of them."""
    training = info.fingerprint["training"]
    return DiscountSchedule.of(MCCFRConfig(**{key: training[key] for key in DISCOUNT_KEYS}), players)


def _bucketing_of(parts: Sequence[Part]) -> HandBucketing | None:
    """The bucket manifest beside one of the parts; None where every hand is its own bucket."""
    digest = parts[0].info.fingerprint["buckets"]["content_hash"]
    if digest in (None, "lossless"):
        return None
    for folder in _folders_of(parts):
        if (folder / BUCKETS_NAME).exists():
            bucketing = HandBucketing.load(folder / BUCKETS_NAME, tables=False)
            if bucketing.content_hash == digest:
                return bucketing
    raise ArtifactError(
        f"{parts[0].path.parent / BUCKETS_NAME} is missing, the card abstraction of the run; copy it there"
    )


def _folders_of(parts: Sequence[Part]) -> list[Path]:
    """Where the files of the parts' runs may lie: beside a checkpoint, or a folder above it."""
    return [folder for part in parts for folder in (part.path.parent, part.path.parent.parent)]
