"""Where a blueprint comes from: an average policy, or a checkpoint whose table becomes one.

A source is picklable: worker processes open it for themselves.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy.typing as npt

from holdem.abstraction.betting.tree import BettingTree
from holdem.abstraction.bucketing import HandBucketing
from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.buckets import PolicyBuckets, checked_bucketing
from holdem.errors import ArtifactError, ConfigError
from holdem.mccfr.run.checkpoint import CheckpointInfo, newest_valid, read_table
from holdem.mccfr.run.directory import BUCKETS_NAME
from holdem.mccfr.training_game import needs_buckets
from holdem.policy.policy import AveragePolicy, BucketReference, PolicyInfo
from holdem.types import GameConfig


@dataclass(frozen=True)
class PolicySource:
    """One of `policy` (avg_policy.json or a run) and `checkpoint` (a file or a run); `buckets` must belong to it."""

    policy: Path | None = None
    checkpoint: Path | None = None
    buckets: Path | None = None

    def __post_init__(self) -> None:
        if (self.policy is None) == (self.checkpoint is None):
            raise ConfigError(
                "name the blueprint once: --policy RUN/avg_policy.json, or --checkpoint FILE --buckets FILE"
            )

    @property
    def path(self) -> Path:
        """The file or folder that was named."""
        path = self.policy if self.policy is not None else self.checkpoint
        assert path is not None
        return path

    @property
    def folder(self) -> Path | None:
        """The run directory that it belongs to, if it lies in one and is what that run ended with."""
        folder = self.path if self.path.is_dir() else self.path.parent
        folder = folder.parent if folder.name == "checkpoints" else folder
        if not (folder / "avg_policy.json").exists():
            return None
        if self.checkpoint is None:
            return folder
        trained = policy_of_checkpoint(self.checkpoint).info.iterations
        return folder if AveragePolicy.load(folder).info.iterations == trained else None

    def open(self, name: str) -> BlueprintAgent:
        """The blueprint, with its buckets checked."""
        if self.policy is not None and self.policy.suffix == ".pkl" and self.policy.is_file():
            raise ConfigError(f"{self.path} is not a policy; if it is a checkpoint, write --checkpoint {self.path}")
        policy = AveragePolicy.load(self.path) if self.policy is not None else policy_of_checkpoint(self.path)
        if policy.config.variant != "holdem":
            raise ConfigError(f"{self.path} is of {policy.config.name}, which is not played at a hold'em table")
        if self.buckets is None:
            return BlueprintAgent(policy, name)
        checked_bucketing(policy, HandBucketing.load(self.buckets, tables=False))  # refused before the tables are read
        return BlueprintAgent(policy, name, PolicyBuckets(policy, HandBucketing.load_found(self.buckets)))


def policy_of_checkpoint(path: Path) -> AveragePolicy:
    """The average policy of a checkpoint, or of the newest one of a run directory."""
    if not path.exists():
        raise ArtifactError(f"{path} does not exist; name a checkpoint_….pkl of a run, or --policy RUN/avg_policy.json")
    if path.is_dir():
        path, _, _ = newest_valid(path)
    return policy_of_table(path, *read_table(path))


def policy_of_table(
    checkpoint: Path, info: CheckpointInfo, table: npt.NDArray[Any], tree: BettingTree | None = None
) -> AveragePolicy:
    """The average policy of a table that was read from a checkpoint; the bucket manifest lies in its run."""
    config = GameConfig.model_validate(info.game)
    digest = info.fingerprint["buckets"]["content_hash"]
    run = run_of(checkpoint)
    reference = BucketReference.of_runs(BUCKETS_NAME, digest, [run]) if needs_buckets(config) else None
    described = PolicyInfo(config, tuple(info.buckets_per_street), info.iteration, reference, info.fingerprint)
    return AveragePolicy.from_table(described, table, tree, run / checkpoint.name)


def run_of(checkpoint: Path) -> Path:
    """The folder of the run that a checkpoint belongs to."""
    return checkpoint.parent.parent if checkpoint.parent.name == "checkpoints" else checkpoint.parent
