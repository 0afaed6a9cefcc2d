"""What the first decision of a street is worth, by the buckets of both players on that street."""

from dataclasses import dataclass

import numpy as np

from holdem.abstraction.betting.payoffs import payoffs
from holdem.abstraction.betting.tree import BettingTree, NodeKind
from holdem.blueprint.leaf_values.continuations import FIRSTS, PAIRS, SECONDS, StreetPlay, play_street
from holdem.blueprint.leaf_values.tables import LeafValues
from holdem.util.arrays import Float32


@dataclass(frozen=True)
class StartValues:
    """Values of a street's first decision, (pairs of continuations, bucket pairs) chips of position 0 each.

    fixed: what does not depend on the showdown that comes; at_stake: what the winner of it gains, None before the last
    street, where the chances are part of `fixed`
    """

    fixed: Float32
    at_stake: Float32 | None


def start_values(values: LeafValues, leaf: int, equity: Float32) -> StartValues:
    """Play the street that begins at a leaf, its buckets known; `equity`: (buckets, buckets) of that street."""
    tree = values.policy.tree
    play = play_street(values.policy, leaf)
    reach = np.stack(play.reach)
    first, second = reach[:, 0, FIRSTS], reach[:, 1, SECONDS]
    folds, stakes, leaves = street_ends(tree, play)
    fixed = bilinear(first, second, folds)
    at_stake = bilinear(first, second, stakes)
    if tree.street[leaf] == tree.config.num_streets - 1:
        return StartValues(fixed.reshape(len(PAIRS), -1), at_stake.reshape(len(PAIRS), -1))
    fixed += at_stake * equity
    for place, child in leaves:
        fixed += first[place, :, :, None] * second[place, :, None, :] * values.all_tables(child)
    return StartValues(fixed.reshape(len(PAIRS), -1), None)


def street_ends(tree: BettingTree, play: StreetPlay) -> tuple[Float32, Float32, list[tuple[int, int]]]:
    """(ends,) what position 0 wins where somebody folded, what is at stake at showdowns; places of leaves."""
    folds, stakes = np.zeros((2, len(play.ends)), dtype=np.float32)
    leaves = []
    for place, node in enumerate(play.ends):
        if tree.kind[node] == NodeKind.FOLD_WIN:
            folds[place] = payoffs(tree, node, (1, 0))[0]
        elif tree.kind[node] == NodeKind.SHOWDOWN:
            stakes[place] = payoffs(tree, node, (1, 0))[0]
        else:
            leaves.append((place, node))
    return folds, stakes, leaves


def bilinear(first: Float32, second: Float32, amounts: Float32) -> Float32:
    """(pairs, buckets, buckets) the sum over ends of both reaches, (ends, pairs, buckets), times an amount each."""
    used = np.flatnonzero(amounts)
    left = (first[used] * amounts[used, None, None]).transpose(1, 2, 0)
    return np.asarray(left @ second[used].transpose(1, 0, 2))
