"""Search at the table: how good its answers are after so many milliseconds, and how long they take.

    python -m benchmarks.bench_search river                       100 random rivers at 80 ms
    python -m benchmarks.bench_search turn --policy runs/blueprint      curve over time and workers
    python -m benchmarks.bench_search street --policy runs/blueprint    what the play of a street loses
    python -m benchmarks.bench_search latency --policy runs/blueprint   histogram over 1,000 decisions
    python -m benchmarks.bench_search multiway --policy runs/three      three players left: time, trees, iterations
    python -m benchmarks.bench_search three-rivers                      three players left: what each could gain

The strength of search is a match: `holdem match search:runs/blueprint runs/blueprint --aivat`.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
import numpy.typing as npt

from benchmarks import multiway_search, street_loss
from benchmarks.blueprint_nodes import blueprint_rows, match_nodes
from benchmarks.measurement import Measurement
from benchmarks.resumable import tell_errors
from benchmarks.spots import random_state, whole_ranges
from holdem.blueprint.agent import BlueprintAgent
from holdem.game.agent import PublicState
from holdem.game.game import Game
from holdem.game.play import play_hand
from holdem.realtime.parallel_resolver import ParallelSubgameResolver
from holdem.realtime.search.agent import SearchAgent
from holdem.realtime.search.blueprint_match import street_root_in
from holdem.realtime.search.budget import LATER, choose_vector_tree
from holdem.realtime.search.cost import CostModel
from holdem.realtime.search.decision import Decision
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.request import Depth, SolveRequest
from holdem.realtime.search.street_resolver import StreetResolver, open_resolver
from holdem.realtime.search.street_tree import Menu
from holdem.realtime.subgame.tree import SubgameNodeKind
from holdem.realtime.vector.root import SubgameRoot
from holdem.realtime.vector.search import VectorSearch
from holdem.types import SearchConfig
from holdem.util.words import counted

POLICY = Path("runs/blueprint")
TURN_MENU = Menu("75%", "a", 2)
BUDGETS_MS = (20, 80, 320, 1280)
WORKERS = (1, 2)


def river_exploitabilities(budget_ms: float, count: int) -> Iterator[tuple[float, int, float, int]]:
    """Per cent of the pot, iterations, milliseconds and nodes of the answers to random rivers with whole ranges."""
    cost = CostModel()
    for number in range(-8, count):  # the first ones compile, then measure
        state = random_state(3, number + 8)
        ranges = whole_ranges(state, number)
        root = SubgameRoot.of(state)
        start = time.monotonic()
        choice = choose_vector_tree(root, ranges, cost, budget_ms / 1000.0, 100)
        request = SolveRequest(state, ranges.weights, choice.menu, choice.depth)
        search = VectorSearch(request).allocate()
        built = time.monotonic()
        deadline = start + budget_ms / 1000.0 - cost.after(choice.kind)
        iterations = search.run(None, deadline, min_iterations=100)
        done = time.monotonic()
        search.solution()
        end = time.monotonic()
        if number >= -5:
            rate = 0.5 if number < 0 else 0.2
            timing = built - start, done - built, end - done
            cost.learn(choice.kind, choice.entries, choice.hands, iterations, timing, rate)
        if number >= 0:
            percent, nodes = 100.0 * search.solver.exploitability() / root.pot, len(search.solver.tree.nodes)
            yield percent, iterations, 1000.0 * (end - start), nodes


def river(budget_ms: float, count: int) -> npt.NDArray[np.float64]:
    """Print and return (spots, 4): per cent of the pot, iterations, milliseconds, nodes."""
    rows = np.array(list(river_exploitabilities(budget_ms, count)))
    print(f"{count} random rivers, whole ranges, {budget_ms:g} ms: exploitability of the answer, % of the pot")
    print(f"  mean {rows[:, 0].mean():.3f}, median {np.median(rows[:, 0]):.3f}, worst {rows[:, 0].max():.3f}")
    print(f"  iterations {rows[:, 1].min():.0f} to {rows[:, 1].max():.0f}, median {np.median(rows[:, 1]):.0f}")
    print(f"  nodes {rows[:, 3].min():.0f} to {rows[:, 3].max():.0f}, median {np.median(rows[:, 3]):.0f}")
    print(f"  ms: mean {rows[:, 2].mean():.1f}, p99 {np.percentile(rows[:, 2], 99):.1f}")
    return rows


def turn(policy: Path, spots: int) -> None:
    """The curve of a turn solved to the end: budgets and workers, beside the blueprint in the same tree."""
    blueprint = BlueprintAgent.open(policy)
    states = [random_state(2, 1_000 + number) for number in range(spots)]
    ranges = [whole_ranges(state, number) for number, state in enumerate(states)]
    own = [blueprint_exploitability(request_of(s, r), blueprint) for s, r in zip(states, ranges, strict=True)]
    print(f"{spots} random turns, whole ranges, to the end ({TURN_MENU}; river {LATER}): % of the pot, mean")
    print(f"  blueprint in the same tree: {np.mean(own):.1f}")
    for workers in WORKERS:
        resolver: StreetResolver = open_resolver(str(policy))
        if workers > 1:
            resolver = ParallelSubgameResolver(partial(open_resolver, str(policy)), workers, resolver)
            resolver.wait_until_ready()
        for budget in BUDGETS_MS:
            found = [turn_exploitability(resolver, s, r, budget) for s, r in zip(states, ranges, strict=True)]
            percent, iterations = np.mean([p for p, _ in found]), np.mean([i for _, i in found])
            print(
                f"  {counted(workers, 'worker')}, {budget:5d} ms: {percent:6.2f} after {iterations:.0f} iterations",
                flush=True,
            )
        if isinstance(resolver, ParallelSubgameResolver):
            resolver.close()


def request_of(state: PublicState, ranges: SeatRanges) -> SolveRequest:
    """A turn to the end."""
    return SolveRequest(state, ranges.weights, TURN_MENU, Depth.END, later=LATER, min_iterations=1)


def turn_exploitability(
    resolver: StreetResolver, state: PublicState, ranges: SeatRanges, budget_ms: float
) -> tuple[float, int]:
    """Per cent of the pot and iterations of one answer."""
    request = replace(request_of(state, ranges), deadline=time.monotonic() + budget_ms / 1000.0)
    search = resolver.searched(request).search
    assert isinstance(search, VectorSearch)
    return 100.0 * search.solver.exploitability() / search.root.pot, search.solver.iterations


def blueprint_exploitability(request: SolveRequest, blueprint: BlueprintAgent) -> float:
    """Per cent of the pot that a best response wins from the blueprint in the tree of a request."""
    search = VectorSearch(request).allocate()
    solver, root = search.solver, search.root
    found = match_nodes(solver.tree.nodes[0], root.pot, blueprint, street_root_in(blueprint, request.state))
    starts = solver.tree.arrays.node_start
    for level in range(solver.tree.levels):
        for board in range(solver.boards.level_start[level], solver.boards.level_start[level + 1]):
            cards = (*request.state.board, *solver.boards.boards[board].dealt)
            buckets = blueprint.buckets.of_holes(cards)
            for number in range(starts[level], starts[level + 1]):
                node = solver.tree.nodes[number]
                if node.kind == SubgameNodeKind.DECISION and id(node) in found:
                    own = buckets[solver.hands[node.player]]
                    rows = blueprint_rows(node, root.pot, blueprint, found[id(node)], own)
                    solver.set_average(number, rows, level, board)
    return 100.0 * solver.exploitability() / root.pot


def latency(policy: Path, decisions: int, budget_ms: float, workers: int) -> npt.NDArray[np.float64]:
    """Play hands against the blueprint until so many decisions were searched; print and return their milliseconds."""
    agent = SearchAgent.open(policy, SearchConfig(time_budget_ms=budget_ms, num_workers=workers))
    opponent = BlueprintAgent.open(policy)
    game = Game(opponent.policy.config)
    seen: list[Decision] = []
    agent.on_decision = lambda decision: seen.append(decision) if decision.iterations else None
    number = 0
    while len(seen) < decisions:
        play_hand(game, [agent, opponent] if number % 2 else [opponent, agent], number)
        number += 1
    agent.close()
    times = np.array([1000.0 * decision.seconds for decision in seen[:decisions]])
    print(
        f"{decisions} searched decisions of {number} hands at {budget_ms:g} ms, "
        f"{counted(workers, 'worker')}: ms of wall time"
    )
    print("  " + ", ".join(f"p{p} {np.percentile(times, p):.1f}" for p in (1, 50, 90, 99, 100)))
    edges = [0.0, *(budget_ms * share for share in (0.5, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2, 1.5, 2.0)), np.inf]
    counts, _ = np.histogram(times, bins=edges)
    for count, low, high in zip(counts, edges[:-1], edges[1:], strict=True):
        print(f"  {low:5.0f} to {high:5.0f} ms  {'#' * round(60 * count / counts.max()):60s} {count}")
    iterations = np.array([decision.iterations for decision in seen])
    print(
        f"  iterations: least {iterations.min()}, median {np.median(iterations):.0f}; {dict(agent.controller.counts)}"
    )
    return times


def run() -> list[Measurement]:
    """The figures of the benchmark table; latency only where there is a blueprint."""
    rows = river(80.0, 100)
    lines = [Measurement("river at 80 ms, whole ranges", float(rows[:, 0].mean()), "% of pot", target="<= 0.5")]
    gains = multiway_search.three_rivers(5, 80.0, 150)
    lines.append(
        Measurement("river of three at 80 ms, two sizes and a raise", float(gains[1, 0]), "% of pot", target="<= 1")
    )
    if POLICY.exists():
        slowest = float(np.percentile(latency(POLICY, 1_000, 80.0, 1), 99))
        lines.append(Measurement("search at 80 ms, 99th percentile", slowest, "ms", target="<= 95"))
    return lines


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["street"]:
        street_loss.main(arguments[1:])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("river", "turn", "street", "latency", "multiway", "three-rivers"))
    parser.add_argument("--policy", type=Path, default=POLICY)
    parser.add_argument("--budget-ms", type=float, default=80.0)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--hands", type=int, default=150, help="of each player, on rivers of three")
    parser.add_argument(
        "--processor-time", action="store_true", help="count what other processes take as no time; for `multiway`"
    )
    options = parser.parse_args(arguments)
    if options.processor_time:
        with patch("time.monotonic", time.process_time):
            measure(options)
    else:
        measure(options)


def measure(options: argparse.Namespace) -> None:
    """What the command line asks for."""
    if options.what == "river":
        river(options.budget_ms, options.count or 100)
    elif options.what == "turn":
        turn(options.policy, options.count or 5)
    elif options.what == "multiway":
        multiway_search.multiway(options.policy, options.count or 100, options.budget_ms)
    elif options.what == "three-rivers":
        multiway_search.three_rivers(options.count or 10, options.budget_ms, options.hands)
    else:
        latency(options.policy, options.count or 1_000, options.budget_ms, options.workers)


if __name__ == "__main__":
    tell_errors(main, sys.argv[1:])
