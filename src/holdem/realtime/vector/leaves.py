"""What follows the end of a street in a depth-limited solve (Brown, Sandholm & Amos 2018, "Depth-limited solving").

At each leaf the opponent of the searcher chooses one of four continuations of the blueprint. Their values come from
tables by bucket that `holdem leaf-values RUN` computes once. Amounts are in proportion to the real pot. All-in leaves,
and lines that the blueprint does not have, are bucket equities.
"""

import numpy as np

from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.leaf_values import LeafValues
from holdem.errors import HoldemError
from holdem.realtime.subgame.tree import Node
from holdem.realtime.vector.root import SubgameRoot
from holdem.util.arrays import Float32

CHOICES = 4


def check_leaf_values(blueprint: BlueprintAgent | None, tables: LeafValues | None, street_root: int | None) -> None:
    """Refuse a search to the end of the street for which there are no leaf values."""
    if blueprint is None or tables is None:
        raise HoldemError("a search to the end of the street needs leaf values; make them: holdem leaf-values RUN")
    if street_root is None:
        raise HoldemError("the blueprint has no node for the start of this street")


def leaf_chips(
    root: SubgameRoot, leaves: list[Node], matched: dict[int, int], tables: LeafValues
) -> tuple[Float32, int]:
    """(leaves, buckets, buckets) chips of the player out of position, and how many leaves the blueprint does not have.

    `matched`: the blueprint's node of each node here, by the id of the node here.
    """
    chips, unmatched = [], 0
    for leaf in leaves:
        at_stake = np.float32(root.pot / 2 + leaf.chips_in[0])
        there, (_, choice) = matched.get(id(leaf)), leaf.leaf
        if there is None or choice < 0 or not tables.has(there):
            unmatched += choice >= 0
            chips.append(np.asarray(tables.equity(root.state.street) * at_stake))
        else:
            scale = np.float32(2 * at_stake / tables.pot(there))
            chips.append(np.asarray(tables.choices(there, 1 - root.player)[choice] * scale))
    return np.stack(chips), unmatched
