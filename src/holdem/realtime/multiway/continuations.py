"""Where a street's tree ends with play going on, and the blueprint's node that goes on from there.

A leaf without such a node has the value of its showdown.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.tree import BettingTree, NodeKind
from holdem.blueprint.walk import HistoryWalk
from holdem.realtime.search.blueprint_match import match_trees, matching_child

LAST_STREET = 3


def leaves_of(tree: BettingTree) -> npt.NDArray[np.bool_]:
    """(nodes,): where a street's betting ends with two players or more who could still bet."""
    if tree.config.num_streets - 1 >= LAST_STREET:
        return np.zeros(tree.num_nodes, dtype=np.bool_)
    stacks = np.array(tree.config.starting_stacks)
    positions = np.arange(tree.num_players)
    live = ((tree.folded[:, None] >> positions) & 1) == 0
    able = live & (tree.chips_in < stacks)
    return np.asarray((tree.kind == NodeKind.SHOWDOWN) & (able.sum(axis=1) >= 2))


def continued_nodes(tree: BettingTree, walk: HistoryWalk, root: int | None) -> npt.NDArray[np.int64]:
    """(nodes,): the node of `walk.tree` at each leaf of a street's tree, -1 elsewhere and where there is none."""
    found = np.full(tree.num_nodes, -1, dtype=np.int64)
    leaves = leaves_of(tree)
    for node, there in match_trees(0, root, partial(_matched_children, tree, walk)):
        goes_on = walk.tree.kind[there] == NodeKind.DECISION and walk.tree.street[there] == tree.street[node] + 1
        if leaves[node] and goes_on:
            found[node] = there
    return found


def _matched_children(tree: BettingTree, walk: HistoryWalk, node: int, there: int) -> Iterator[tuple[int, int | None]]:
    """Each child here, and the child there that is most like it."""
    player, street = int(tree.player[node]), int(tree.street[node])
    chips = tree.chips_in[node].tolist()
    to_call = max(chips) - chips[player]
    for child in tree.children(node):
        size = (int(tree.chips_in[child, player]) - chips[player] - to_call) / (sum(chips) + to_call)
        yield child, matching_child(walk, there, player, street, int(tree.action[child]), size)
