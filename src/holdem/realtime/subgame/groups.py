"""A turn to the end of the hand with exact hands on the turn and groups of hands on every river.

An iteration goes through 48 × 16 groups below the turn instead of 48 × 1,081 hands, so that a hundred of them fit into
the time of a decision. `docs/search.md` has what that costs and gains.

    turn = GroupedTurn(spot, groups=16)
    turn.solve(deadline=time.monotonic() + 0.08)
    turn.average_strategy(0)               # (hands, actions) on the turn
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.cards import NUM_CARDS
from holdem.cards.cards import HOLE_CARDS, NUM_HOLE_PAIRS
from holdem.realtime.subgame.boards import enumerate_boards
from holdem.realtime.subgame.deals import Hands, holdem_deals
from holdem.realtime.subgame.flat_tree import flatten, padded
from holdem.realtime.subgame.kernels.arrays import GroupArrays, Storage
from holdem.realtime.subgame.kernels.deals import hand_strengths
from holdem.realtime.subgame.kernels.groups import cut_into_groups, fill_payoffs, order_by_group, visit_rivers
from holdem.realtime.subgame.kernels.terminals import evaluate_all_ins, evaluate_lanes
from holdem.realtime.subgame.kernels.traversal import BEST, UPDATE, ascend, descend, set_root
from holdem.realtime.subgame.plan import make_plan
from holdem.realtime.subgame.schedules import Schedule
from holdem.realtime.subgame.spot import Spot, joint_weight
from holdem.realtime.subgame.tree import TreeBuilder

Float32 = npt.NDArray[np.float32]
Float64 = npt.NDArray[np.float64]
Int16 = npt.NDArray[np.int16]

POWER = 1.3
"""Strong hands get finer groups, see `kernels.groups.cut_into_groups`."""


def make_groups(board: tuple[int, ...], hands: Hands, weights: tuple[Float64, Float64], groups: int) -> GroupArrays:
    """Groups of both players' hands on all rivers of a turn, and what they win from each other."""
    rivers = [card for card in range(NUM_CARDS) if card not in board]
    boards = np.array([[*board, card] for card in rivers], dtype=np.int32)
    either = np.union1d(hands[0], hands[1])
    mass = np.zeros(NUM_HOLE_PAIRS)
    for own, weight in zip(hands, weights, strict=True):
        mass[own] += weight / weight.sum()
    strengths = _strengths(boards, either)
    group_of = np.zeros_like(strengths)
    cut_into_groups(strengths, mass[either].astype(np.float32), POWER, groups, group_of)
    count = int(group_of.max()) + 1
    widest = max(padded(len(own)) for own in hands)
    order = np.zeros((2, len(rivers), widest), dtype=np.int16)
    ends = np.zeros((2, len(rivers), count), dtype=np.int16)
    own_strengths = []
    for player, own in enumerate(hands):
        places = np.searchsorted(either, own)
        own_strengths.append(np.ascontiguousarray(strengths[:, places]))
        order_by_group(own_strengths[player], np.ascontiguousarray(group_of[:, places]), order[player], ends[player])
    meet = np.zeros((2, len(rivers), count, padded(count)), dtype=np.float32)
    win = np.zeros_like(meet)
    cards = [HOLE_CARDS[own].astype(np.int32) for own in hands]
    for me, other in ((0, 1), (1, 0)):
        fill_payoffs(
            own_strengths[me], own_strengths[other], order[me], ends[me], order[other], ends[other], cards[me],
            cards[other], _places_of(hands[me], hands[other]), weights[me], weights[other], meet[me], win[me],
        )  # fmt: skip
    return GroupArrays(order, ends, meet, win, np.float32(1.0 / (len(rivers) - 4)))


def _strengths(boards: npt.NDArray[np.int32], hands: npt.NDArray[np.int64]) -> Int16:
    strengths = np.zeros((len(boards), len(hands)), dtype=np.int16)
    hand_strengths(boards, HOLE_CARDS[hands].astype(np.int32), strengths)
    return strengths


def _places_of(own: npt.NDArray[np.int64], others: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """For each hand the place of the same cards among the others, or −1."""
    place = np.full(NUM_HOLE_PAIRS, -1, dtype=np.int32)
    place[others] = np.arange(len(others))
    return place[own]


class GroupedTurn:
    """Discounted CFR on one turn spot."""

    def __init__(self, spot: Spot, groups: int = 16, schedule: Schedule | None = None) -> None:
        self.spot, self.schedule, self.iterations = spot, schedule or Schedule(), 0
        root = TreeBuilder(spot.root(), spot.sizes_of, spot.played).build()
        only = enumerate_boards(spot.board, spot.ranges, 1)
        hands = [np.flatnonzero(weights > 0) for weights in spot.ranges]
        self.hands: Hands = (hands[0], hands[1])
        self.tree = flatten(root, spot.pot, (len(hands[0]), len(hands[1])))
        starts = self.tree.arrays.all_in_start
        self.deals = holdem_deals(only, spot.ranges, [0] if starts[1] > starts[0] else [])
        self.groups = make_groups(spot.board, self.hands, self.deals.weights, groups)
        count = self.groups.ends.shape[2]
        self.grouped = flatten(root, spot.pot, (count, count))
        layout = make_plan(self.tree, [1, 0], compressed=False)
        grouped_layout = make_plan(self.grouped, [0, self.groups.ends.shape[1]], compressed=False)
        self.plan, self.grouped_plan = layout.plan, grouped_layout.plan
        self.storage, self.grouped_storage = _storage(layout.entries), _storage(grouped_layout.entries)
        self.work = np.zeros(layout.work_floats, dtype=np.float32)
        self.grouped_work = np.zeros(grouped_layout.work_floats, dtype=np.float32)
        arrays = self.tree.arrays
        widest = int(arrays.player_hands.max())
        lines = padded(int(arrays.deal_start[1]))
        self.columns = np.zeros((2, 2 * widest * max(lines, 8)), dtype=np.float32)
        self.weights = np.zeros((2, widest), dtype=np.float32)
        for player in (0, 1):
            self.weights[player, : len(hands[player])] = self.deals.weights[player]
        self.joint_weight = joint_weight(spot.ranges[0], spot.ranges[1])

    def iterate(self, count: int) -> None:
        """So many more iterations."""
        for factors in self.schedule.factors(self.iterations, count):
            for player in (0, 1):
                self.traverse(player, UPDATE, factors)
        self.iterations += count

    def traverse(self, player: int, mode: int, factors: Float32 | None = None) -> None:
        """One traversal; the values of the root are in `work` afterwards."""
        factors = np.zeros(3, dtype=np.float32) if factors is None else factors
        tree, plan, work, deals = self.tree.arrays, self.plan, self.work, self.deals.arrays
        set_root(tree, plan, player, self.weights, work)
        descend(tree, plan, 0, 0, player, self.storage.regrets if mode == UPDATE else self.storage.averages, work)
        evaluate_lanes(tree, deals, plan, 0, 0, player, work)
        evaluate_all_ins(tree, deals, plan, 0, 0, player, work)
        visit_rivers(
            tree, plan, work, self.grouped.arrays, self.grouped_plan, self.groups, self.grouped_storage,
            self.grouped_work, self.columns, 0, self.groups.ends.shape[1], player, mode, factors,
        )  # fmt: skip
        ascend(tree, plan, 0, 0, player, mode, factors, self.storage, work)

    def root_value(self, player: int, mode: int) -> float:
        """Mean value at the root over all deals of the grouped game, in chips, zero-sum."""
        self.traverse(player, mode)
        arrays = self.tree.arrays
        start = int(self.plan.values_at[0]) + int(arrays.value_row[player, 0]) * int(arrays.player_hands[player])
        row = self.work[start : start + len(self.hands[player])].astype(np.float64)
        return float(self.deals.weights[player] @ row) / self.joint_weight

    def exploitability(self) -> float:
        """Chips that best responses win in the grouped game."""
        return sum(self.root_value(player, BEST) for player in (0, 1)) / 2.0

    def average_strategy(self, node: int) -> Float64:
        """(hands, actions) of a turn node."""
        arrays = self.tree.arrays
        player = int(arrays.player[node])
        actions, width = int(arrays.num_actions[node]), int(arrays.player_hands[player])
        start = int(arrays.storage[node])
        rows: npt.NDArray[Any] = self.storage.averages[start : start + actions * width].reshape(actions, width)
        rows = rows[:, : len(self.hands[player])].T.astype(np.float64)
        totals = rows.sum(axis=1, keepdims=True)
        return np.where(totals > 0, rows / np.where(totals > 0, totals, 1.0), 1.0 / actions)


def _storage(entries: int) -> Storage:
    empty = np.zeros(0, dtype=np.float32)
    return Storage(np.zeros(entries, dtype=np.float32), np.zeros(entries, dtype=np.float32), empty, empty)
