"""What a solver keeps about a street in groups: its tree over groups, its place in the tables, scratch memory."""

from dataclasses import dataclass

import numpy as np

from holdem.realtime.subgame.flat_tree import FlatTree, flatten, padded
from holdem.realtime.subgame.kernels.arrays import GroupArrays, MemoryMap
from holdem.realtime.subgame.plan import plan_memory
from holdem.realtime.subgame.tree import Node
from holdem.util.arrays import Float32


@dataclass
class GroupedStreet:
    """The same betting tree as the solver's, over groups.

    columns: (2, floats) reach and values of hands by line
    """

    tree: FlatTree
    memory: MemoryMap
    groups: GroupArrays
    entries: int
    work: Float32
    columns: Float32


def open_street(root: Node, pot: int, above: FlatTree, groups: GroupArrays, first: int) -> GroupedStreet:
    """The street of `groups` below the exact street of `above`; its tables begin at entry `first`."""
    count = groups.ends.shape[2]
    tree = flatten(root, pot, (count, count))
    plan = plan_memory(tree, [0, groups.ends.shape[1]], compressed=False)
    lines = padded(max(1, int(above.arrays.deal_start[1])))
    return GroupedStreet(
        tree=tree,
        memory=plan.places._replace(storage_start=plan.places.storage_start + first),
        groups=groups,
        entries=plan.entries,
        work=np.zeros(plan.work_floats, dtype=np.float32),
        columns=np.zeros((2, 2 * int(above.arrays.player_hands.max()) * lines), dtype=np.float32),
    )
