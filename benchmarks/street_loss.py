"""What the searching agent loses by its play of one street, if everything after that street is played perfectly.

    python -m benchmarks.bench_search street --policy runs/blueprint                50 turns at 20, 80 and 320 ms
    python -m benchmarks.bench_search street --street flop --policy runs/blueprint  8 flops at 80 and 1000 ms

Each player's decisions of the street, all lines of them, are locked as the agent plays them when it is first asked (the
player in position after a check), and everything else is solved in the same betting tree. What the player then has less
than in the solve without locks is its loss, in per cent of the pot. The blueprint's own strategy is locked beside it;
where it has no node for a line, that line stays free.

`--tree own` judges in the tree that the agent chose for its time. A smaller tree has fewer ways to go wrong, so such
losses compare with the blueprint's beside them and with nothing else: not with other budgets, other versions, or a day
on which the machine was busier. `--tree common` judges in the same tree at all times: the opponent has the blueprint's
sizes and one raise, the player all sizes that search knows, and the agent is asked at each decision of the street.

Half of the turns have the ranges with which the blueprint comes there against itself, half have every hand with random
weights. Flops have 120 hands with random weights, so that the turns and rivers after them can be solved exactly.
"""

import argparse
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.blueprint_nodes import blueprint_rows, match_nodes
from benchmarks.given_ranges import GivenRanges, RecordingResolver
from benchmarks.resumable import Result, measure, policy_digest
from benchmarks.spots import after, blueprint_ranges, few_hands, played_to, random_state, whole_ranges
from holdem.abstraction.betting.sizes import parse_menu
from holdem.abstraction.betting.tree import NodeKind
from holdem.blueprint.agent import BlueprintAgent
from holdem.cards.cards import format_cards
from holdem.errors import ConfigError, RunFailed
from holdem.game.actions import Action
from holdem.game.agent import PublicState
from holdem.realtime.search.agent import SearchAgent
from holdem.realtime.search.blueprint_match import street_root_in
from holdem.realtime.search.budget import LATER
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.request import SolveRequest
from holdem.realtime.search.street_solution import aligned
from holdem.realtime.search.street_tree import MENUS, Menu
from holdem.realtime.search_controller import SearchController
from holdem.realtime.subgame.nodes.moves import Move
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.spot import Spot
from holdem.realtime.subgame.tree import StreetSizes
from holdem.realtime.vector.root import SubgameRoot
from holdem.realtime.vector.search import VectorSearch
from holdem.types import BettingConfig, SearchConfig
from holdem.util.arrays import Float32, Float64

STREETS = {"flop": 1, "turn": 2}
COUNTS = {"flop": 8, "turn": 50}
BUDGETS_MS = {"flop": (80.0, 1000.0), "turn": (20.0, 80.0, 320.0)}
FEW_HANDS = 120
TARGET_PERCENT = 0.15
"""Where the judge's solves end; a loss is exact to about as much."""
MOST_ITERATIONS = 3_000
FIRST_SPOT = 2_000
_WARMING_UP = 3
Answer = tuple[list[Action], Float64]
Rows = dict[int, Float32]
"""Strategies, (hands, actions), by the number of the node in the judge's tree."""


@dataclass(frozen=True)
class StreetSettings:
    """What is measured; the same settings measure the same spots."""

    policy: str
    policy_digest: str = ""
    street: str = "turn"
    budgets_ms: tuple[float, ...] = BUDGETS_MS["turn"]
    tree: str = "own"
    target_percent: float = TARGET_PERCENT
    iterations: int | None = None
    """Of every search, in place of the time: for tests, which must not depend on the machine."""

    def config(self, budget_ms: float) -> SearchConfig:
        """Of the agent at a budget."""
        return SearchConfig(time_budget_ms=budget_ms, iterations=self.iterations)


class StreetJudge:
    """Solves one street to the end of the hand in one tree: free, or with one player's street locked."""

    def __init__(self, root: SubgameRoot, spot: Spot, target_percent: float) -> None:
        self.root, self.spot, self.target_percent = root, spot, target_percent
        self.shape = SubgameSolver(spot)
        """Never allocated: what tree and hands the solves have."""
        free = self.solved({})
        self.values = free.expected_values()
        self.exploitability_percent = 100.0 * free.exploitability() / self.root.pot
        self.iterations = free.iterations

    def solved(self, locked: Rows) -> SubgameSolver:
        """Solved to the target, with these decisions locked."""
        solver = SubgameSolver(self.spot).allocate()
        for number, rows in locked.items():
            solver.lock(number, rows)
        solver.solve(target_percent=self.target_percent, stop=lambda: solver.iterations >= MOST_ITERATIONS)
        return solver

    def loss_percent(self, player: int, locked: Rows) -> float:
        """What a player loses by a strategy of the street, in per cent of the pot."""
        value = self.solved(locked).expected_values()[player]
        return 100.0 * (self.values[player] - value) / self.root.pot


def common_spot(root: SubgameRoot, ranges: SeatRanges, player: int, betting: BettingConfig) -> Spot:
    """The spot in the tree that does not depend on what the agent chose.

    The opponent bets and raises the blueprint's sizes, once each. The player has all sizes that search knows, and an
    all-in against a raise.
    """
    street = root.state.street
    blueprints = blueprint_menu(betting, street)
    bets, raises = (
        parse_menu(", ".join(dict.fromkeys(size for text in texts for size in text.split(", "))))
        for texts in ([blueprints.bets, *(m.bets for m in MENUS)], [blueprints.raises, *(m.raises for m in MENUS)])
    )
    spot = root.spot(ranges, blueprints, LATER)
    sizes = {**spot.sizes, (player, street): StreetSizes(bets, (raises, parse_menu("a"), ()))}
    return replace(spot, sizes=sizes)


def blueprint_menu(betting: BettingConfig, street: int) -> Menu:
    """The blueprint's sizes on a street, for one bet and one raise."""
    texts = betting.sizes.street(street)
    return Menu(texts[0], texts[min(1, len(texts) - 1)], 2)


def rows_of_search(judge: StreetJudge, player: int, search: VectorSearch) -> Rows:
    """A player's decisions of the street as a search has them, all lines."""
    solver, theirs = judge.shape, dict(decisions_by_line(search.solver))
    assert np.array_equal(solver.hands[player], search.solver.hands[player])
    return {
        number: search.solver.average_strategy(theirs[line]).astype(np.float32)
        for line, number in decisions_by_line(solver)
        if solver.tree.nodes[number].player == player
    }


def rows_of_agent(judge: StreetJudge, player: int, ask: Callable[[PublicState], Answer]) -> Rows:
    """A player's decisions of the street as an agent answers at each of them, in the sizes of the judge's tree."""
    nodes, hands = judge.shape.tree.nodes, judge.shape.hands[player]
    rows: Rows = {}
    for moves, number in decisions_by_moves(judge.shape):
        if nodes[number].player == player:
            actions, policy = ask(after(judge.root.state, *map(judge.root.action, moves)))
            here = tuple(map(judge.root.action, nodes[number].moves))
            rows[number] = aligned((tuple(actions), policy.astype(np.float32)), here)[hands]
    return rows


def rows_of_blueprint(judge: StreetJudge, player: int, blueprint: BlueprintAgent) -> Rows:
    """A player's decisions of the street as the blueprint has them, where it has them."""
    solver, root = judge.shape, judge.root
    buckets = blueprint.buckets.of_holes(tuple(sorted(root.state.board)))[solver.hands[player]]
    found = match_nodes(solver.tree.nodes[0], root.pot, blueprint, street_root_in(blueprint, root.state))
    rows: Rows = {}
    for _, number in decisions_by_line(solver):
        node = solver.tree.nodes[number]
        there = found.get(id(node))
        if node.player == player and there is not None and _decides(blueprint, there, player):
            rows[number] = blueprint_rows(node, root.pot, blueprint, there, buckets)
    return rows


def _decides(blueprint: BlueprintAgent, node: int, player: int) -> bool:
    tree = blueprint.policy.tree
    return bool(tree.kind[node] == NodeKind.DECISION and tree.player[node] == player)


def decisions_by_line(solver: SubgameSolver) -> Iterator[tuple[tuple[str, ...], int]]:
    """Decisions of the root street, each with the labels that lead to it."""
    for moves, number in decisions_by_moves(solver):
        yield tuple(map(str, moves)), number


def decisions_by_moves(solver: SubgameSolver) -> Iterator[tuple[tuple[Move, ...], int]]:
    """The same with moves; a decision comes after those that lead to it."""
    tree = solver.tree
    open_nodes: list[tuple[tuple[Move, ...], int]] = [((), 0)]
    while open_nodes:
        line, number = open_nodes.pop()
        node = tree.nodes[number]
        if node.is_action:
            yield line, number
            first = int(tree.arrays.first_child[number])
            open_nodes.extend(((*line, move), first + place) for place, move in enumerate(node.moves))


@cache
def opened(settings: StreetSettings) -> SearchAgent:
    """The agent of a process, its costs measured at the kind of spot that is asked about."""
    agent = SearchAgent.open(settings.policy, settings.config(max(settings.budgets_ms)))
    for number in range(_WARMING_UP):
        state, ranges, _ = spot_of(settings, agent.controller.blueprint, FIRST_SPOT - 1 - number)
        for budget in settings.budgets_ms:
            street = STREETS[settings.street]
            GivenRanges(agent.controller, ranges, street, settings.config(budget)).range_policy(state)
    return agent


def spot_of(settings: StreetSettings, blueprint: BlueprintAgent, number: int) -> tuple[PublicState, SeatRanges, str]:
    """The start of a street, what both may hold there, and which kind of ranges that is."""
    street = STREETS[settings.street]
    if settings.street == "flop":
        state = random_state(street, number)
        return state, few_hands(state.board, FEW_HANDS, number), f"{FEW_HANDS} hands"
    if number % 2 == 0:
        state = played_to(street, blueprint, number)
        return state, blueprint_ranges(state, blueprint), "blueprint's ranges"
    state = random_state(street, number)
    return state, whole_ranges(state, number), "whole ranges"


def measure_spot(settings: StreetSettings, spot: str) -> Result:
    """Losses of both players at every budget, and of the blueprint in the same trees."""
    controller = opened(settings).controller
    state, ranges, kind = spot_of(settings, controller.blueprint, FIRST_SPOT + int(spot))
    root = SubgameRoot.of(state)
    losses = Losses(controller, state, ranges, settings.target_percent, settings.tree == "common")
    found = [losses.at(settings.config(budget), player) for budget in settings.budgets_ms for player in (0, 1)]
    place = {"board": format_cards(state.board, " "), "pot": root.pot, "stack": root.effective_stack}
    return {"kind": kind, **place, "searches": found}


class Losses:
    """Losses at one spot. What is judged in the same tree has the same solve without locks, and the same blueprint."""

    def __init__(
        self,
        like: SearchController,
        state: PublicState,
        ranges: SeatRanges,
        target_percent: float = TARGET_PERCENT,
        common: bool = True,
    ) -> None:
        self.like, self.state, self.ranges = like, state, ranges
        self.target_percent, self.common = target_percent, common
        self._judges: dict[object, StreetJudge] = {}
        self._of_blueprint: dict[object, float] = {}

    def at(self, config: SearchConfig, player: int) -> Result:
        """Search as the player would at the table, and judge its street."""
        resolver = RecordingResolver(self.like.blueprint)
        controller = GivenRanges(self.like, self.ranges, self.state.street, config, resolver)
        start = time.monotonic()
        controller.range_policy(self.state if player == 0 else after(self.state, Action.check_or_call()))
        milliseconds = 1000.0 * (time.monotonic() - start)
        request, search = resolver.take()
        judge = self._judge(request, player)
        if self.common:
            rows = rows_of_agent(judge, player, controller.range_policy)
        else:
            rows = rows_of_search(judge, player, search)
        if controller.counts["search failed"]:
            raise RunFailed("a search failed and the blueprint answered, which is no loss of the search; see the log")
        return {
            "budget_ms": config.time_budget_ms,
            "player": player,
            "loss": judge.loss_percent(player, rows),
            "blueprint_loss": self._blueprint_loss(request, player),
            "iterations": search.solver.iterations,
            "milliseconds": milliseconds,
            "searched": f"{request.menu}, {request.depth.value}",
            "judge_percent": judge.exploitability_percent,
            "judge_iterations": judge.iterations,
        }

    def _key(self, request: SolveRequest, player: int) -> object:
        return player if self.common else request.menu

    def _judge(self, request: SolveRequest, player: int) -> StreetJudge:
        key = self._key(request, player)
        if key not in self._judges:
            root, ranges = SubgameRoot.of(self.state), SeatRanges(request.ranges)
            betting = self.like.blueprint.policy.config.betting
            common = self.common
            spot = common_spot(root, ranges, player, betting) if common else root.spot(ranges, request.menu, LATER)
            self._judges[key] = StreetJudge(root, spot, self.target_percent)
        return self._judges[key]

    def _blueprint_loss(self, request: SolveRequest, player: int) -> float:
        key = self._key(request, player), player
        if key not in self._of_blueprint:
            judge = self._judge(request, player)
            self._of_blueprint[key] = judge.loss_percent(player, rows_of_blueprint(judge, player, self.like.blueprint))
        return self._of_blueprint[key]


def street_losses(settings: StreetSettings, count: int, out: Path | None = None, workers: int = 1) -> dict[str, Result]:
    """Measure so many spots and print their losses."""
    results = measure(measure_spot, settings, [str(number) for number in range(count)], out, workers)
    searches = [{"kind": spot["kind"], **search} for spot in results.values() for search in spot["searches"]]
    if not results:
        return results
    print(
        f"{len(results)} {settings.street}s, loss of a player by its play of the street, % of the pot, "
        f"judged in its {settings.tree} tree"
    )
    worst_judge = max(search["judge_percent"] for search in searches)
    print(f"  the judge's solves without locks are exploitable by at most {worst_judge:.3f} %")
    for budget in settings.budgets_ms:
        at_budget = [search for search in searches if search["budget_ms"] == budget]
        kinds = sorted({search["kind"] for search in at_budget})
        for kind in [*kinds, *(["all"] if len(kinds) > 1 else [])]:
            _print_line(budget, kind, [search for search in at_budget if kind in ("all", search["kind"])])
        for searched, number in Counter(search["searched"] for search in at_budget).most_common():
            print(f"    {number} searched {searched}")
    return results


def _print_line(budget: float, kind: str, searches: list[dict[str, Any]]) -> None:
    def column(name: str) -> Any:
        return np.array([search[name] for search in searches])

    def spread(values: Any) -> str:
        return f"mean {values.mean():6.2f}, p90 {np.percentile(values, 90):6.2f}, worst {values.max():6.2f}"

    print(
        f"  {budget:5g} ms, {kind:18s}: search {spread(column('loss'))}; blueprint {spread(column('blueprint_loss'))}; "
        f"{np.median(column('iterations')):.0f} iterations, {column('milliseconds').mean():.1f} ms"
    )


def main(arguments: list[str]) -> None:
    """`python -m benchmarks.bench_search street ...`"""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.bench_search street",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--policy", default="runs/blueprint")
    parser.add_argument("--street", choices=tuple(STREETS), default="turn")
    parser.add_argument("--tree", choices=("own", "common"), default="own", help="in which losses are judged")
    parser.add_argument("--count", type=int, help="spots; by default 50 turns or 8 flops")
    parser.add_argument("--budgets", help="milliseconds, such as 20,80,320")
    parser.add_argument(
        "--target", type=float, default=TARGET_PERCENT, help="per cent of the pot at which the judge's solves end"
    )
    parser.add_argument("--num-workers", type=int, default=1, help="processes over spots; 0: one per core")
    parser.add_argument("--out", type=Path, help="JSON file that keeps every spot; a measurement goes on from it")
    options = parser.parse_args(arguments)
    budgets = BUDGETS_MS[options.street] if options.budgets is None else _milliseconds(options.budgets)
    settings = StreetSettings(
        options.policy, policy_digest(options.policy), options.street, budgets, options.tree, options.target
    )
    if options.target <= 0:
        raise ConfigError(f"--target is {options.target}; give per cent of the pot above 0, such as {TARGET_PERCENT}")
    count = COUNTS[options.street] if options.count is None else options.count
    street_losses(settings, count, options.out, options.num_workers)


def _milliseconds(text: str) -> tuple[float, ...]:
    try:
        budgets = tuple(float(part) for part in text.split(","))
    except ValueError:
        budgets = ()
    if not budgets or not all(0.0 < budget < math.inf for budget in budgets):
        raise ConfigError(f"--budgets is {text!r}; give milliseconds, such as 20,80,320")
    return budgets
