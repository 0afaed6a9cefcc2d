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
from holdem.realtime.subgame.kernels.arrays import MemoryMap, Storage
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
        arrays = self.tree.arrays
        player = int(arrays.player[node])
        actions, width = int(arrays.num_actions[node]), int(arrays.player_hands[player])
        start = int(self.memory.storage_start[level]) + int(arrays.storage[node])
        start += (board - int(self.memory.board_start[level])) * int(arrays.block[level])
        return table[start : start + actions * width].reshape(actions, width)[:, : self.deals.num_hands[player]]

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
