"""A heads-up street's tree beside the blueprint's: the blueprint's node for each node here, and its strategy there."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.tree import ActionCode
from holdem.blueprint.agent import BlueprintAgent
from holdem.realtime.search.blueprint_match import match_trees, matching_child
from holdem.realtime.subgame.nodes.moves import FOLD
from holdem.realtime.subgame.tree import Node, SubgameNodeKind
from holdem.util.arrays import Float32


def match_nodes(top: Node, pot: int, blueprint: BlueprintAgent, street_root: int | None) -> dict[int, int]:
    """The blueprint's node of every node here that has one, by the id of the node here. `pot`: at the root."""

    def children(node: Node, there: int) -> Iterator[tuple[Node, int | None]]:
        for place, child in enumerate(node.children):
            yield child, follow(node, place, pot, blueprint, there)

    return {id(node): there for node, there in match_trees(top, street_root, children)}


def follow(node: Node, place: int, pot: int, blueprint: BlueprintAgent, there: int) -> int | None:
    """The blueprint's node after the `place`-th action of a node here that stands for `there`."""
    if node.kind == SubgameNodeKind.DEAL:  # the blueprint's tree has no node for a card
        return there if blueprint.policy.tree.street[there] == node.street + 1 else None
    if not node.is_action:
        return there
    move, level = node.moves[place], max(node.chips_in)
    code = ActionCode.FOLD if move == FOLD else ActionCode.RAISE if move.raises else ActionCode.CALL
    size = (node.children[place].chips_in[node.player] - level) / (pot + 2 * level)
    return matching_child(blueprint.walk, there, node.player, node.street, code, size)


def blueprint_rows(
    node: Node, pot: int, blueprint: BlueprintAgent, there: int, buckets: npt.NDArray[np.int64]
) -> Float32:
    """(hands, actions of the node): what the blueprint does with hands of these buckets, in the actions here.

    What the blueprint does with a size that stands for several sizes here goes to the first of them.
    """
    rows = blueprint.policy.rows(there)[0][buckets]
    first = int(blueprint.policy.tree.first_child[there])
    policy = np.zeros((len(rows), len(node.moves)), dtype=np.float32)
    taken: set[int] = set()
    for place in range(len(node.moves)):
        after = follow(node, place, pot, blueprint, there)
        if after is not None and after not in taken:
            taken.add(after)
            policy[:, place] = rows[:, after - first]
    total = policy.sum(axis=1, keepdims=True)
    return np.where(total > 0.0, policy / np.where(total > 0.0, total, 1.0), 1.0 / len(node.moves)).astype(np.float32)
