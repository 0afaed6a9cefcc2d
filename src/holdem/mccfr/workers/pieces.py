"""Iterations on a shared table, in the process of a worker or, for what dead workers left over, in the parent's."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.mccfr.dealers import Bucketing
from holdem.mccfr.trainer import TABLE_DTYPES, Trainer
from holdem.mccfr.training_game import TrainingGame
from holdem.mccfr.workers.control import ControlBlock
from holdem.types import GameConfig, MCCFRConfig
from holdem.util.files.npy import map_array
from holdem.util.shared_memory import SharedMemory


@dataclass(frozen=True)
class TableSource:
    """A bucket table: a file to map, or (without a path) the next one of the shared memories."""

    path: Path | None
    dtype: str
    length: int


@dataclass(frozen=True)
class BucketSource:
    """A card abstraction without its arrays, small enough to send."""

    buckets_per_street: tuple[int, ...]
    content_hash: str
    tables: tuple[TableSource, ...]


@dataclass(frozen=True)
class Work:
    """What a worker trains."""

    config: MCCFRConfig
    game: GameConfig
    buckets: BucketSource | None
    workers: int
    stream_start: int


@dataclass(frozen=True)
class OpenedBuckets:
    """A card abstraction in a worker; the same as its `Bucketing` in the parent."""

    buckets_per_street: tuple[int, ...]
    content_hash: str
    tables: tuple[npt.NDArray[Any], ...]


def send_buckets(bucketing: Bucketing | None) -> tuple[BucketSource | None, tuple[SharedMemory, ...]]:
    """Describe an abstraction for workers: mapped files by name, tables that are only in memory as shared copies."""
    if bucketing is None:
        return None, ()
    sources, copies = [], []
    for table in bucketing.tables:
        name = getattr(table, "filename", None) if isinstance(table, np.memmap) else None
        if name is None:
            memory = SharedMemory.create(table.nbytes, "the bucket tables")
            memory.array(table.dtype, table.shape)[:] = table
            copies.append(memory)
        sources.append(TableSource(Path(name).absolute() if name else None, table.dtype.str, len(table)))
    return BucketSource(bucketing.buckets_per_street, bucketing.content_hash, tuple(sources)), tuple(copies)


def open_buckets(source: BucketSource | None, copies: tuple[SharedMemory, ...]) -> OpenedBuckets | None:
    """The other side of `send_buckets`."""
    if source is None:
        return None
    remaining = iter(copies)
    tables = []
    for table in source.tables:
        if table.path is not None:
            tables.append(map_array(table.path))
        else:
            tables.append(next(remaining).array(table.dtype, (table.length,)))
    return OpenedBuckets(source.buckets_per_street, source.content_hash, tuple(tables))


class PieceRunner:
    """Runs ranges of iterations with the weights that belong to them; halvings are not its business."""

    def __init__(self, solver: Trainer) -> None:
        self.solver = solver

    @classmethod
    def open(cls, work: Work, table: SharedMemory, copies: tuple[SharedMemory, ...]) -> "PieceRunner":
        """A runner on the shared table, in a worker."""
        game = TrainingGame.from_config(work.game, open_buckets(work.buckets, copies))
        entries = table.array(TABLE_DTYPES[work.config.sampling], (game.layout.entries, 2))
        return cls(Trainer(work.config, game, table=entries, shared=True, stream_start=work.stream_start))

    def warm_up(self) -> None:
        """Compile (or load) the kernels on a table that is thrown away."""
        Trainer(self.solver.config, self.solver.game, shared=True).run(1)

    def count_into(self, control: ControlBlock, worker: int) -> None:
        """Keep the sampler's statistics in the control block."""
        game, statistics = self.solver.game, self.solver.statistics
        kept = control.statistics_of(worker, game.num_players, game.unit)
        statistics.counters, statistics.utilities = kept.counters, kept.utilities

    def run(self, first: int, last: int) -> None:
        """Iterations [first, last)."""
        for stretch in self.solver.discounts.stretches(first, last):
            self.solver.sampler.run(stretch.first, stretch.last, stretch.regret_weight, stretch.strategy_weight)
