"""The life of a solve in five visible steps: build → estimate → allocate → solve → ask.

solver = SubgameSolver(spot)                  # build: the betting tree and the boards
print(solver.estimate().total_bytes)          # estimate: known before anything is allocated
solver.allocate()
result = solver.solve(target_percent=0.5)     # anytime: until a target, a deadline or a number of iterations
Solution(solver, result).node("bet 45").frequencies  # ask
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.cards import NUM_HOLE_PAIRS
from holdem.errors import ConfigError
from holdem.realtime.subgame.best_average import BestAverage
from holdem.realtime.subgame.boards import enumerate_boards
from holdem.realtime.subgame.deals import Deals, hands_of, holdem_deals
from holdem.realtime.subgame.flat_tree import FlatTree, flatten
from holdem.realtime.subgame.hooks import LeafEvaluator, RootGadget
from holdem.realtime.subgame.kernels.arrays import Storage
from holdem.realtime.subgame.kernels.traversal import MEAN
from holdem.realtime.subgame.loop import Limits, SolveLoop, SolveResult, exploitability_of
from holdem.realtime.subgame.plan import Estimate, make_plan, table_bytes
from holdem.realtime.subgame.schedules import Schedule
from holdem.realtime.subgame.spot import Spot, joint_weight, opposing_weight
from holdem.realtime.subgame.traversal import Crew
from holdem.realtime.subgame.tree import Leaves, Node, TreeBuilder

Float32 = npt.NDArray[np.float32]
Float64 = npt.NDArray[np.float64]


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
        self.make_crew: Callable[[SubgameSolver], Crew] = Crew
        """Who runs the traversals of `solve`."""
        root = TreeBuilder(spot.root(), spot.sizes_of, spot.played, leaves).build()
        hands = hands_of(spot.ranges, spot.board)
        self.tree: FlatTree = flatten(root, spot.pot, (len(hands[0]), len(hands[1])))
        self.boards = enumerate_boards(spot.board, spot.ranges, self.tree.levels, symmetric and not spot.locks)
        self._layout = make_plan(self.tree, self.boards.level_sizes, compressed)
        self.plan = self._layout.plan
        self.compressed = compressed
        # Threads share the cards dealt after the root street, or its leaves, so a river has work for one.
        self.threads = max(1, threads) if self.tree.levels > 1 or self.tree.leaves else 1
        self.hands = hands
        self.joint_weight = joint_weight(spot.ranges[0], spot.ranges[1])
        self._allocated = False
        self._best: BestAverage | None = None

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
        self.works = np.zeros((self.threads, self._layout.work_floats), dtype=np.float32)
        self.work = list(self.works)
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
        for name, limit in (("target_percent", target_percent), ("max_iterations", max_iterations)):
            if limit is not None and not limit >= 0:  # NaN, too, would never end
                raise ConfigError(f"{name} is {limit}; it must be at least 0")
        if not self._allocated:
            self.allocate()
        if self._best is not None:
            self._best.go_on()
        limits = Limits(target_percent, deadline, max_iterations, max(1, min_iterations))
        with self.make_crew(self) as crew:
            return SolveLoop(self, crew, limits, stop, progress).run()

    def best_average(self) -> BestAverage:
        """The best average strategy of this solve and of those that it goes on from."""
        if self._best is None:
            self._best = BestAverage(self)
        return self._best

    def exploitability(self) -> float:
        """(best response of oop + best response of ip − pot) / 2, in chips: exact, against the average strategies."""
        with Crew(self) as crew:
            return exploitability_of(crew)

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
        values[self.hands[player]] = self.root_row(player)
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
        rows = self.node_rows(self.storage.averages, node, level, board).T.astype(np.float64)
        totals = rows.sum(axis=1, keepdims=True)
        return np.where(totals > 0, rows / np.where(totals > 0, totals, 1.0), 1.0 / rows.shape[1])

    def node_rows(self, table: npt.NDArray[Any], node: int, level: int = 0, board: int = 0) -> npt.NDArray[Any]:
        """(actions, hands): the part of a table (regrets, averages, locked) that belongs to a decision, as a view."""
        arrays = self.tree.arrays
        player = int(arrays.player[node])
        actions, width = int(arrays.num_actions[node]), int(arrays.player_hands[player])
        start = int(self.plan.storage_start[level]) + int(arrays.storage[node])
        start += (board - self.boards.level_start[level]) * int(arrays.block[level])
        return table[start : start + actions * width].reshape(actions, width)[:, : len(self.hands[player])]

    def root_row(self, player: int) -> Float64:
        """(hands,) counterfactual values at the root after a traversal of that player."""
        arrays = self.tree.arrays
        hands = int(arrays.player_hands[player])
        start = int(self.plan.values_at[0]) + int(arrays.value_row[player, 0]) * hands
        return self.work[0][start : start + len(self.hands[player])].astype(np.float64)
