"""Four ways to play on from a leaf, and how a street of the betting tree is played with each of them.

A bias multiplies the probability of some actions by five and renormalises, as Pluribus does; where none of those
actions is there (no fold without a bet, no raise after an all-in) the continuation is the blueprint.
"""

from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.tree import ActionCode, BettingTree, NodeKind
from holdem.policy.policy import AveragePolicy
from holdem.util.arrays import Float32, Float64

BIAS = 5.0


class Continuation(IntEnum):
    """How a player goes on from a leaf."""

    AS_IS = 0
    FOLD = 1
    CALL = 2
    RAISE = 3


PAIRS: tuple[tuple[Continuation, Continuation], ...] = (
    *((Continuation.AS_IS, second) for second in Continuation),
    *((first, Continuation.AS_IS) for first in Continuation if first != Continuation.AS_IS),
)
"""The continuations of position 0 and position 1 that are stored, in the order of the tables."""

FIRSTS = [int(first) for first, _ in PAIRS]
SECONDS = [int(second) for _, second in PAIRS]

_FAVOURED = {
    Continuation.FOLD: ActionCode.FOLD,
    Continuation.CALL: ActionCode.CALL,
    Continuation.RAISE: ActionCode.RAISE,
}


def biased(probabilities: Float64, codes: npt.NDArray[np.int8]) -> Float64:
    """(continuations, buckets, actions) from (buckets, actions) probabilities and the codes of the actions."""
    result = np.repeat(probabilities[None], len(Continuation), axis=0)
    for continuation, code in _FAVOURED.items():
        result[continuation][:, codes == code] *= BIAS
    result /= result.sum(axis=2, keepdims=True)
    return result


@dataclass
class StreetPlay:
    """Where the play of one street ends from its first decision on, and who reaches it.

    ends: the nodes: terminals, and leaves of the next street
    reach: (ends, players, continuations, buckets) of each end, in the same order
    """

    ends: list[int] = field(default_factory=list)
    reach: list[Float32] = field(default_factory=list)


def play_street(policy: AveragePolicy, leaf: int) -> StreetPlay:
    """Play the street that begins at `leaf` with every continuation."""
    tree = policy.tree
    buckets = policy.info.buckets_per_street[tree.street[leaf]]
    play = StreetPlay()
    stack = [(leaf, np.ones((2, len(Continuation), buckets), dtype=np.float32))]
    while stack:
        node, reach = stack.pop()
        if tree.kind[node] != NodeKind.DECISION or tree.street[node] > tree.street[leaf]:
            play.ends.append(node)
            play.reach.append(reach)
            continue
        children = tree.children(node)
        rows = biased(policy.rows(node)[0], tree.action[children.start : children.stop])
        player = int(tree.player[node])
        for action, child in enumerate(children):
            after = reach.copy()
            after[player] *= rows[:, :, action]
            stack.append((child, after))
    return play


def leaves_of(tree: BettingTree, street: int) -> npt.NDArray[np.int64]:
    """The nodes where the betting of `street` has closed and that of the next one begins, ascending."""
    inner = np.flatnonzero((tree.kind == NodeKind.DECISION) & (tree.street == street + 1))
    return np.asarray(inner[tree.street[tree.parent[inner]] == street])
