"""What a solve will take, known before anything is allocated."""

from dataclasses import dataclass

import numpy as np
import psutil

from holdem.errors import ConfigError
from holdem.realtime.subgame.boards import enumerate_boards
from holdem.realtime.subgame.deals import hands_of
from holdem.realtime.subgame.flat_tree import FlatTree, padded
from holdem.realtime.subgame.kernels.arrays import MemoryMap
from holdem.realtime.subgame.kernels.terminals import NUM_CARDS
from holdem.realtime.subgame.spot import Spot
from holdem.realtime.subgame.tree_size import count_tree

NANOSECONDS_PER_ENTRY = 3.5
"""One iteration over one action of one hand, both players' traversals together (2-core Linux server, November 2026)."""
LARGEST_SHARE = 0.9
"""Of the memory that is free now, a solve may take this much."""


@dataclass(frozen=True)
class SolveSize:
    """Sizes of a solve before it is allocated."""

    nodes: int
    """Nodes of the betting tree, cards aside."""
    boards: int
    hands: tuple[int, int]
    entries: int
    """Numbers in the regret table: actions × hands, over all nodes and boards."""
    storage_bytes: int
    """Regrets and strategy sums."""
    table_bytes: int
    """Showdown orders and all-in chances."""
    work_bytes: int

    @property
    def seconds_per_iteration(self) -> float:
        """What one iteration takes on one thread of the machine that the constant was measured on."""
        return NANOSECONDS_PER_ENTRY * 1e-9 * self.entries

    @property
    def total_bytes(self) -> int:
        """Everything that `allocate` takes."""
        return self.storage_bytes + self.table_bytes + self.work_bytes

    def check(self, limit_bytes: int | None = None) -> None:
        """Refuse what does not fit into the limit, by default the memory that is free now."""
        available = _available(limit_bytes)
        if self.total_bytes > available:
            raise _too_large(self.total_bytes, available, self.nodes, self.boards, self.hands)


def check_before_building(spot: Spot, compressed: bool, limit_bytes: int | None = None) -> None:
    """Refuse in milliseconds a tree whose tables alone do not fit into the limit, by default the free memory."""
    size = count_tree(spot.root(), spot.sizes_of)
    streets = range(spot.street, spot.street + size.streets)
    level_sizes = enumerate_boards(spot.board, spot.ranges, len(streets), not spot.locks).level_sizes
    first, second = hands_of(spot.ranges, spot.board)
    hands = len(first), len(second)
    entries = 0
    for street, boards in zip(streets, level_sizes, strict=True):
        entries += boards * sum(size.actions[2 * street + player] * hands[player] for player in (0, 1))
    needed, available = entries * (4 if compressed else 8), _available(limit_bytes)
    if needed > available:
        raise _too_large(needed, available, size.nodes, sum(level_sizes), hands)


def _available(limit_bytes: int | None) -> int:
    return limit_bytes if limit_bytes is not None else int(LARGEST_SHARE * psutil.virtual_memory().available)


def _too_large(needed: int, available: int, nodes: int, boards: int, hands: tuple[int, int]) -> ConfigError:
    return ConfigError(
        f"the tree needs {needed / 1e6:,.0f} MB ({nodes:,} nodes, {boards:,} boards, {hands[0]} and {hands[1]} hands) "
        f"and {available / 1e6:,.0f} MB are free; give fewer bet sizes, smaller ranges or 16-bit storage"
    )


@dataclass(frozen=True)
class MemoryPlan:
    """Where everything goes, and how many numbers the regret table, its scales and one work array have."""

    places: MemoryMap
    entries: int
    scales: int
    work_floats: int


def plan_memory(tree: FlatTree, level_sizes: list[int], compressed: bool) -> MemoryPlan:
    """Lay out tables and scratch.

    While terminals are evaluated, the levels below are not open, and on the last level the reach is used up: so lanes
    lie where the last level's values will be written, and columns where its reach was, unless all-ins still read it.
    """
    arrays = tree.arrays
    hands = arrays.player_hands.astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(np.array(level_sizes) * arrays.block)]).astype(np.int64)
    lanes = [max(padded(int(n)) for n in arrays.sizes[p, :, 2]) for p in (0, 1)]
    columns = [max(padded(int(m)) + padded(int(n)) for m, n in arrays.sizes[p, :, 1:3]) for p in (0, 1)]
    lane_floats = max(int(hands[1 - p]) * lanes[p] for p in (0, 1))
    column_floats = max(int(hands[p]) * columns[p] for p in (0, 1))
    last = tree.levels - 1
    reach_at, values_at = [], []
    place = 0
    for level in range(tree.levels):
        reach = max(int(arrays.sizes[p, level, 0] * hands[1 - p]) for p in (0, 1))
        values = max(int(arrays.sizes[p, level, 3] * hands[p]) for p in (0, 1))
        reach_at.append(place)
        place += max(reach, column_floats) if level == last else reach
        values_at.append(place)
        place += max(values, lane_floats) if level == last else values
    columns_at = reach_at[last]
    if tree.reads_reach_late:
        columns_at = place
        place += column_floats
    shared_at = [values_at[last], columns_at, place]
    place += (NUM_CARDS + 1) * max(lanes)
    shared_at.append(place)
    if compressed:
        place += int(arrays.num_actions.max()) * int(hands.max())
    level_nodes = np.diff(arrays.node_start).astype(np.int64)
    scale_start = np.concatenate([[0], np.cumsum(np.array(level_sizes) * level_nodes)]).astype(np.int64)
    board_start = np.concatenate([[0], np.cumsum(level_sizes)]).astype(np.int64)
    places = [np.array(values, dtype=np.int64) for values in (reach_at, values_at, shared_at)]
    memory = MemoryMap(starts[:-1], scale_start[:-1], board_start, *places)
    return MemoryPlan(memory, int(starts[-1]), int(scale_start[-1]), place)


def table_bytes(num_boards: int, num_final: int, all_in_boards: int, hands: tuple[int, int]) -> int:
    """Bytes of showdown orders and all-in chances, from above."""
    wide = max(padded(n) for n in hands)
    orders = 2 * num_boards * wide * 2
    runs = 2 * num_final * sum(hands) * 2
    wins = all_in_boards * padded(hands[0]) * padded(hands[1]) * 2
    return orders + runs + wins
