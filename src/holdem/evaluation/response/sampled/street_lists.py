"""A betting tree cut into streets: for each place where a street begins, the list of its nodes, parents first.

That is the order in which a pass over all hands visits them, and the ends of a list are where cards are dealt.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.row_layout import RowLayout
from holdem.abstraction.betting.tree import BettingTree, NodeKind
from holdem.evaluation.kernels.sampled import StreetLists, TreeArrays, gather_strategy
from holdem.policy.policy import num_passive


def street_lists(tree: BettingTree) -> StreetLists:
    """The lists of all streets; root 0 begins at node 0."""
    root_at = np.full(tree.num_nodes, -1, dtype=np.int32)
    decisions = np.flatnonzero(tree.kind == NodeKind.DECISION)
    begins = decisions[(decisions == 0) | (tree.street[decisions] > tree.street[tree.parent[decisions]])]
    root_at[begins] = np.arange(len(begins))
    starts, nodes, parents, children, actions = [0], list[int](), list[int](), list[int](), list[int]()
    for root in begins.tolist():
        members = [root]
        parents.append(0)
        actions.append(0)
        for place, node in enumerate(members):  # grows while it is walked: breadth first, so siblings stay together
            children.append(len(members))
            if tree.kind[node] == NodeKind.DECISION and (node == root or root_at[node] < 0):
                offspring = tree.children(node)
                members += offspring
                parents += [place] * len(offspring)
                actions += range(len(offspring))
        nodes += members
        starts.append(len(nodes))
    closing = root_at[nodes]
    closing[starts[:-1]] = -1
    columns = (starts, nodes, parents, children, actions, closing)
    return StreetLists(*(np.array(column, dtype=np.int32) for column in columns))


def tree_arrays(
    tree: BettingTree, layout: RowLayout, buckets_per_street: Sequence[int], table: npt.NDArray[Any]
) -> TreeArrays:
    """A tree with what a table in the order of `layout` plays, node by node."""
    buckets = np.array(buckets_per_street, dtype=np.int64)
    sizes = tree.num_actions.astype(np.int64) * buckets[tree.street]
    row = np.cumsum(sizes) - sizes
    strategy = np.empty(int(sizes.sum()), dtype=np.float32)
    gather_strategy(
        table, layout.offset, layout.stride, tree.num_actions, num_passive(tree), tree.street, buckets, row, strategy
    )
    return TreeArrays(
        tree.player, tree.street, tree.kind, tree.num_actions, tree.folded, tree.chips_in, row, buckets, strategy
    )
