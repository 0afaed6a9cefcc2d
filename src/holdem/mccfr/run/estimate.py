"""What a run will take, before it takes it: tree, rows, memory, disk and speed; and whether it fits."""

import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from holdem.abstraction.betting.tree import count_tree
from holdem.errors import ConfigError
from holdem.mccfr.trainer import TABLE_DTYPES, Trainer
from holdem.mccfr.training_game import TrainingGame
from holdem.types import GameConfig, MCCFRConfig
from holdem.util.files.tables import SPARSE_SHARE

INTERPRETER_BYTES = 330_000_000
"""Python, Numba, compiled kernels and TensorBoard's writer, as measured on x86-64 Linux."""
WORKER_BYTES = 150_000_000
"""What a worker process takes besides the table and its copy of the tree."""
RECORD_BYTES = 48
"""Of a node: its record, and where its rows lie."""
POLICY_ENTRY_BYTES = 2
SETTLED_ITERATIONS = 10_000
"""Before so many, most of the time goes into pages of the tables that are touched for the first time."""
USEFUL_VISITS = 100
"""Visits per infoset from which a strategy is more than a first guess: what the hours of a run are told for."""
SMALL_FILES_BYTES = 100_000
"""Manifests, logs and whatever else a short run writes beside its tables."""
BUCKET_TABLE_BYTES = 138_403_096
"""Flop, turn and river tables of one byte a hand; mapped, and shared between processes."""


@dataclass(frozen=True)
class TrainingEstimate:
    """Sizes of a run."""

    nodes: int
    decisions: int
    rows: int
    table_bytes: int
    memory_bytes: int
    policy_bytes: int

    @property
    def checkpoint_bytes(self) -> int:
        """A checkpoint of a table that is touched everywhere."""
        return self.table_bytes

    @property
    def bytes_on_disk(self) -> int:
        """Room for one checkpoint, the policy and the small files: without it nothing would come of a run."""
        return self.checkpoint_bytes + self.policy_bytes + SMALL_FILES_BYTES


def estimate_training(
    game: GameConfig, buckets: tuple[int, ...], config: MCCFRConfig, workers: int = 1
) -> TrainingEstimate:
    """Sizes of a run, with nothing of its size allocated."""
    counts = count_tree(game)
    itemsize = 2 * TABLE_DTYPES[config.sampling]().itemsize
    table = counts.table_bytes(buckets, itemsize)
    mapped = BUCKET_TABLE_BYTES if len(buckets) == 4 and counts.decisions[1:].sum() else 0
    tree = counts.tree_bytes + counts.nodes * RECORD_BYTES
    memory = INTERPRETER_BYTES + table + int(SPARSE_SHARE * table) + tree + mapped  # a checkpoint copies what it packs
    if workers > 1:
        memory += workers * (WORKER_BYTES + tree)
    policy = POLICY_ENTRY_BYTES * counts.entries(buckets)
    return TrainingEstimate(counts.nodes, counts.decision_nodes, counts.rows(buckets), table, memory, policy)


def check_memory(estimate: TrainingEstimate, limit_bytes: int | None, name: str) -> None:
    """Refuse a run that does not fit, with the cheapest ways to make it fit."""
    room = limit_bytes if limit_bytes is not None else psutil.virtual_memory().available
    if estimate.memory_bytes <= room:
        return
    what = "--memory-limit allows" if limit_bytes is not None else "this machine has free"
    raise ConfigError(
        f"{name} needs about {estimate.memory_bytes / 1e9:.2f} GB and {what} {room / 1e9:.2f} GB; use fewer buckets "
        "(--buckets of preset small), fewer bet sizes or lower max_raises in --game-config, or a higher --memory-limit"
    )


def check_disk(folder: Path, needed_bytes: int) -> None:
    """Refuse a folder (it need not exist yet) whose disk does not have this much room."""
    nearest = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    try:
        free = shutil.disk_usage(nearest).free
    except OSError:
        return  # the system does not say: saving will show it
    if free < needed_bytes:
        raise ConfigError(
            f"{folder} has {free:,} bytes free and one checkpoint with its policy needs up to {needed_bytes:,}; make "
            "room, choose another folder, or use fewer buckets or bet sizes"
        )


def parse_bytes(text: str) -> int:
    """`4GB`, `500 MB`, `2GiB`; a bare number is gigabytes."""
    units = {"": 10**9, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12, "mib": 2**20, "gib": 2**30}
    number = text.strip().lower().rstrip("abcdefghijklmnopqrstuvwxyz ")
    unit = text.strip().lower()[len(number) :].strip()
    try:
        size = float(number) * units[unit]
    except (ValueError, KeyError):
        raise ConfigError(f"--memory-limit {text!r} is not an amount of memory; write 4GB or 500MB") from None
    if not 0 < size < float("inf"):
        raise ConfigError(f"--memory-limit {text!r} must be positive; write 4GB or 500MB")
    return int(size)


@dataclass(frozen=True)
class TrainingSpeed:
    """What one process of this machine does in a second, at the start of a run."""

    iterations: float
    decisions: float

    def core_hours(self, rows: int, visits: int = USEFUL_VISITS) -> float:
        """Hours of one core until each infoset was visited so often on average."""
        return rows * visits / max(self.decisions, 1.0) / 3600


def size_lines(game: GameConfig, estimate: TrainingEstimate) -> list[str]:
    """A game's tree, memory and disk in words."""
    table, disk = estimate.table_bytes / 1e6, estimate.checkpoint_bytes / 1e6
    return [
        f"Game {game.name}: {game.num_players} players, {estimate.decisions:,} decision nodes, "
        f"{estimate.rows:,} infosets",
        f"Memory: about {estimate.memory_bytes / 1e9:.2f} GB, of which {table:,.1f} MB are the table; "
        f"a checkpoint takes up to {disk:,.1f} MB on disk",
    ]


def time_lines(speed: TrainingSpeed, estimate: TrainingEstimate, workers: int) -> list[str]:
    """The speed, and how long a run has to go on to be worth something, in words."""
    hours = speed.core_hours(estimate.rows)
    shared = f"; {_hours(hours / workers)} hours with {workers} processes" if workers > 1 else ""
    return [
        f"Estimated speed: about {speed.iterations:,.0f} iterations/s, {speed.decisions / 1e6:.2f} M decisions/s "
        "in one process at the start",
        f"{USEFUL_VISITS} visits per infoset on average: about {_hours(hours)} core-hours{shared}",
    ]


def _hours(hours: float) -> str:
    return f"{hours:,.0f}" if hours >= 10 else f"{hours:.2g}"


def measure_speed(config: MCCFRConfig, game: TrainingGame, seconds: float = 0.6) -> TrainingSpeed:
    """The speed on a table that is thrown away, once the first pages are there: a first guess."""
    solver = Trainer(config, game)
    solver.run(1)  # loads or compiles the kernels, which may take longer than the whole measurement
    start = last = time.perf_counter()
    chunk, pace, decisions = 1, 1.0, 1.0
    while last - start < seconds or (solver.iteration < SETTLED_ITERATIONS and last - start < 8 * seconds):
        visited = solver.statistics.decisions
        solver.run(chunk)
        now = time.perf_counter()
        passed = max(now - last, 1e-6)
        pace, decisions = chunk / passed, (solver.statistics.decisions - visited) / passed
        last = now
        if passed < seconds / 4:
            chunk *= 2
    return TrainingSpeed(pace, decisions)
