"""The arrays of one solve: what its traversals read, what they learn, and their scratch memory.

Only this room touches them. Everybody else asks `SubgameSolver`.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from holdem.errors import ConfigError
from holdem.realtime.subgame.deals import CardTables
from holdem.realtime.subgame.flat_tree import FlatTree
from holdem.realtime.subgame.groups.street import GroupedStreet
from holdem.realtime.subgame.kernels.arrays import MemoryMap, Storage, SubgameArrays
from holdem.util.arrays import Float32, Float64

Strategy = Float32 | Float64
"""(hands, actions) probabilities at a decision."""


class RootGadget(Protocol):
    """Lets a player choose, hand by hand, whether to enter the subgame (safe re-solving)."""

    player: int

    def entering(self) -> Float32:
        """(hands of the player,): the reach with which he enters now."""
        ...

    def learn(self, values: Float32) -> None:
        """Take the counterfactual values (hands,) of entering, after each traversal of that player."""
        ...


def rows_of(
    table: npt.NDArray[Any], tree: SubgameArrays, memory: MemoryMap, node: int, level: int, board: int
) -> npt.NDArray[Any]:
    """(actions, hands or groups, padded): the part of a table that belongs to a decision on a board, as a view."""
    actions, width = int(tree.num_actions[node]), int(tree.player_hands[tree.player[node]])
    start = int(memory.storage_start[level]) + int(tree.storage[node])
    start += (board - int(memory.board_start[level])) * int(tree.block[level])
    return table[start : start + actions * width].reshape(actions, width)


def as_probabilities(rows: npt.NDArray[Any]) -> Float64:
    """(hands, actions) from what a table has, (actions, hands); all alike where nothing was played."""
    shares = rows.T.astype(np.float64)
    totals = shares.sum(axis=1, keepdims=True)
    return np.where(totals > 0, shares / np.where(totals > 0, totals, 1.0), 1.0 / shares.shape[1])


@dataclass
class Workspace:
    """Tables and scratch memory, and how many iterations they have seen.

    works: (threads, floats), scratch memory of each thread; weights: (2, hands) both ranges
    joint_weight: sum over all pairs of hands that can meet
    """

    tree: FlatTree
    deals: CardTables
    memory: MemoryMap
    storage: Storage
    works: Float32
    weights: Float32
    joint_weight: float
    grouped: GroupedStreet | None = None
    iterations: int = 0

    @property
    def threads(self) -> int:
        """How many threads have scratch memory."""
        return len(self.works)

    def rows(self, table: npt.NDArray[Any], node: int, level: int = 0, board: int = 0) -> npt.NDArray[Any]:
        """(actions, hands): the part of a table (regrets, averages, locked) that belongs to a decision, as a view."""
        width = self.deals.num_hands[int(self.tree.arrays.player[node])]
        return rows_of(table, self.tree.arrays, self.memory, node, level, board)[:, :width]

    def group_averages(self, node: int, card: int) -> npt.NDArray[Any]:
        """(actions, groups) of the averages at a decision of the grouped street, after a card; as a view."""
        assert self.grouped is not None
        street, level = self.grouped, len(self.grouped.memory.storage_start) - 1
        board = int(street.memory.board_start[level]) + card
        rows = rows_of(self.storage.averages, street.tree.arrays, street.memory, node, level, board)
        return rows[:, : street.groups.ends.shape[2]]

    def values(self, player: int, node: int = 0, level: int = 0) -> Float64:
        """(hands,) counterfactual values of a node after a traversal of that player, in chips × opposing reach."""
        arrays = self.tree.arrays
        width = int(arrays.player_hands[player])
        start = int(self.memory.values_at[level]) + int(arrays.value_row[player, node]) * width
        row = self.works[0][start : start + self.deals.num_hands[player]].astype(np.float64)
        return np.asarray(row * float(arrays.payoff[player, node]))

    def lock(self, node: int, level: int, board: int, strategy: Strategy, hands: npt.NDArray[np.bool_]) -> None:
        """Make some hands of a decision play `strategy: (hands, actions)` from now on."""
        if len(self.storage.scales):
            raise ConfigError("locked nodes need 32-bit tables; leave --compressed out")
        if not len(self.storage.locked):
            self.storage = self.storage._replace(locked=np.zeros(len(self.storage.regrets), dtype=np.float32))
        for table in (self.storage.regrets, self.storage.averages):
            self.rows(table, node, level, board)[:, hands] = strategy[hands].T
        self.rows(self.storage.locked, node, level, board)[:, hands] = 1.0
