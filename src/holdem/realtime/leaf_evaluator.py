"""What follows the end of a street in a depth-limited solve (Brown, Sandholm & Amos 2018, "Depth-limited solving").

At each leaf the opponent of the searcher chooses one of four continuations of the blueprint. Their values come from
tables by bucket that `holdem leaf-values RUN` computes once; a hand gets the mean over the opponent's buckets, times
the reach of the hands that it can meet. Amounts are in proportion to the real pot. All-in leaves are bucket equities.
"""

import numpy as np
import numpy.typing as npt

from holdem.cards.cards import HOLE_CARDS
from holdem.errors import HoldemError
from holdem.evaluation.blueprint_agent import BlueprintAgent
from holdem.evaluation.leaf_values import LeafValues
from holdem.realtime._kernels_leaves import leaf_values
from holdem.realtime.blueprint_match import match_nodes
from holdem.realtime.deals import same_hands
from holdem.realtime.subgame_root import SubgameRoot
from holdem.realtime.subgame_solver import SubgameSolver
from holdem.realtime.subgame_tree import Node

Float32 = npt.NDArray[np.float32]

CHOICES = 4


class TableLeaves:
    """Leaf values of one solve; made before the solver, and told of it when it is built."""

    def __init__(self, root: SubgameRoot, blueprint: BlueprintAgent, tables: LeafValues, street_root: int) -> None:
        self.root, self.blueprint, self.tables, self.street_root = root, blueprint, tables, street_root
        self.chooser = 1 - root.player
        self.unmatched = 0
        """Leaves whose line the blueprint does not have: both play on to a showdown."""

    def attach(self, solver: SubgameSolver) -> None:
        """Look up the tables of all leaves of a solver."""
        buckets = self.blueprint.buckets.of_holes(tuple(sorted(self.root.state.board)))
        self._buckets = [buckets[hands].astype(np.int32) for hands in solver.hands]
        self._cards = [HOLE_CARDS[hands].astype(np.int32) for hands in solver.hands]
        same = same_hands(solver.hands)
        self._same = [np.ascontiguousarray(same[p, : len(solver.hands[p])]) for p in (0, 1)]
        found = match_nodes(solver.tree.nodes[0], self.root.pot, self.blueprint, self.street_root)
        first = np.stack([self._table(leaf, found.get(id(leaf))) for leaf in solver.leaves])
        self._tables = [np.ascontiguousarray(first.transpose(0, 2, 1)), -first]

    def __call__(self, player: int, reach: Float32) -> Float32:
        """(leaves, hands of player) from the opponent's reach (leaves, hands)."""
        values = np.empty((len(reach), len(self._buckets[player])), dtype=np.float32)
        other = 1 - player
        leaf_values(
            np.ascontiguousarray(reach), self._tables[player], self._buckets[player], self._buckets[other],
            self._cards[player], self._cards[other], self._same[player], values,
        )  # fmt: skip
        return values

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
