"""Sampled linear CFR over one street with two to six players (Brown & Sandholm 2019, "Superhuman AI for multiplayer
poker").

The street's tree ends in showdowns on the river, and earlier in leaves from which the players go on with one of four
continuations of the blueprint each. Three and more players have no value to converge to; the average strategy of
independent runs may be averaged, which is how several processes share the work.

    solver = MultiwaySolver.build(street, ranges, board, continuations)
    solver.run(iterations=100, deadline=None)
    solver.policy(street.decision)
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.tree import BettingTree
from holdem.blueprint.agent import BlueprintAgent
from holdem.cards.cards import HOLE_CARDS, NUM_HOLE_PAIRS, Cards
from holdem.errors import HoldemError
from holdem.mccfr.dealers import bucket_tables
from holdem.realtime.multiway.continuations import continued_nodes, leaves_of
from holdem.realtime.multiway.kernels import arrays
from holdem.realtime.multiway.kernels import traversal as kernels
from holdem.realtime.multiway.kernels.deal import deal_board, draw_hands
from holdem.realtime.multiway.shape import check_ranges, live_positions, longest_line
from holdem.realtime.search.ranges import free_of
from holdem.realtime.search.street_tree import StreetTree
from holdem.realtime.waiting import nobody_waits
from holdem.util.arrays import Float64

AVERAGE_EVERY = 4
"""Iterations between two additions to the average; an addition visits the whole tree."""
_BATCH_SECONDS = 0.004
_Bytes = tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]
_MASKS = (1 << HOLE_CARDS[:, 0].astype(np.int64)) | (1 << HOLE_CARDS[:, 1].astype(np.int64))


@dataclass(frozen=True)
class Continuations:
    """The blueprint behind the leaves of a street: its tables as the kernel reads them, and where the street begins."""

    blueprint: BlueprintAgent
    root: int | None

    @cached_property
    def tables(self) -> arrays.Blueprint:
        """Tree and policy table."""
        tree, layout = self.blueprint.policy.tree, self.blueprint.policy.layout
        return arrays.Blueprint(
            tree.player, tree.street, tree.kind, tree.num_actions, self.blueprint.policy.num_passive, tree.first_child,
            tree.action, tree.chips_in, tree.folded, layout.offset, layout.stride,
            _read_only(np.asarray(self.blueprint.policy.table)),
        )  # fmt: skip

    def bucket_bytes(self, street: int) -> tuple[_Bytes, npt.NDArray[np.int64]]:
        """Bucket tables of the two streets after `street` as bytes, and their widths."""
        bucketing = self.blueprint.buckets.bucketing
        if bucketing is None or not bucketing.tables:  # whoever opens a search opens them: nobody waits here
            raise HoldemError(
                f"{self.blueprint.name} has no bucket tables to play hands out with; open it with open_resolver, which "
                "builds them"
            )
        tables = bucket_tables(bucketing.tables, 4)
        after = (tables.turn if street == 1 else tables.river, tables.river)
        widths = tables.widths[[1, 2]] if street == 1 else tables.widths[[2, 2]]
        return after, np.ascontiguousarray(widths)


class MultiwaySolver:
    """One solve. `ranges`: (players, 1326) weights by position at the start of the street."""

    def __init__(
        self,
        street: StreetTree,
        ranges: Float64,
        board: Cards,
        continuations: Continuations | None,
        locked: dict[int, Float64],
        seed: int,
    ) -> None:
        self.street, self.tree, self.board = street, street.tree, board
        self.iterations = 0
        self.seed = seed
        self._locked_rows: dict[int, int] = {}
        self._arrays = self._kernel_tree(street, continuations, locked)
        self._tables = _tables(self.tree, self._rows, locked, self._locked_rows)
        self._blueprint = _no_blueprint(self.tree.num_players) if continuations is None else continuations.tables
        self._buckets: tuple[_Bytes, npt.NDArray[np.int64]]
        if continuations is None or len(board) == 5:
            self._buckets = (_no_bytes(), _no_bytes()), np.ones(2, dtype=np.int64)
        else:
            self._buckets = continuations.bucket_bytes(street=len(board) - 2)
        self._cumulative = np.cumsum(ranges * free_of(board), axis=1)
        self._deal = _deal(board, self.tree.num_players)
        searcher = int(self.tree.player[street.decision])
        self._state = np.zeros(2, dtype=np.uint64)
        self._live = live_positions(self.tree)
        self._chooses = np.array([position != searcher for position in range(self.tree.num_players)], np.int64)

    @classmethod
    def build(
        cls,
        street: StreetTree,
        ranges: Float64,
        board: Cards,
        continuations: Continuations | None = None,
        locked: dict[int, Float64] | None = None,
        seed: int = 0,
    ) -> "MultiwaySolver":
        """Make room for a solve. `locked`: nodes whose strategy, (1326, actions), stays as it was played."""
        if ranges.shape != (street.tree.num_players, NUM_HOLE_PAIRS):
            raise HoldemError(f"{street.tree.num_players} positions need a range of {NUM_HOLE_PAIRS} weights each")
        check_ranges(street.tree, ranges, board)
        return cls(street, ranges, board, continuations, locked or {}, seed)

    def run(self, iterations: int, deadline: float | None = None, heard: Callable[[int], None] | None = None) -> int:
        """At most so many more iterations, until the monotonic `deadline`; how many there are now.

        `heard` is told this number every few milliseconds.
        """
        last = self.iterations + iterations
        batch = 1
        while self.iterations < last:
            batch = min(batch, last - self.iterations)
            before = time.monotonic()
            if (deadline is not None and before >= deadline) or nobody_waits():
                break
            self._run(batch)
            seconds = max(time.monotonic() - before, 1e-6)
            batch = max(1, min(2 * batch, int(batch * _BATCH_SECONDS / seconds)))
            if heard is not None:
                heard(self.iterations)
        return self.iterations

    def policy(self, node: int) -> Float64:
        """(1326, actions): the average strategy at a decision node; uniform where a hand never got there."""
        count = int(self.tree.num_actions[node])
        if node in self._locked_rows:
            first = self._locked_rows[node]
            return self._tables.locked[first : first + count].T.astype(np.float64)
        first = int(self._arrays.entry[node])
        sums = self._tables.sums[first : first + count].T.astype(np.float64)
        total = sums.sum(axis=1, keepdims=True)
        return np.where(total > 0.0, sums / np.where(total > 0.0, total, 1.0), 1.0 / count)

    def action_values(self) -> Float64:
        """(1326, actions): chips that each action of the decision asked about wins, counted from the hand's start.

        NaN for hands that no sample brought there.
        """
        node = self.street.decision
        count = int(self.tree.num_actions[node])
        counts = self._tables.action_counts.astype(np.float64)
        values = self._tables.action_values[:count].astype(np.float64)
        return np.asarray((values / np.where(counts > 0.0, counts, np.nan)).T)

    def _run(self, count: int) -> None:
        for _ in range(count):
            self.iterations += 1
            self._iterate(self.iterations)

    def _iterate(self, iteration: int) -> None:
        """Each player traverses once with the weight of the iteration number; sometimes the average grows."""
        tree, tables, deal, state = self._arrays, self._tables, self._deal, self._state
        bucket_bytes, widths = self._buckets
        known, folded, weight = len(self.board), int(self.tree.folded[0]), float(iteration)
        deal_board(deal, known, bucket_bytes, widths, self.seed, iteration, state)
        for player in self._live:
            if draw_hands(state, self._cumulative, folded, player, _MASKS, deal):
                kernels.traverse(
                    tree, self._blueprint, tables, deal, state, 0, 0, player, weight, 5 - known, self._chooses,
                    self.street.decision,
                )  # fmt: skip
        if iteration % AVERAGE_EVERY == 0:
            for player in self._live:
                tables.values[0] = 1.0
                kernels.add_average(tree, tables, 0, 0, 0, player, weight)

    def _kernel_tree(
        self, street: StreetTree, continuations: Continuations | None, locked: dict[int, Float64]
    ) -> arrays.Tree:
        tree = street.tree
        leaves = leaves_of(tree)
        kind = np.where(leaves, arrays.LEAF, tree.kind).astype(np.int8)
        rows = np.where(leaves, arrays.CONTINUATIONS * tree.num_players, tree.num_actions.astype(np.int64))
        entry = np.cumsum(rows) - rows
        self._rows = int(rows.sum())
        on_line = np.full(tree.num_nodes, -1, dtype=np.int8)
        for node, child in zip(street.line, street.line[1:], strict=False):
            on_line[node] = child - int(tree.first_child[node])
        first_row = np.full(tree.num_nodes, -1, dtype=np.int64)
        for node in locked:
            first_row[node] = self._locked_rows[node] = sum(int(tree.num_actions[other]) for other in self._locked_rows)
        continued = np.full(tree.num_nodes, -1, dtype=np.int64)
        if continuations is not None:
            continued = continued_nodes(tree, continuations.blueprint.walk, continuations.root)
        return arrays.Tree(
            tree.player, kind, tree.num_actions, tree.first_child, tree.chips_in, tree.folded, entry, on_line,
            first_row, continued, np.array(tree.config.starting_stacks, dtype=np.int64),
        )  # fmt: skip


def _tables(tree: BettingTree, rows: int, locked: dict[int, Float64], places: dict[int, int]) -> arrays.Tables:
    rows_of_locked = np.zeros((max(1, sum(int(tree.num_actions[node]) for node in locked)), NUM_HOLE_PAIRS), np.float32)
    for node, strategy in locked.items():
        rows_of_locked[places[node] : places[node] + strategy.shape[1]] = strategy.T
    depth = longest_line(tree) + 1
    return arrays.Tables(
        regrets=np.zeros((rows, NUM_HOLE_PAIRS), np.float32),
        sums=np.zeros((rows, NUM_HOLE_PAIRS), np.float32),
        locked=rows_of_locked,
        values=np.zeros((depth, NUM_HOLE_PAIRS), np.float32),
        shares=np.zeros((depth, arrays.MAX_ACTIONS, NUM_HOLE_PAIRS), np.float32),
        action_values=np.zeros((arrays.MAX_ACTIONS, NUM_HOLE_PAIRS), np.float32),
        action_counts=np.zeros(NUM_HOLE_PAIRS, np.float32),
    )


def _deal(board: Cards, players: int) -> arrays.SampledDeal:
    dealt = np.zeros(5, dtype=np.uint8)
    dealt[: len(board)] = board
    return arrays.SampledDeal(
        board=dealt,
        strengths=np.zeros(NUM_HOLE_PAIRS, np.int16),
        buckets=np.zeros((2, NUM_HOLE_PAIRS), np.int32),
        bucket_of=np.zeros((2, NUM_HOLE_PAIRS), np.int32),
        holes=np.zeros(players, np.int64),
        level=np.zeros(NUM_HOLE_PAIRS, np.int8),
        valid=np.zeros(NUM_HOLE_PAIRS, np.float32),
        level_strengths=np.zeros(arrays.MAX_LEVELS, np.int64),
        sizes=np.ones(3, np.int64),
    )


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A view that cannot be written through: kernels are compiled once, for such arrays."""
    view = array.view()
    view.setflags(write=False)
    return view


def _no_bytes() -> npt.NDArray[np.uint8]:
    return _read_only(np.zeros(1, dtype=np.uint8))


def _no_blueprint(players: int) -> arrays.Blueprint:
    """Arrays of the right types for a street whose leaves are showdowns."""
    small, wide = _read_only(np.zeros(1, np.int8)), _read_only(np.zeros(1, np.int64))
    chips, table = _read_only(np.zeros((1, players), np.int32)), _read_only(np.zeros(1, np.uint16))
    folded, child = _read_only(np.zeros(1, np.uint8)), _read_only(np.zeros(1, np.int32))
    return arrays.Blueprint(small, small, small, small, small, child, small, chips, folded, wide, wide, table)
