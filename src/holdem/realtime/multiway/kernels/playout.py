"""Compiled showdowns of all hands of one player, and hands played out in the blueprint's tree.

One number per node decides for all hands of a playout, so that hands of the same buckets go the same way and each way
is walked once.
"""

import numpy as np
import numpy.typing as npt

from holdem.abstraction.kernels.payoffs import payoffs_into
from holdem.policy.kernels.played import played_weight, row_total
from holdem.realtime.multiway.kernels.arrays import BIAS, DECISION, HANDS, MAX_LEVELS, Blueprint, SampledDeal, Tree
from holdem.util.arrays import Float32, Int64
from holdem.util.jit import kernel
from holdem.util.kernels.random_numbers import split_mix


@kernel
def showdown(
    chips_in: npt.NDArray[np.int32], folded: int, traverser: int, deal: SampledDeal, by_level: npt.NDArray[np.float64]
) -> None:
    """What the traverser wins at each level into `by_level`."""
    players = chips_in.shape[0]
    strengths, out = np.zeros(6, np.int64), np.empty(6)
    # The others' strengths are doubled, so that the traverser's levels fit between them.
    for player in range(players):
        if deal.holes[player] >= 0:
            strengths[player] = 2 * np.int64(deal.strengths[deal.holes[player]])
    for level in range(by_level.shape[0]):
        strengths[traverser] = deal.level_strengths[level]
        payoffs_into(chips_in, folded, strengths[:players], out[:players])
        by_level[level] = out[traverser]


@kernel
def _next_node(bp: Blueprint, node: int, bucket: int, continuation: int, seed: np.uint64) -> int:
    """The child that the blueprint takes at a node with a bucket; one number decides for all hands of a playout."""
    count = bp.num_actions[node]
    start = bp.offset[node] + bucket * bp.stride[node]
    # The blueprint's row, or what it plays where training never was.
    trained = row_total(bp.table, start, count)
    weights = np.empty(32)
    for a in range(count):
        weights[a] = played_weight(bp.table, start, a, bp.num_passive[node], trained)
    # A biased continuation takes its kind of action more often.
    if continuation > 0:
        first = bp.first_child[node]
        for a in range(count):
            if bp.action[first + a] == continuation - 1:
                weights[a] *= BIAS
    # The draw depends on the seed and the node alone, so all hands of a bucket go the same way.
    total = 0.0
    for a in range(count):
        total += weights[a]
    draw = np.float64(split_mix(seed ^ (np.uint64(node) << np.uint64(20))) >> np.uint64(11)) / 9007199254740992.0
    wanted = draw * total
    for a in range(count - 1):
        wanted -= weights[a]
        if wanted < 0.0:
            return bp.first_child[node] + a
    return bp.first_child[node] + count - 1


@kernel
def _play_street(
    bp: Blueprint, node: int, traverser: int, own: int, deal: SampledDeal, ahead: int, choices: Int64, seed: np.uint64
) -> int:
    """Where the blueprint's betting of one street ends, if the traverser's bucket is `own`."""
    street = bp.street[node]
    while bp.kind[node] == DECISION and bp.street[node] == street:
        player = np.int64(bp.player[node])
        bucket = own if player == traverser else deal.buckets[ahead, deal.holes[player]]
        node = _next_node(bp, node, bucket, choices[player], seed)
    return node


@kernel
def play_out(
    tree: Tree,
    bp: Blueprint,
    leaf: int,
    traverser: int,
    deal: SampledDeal,
    streets_left: int,
    choices: Int64,
    seed: np.uint64,
    values: Float32,
) -> None:
    """Values of all hands when a leaf is played out once; hands of a bucket go the same way."""
    players = tree.chips_in.shape[1]
    root = tree.continued[leaf]
    ends = np.full(32, -1, np.int64)
    by_level = np.empty((32, MAX_LEVELS))
    chips = np.empty(players, np.int32)
    # Chips of the blueprint's pot are scaled to the real pot.
    real, planned = 0.0, 0.0
    for player in range(players):
        real += tree.chips_in[leaf, player]
        planned += bp.chips_in[root, player]
    scale = real / planned
    # What was walked before is remembered: ends of the next street by bucket, of the one after it by branch and
    # bucket, and showdowns by end.
    most = 0
    for h in range(HANDS):
        most = max(most, deal.buckets[0, h], deal.buckets[1, h])
    first_end = np.full(most + 1, -2, np.int64)
    second_end = np.full((8, most + 1), -2, np.int64)
    branches = np.full(8, -1, np.int64)
    num_ends = 0
    for h in range(HANDS):
        if deal.valid[h] == 0.0:
            values[h] = 0.0
            continue
        # The next street, walked once for each bucket.
        bucket = deal.buckets[0, h]
        node = first_end[bucket]
        if node == -2:
            node = _play_street(bp, root, traverser, bucket, deal, 0, choices, seed)
            first_end[bucket] = node
        # The street after it, if the hand goes on: once for each bucket behind each end of the first. The last of the
        # eight branches is used again when there are more.
        if bp.kind[node] == DECISION and streets_left > 1:
            branch = 0
            while branches[branch] != node and branches[branch] != -1 and branch < 7:
                branch += 1
            if branches[branch] != node:
                branches[branch] = node
                for b in range(most + 1):
                    second_end[branch, b] = -2
            bucket = deal.buckets[1, h]
            start = node
            node = second_end[branch, bucket]
            if node == -2:
                node = _play_street(bp, start, traverser, bucket, deal, 1, choices, seed)
                second_end[branch, bucket] = node
        # The showdown at the end, computed once for each end: a small table with open addressing.
        place = node & 31
        while ends[place] != node and ends[place] != -1:
            place = (place + 1) & 31
        if ends[place] == -1:
            num_ends += 1
            if num_ends >= 31:  # never forget a free place, or the search for one would not end
                for i in range(32):
                    ends[i] = -1
                num_ends = 1
            ends[place] = node
            # What each player has put in at that end, at most the stack.
            for player in range(players):
                added = scale * (bp.chips_in[node, player] - bp.chips_in[root, player])
                total = tree.chips_in[leaf, player] + added
                chips[player] = np.int32(min(total + 0.5, np.float64(tree.stacks[player])))
            showdown(chips, bp.folded[node], traverser, deal, by_level[place])
        values[h] = by_level[place, deal.level[h]]
