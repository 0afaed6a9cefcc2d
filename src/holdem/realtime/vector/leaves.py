"""What follows the end of a street in a depth-limited solve (Brown, Sandholm & Amos 2018, "Depth-limited solving").

At each leaf the opponent of the searcher chooses one of four continuations of the blueprint. Their values come from
tables by bucket that `holdem leaf-values RUN` computes once; a hand gets the mean over the opponent's buckets, times
the reach of the hands that it can meet. Amounts are in proportion to the real pot. All-in leaves are bucket equities.
"""

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.leaf_values import LeafValues
from holdem.cards.cards import HOLE_CARDS
from holdem.errors import HoldemError
from holdem.realtime.subgame.deals import same_hands
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.traversal import Crew
from holdem.realtime.subgame.tree import Node
from holdem.realtime.vector.blueprint_nodes import match_nodes
from holdem.realtime.vector.kernels.leaves import Leaves, leaf_values, run_with_leaves
from holdem.realtime.vector.root import SubgameRoot

Float32 = npt.NDArray[np.float32]
Int32 = npt.NDArray[np.int32]

CHOICES = 4


class TableLeaves:
    """Leaf values of one solve; made before the solver, and told of it when it is built."""

    def __init__(self, root: SubgameRoot, blueprint: BlueprintAgent, tables: LeafValues, street_root: int) -> None:
        self.root, self.blueprint, self.tables, self.street_root = root, blueprint, tables, street_root
        self.chooser = 1 - root.player
        self.unmatched = 0
        """Leaves whose line the blueprint does not have: both play on to a showdown."""

    def attach(self, solver: SubgameSolver) -> None:
        """Look up the tables of all leaves of a solver, and run its iterations."""
        buckets = self.blueprint.buckets.of_holes(tuple(sorted(self.root.state.board)))
        found = match_nodes(solver.tree.nodes[0], self.root.pot, self.blueprint, self.street_root)
        first = np.stack([self._table(leaf, found.get(id(leaf))) for leaf in solver.leaves])
        widest = max(len(hands) for hands in solver.hands)
        self.leaves = Leaves(
            nodes=np.array(solver.tree.leaves, dtype=np.int32),
            tables=np.stack([first.transpose(0, 2, 1), -first]),
            buckets=np.stack([_padded(buckets[hands], widest) for hands in solver.hands]),
            cards=np.stack([_padded(HOLE_CARDS[hands], widest) for hands in solver.hands]),
            same=np.ascontiguousarray(same_hands(solver.hands)[:, :widest]),
            counts=np.array([len(hands) for hands in solver.hands], dtype=np.int32),
        )
        self._solver = solver
        solver.make_crew = partial(LeafCrew, self)

    def __call__(self, player: int, reach: Float32) -> Float32:
        """(leaves, hands of player) from the opponent's reach, which the kernel finds where it was taken from."""
        solver = self._solver
        arrays, plan, work = solver.tree.arrays, solver.plan, solver.work[0]
        leaf_values(arrays, plan, player, self.leaves, 0, len(self.leaves.nodes), work)
        own = int(arrays.player_hands[player])
        values = work[int(plan.values_at[0]) :][: int(arrays.sizes[player, 0, 3]) * own].reshape(-1, own)
        rows = values[arrays.value_row[player, self.leaves.nodes], : len(solver.hands[player])]
        return np.asarray(rows)

    def _table(self, leaf: Node, there: int | None) -> Float32:
        """(buckets, buckets) chips of the player out of position at one leaf."""
        at_stake = np.float32(self.root.pot / 2 + leaf.chips_in[0])
        _, choice = leaf.leaf
        if there is None or choice < 0 or not self.tables.has(there):
            self.unmatched += choice >= 0
            return np.asarray(self.tables.equity(self.root.state.street) * at_stake)
        scale = np.float32(2 * at_stake / self.tables.pot(there))
        return np.asarray(self.tables.choices(there, self.chooser)[choice] * scale)


def table_leaves(
    root: SubgameRoot, blueprint: BlueprintAgent, tables: LeafValues, street_root: int | None
) -> TableLeaves:
    """The evaluator of a street, or one sentence why there is none."""
    if street_root is None:
        raise HoldemError("the blueprint has no node for the start of this street")
    return TableLeaves(root, blueprint, tables, street_root)


def _padded(rows: npt.NDArray[Any], width: int) -> Int32:
    """Rows of int32 with zeros behind them."""
    result = np.zeros((width, *rows.shape[1:]), dtype=np.int32)
    result[: len(rows)] = rows
    return result


class LeafCrew(Crew):
    """Runs whole iterations inside compiled code, unless a gadget has to be asked in between."""

    def __init__(self, evaluator: TableLeaves, solver: SubgameSolver) -> None:
        super().__init__(solver)
        self.evaluator = evaluator

    def iterate(self, factors: Float32) -> None:
        solver = self.solver
        if solver.gadget is not None:
            super().iterate(factors)
            return
        self.together(
            run_with_leaves, solver.tree.arrays, solver.deals.arrays, solver.plan, factors, solver.storage,
            solver.weights, self.evaluator.leaves, solver.work[0],
        )  # fmt: skip
