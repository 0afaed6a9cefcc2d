"""A heads-up street's tree beside the blueprint's: the blueprint's node for each node here, and its strategy there.

Both trees are walked side by side: the same folds and calls, and for a bet the blueprint's nearest size in shares of
the pot. A line that the blueprint does not have ends the match.
"""

import numpy as np
import numpy.typing as npt

from holdem.blueprint.agent import BlueprintAgent
from holdem.realtime.search.street_solution import Policy
from holdem.realtime.subgame.nodes.moves import FOLD
from holdem.realtime.subgame.tree import Node, NodeKind


def match_nodes(top: Node, pot: int, blueprint: BlueprintAgent, street_root: int | None) -> dict[int, int]:
    """The blueprint's node of every node here that has one, by the id of the node here. `pot`: at the root."""
    found: dict[int, int] = {}
    open_nodes = [] if street_root is None else [(top, street_root)]
    while open_nodes:
        node, there = open_nodes.pop()
        found[id(node)] = there
        for place, child in enumerate(node.children):
            after = follow(node, place, pot, blueprint, there)
            if after is not None:
                open_nodes.append((child, after))
    return found


def follow(node: Node, place: int, pot: int, blueprint: BlueprintAgent, there: int) -> int | None:
    """The blueprint's node after the `place`-th action of a node here that stands for `there`."""
    tree = blueprint.policy.tree
    if node.kind is NodeKind.DEAL:  # the blueprint's tree has no node for a card
        return there if tree.street[there] == node.street + 1 else None
    if not node.is_action:
        return there
    if tree.player[there] != node.player or tree.street[there] != node.street:
        return None
    decision, move = blueprint.walk.decision(there), node.moves[place]
    if not move.raises:
        return decision.fold if move == FOLD else decision.call
    if not decision.raises:
        return None
    level = max(node.chips_in)
    size = (node.children[place].chips_in[node.player] - level) / (pot + 2 * level)
    return min(decision.raises, key=lambda bet: abs(bet.size - size)).child


def blueprint_rows(
    node: Node, pot: int, blueprint: BlueprintAgent, there: int, buckets: npt.NDArray[np.int64]
) -> Policy:
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
