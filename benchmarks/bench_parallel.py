"""Parallel training: speed of 1, 2, 4, … workers on heads-up 100 big blinds, small and large batches, start-up time.

Speed-ups are in nodes a second, since iterations grow longer as training goes on. Every figure of several workers
stands beside one process measured just before it. On a machine with more cores the same command measures up to all of
them.
"""

import tempfile
import time
from pathlib import Path

from benchmarks.measurement import Measurement
from holdem.abstraction.bucket_presets import DEFAULT_PRESET, default_path
from holdem.abstraction.bucketing import HandBucketing
from holdem.mccfr.parallel_solver import ParallelMCCFRSolver
from holdem.mccfr.training import Summary
from holdem.types import MCCFRConfig
from holdem.util.parallel import available_cores

SECONDS = 12.0
BATCHES = (100, 10_000)


def run() -> list[Measurement]:
    """Nothing without the default buckets: `python -m holdem.cli.build_buckets --preset small` builds them."""
    path = default_path(DEFAULT_PRESET)
    if not path.exists():
        return []
    bucketing = HandBucketing.load(path)
    train(bucketing, 2, 100, seconds=0.5)  # whatever has to be compiled is compiled now
    lines = []
    for workers in worker_counts():
        for batch in BATCHES:
            lines += compare(bucketing, workers, batch)
    return lines


def worker_counts() -> list[int]:
    """2, 4, 8, … and all cores."""
    cores = available_cores()
    powers = [2**power for power in range(1, 10) if 2**power < cores]
    return [*powers, cores] if cores > 1 else [2]


def compare(bucketing: HandBucketing, workers: int, batch: int) -> list[Measurement]:
    """Many workers beside one process."""
    one, _ = train(bucketing, 1, batch)
    many, start_up = train(bucketing, workers, batch)
    what = f"headsup_100bb, {workers} workers, batch {batch:,}"
    target = "≥ 1.9× on two idle cores" if workers == 2 else ""
    return [
        Measurement(f"{what}: nodes", many.nodes_per_second, "/s", "1 process", one.nodes_per_second, target),
        Measurement(
            f"{what}: iterations", many.iterations_per_second, "/s", "1 process", one.iterations_per_second
        ),
        Measurement(f"{what}: start and end besides training", start_up, "s", target="start ≤ 3 s"),
    ]


def train(bucketing: HandBucketing, workers: int, batch: int, seconds: float = SECONDS) -> tuple[Summary, float]:
    """A run, and what it took besides training."""
    config = MCCFRConfig(time_budget_seconds=seconds, num_workers=workers, batch_size=batch)
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        summary = ParallelMCCFRSolver(config, bucketing).train(Path(folder), use_tensorboard=False)
        return summary, time.perf_counter() - start - summary.seconds
