"""Training speed: hold'em beside bare visits of the same table, and Leduc beside OpenSpiel, all in one run.

An iteration is one traversal for each player. Times are those of the thread, so that other work on the machine disturbs
only through caches and memory, ours and the baselines alike. Published figures stand in the "beside" column where they
are the only thing to compare with; ratios to them depend on the machine.
"""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyspiel

from benchmarks.measurement import Measurement
from holdem.abstraction.bucketing import HandBucketing
from holdem.cards.suit_index import INDEX_SIZES
from holdem.evaluation.response.exact import BestResponse
from holdem.game.presets import load_preset
from holdem.game.toy_games import toy_game
from holdem.mccfr.dealers import Bucketing
from holdem.mccfr.kernels.table import add_in_place, positive_part, read
from holdem.mccfr.solver import MCCFRSolver
from holdem.mccfr.training_game import TrainingGame
from holdem.types import BettingConfig, GameConfig, MCCFRConfig, StreetMenus
from holdem.util.jit import kernel
from holdem.util.kernels.random_numbers import next_below, seed_stream

BUCKETS_FILE = Path("assets/abstraction/buckets_mid.pkl")
BUCKETS, DEFAULT_BUCKETS = (169, 200, 200, 200), (169, 50, 50, 50)
SEATS = ("headsup_100bb", "threemax_100bb", "sixmax_100bb")
WARM_UP, ITERATIONS, REPEATS = 200_000, 20_000, 12
BARE_VISITS = 1_000_000
PLURIBUS_CLONE, RESEARCH_CODE = 9_100.0, 369_000.0
"""Published iterations/s of C++ trainers on one core: a Pluribus clone, and research code on 160 decisions."""
OPENSPIEL_SECONDS = 20.0


class SyntheticBuckets:
    """Random buckets of the real sizes: as hard on the caches as real ones, and there without a build."""

    content_hash = "synthetic"

    def __init__(self, buckets: tuple[int, ...] = BUCKETS) -> None:
        rng = np.random.default_rng(0)
        self.buckets_per_street = buckets
        self.tables: tuple[npt.NDArray[np.uint8], ...] = tuple(
            rng.integers(0, count, INDEX_SIZES[board], dtype=np.uint8)
            for count, board in zip(buckets[1:], (3, 4, 5), strict=True)
        )


@kernel
def independent_visits(table: npt.NDArray[np.int32], visits: int, state: npt.NDArray[np.uint64]) -> int:
    """Read three regrets of a random row and add to them, rows known in advance."""
    total = 0
    for _ in range(visits):
        row = next_below(state, table.shape[0] - 3)
        for a in range(row, row + 3):
            total += positive_part(read(table, 2 * a))
            add_in_place(table, 2 * a, np.int32(1), None)
    return total


@kernel
def dependent_visits(table: npt.NDArray[np.int32], visits: int, state: npt.NDArray[np.uint64]) -> int:
    """As `independent_visits`, but which row comes next depends on what was read."""
    total = 0
    for _ in range(visits):
        row = next_below(state, table.shape[0] - 3)
        for a in range(row, row + 3):
            total += positive_part(read(table, 2 * a))
            add_in_place(table, 2 * a, np.int32(1), None)
        state[0] ^= np.uint64(total)
    return total


def run() -> list[Measurement]:
    """Real buckets (169/200/200/200) if they have been built, else random ones of the same sizes."""
    bucketing: Bucketing
    if BUCKETS_FILE.exists():
        bucketing, kind = HandBucketing.load(BUCKETS_FILE), "real buckets"
    else:
        bucketing, kind = SyntheticBuckets(), "synthetic buckets"
    return [*_headsup(bucketing, kind), *_small_tree(bucketing, kind), *_seats(), *_leduc()]


def _headsup(bucketing: Bucketing, kind: str) -> list[Measurement]:
    game = TrainingGame.from_preset("headsup_100bb", bucketing)
    solver = MCCFRSolver(MCCFRConfig(), game)
    solver.run(WARM_UP)
    seconds, decisions = _best_run(solver)
    rate, visit = ITERATIONS / seconds, seconds / decisions * 1e9
    name = f"heads-up 100bb, {solver.game.tree.counts.decision_nodes:,} decisions, {kind}"
    table = solver.tracker.table
    return [
        Measurement(name, rate, "it/s", "at least", 80_000.0, "≥ 80,000"),
        Measurement("  the same", rate, "it/s", "C++ Pluribus clone (published)", PLURIBUS_CLONE),
        Measurement("  one decision visited", visit, "ns", "bare independent visit", _bare(independent_visits, table)),
        Measurement("  one decision visited", visit, "ns", "bare dependent visit", _bare(dependent_visits, table)),
        Measurement("  with atomic additions", _shared_rate(solver), "it/s", "plain additions", rate),
    ]


def _best_run(solver: MCCFRSolver) -> tuple[float, float]:
    """Seconds and decisions of the fastest of a few equal stretches of training."""
    results = []
    for _ in range(REPEATS):
        before, start = solver.statistics.decisions, time.thread_time()
        solver.run(ITERATIONS)
        results.append((time.thread_time() - start, float(solver.statistics.decisions - before)))
    return min(results, key=lambda result: result[0] / result[1])


def _shared_rate(solver: MCCFRSolver) -> float:
    other = MCCFRSolver(solver.config, solver.game, table=solver.tracker.table, iteration=solver.iteration, shared=True)
    other.run(1_000)
    return ITERATIONS / _best_run(other)[0]


def _bare(function: Callable[..., int], table: npt.NDArray[np.int32]) -> float:
    """Nanoseconds of one bare visit of a table of this size."""
    state = np.zeros(2, dtype=np.uint64)
    seed_stream(state, 1, 1)
    copy = np.zeros_like(table)
    copy[:] = table
    times = []
    for visits in (1_000, BARE_VISITS, BARE_VISITS, BARE_VISITS):
        start = time.thread_time()
        function(copy, visits, state)
        times.append((time.thread_time() - start) / visits * 1e9)
    return min(times[1:])


def _small_tree(bucketing: Bucketing, kind: str) -> list[Measurement]:
    """One bet of the pot on each street: the 160 decisions of the research code."""
    base = load_preset("headsup_100bb").model_dump(exclude={"betting", "name"})
    menus = StreetMenus(preflop=("100%",), flop=("100%",), turn=("100%",), river=("100%",))
    config = GameConfig(**base, name="small", betting=BettingConfig(sizes=menus, max_raises=(1, 1, 1, 1)))
    game = TrainingGame.from_config(config, bucketing)
    solver = MCCFRSolver(MCCFRConfig(), game)
    solver.run(WARM_UP)
    rate = ITERATIONS / _best_run(solver)[0]
    name = f"heads-up, {game.tree.counts.decision_nodes} decisions, {kind}"
    return [Measurement(name, rate, "it/s", "C++ research code, 160 decisions (published)", RESEARCH_CODE)]


def _seats() -> list[Measurement]:
    """The presets of three and six seats beside heads-up, in turns: nodes and decisions visited in a second."""
    bucketing = SyntheticBuckets(DEFAULT_BUCKETS)
    solvers = [MCCFRSolver(MCCFRConfig(), TrainingGame.from_preset(name, bucketing)) for name in SEATS]
    for solver in solvers:
        solver.run(WARM_UP)
    nodes, decisions = np.zeros(len(solvers)), np.zeros(len(solvers))
    for _ in range(REPEATS):
        for i, solver in enumerate(solvers):
            before, start = (solver.statistics.nodes, solver.statistics.decisions), time.thread_time()
            solver.run(ITERATIONS)
            seconds = time.thread_time() - start
            nodes[i] = max(nodes[i], (solver.statistics.nodes - before[0]) / seconds / 1e6)
            decisions[i] = max(decisions[i], (solver.statistics.decisions - before[1]) / seconds / 1e6)
    return [
        Measurement(f"{name}, {what} visited", rates[i], "M/s", "heads-up 100bb", rates[0], wanted)
        for what, rates, wanted in (("nodes", nodes, "≥ 0.75×"), ("decisions", decisions, ""))
        for i, name in enumerate(SEATS)
        if i
    ]


def _leduc() -> list[Measurement]:
    to_003, to_001 = _our_leduc_seconds()
    theirs, distance = _openspiel_seconds(0.03)
    beside = "OpenSpiel C++ external sampling" + ("" if distance < 0.03 else f" (was at {distance:.3f} by then)")
    return [
        Measurement("Leduc to exploitability 0.03", to_003, "s", beside, theirs, "≤ 0.025×"),
        Measurement("Leduc to exploitability 0.01", to_001, "s", "at most", 3.0, "≤ 3 s"),
    ]


def _our_leduc_seconds() -> tuple[float, float]:
    """Training time until exploitability is below 0.03 and 0.01; measuring it does not count."""
    game = TrainingGame.from_preset("leduc")
    evaluator = BestResponse(toy_game(game.config), game.tree, game.layout)
    MCCFRSolver(MCCFRConfig(seed=1), game).run(1)
    solver, spent, reached = MCCFRSolver(MCCFRConfig(), game), 0.0, {0.03: 0.0, 0.01: 0.0}
    while not reached[0.01] and spent < OPENSPIEL_SECONDS:
        start = time.thread_time()
        solver.run(50_000)
        spent += time.thread_time() - start
        distance = evaluator.exploitability(solver.tracker.average_strategy_table())
        for target in reached:
            if not reached[target] and distance < target:
                reached[target] = spent
    return reached[0.03] or float("nan"), reached[0.01] or float("nan")


def _openspiel_seconds(target: float) -> tuple[float, float]:
    """Seconds of OpenSpiel's solver until the target or until time is up, and its exploitability then."""
    game = pyspiel.load_game("leduc_poker")
    solver = pyspiel.ExternalSamplingMCCFRSolver(game, 1)
    spent, distance = 0.0, float("inf")
    while spent < OPENSPIEL_SECONDS and distance >= target:
        start = time.thread_time()
        for _ in range(20_000):
            solver.run_iteration()
        spent += time.thread_time() - start
        distance = pyspiel.exploitability(game, solver.average_policy())
    return spent, distance
