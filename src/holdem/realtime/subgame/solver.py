"""The life of a solve in five visible steps: build → estimate → allocate → solve → ask.

    solver = SubgameSolver(spot)                  # build: the betting tree and the boards
    print(solver.estimate().total_bytes)          # estimate: known before anything is allocated
    solver.allocate()
    result = solver.solve(target_percent=0.5)     # anytime: until a target, a deadline or a number of iterations
    Solution(solver, result).node("bet 45").frequencies  # ask

What a solve takes is known before it is allocated, and it can go on after it was asked.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from holdem.cards import NUM_HOLE_PAIRS
from holdem.cards.ranges import joint_weight, opposing_weight
from holdem.errors import ConfigError
from holdem.realtime.subgame.best_average import BestAverage
from holdem.realtime.subgame.boards import enumerate_boards
from holdem.realtime.subgame.deals import hands_of, holdem_deals
from holdem.realtime.subgame.flat_tree import FlatTree, flatten, padded
from holdem.realtime.subgame.groups.street import StreetGroups, open_street
from holdem.realtime.subgame.kernels.arrays import Storage
from holdem.realtime.subgame.kernels.traversal import LARGEST_SHORT, MEAN
from holdem.realtime.subgame.loop import SolveLimits, SolveLoop, SolveResult
from holdem.realtime.subgame.nodes.path import Place
from holdem.realtime.subgame.plan import SolveSize, plan_memory, table_bytes
from holdem.realtime.subgame.schedules import Schedule
from holdem.realtime.subgame.spot import Spot
from holdem.realtime.subgame.traversal import Traversals
from holdem.realtime.subgame.tree import TreeBuilder
from holdem.realtime.subgame.workspace import RootGadget, Strategy, Workspace, as_probabilities
from holdem.util.arrays import Float32, Float64

RIVER = 3


class SubgameSolver:
    """Discounted CFR on one spot.

    grouping: which street has its hands in groups, if one has; the exploitability is then that of the grouped game
    """

    def __init__(
        self,
        spot: Spot,
        *,
        threads: int = 1,
        schedule: Schedule | None = None,
        gadget: RootGadget | None = None,
        symmetric: bool = True,
        compressed: bool = False,
        grouping: StreetGroups | None = None,
    ) -> None:
        if grouping is not None:
            grouping.check(spot, compressed)
        self.spot = spot
        self.grouping = grouping
        self.schedule = schedule or Schedule()
        self.gadget = gadget
        last_street = RIVER if grouping is None else grouping.last_street(spot)
        root = TreeBuilder(spot.root(), spot.sizes_of, spot.played, last_street).build()
        hands = hands_of(spot.ranges, spot.board)
        self.tree: FlatTree = flatten(root, spot.pot, (len(hands[0]), len(hands[1])))
        levels = self.tree.levels
        if grouping is not None:
            levels = min(levels, grouping.exact_streets(spot))
        self.boards = enumerate_boards(spot.board, spot.ranges, levels, symmetric and not spot.locks)
        below = [0] * (self.tree.levels - levels)
        self._memory = plan_memory(self.tree, self.boards.level_sizes + below, compressed)
        self._root = root
        self.compressed = compressed
        # Threads share the cards dealt after the root street, so a river has work for one.
        self.threads = max(1, threads) if self.tree.levels > 1 else 1
        self.hands = hands
        self._workspace: Workspace | None = None
        self._best: BestAverage | None = None

    def _all_in_levels(self) -> list[int]:
        """Where pairs of hands are compared; above a grouped street, turns compare hands with groups."""
        starts = self.tree.arrays.all_in_start
        levels = len(self.boards.level_sizes) if self.grouping is None else 1
        return [level for level in range(levels) if starts[level] < starts[level + 1]]

    def estimate(self) -> SolveSize:
        """Memory and sizes, before anything is allocated."""
        hands = (len(self.hands[0]), len(self.hands[1]))
        sizes = self.boards.level_sizes
        all_in_boards = sum(sizes[level] for level in self._all_in_levels())
        return SolveSize(
            nodes=len(self.tree.nodes),
            boards=sum(sizes),
            hands=hands,
            entries=self._entries(),
            storage_bytes=self._storage_bytes(),
            table_bytes=table_bytes(sum(sizes), sizes[-1], all_in_boards, hands),
            work_bytes=4 * self._memory.work_floats * self.threads,
        )

    def _entries(self) -> int:
        """Of the tables; groups count as if all of them were filled."""
        arrays = self.tree.arrays
        exact = len(self.boards.level_sizes)
        if self.grouping is None or self.tree.levels == exact:
            return self._memory.entries
        actions = int(arrays.num_actions[arrays.node_start[exact] :].sum())
        cards = self.grouping.cards(self.spot, self.boards)
        return self._memory.entries + cards * actions * padded(self.grouping.groups)

    @property
    def table_lengths(self) -> dict[str, int]:
        """Of the tables that a file holds; with exact hands, which alone are saved."""
        entries = self._memory.entries
        return {"regrets": entries, "averages": entries, "scales": self._memory.scales if self.compressed else 0}

    def _storage_bytes(self) -> int:
        entries = self._entries()
        tables = 4 * entries + 4 * self._memory.scales if self.compressed else 8 * entries
        return tables + (4 * entries if self.spot.locks else 0)

    def allocate(self, memory_limit_bytes: int | None = None) -> "SubgameSolver":
        """Make the tables, or refuse in one sentence if they do not fit into memory."""
        self.estimate().check(memory_limit_bytes)
        drawn = None if self.grouping is None else self.grouping.drawn(self.spot)
        deals = holdem_deals(self.boards, self.spot.ranges, self._all_in_levels(), drawn)
        number: type[np.int16] | type[np.float32] = np.int16 if self.compressed else np.float32
        entries = self._memory.entries
        grouped = None
        if self.grouping is not None and self.tree.levels > len(self.boards.level_sizes):
            grouped = open_street(
                self.grouping, self._root, self.spot, self.tree, self.boards, deals, entries, self.threads
            )
            entries += grouped.entries
        weights = np.zeros((2, int(self.tree.arrays.player_hands.max())), dtype=np.float32)
        for player in (0, 1):
            weights[player, : len(self.hands[player])] = deals.weights[player]
        self._workspace = Workspace(
            tree=self.tree,
            deals=deals,
            memory=self._memory.places,
            storage=Storage(
                regrets=np.zeros(entries, dtype=number),
                averages=np.zeros(entries, dtype=number),
                scales=np.zeros(self._memory.scales if self.compressed else 0, dtype=np.float32),
                locked=np.zeros(entries if self.spot.locks else 0, dtype=np.float32),
            ),
            works=np.zeros((self.threads, self._memory.work_floats), dtype=np.float32),
            weights=weights,
            joint_weight=joint_weight(self.spot.ranges[0], self.spot.ranges[1]),
            grouped=grouped,
        )
        self._best = None
        return self

    @property
    def workspace(self) -> Workspace:
        """The arrays of the solve, for this room alone; made now if nobody has called `allocate`."""
        if self._workspace is None:
            self.allocate()
        assert self._workspace is not None
        return self._workspace

    @property
    def iterations(self) -> int:
        """Iterations so far."""
        return 0 if self._workspace is None else self._workspace.iterations

    # Strategies and values that are given

    def set_average(self, node: int, strategy: Strategy, level: int = 0, board: int = 0) -> None:
        """Make `strategy: (hands, actions)` the average strategy of a decision; the next iterations add to it."""
        scale = LARGEST_SHORT if self.compressed else 1.0
        self.workspace.rows(self.workspace.storage.averages, node, level, board)[:] = scale * strategy.T

    def lock(
        self,
        node: int,
        strategy: Strategy,
        level: int = 0,
        board: int = 0,
        hands: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        """Make a decision play `strategy: (hands, actions)` whatever is learned: with all hands, or with `hands`."""
        locked = np.ones(len(strategy), dtype=np.bool_) if hands is None else hands
        self.workspace.lock(node, level, board, strategy, locked)

    # Solving

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
        if self._best is not None:
            self._best.go_on()
        limits = SolveLimits(target_percent, deadline, max_iterations, max(1, min_iterations), stop)
        # A gadget aims at something else than a low exploitability.
        best = self.best_average() if limits.may_cut_short and self.gadget is None else None
        seconds = self.estimate().seconds_per_iteration
        with Traversals(self.workspace, self.gadget) as traversals:
            return SolveLoop(traversals, self.schedule, limits, best, self.spot.pot, seconds, progress).run()

    def best_average(self) -> BestAverage:
        """The best average strategy of this solve and of those that it goes on from."""
        if self._best is None:
            self._best = BestAverage(self.workspace)
        return self._best

    # Asking

    def exploitability(self) -> float:
        """(best response of oop + best response of ip − pot) / 2, in chips: exact, against the average strategies."""
        with Traversals(self.workspace) as traversals:
            return traversals.exploitability()

    def is_locked(self, place: Place) -> bool:
        """Whether a decision has hands whose strategy is not learned."""
        locked = self.workspace.storage.locked
        return bool(len(locked)) and bool(self.workspace.rows(locked, place.node, place.level, place.board).any())

    def expected_values(self) -> tuple[float, float]:
        """EV of both players under the average strategies: chips from the pot less chips put in from the root on."""
        with Traversals(self.workspace) as traversals:
            share = traversals.mean_value(0)
        half = self.spot.pot / 2.0
        return half + share + self.spot.bets[0], half - share + self.spot.bets[1]

    def root_values(self, player: int, mode: int = MEAN) -> Float64:
        """(1326,) counterfactual values of a player's hands at the root, in chips × opposing reach, zero-sum."""
        values = np.zeros(NUM_HOLE_PAIRS)
        with Traversals(self.workspace) as traversals:
            values[self.hands[player]] = traversals.root_values(player, mode)
        return values

    def values_after_cards(self, player: int) -> Float32:
        """(cards, hands, closing lines) what a player's hands get at most from the next street on, after each card and
        line, against the average strategies; in chips × opposing reach, zero-sum. Cards in the order of the deck.
        """
        with Traversals(self.workspace) as traversals:
            return traversals.values_after_cards(player, self.boards)

    def hand_values(self, player: int) -> dict[int, float]:
        """EV of each hand of a player at the root; NaN for a hand that no opposing hand can meet."""
        values = self.root_values(player)
        meeting = opposing_weight(self.spot.ranges[1 - player])
        with np.errstate(divide="ignore", invalid="ignore"):
            means = np.where(meeting > 0, values / meeting, np.nan) + self.spot.pot / 2.0 + self.spot.bets[player]
        return {int(hand): float(means[hand]) for hand in self.hands[player][::-1]}

    def action_values(self, place: Place) -> Float64:
        """(hands, actions) counterfactual values of whoever decides at a place, in chips × opposing reach, zero-sum."""
        with Traversals(self.workspace) as traversals:
            return traversals.action_values(place, self.tree.nodes[place.node].player)

    def best_values(self, place: Place) -> Float64:
        """(hands,) what a best response from a place of the root's street on gets, as `action_values` counts it."""
        with Traversals(self.workspace) as traversals:
            return traversals.best_values(place, self.tree.nodes[place.node].player)

    def average_strategy(self, node: int, level: int = 0, board: int = 0) -> Float64:
        """(hands, actions) probabilities of the average strategy at a decision on a stored board."""
        return as_probabilities(self.workspace.rows(self.workspace.storage.averages, node, level, board))
