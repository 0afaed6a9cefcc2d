"""Parallel training: speed of 2, 4, … workers beside one process on heads-up 100 big blinds, and start-up time.

Machines are noisy, so one process and the crews take turns of a second each, and a ratio compares turns of the same
minute. Speed-ups are in nodes a second: iterations grow longer as training goes on, and the faster one gets further. On
a machine with more cores the same command measures up to all of them.

How much faster a machine's cores are together than one alone is a property of the machine (shared caches, memory,
clock, neighbours). So as many separate runs, which share nothing, take turns too: the second ratio of each crew is
against them, and is what workers lose to each other.
"""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy.typing as npt

from benchmarks.measurement import Measurement
from holdem.abstraction.bucketing import HandBucketing
from holdem.abstraction.buckets.presets import DEFAULT_PRESET, default_path
from holdem.mccfr.run.engine import Engine, SequentialEngine
from holdem.mccfr.run.loop import STEP_SECONDS
from holdem.mccfr.solver import MCCFRSolver
from holdem.mccfr.trainer import preset_game
from holdem.mccfr.training_game import TrainingGame
from holdem.mccfr.workers.engine import open_parallel_engine
from holdem.types import MCCFRConfig
from holdem.util.parallel import available_cores

TURNS = 12
TURN_SECONDS = 1.0
BATCHES = (100, 10_000)


@dataclass
class Contender:
    """Engines that advance together, and the speed of each of their turns."""

    name: str
    engines: Sequence[Engine]
    start_seconds: float = 0.0
    nodes: list[float] = field(default_factory=list)
    iterations: list[float] = field(default_factory=list)

    def take_a_turn(self) -> None:
        """Advance for a second; kernels hold no lock, so several engines run in as many threads."""
        with ThreadPoolExecutor(len(self.engines)) as pool:
            speeds = list(pool.map(advance_for_a_turn, self.engines))
        self.nodes.append(sum(nodes for nodes, _ in speeds))
        self.iterations.append(sum(iterations for _, iterations in speeds))


def advance_for_a_turn(engine: Engine) -> tuple[float, float]:
    """Nodes and iterations a second, in the steps of a run."""
    nodes, iteration, start = engine.statistics.nodes, engine.iteration, time.perf_counter()
    while time.perf_counter() - start < TURN_SECONDS:
        engine.advance(1 << 62, STEP_SECONDS)
    elapsed = time.perf_counter() - start
    return (engine.statistics.nodes - nodes) / elapsed, (engine.iteration - iteration) / elapsed


def run() -> list[Measurement]:
    """Nothing without the default buckets: `python -m holdem.cli.build_buckets --preset small` builds them."""
    path = default_path(DEFAULT_PRESET)
    if not path.exists():
        return []
    bucketing = HandBucketing.load(path)
    game = preset_game(bucketing, 2)
    MCCFRSolver(MCCFRConfig(), game, shared=True).run(1)  # whatever has to be compiled is compiled now
    return [line for workers in worker_counts() for line in compare(bucketing, game, workers)]


def worker_counts() -> list[int]:
    """2, 4, 8, … and all cores."""
    cores = available_cores()
    powers = [2**power for power in range(1, 10) if 2**power < cores]
    return [*powers, cores] if cores > 1 else [2]


def compare(bucketing: HandBucketing, game: TrainingGame, workers: int) -> list[Measurement]:
    """So many workers, at small and at large batches, beside one process and beside as many separate runs."""
    alone = Contender("1 process", [sequential(game)])
    separate = Contender(f"{workers} separate runs", [sequential(game) for _ in range(workers)])
    with ExitStack() as stack:
        crews = [open_crew(stack, bucketing, game, workers, batch) for batch in BATCHES]
        for _ in range(TURNS):
            for contender in (alone, separate, *crews):
                contender.take_a_turn()
    return [
        beside(separate, alone, "what this machine gives"),
        *[line for crew in crews for line in measurements(crew, alone, separate, workers)],
    ]


def sequential(game: TrainingGame) -> SequentialEngine:
    """One run in this process."""
    return SequentialEngine(MCCFRSolver(MCCFRConfig(), game))


def open_crew(stack: ExitStack, bucketing: HandBucketing, game: TrainingGame, workers: int, batch: int) -> Contender:
    """Start workers; they wait while it is not their turn."""
    config = MCCFRConfig(num_workers=workers, batch_size=batch)

    def make_solver(table: npt.NDArray[Any]) -> MCCFRSolver:
        return MCCFRSolver(config, game, table=table, shared=True)

    start = time.perf_counter()
    engine = stack.enter_context(open_parallel_engine(config, game, bucketing, workers, make_solver, lambda: False))
    seconds = time.perf_counter() - start
    return Contender(f"headsup_100bb, {workers} workers, batch {batch:,}", [engine], seconds)


def beside(ours: Contender, theirs: Contender, target: str = "") -> Measurement:
    """Nodes a second; the ratio is the median of the ratios of neighbouring turns."""
    baseline = median(theirs.nodes)
    ratio = median(a / b for a, b in zip(ours.nodes, theirs.nodes, strict=True))
    return Measurement(f"{ours.name}: nodes", ratio * baseline, "/s", theirs.name, baseline, target)


def measurements(crew: Contender, alone: Contender, separate: Contender, workers: int) -> list[Measurement]:
    """A crew beside one process and beside separate runs."""
    return [
        beside(crew, alone, "≥ 1.9× on two idle cores" if workers == 2 else ""),
        beside(crew, separate),
        Measurement(f"{crew.name}: iterations", median(crew.iterations), "/s", alone.name, median(alone.iterations)),
        Measurement(f"{crew.name}: start", crew.start_seconds, "s", target="≤ 3 s"),
    ]
