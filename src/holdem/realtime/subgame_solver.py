"""The life of a solve in five visible steps: build → estimate → allocate → solve → ask.

    solver = SubgameSolver(spot)                  # build: the betting tree and the boards
    print(solver.estimate().total_bytes)          # estimate: known before anything is allocated
    solver.allocate()
    result = solver.solve(target_percent=0.5)     # anytime: until a target, a deadline or a number of iterations
    solver.solution().node("bet 45").frequencies  # ask
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from holdem.cards import NUM_HOLE_PAIRS
from holdem.errors import ConfigError
from holdem.realtime import _kernels_subgame as kernels
from holdem.realtime._kernels_subgame import BEST, MEAN, UPDATE, Storage
from holdem.realtime.board_classes import enumerate_boards
from holdem.realtime.deals import Deals, hands_of, holdem_deals
from holdem.realtime.memory_plan import Estimate, make_plan, table_bytes
from holdem.realtime.schedules import Schedule
from holdem.realtime.spot import Spot, joint_weight, opposing_weight
from holdem.realtime.subgame_tree import Leaves, Node, TreeBuilder
from holdem.realtime.tree_arrays import FlatTree, flatten

Float32 = npt.NDArray[np.float32]
Float64 = npt.NDArray[np.float64]

CHECK_STEP = 10
"""Iterations between two looks at the exploitability, at least."""
LOOK_SECONDS = 0.004
"""A run of iterations inside compiled code lasts about this long before the clock is read again."""


class LeafEvaluator(Protocol):
    """What follows a depth-limited leaf, as values of hands against the opponent's reach."""

    def __call__(self, player: int, reach: Float32) -> Float32:
        """(leaves, hands of player) from `reach: (leaves, hands of the opponent)`, leaves as in `solver.leaves`.

        A value is the sum over the opponent's hands that share no card of reach × (chips that `player` takes from the
        pot in the end − chips that he puts in from the root on − half of the root's pot).
        """
        ...


class RootGadget(Protocol):
    """Lets a player choose, hand by hand, whether to enter the subgame (safe re-solving)."""

    player: int

    def entering(self) -> Float32:
        """(hands of the player,): the reach with which he enters now."""
        ...

    def learn(self, values: Float32) -> None:
        """Take the counterfactual values (hands,) of entering, after each traversal of that player."""
        ...


@dataclass(frozen=True)
class SolveResult:
    """How a solve ended."""

    iterations: int
    seconds: float
    exploitability: float | None
    """Chips, if it was measured: (best response of oop + best response of ip − pot) / 2."""
    stopped_by: str
    """`target`, `deadline`, `iterations` or `interrupt`."""


class SubgameSolver:
    """Discounted CFR on one spot."""

    def __init__(
        self,
        spot: Spot,
        *,
        threads: int = 1,
        schedule: Schedule | None = None,
        leaves: Leaves | None = None,
        evaluator: LeafEvaluator | None = None,
        gadget: RootGadget | None = None,
        symmetric: bool = True,
        compressed: bool = False,
    ) -> None:
        if (leaves is None) != (evaluator is None):
            raise ConfigError("a depth-limited tree needs both `leaves` and an `evaluator`")
        self.spot = spot
        self.schedule = schedule or Schedule()
        self.evaluator = evaluator
        self.gadget = gadget
        self.iterations = 0
        root = TreeBuilder(spot.root(), spot.sizes_of, spot.played, leaves).build()
        hands = hands_of(spot.ranges, spot.board)
        self.tree: FlatTree = flatten(root, spot.pot, (len(hands[0]), len(hands[1])))
        self.boards = enumerate_boards(spot.board, spot.ranges, self.tree.levels, symmetric and not spot.locks)
        self._layout = make_plan(self.tree, self.boards.level_sizes, compressed)
        self.plan = self._layout.plan
        self.compressed = compressed
        # Threads share the cards dealt after the root street, so a river has work for one.
        self.threads = max(1, threads) if self.tree.levels > 1 else 1
        self.hands = hands
        self.joint_weight = joint_weight(spot.ranges[0], spot.ranges[1])
        self._allocated = False

    @property
    def leaves(self) -> list[Node]:
        """The depth-limited leaves, in the order that the evaluator sees them."""
        return [self.tree.nodes[i] for i in self.tree.leaves]

    def _all_in_levels(self) -> list[int]:
        starts = self.tree.arrays.all_in_start
        return [level for level in range(self.tree.levels) if starts[level] < starts[level + 1]]

    def estimate(self) -> Estimate:
        """Memory and sizes, before anything is allocated."""
        hands = (len(self.hands[0]), len(self.hands[1]))
        sizes = self.boards.level_sizes
        all_in_boards = sum(sizes[level] for level in self._all_in_levels())
        return Estimate(
            nodes=len(self.tree.nodes),
            boards=sum(sizes),
            hands=hands,
            entries=self._layout.entries,
            storage_bytes=self._storage_bytes(),
            table_bytes=table_bytes(sum(sizes), sizes[-1], all_in_boards, hands),
            work_bytes=4 * self._layout.work_floats * self.threads,
        )

    def _storage_bytes(self) -> int:
        entries = self._layout.entries
        tables = 4 * entries + 4 * self._layout.scales if self.compressed else 8 * entries
        return tables + (4 * entries if self.spot.locks else 0)

    def allocate(self, memory_limit_bytes: int | None = None) -> "SubgameSolver":
        """Make the tables, or refuse in one sentence if they do not fit into memory."""
        self.estimate().check(memory_limit_bytes)
        self.deals: Deals = holdem_deals(self.boards, self.spot.ranges, self._all_in_levels())
        number: type[np.int16] | type[np.float32] = np.int16 if self.compressed else np.float32
        entries = self._layout.entries
        self.storage = Storage(
            regrets=np.zeros(entries, dtype=number),
            averages=np.zeros(entries, dtype=number),
            scales=np.zeros(self._layout.scales if self.compressed else 0, dtype=np.float32),
            locked=np.zeros(entries if self.spot.locks else 0, dtype=np.float32),
        )
        self.work = [np.zeros(self._layout.work_floats, dtype=np.float32) for _ in range(self.threads)]
        self.weights = np.zeros((2, int(self.tree.arrays.player_hands.max())), dtype=np.float32)
        for player in (0, 1):
            self.weights[player, : len(self.hands[player])] = self.deals.weights[player]
        self._allocated = True
        return self

    def solve(
        self,
        *,
        target_percent: float | None = None,
        deadline: float | None = None,
        max_iterations: int | None = None,
        min_iterations: int = 0,
        stop: Callable[[], bool] = lambda: False,
        progress: Callable[[int, float], None] | None = None,
    ) -> SolveResult:
        """Iterate until the exploitability is at most `target_percent` of the pot, `deadline` (of `time.monotonic`) or
        `max_iterations`, whichever comes first; `min_iterations` has priority over the deadline.

        `stop` is asked between runs of iterations; `progress` hears iterations and per cent of the pot at each check.
        """
        if target_percent is None and deadline is None and max_iterations is None:
            raise ConfigError("a solve needs a target, a deadline or a number of iterations")
        if not self._allocated:
            self.allocate()
        start = time.monotonic()
        first = self.iterations
        last = first + max_iterations if max_iterations is not None else None
        next_check = first + CHECK_STEP
        exploitability = None
        seconds_each = 0.0
        with Crew(self) as crew:
            while True:
                count = _run_length(seconds_each)
                if last is not None:
                    count = min(count, last - self.iterations)
                if target_percent is not None:
                    count = min(count, next_check - self.iterations)
                if deadline is not None and self.iterations - first >= min_iterations:
                    left = deadline - time.monotonic()
                    if left < seconds_each or left <= 0:
                        return self._result(first, start, exploitability, "deadline")
                    count = min(count, max(1, int(left / seconds_each))) if seconds_each else 1
                if count <= 0:
                    return self._result(first, start, exploitability, "iterations")
                before = time.monotonic()
                crew.iterate(self.schedule.factors(self.iterations, count))
                seconds_each = (time.monotonic() - before) / count
                self.iterations += count
                if target_percent is not None and self.iterations >= next_check:
                    exploitability = self._exploitability(crew)
                    percent = 100.0 * exploitability / self.spot.pot
                    if progress is not None:
                        progress(self.iterations, percent)
                    if percent <= target_percent:
                        return self._result(first, start, exploitability, "target")
                    next_check = self.iterations + _next_step(self.iterations, percent, target_percent)
                if stop():
                    return self._result(first, start, exploitability, "interrupt")

    def _result(self, first: int, start: float, exploitability: float | None, stopped_by: str) -> SolveResult:
        return SolveResult(self.iterations - first, time.monotonic() - start, exploitability, stopped_by)

    def exploitability(self) -> float:
        """(best response of oop + best response of ip − pot) / 2, in chips: exact, against the average strategies."""
        with Crew(self) as crew:
            return self._exploitability(crew)

    def _exploitability(self, crew: "Crew") -> float:
        return sum(crew.root_value(player, BEST) for player in (0, 1)) / 2.0

    def expected_values(self) -> tuple[float, float]:
        """EV of both players under the average strategies: chips from the pot less chips put in from the root on."""
        with Crew(self) as crew:
            share = crew.root_value(0, MEAN)
        half = self.spot.pot / 2.0
        return half + share + self.spot.bets[0], half - share + self.spot.bets[1]

    def root_values(self, player: int, mode: int = MEAN) -> Float64:
        """(1326,) counterfactual values of a player's hands at the root, in chips × opposing reach, zero-sum."""
        with Crew(self) as crew:
            crew.traverse(player, mode)
        values = np.zeros(NUM_HOLE_PAIRS)
        values[self.hands[player]] = self._root_row(player)
        return values

    def hand_values(self, player: int) -> dict[int, float]:
        """EV of each hand of a player at the root; NaN for a hand that no opposing hand can meet."""
        values = self.root_values(player)
        meeting = np.array(opposing_weight(self.spot.ranges[1 - player]))
        with np.errstate(divide="ignore", invalid="ignore"):
            means = np.where(meeting > 0, values / meeting, np.nan) + self.spot.pot / 2.0 + self.spot.bets[player]
        return {int(hand): float(means[hand]) for hand in self.hands[player][::-1]}

    def average_strategy(self, node: int, level: int = 0, board: int = 0) -> Float64:
        """(hands, actions) probabilities of the average strategy at a decision on a stored board."""
        arrays = self.tree.arrays
        actions, hands = int(arrays.num_actions[node]), int(arrays.player_hands[arrays.player[node]])
        start = int(self.plan.storage_start[level]) + int(arrays.storage[node])
        start += (board - self.boards.level_start[level]) * int(arrays.block[level])
        rows = self.storage.averages[start : start + actions * hands].reshape(actions, hands).T.astype(np.float64)
        rows = rows[: len(self.hands[int(arrays.player[node])])]
        totals = rows.sum(axis=1, keepdims=True)
        return np.where(totals > 0, rows / np.where(totals > 0, totals, 1.0), 1.0 / actions)

    def _root_row(self, player: int) -> Float64:
        arrays = self.tree.arrays
        hands = int(arrays.player_hands[player])
        start = int(self.plan.values_at[0]) + int(arrays.value_row[player, 0]) * hands
        return self.work[0][start : start + len(self.hands[player])].astype(np.float64)


def _run_length(seconds_each: float) -> int:
    """Iterations between two looks at the clock."""
    return max(1, min(1000, int(LOOK_SECONDS / seconds_each))) if seconds_each > 0 else 1


def _next_step(iterations: int, percent: float, target: float) -> int:
    """Iterations to the next check: two thirds of the way that is expected, at a decay of 1 / t^1.5."""
    expected = iterations * ((percent / target) ** (2.0 / 3.0) - 1.0) if target > 0 else iterations
    return max(CHECK_STEP, min(iterations, int(expected * 2.0 / 3.0)))


def traversing(solver: SubgameSolver) -> "Crew":
    """A crew for one block: `with traversing(solver) as crew: crew.traverse(player, MEAN)`."""
    return Crew(solver)


class Crew:
    """Runs traversals on one or several threads: cards dealt after the root street are shared out among them."""

    def __init__(self, solver: SubgameSolver) -> None:
        self.solver = solver
        self.threads = solver.threads
        self.pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, *_: object) -> None:
        if self.pool is not None:
            self.pool.shutdown()

    def iterate(self, factors: Float32) -> None:
        """One iteration per row of `factors`."""
        solver = self.solver
        if self.pool is None and solver.evaluator is None and solver.gadget is None:
            self._run(0, 0, 1, 1, (0, 1), UPDATE, factors, solver.work[0])
            return
        for row in factors:
            for player in (0, 1):
                self.traverse(player, UPDATE, row)
                if solver.gadget is not None and solver.gadget.player == player:
                    solver.gadget.learn(solver._root_row(player).astype(np.float32))

    def root_value(self, player: int, mode: int) -> float:
        """Mean value at the root over all deals, in chips, zero-sum."""
        self.traverse(player, mode)
        return float(self.solver.deals.weights[player] @ self.solver._root_row(player)) / self.solver.joint_weight

    def traverse(self, player: int, mode: int, factors: Float32 | None = None) -> None:
        """One traversal; the values of the root are in the first work array afterwards."""
        solver = self.solver
        factors = np.zeros(3, dtype=np.float32) if factors is None else factors
        if self.pool is None and solver.evaluator is None and solver.gadget is None:
            self._run(0, 0, 1, 1, (player,), mode, factors[None, :], solver.work[0])
            return
        tree, deals, plan, work = solver.tree.arrays, solver.deals.arrays, solver.plan, solver.work[0]
        source = solver.storage.regrets if mode == UPDATE else solver.storage.averages
        kernels.set_root(tree, plan, player, self._root_weights(player), work)
        kernels.descend(tree, plan, 0, 0, player, source, work)
        kernels.evaluate_lanes(tree, deals, plan, 0, 0, player, work)
        kernels.evaluate_all_ins(tree, deals, plan, 0, 0, player, work)
        self._deal(player, mode, factors[None, :])
        if solver.evaluator is not None:
            self._evaluate_leaves(player)
        kernels.ascend(tree, plan, 0, 0, player, mode, factors, solver.storage, work)

    def _root_weights(self, player: int) -> Float32:
        gadget = self.solver.gadget
        if gadget is None or gadget.player == player:
            return self.solver.weights
        weights = self.solver.weights.copy()
        weights[gadget.player, : len(self.solver.hands[gadget.player])] = gadget.entering()
        return weights

    def _deal(self, player: int, mode: int, factors: Float32) -> None:
        """Visit the boards of the next street, each thread its share, and add up the values at the deals."""
        solver = self.solver
        arrays = solver.tree.arrays
        if arrays.deal_start[1] == arrays.deal_start[0]:
            return
        first, last = (int(n) for n in solver.deals.arrays.children[:2])
        parent = solver.work[0]
        step = self.threads
        shares = [(1, first + i, last, step, (player,), mode, factors, solver.work[i]) for i in range(step)]
        running = [self.pool.submit(self._run, *share) for share in shares[1:]] if self.pool is not None else []
        self._run(*shares[0])
        for future in running:
            future.result()
        hands = int(arrays.player_hands[player])
        for node in arrays.deals[: arrays.deal_start[1]]:
            start = int(solver.plan.values_at[0]) + int(arrays.value_row[player, node]) * hands
            for work in solver.work[1 : self.threads]:
                parent[start : start + hands] += work[start : start + hands]

    def _run(
        self, level: int, first: int, last: int, step: int, players: tuple[int, ...], mode: int, factors: Float32,
        work: Float32,
    ) -> None:  # fmt: skip
        solver = self.solver
        kernels.run(
            solver.tree.arrays, solver.deals.arrays, solver.plan, level, first, last, step,
            np.array(players, dtype=np.int64), mode, factors, solver.storage, solver.weights, solver.work[0], work,
        )  # fmt: skip

    def _evaluate_leaves(self, player: int) -> None:
        solver = self.solver
        assert solver.evaluator is not None
        arrays, plan, work = solver.tree.arrays, solver.plan, solver.work[0]
        own, other = int(arrays.player_hands[player]), int(arrays.player_hands[1 - player])
        nodes = np.array(solver.tree.leaves)
        rows = work[int(plan.reach_at[0]) :][: int(arrays.sizes[player, 0, 0]) * other].reshape(-1, other)
        reach = rows[arrays.row[player, nodes], : len(solver.hands[1 - player])]
        values = work[int(plan.values_at[0]) :][: int(arrays.sizes[player, 0, 3]) * own].reshape(-1, own)
        values[arrays.value_row[player, nodes], : len(solver.hands[player])] = solver.evaluator(player, reach)


