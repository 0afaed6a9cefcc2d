"""Where a street's tree ends with play going on, and the blueprint's node that goes on from there.

A leaf is matched by walking both trees side by side: the same folds and calls, and for a bet the blueprint's nearest
size in shares of the pot. A leaf without such a node has none, and is then worth its showdown.
"""

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.tree import ActionCode, BettingTree, NodeKind
from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.walk import HistoryWalk
from holdem.game.agent import PublicState
from holdem.realtime.search.history import past_decisions

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


def street_root_in(blueprint: BlueprintAgent, state: PublicState) -> int | None:
    """The blueprint's most likely node for the start of the current street; None if it has none."""
    decisions = [past for past, _ in past_decisions(state) if past.street == state.street]
    shares = blueprint.node_probabilities(decisions[0] if decisions else state)
    return max(shares, key=lambda pair: pair[1])[0] if shares else None


def continued_nodes(tree: BettingTree, walk: HistoryWalk, root: int | None) -> npt.NDArray[np.int64]:
    """(nodes,): the node of `walk.tree` at each leaf of a street's tree, -1 elsewhere and where there is none."""
    found = np.full(tree.num_nodes, -1, dtype=np.int64)
    leaves = leaves_of(tree)
    open_nodes = [] if root is None else [(0, root)]
    while open_nodes:
        node, there = open_nodes.pop()
        if leaves[node]:
            goes_on = walk.tree.kind[there] == NodeKind.DECISION and walk.tree.street[there] == tree.street[node] + 1
            found[node] = there if goes_on else -1
        elif tree.kind[node] == NodeKind.DECISION:
            open_nodes.extend(_matched_children(tree, walk, node, there))
    return found


def _matched_children(tree: BettingTree, walk: HistoryWalk, node: int, there: int) -> list[tuple[int, int]]:
    """Pairs of a child here and the child there that is most like it."""
    if walk.tree.kind[there] != NodeKind.DECISION:
        return []
    decision = walk.decision(there)
    player = int(tree.player[node])
    if decision.player != player or decision.street != tree.street[node]:
        return []
    chips = tree.chips_in[node].tolist()
    to_call = max(chips) - chips[player]
    pairs = []
    for child in tree.children(node):
        code = tree.action[child]
        match: int | None
        if code == ActionCode.RAISE:
            size = (int(tree.chips_in[child, player]) - chips[player] - to_call) / (sum(chips) + to_call)
            match = min(decision.raises, key=lambda bet: abs(bet.size - size)).child if decision.raises else None
        else:
            match = decision.fold if code == ActionCode.FOLD else decision.call
        if match is not None:
            pairs.append((child, match))
    return pairs
