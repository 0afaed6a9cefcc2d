"""A river with three players left, solved without sampling: discounted CFR over all hands of everybody.

Sampled CFR teaches each hand by one deal of the others at a time. Here an iteration goes through all of them: what a
hand wins is a sum over pairs of the others' hands that is exact in card removal (`kernels/pairs.py`). Three players
have no value to converge to; what is measured is how much each could gain alone.

    solver = RiverSolver.build(street, ranges, board)
    solver.run(iterations=100, deadline=None)
    solver.policy(street.decision)
"""

import time
from collections.abc import Callable

import numpy as np

from holdem.cards.cards import HOLE_CARDS, NUM_HOLE_PAIRS, Cards
from holdem.cards.kernels.evaluator import board_strengths
from holdem.errors import HoldemError
from holdem.realtime.multiway.kernels import pairs as pair_kernels
from holdem.realtime.multiway.kernels import river as kernels
from holdem.realtime.multiway.shape import check_ranges, live_positions
from holdem.realtime.search.ranges import free_of
from holdem.realtime.search.street_tree import StreetTree
from holdem.realtime.subgame.schedules import Schedule
from holdem.realtime.waiting import nobody_waits
from holdem.util.arrays import Float64, Int32, Int64

SCHEDULE = Schedule()
ROUND = 60
"""Iterations in which every correction for card removal is computed anew."""
_WIDTH = 8
_IMPOSSIBLE = 1e-6


class RiverSolver:
    """One solve. `ranges`: (positions, 1326) weights at the start of the street."""

    def __init__(
        self, street: StreetTree, ranges: Float64, board: Cards, locked: dict[int, Float64], live: list[int]
    ) -> None:
        self.street, self.tree = street, street.tree
        self.iterations = 0
        self.live = np.array(live, dtype=np.int64)
        self._hands, self._cards, self._ends = _hands_by_strength(ranges[live], board)
        self._lay_out(locked)
        rows, hands = self._rows, len(self._cards)
        reach, regrets, shares, sums, beaten, every = (np.zeros((rows, hands), np.float32) for _ in range(6))
        values = np.zeros((self.tree.num_nodes, hands), np.float32)
        self._tables = kernels.RiverTables(reach, regrets, shares, sums, beaten, every, values)
        self._scratch = np.zeros(pair_kernels.SCRATCH, np.float32)
        self._columns = np.zeros((2 * hands + pair_kernels.CARDS) * _WIDTH, np.float32)
        for p, position in enumerate(live):
            self._tables.reach[self._starts[p], : len(self._hands)] = ranges[position, self._hands]
        for node, strategy in locked.items():
            first = int(self._river.row[node])
            for action in range(strategy.shape[1]):
                self._tables.shares[first + action, : len(self._hands)] = strategy[self._hands, action]
        for p in range(3):
            self._tables.sums[self._starts[p]] = self._tables.reach[self._starts[p]]
            kernels.play(self._river, self._tables, p, 1.0)
            self._sweep(p, self._tables)
        self._start_corrections()

    @classmethod
    def build(
        cls, street: StreetTree, ranges: Float64, board: Cards, locked: dict[int, Float64] | None = None
    ) -> "RiverSolver":
        """Make room for a solve. `locked`: nodes whose strategy, (1326, actions), stays as it was played."""
        live = live_positions(street.tree)
        if len(live) != 3 or len(board) != 5:
            raise HoldemError(f"{len(live)} players on {len(board)} cards are not three on a river; sample them")
        check_ranges(street.tree, ranges, board)
        return cls(street, ranges * free_of(board), board, locked or {}, live)

    def run(self, iterations: int, deadline: float | None = None, heard: Callable[[int], None] | None = None) -> int:
        """At most so many more iterations, until the monotonic `deadline`; how many there are now."""
        last = self.iterations + iterations
        while self.iterations < last:
            if (deadline is not None and time.monotonic() >= deadline) or nobody_waits():
                break
            self._iterate()
            if heard is not None:
                heard(self.iterations)
        return self.iterations

    def policy(self, node: int) -> Float64:
        """(1326, actions): the average strategy at a decision node; uniform where a hand never got there."""
        count, first = int(self.tree.num_actions[node]), int(self._river.row[node])
        table = self._tables.shares if self._river.locked[node] else self._tables.sums
        sums = np.zeros((NUM_HOLE_PAIRS, count))
        sums[self._hands] = table[first : first + count, : len(self._hands)].T
        total = sums.sum(axis=1, keepdims=True)
        return np.where(total > 0.0, sums / np.where(total > 0.0, total, 1.0), 1.0 / count)

    def action_values(self) -> Float64:
        """(1326, actions): chips that each action of the decision asked about wins, counted from the hand's start.

        All play their average strategies. NaN for hands with which the others cannot come there.
        """
        node = self.street.decision
        count, player = int(self.tree.num_actions[node]), int(self._river.player[node])
        average, first, end = self._average(), int(self.tree.first_child[node]), int(self.tree.end[node])
        others = [int(self._river.own_row[node, p]) for p in range(3) if p != player]
        came = np.zeros(len(self._cards), np.float32)
        pair_kernels.pair_sums(
            pair_kernels.ALL, average.reach[others[0]], average.reach[others[1]], self._cards, self._ends,
            self._scratch, came,
        )  # fmt: skip
        came = came[: len(self._hands)]
        possible = came > _IMPOSSIBLE * came.max(initial=0.0)
        values = np.full((NUM_HOLE_PAIRS, count), np.nan)
        kernels.terminal_values(
            self._river, self._exact_pairs(average, first, end, player), average, first, end, player
        )
        kernels.decision_values(self._river, average, first, end, player, 1.0, 1.0, False)
        for action in range(count):
            won = average.values[first + action, : len(self._hands)]
            values[self._hands[possible], action] = won[possible] / came[possible]
        return values

    def _iterate(self) -> None:
        positive, negative, weight = SCHEDULE.factors(self.iterations, 1)[0].tolist()
        kernels.iterate(
            self._river, self._pairs, self._tables, self._turns, self._cards, self._ends, self._scratch, self._columns,
            positive, negative, weight,
        )  # fmt: skip
        self.iterations += 1

    def _sweep(self, p: int, tables: kernels.RiverTables) -> None:
        """What every hand beats of each of p's rows."""
        pair_kernels.sweep_rows(
            tables.reach.reshape(-1), self._starts[p], self._starts[p + 1], self._cards, self._ends, self._columns,
            tables.beaten.reshape(-1), tables.every.reshape(-1),
        )  # fmt: skip

    def _average(self) -> kernels.RiverTables:
        """The average strategies in the place of the present ones: the sums are their reach."""
        tables, river = self._tables, self._river
        shares = tables.shares.copy()
        total = np.zeros(shares.shape[1], np.float32)
        for node in np.flatnonzero((river.player >= 0) & (river.locked == 0)).tolist():
            kernels.match_regrets(tables.sums, shares, int(river.row[node]), int(river.num_actions[node]), total)
        average = tables._replace(
            reach=tables.sums, shares=shares, beaten=np.zeros_like(shares), every=np.zeros_like(shares)
        )
        for p in range(3):
            self._sweep(p, average)
        return average

    def _exact_pairs(self, tables: kernels.RiverTables, first: int, end: int, p: int) -> kernels.RiverPairs:
        """The pairs with corrections that are exact for p's values at the nodes from `first` to `end`."""
        terms = self._river.first_term[first:end]
        needed = [self._river.term_pair[row[p] : row[p + 1]] for row in terms]
        pairs = self._pairs._replace(correction=self._pairs.correction.copy())
        self._correct(np.unique(np.concatenate(needed)), pairs, tables)
        return pairs

    def _correct(self, places: Int64, pairs: kernels.RiverPairs, tables: kernels.RiverTables) -> None:
        """Compute the corrections of some pairs."""
        pair_kernels.corrections(
            places, pairs.kinds, pairs.rows, tables.reach, tables.beaten, tables.every, self._cards, self._ends,
            self._scratch, pairs.correction,
        )  # fmt: skip

    def _lay_out(self, locked: dict[int, Float64]) -> None:
        """Rows of all actions, and the terms of all terminals."""
        tree, nodes = self.tree, self.tree.num_nodes
        number = np.full(tree.num_players, -1, dtype=np.int64)
        number[self.live] = np.arange(3)
        actions = [int(tree.num_actions[tree.player == position].sum()) for position in self.live]
        widths = [(1 + count + _WIDTH - 1) // _WIDTH * _WIDTH for count in actions]
        self._starts = np.cumsum([0, *widths]).astype(np.int64)
        self._rows = int(self._starts[-1])
        row, who = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
        own_row = np.zeros((nodes, 3), np.int64)
        kernels.number_rows(
            tree.player, tree.num_actions, tree.parent, tree.first_child, number, self._starts[:3], row, own_row, who
        )
        first_term = np.zeros((nodes, 4), np.int64)
        keys, chips = np.zeros(12 * nodes, np.int64), np.zeros(12 * nodes, np.float32)
        count = kernels.list_terms(
            who, tree.chips_in, tree.folded, self.live, own_row, self._rows, first_term, keys, chips
        )
        found, places = np.unique(keys[:count], return_inverse=True)
        fixed = np.zeros(nodes, np.int8)
        fixed[list(locked)] = 1
        played = np.full(nodes, -1, np.int64)
        for node, child in zip(self.street.line, self.street.line[1:], strict=False):
            played[node] = child - int(tree.first_child[node])
        self._river = kernels.RiverTree(
            who, tree.num_actions, tree.first_child, row, own_row, fixed, played, first_term, places.astype(np.int64),
            chips[:count],
        )  # fmt: skip
        rows = np.stack([found // self._rows % self._rows, found % self._rows], axis=1)
        correction = np.ones((len(found), len(self._cards)), np.float32)
        self._pairs = kernels.RiverPairs(found // self._rows**2, np.ascontiguousarray(rows), correction)
        owners = np.searchsorted(self._starts, rows, side="right") - 1
        own = [np.flatnonzero(owners.sum(axis=1) == 3 - p) for p in range(3)]
        starts = np.cumsum([0, *(len(pairs) for pairs in own)])
        refreshed = np.array([-(-len(pairs) // ROUND) for pairs in own])
        self._turns = kernels.RiverTurns(np.concatenate(own), starts, np.zeros(3, np.int64), refreshed, self._starts)

    def _start_corrections(self) -> None:
        """Until a pair's correction is computed, that of the two ranges stands for it."""
        rows = self._starts[np.array([(1, 2), (0, 2), (0, 1)])]
        whole = np.ones((3, len(self._cards)), np.float32)
        ranges = kernels.RiverPairs(np.zeros(3, np.int64), rows, whole)
        self._correct(np.arange(3), ranges, self._tables)
        for p in range(3):
            own = self._turns.pairs[self._turns.starts[p] : self._turns.starts[p + 1]]
            self._pairs.correction[own] = whole[p]


def _hands_by_strength(ranges: Float64, board: Cards) -> tuple[Int64, Int32, Int32]:
    """The hands of any range from weak to strong; their cards, numbered without the board's and padded to a multiple of
    eight hands; where groups of equal strength end."""
    strengths = np.zeros(NUM_HOLE_PAIRS, np.int16)
    board_strengths(np.array(board, dtype=np.uint8), strengths)
    held = np.flatnonzero((ranges > 0.0).any(axis=0))
    hands = held[np.argsort(strengths[held], kind="stable")]
    number = np.cumsum(~np.isin(np.arange(52), list(board))) - 1
    cards = np.zeros(((len(hands) + _WIDTH - 1) // _WIDTH * _WIDTH, 2), np.int32)
    cards[: len(hands)] = number[HOLE_CARDS[hands]]
    changes = np.flatnonzero(np.diff(strengths[hands])) + 1
    return hands, cards, np.append(changes, len(hands)).astype(np.int32)
