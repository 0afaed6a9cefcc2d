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
    chips_in: npt.NDArray[np.int32], folded: int, traverser: int, deal: SampledDeal, by_level: Float32
) -> None:
    """What the traverser wins at each level into `by_level`."""
    players = chips_in.shape[0]
    strengths, out = np.zeros(6, np.int64), np.empty(6)
    # The others' strengths are doubled, so that the traverser's levels fit between them.
    for player in range(players):
        if deal.holes[player] >= 0:
            strengths[player] = 2 * np.int64(deal.strengths[deal.holes[player]])
    for level in range(deal.sizes[0]):
        strengths[traverser] = deal.level_strengths[level]
        payoffs_into(chips_in, folded, strengths[:players], out[:players])
        by_level[level] = out[traverser]


@kernel
def _walk_street(
    bp: Blueprint,
    root: int,
    traverser: int,
    ahead: int,
    deal: SampledDeal,
    choices: Int64,
    seed: np.uint64,
    ends: Int64,
) -> None:
    """Where the blueprint's betting of one street ends for each bucket of the traverser, into `ends: (buckets,)`.

    All in one function with its arrays as plain variables: Numba counts references to every array of a tuple in every
    call, which took most of the time.
    """
    kind, street, players, actions, passive = bp.kind, bp.street, bp.player, bp.num_actions, bp.num_passive
    child, code, offset, stride, table = bp.first_child, bp.action, bp.offset, bp.stride, bp.table
    numbers, holes, bucket_of = deal.buckets[ahead], deal.holes, deal.bucket_of[ahead]
    here = street[root]
    for own in range(ends.shape[0]):
        node = np.int64(root)
        while kind[node] == DECISION and street[node] == here:
            player = np.int64(players[node])
            number = own if player == traverser else np.int64(numbers[holes[player]])
            start = offset[node] + np.int64(bucket_of[number]) * stride[node]
            count, first, biased = np.int64(actions[node]), np.int64(child[node]), choices[player] - 1
            # The blueprint's row, or what it plays where training never was; a biased continuation takes its kind of
            # action more often.
            trained = row_total(table, start, count)
            total = 0.0
            for a in range(count):
                weight = played_weight(table, start, a, passive[node], trained)
                total += weight * BIAS if code[first + a] == biased else weight
            # The draw depends on the seed and the node alone, so all hands of a bucket go the same way.
            mixed = split_mix(seed ^ (np.uint64(node) << np.uint64(20))) >> np.uint64(11)
            wanted = np.float64(mixed) / 9007199254740992.0 * total
            action = 0
            while action < count - 1:
                weight = played_weight(table, start, action, passive[node], trained)
                wanted -= weight * BIAS if code[first + action] == biased else weight
                if wanted < 0.0:
                    break
                action += 1
            node = first + action
        ends[own] = node


@kernel
def _number(node: int, known: Int64, count: int) -> int:
    """The place of a node among the first `count` known ones; it becomes the next if it is new."""
    for place in range(count):
        if known[place] == node:
            return place
    known[count] = node
    return count


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
    root = tree.continued[leaf]
    buckets, later_buckets = deal.sizes[1], deal.sizes[2]
    # The next street. Ends that go on are branches, numbered downwards from -1; the others have slots from 0 on.
    first, branches = np.empty(buckets, np.int64), np.empty(buckets, np.int64)
    _walk_street(bp, root, traverser, 0, deal, choices, seed, first)
    num_branches = 0
    if streets_left > 1:
        for own in range(buckets):
            if bp.kind[first[own]] == DECISION:
                branch = _number(first[own], branches, num_branches)
                num_branches = max(num_branches, branch + 1)
                first[own] = -1 - branch
    ends = np.empty(buckets + num_branches * later_buckets, np.int64)
    num_ends = 0
    for own in range(buckets):
        if first[own] >= 0:
            first[own] = _number(first[own], ends, num_ends)
            num_ends = max(num_ends, first[own] + 1)
    # The street after it, for each branch.
    second = np.empty((num_branches, later_buckets), np.int64)
    for branch in range(num_branches):
        _walk_street(bp, branches[branch], traverser, 1, deal, choices, seed, second[branch])
        for own in range(later_buckets):
            second[branch, own] = _number(second[branch, own], ends, num_ends)
            num_ends = max(num_ends, second[branch, own] + 1)
    by_level = np.empty((num_ends, MAX_LEVELS), np.float32)
    _end_values(tree, bp, leaf, traverser, deal, ends, by_level)
    numbers, later, level, valid = deal.buckets[0], deal.buckets[1], deal.level, deal.valid
    for h in range(HANDS):
        values[h] = 0.0
        if valid[h] != 0.0:
            slot = first[numbers[h]]
            if slot < 0:
                slot = second[-1 - slot, later[h]]
            values[h] = by_level[slot, level[h]]


@kernel
def _end_values(
    tree: Tree, bp: Blueprint, leaf: int, traverser: int, deal: SampledDeal, ends: Int64, by_level: Float32
) -> None:
    """What the traverser wins at each end, by level; chips of the blueprint's pot are scaled to the real pot."""
    players, root = tree.chips_in.shape[1], tree.continued[leaf]
    chips = np.empty(players, np.int32)
    real, planned = 0.0, 0.0
    for player in range(players):
        real += tree.chips_in[leaf, player]
        planned += bp.chips_in[root, player]
    scale = real / planned
    for slot in range(by_level.shape[0]):
        end = ends[slot]
        # What each player has put in at that end, at most the stack.
        for player in range(players):
            added = scale * (bp.chips_in[end, player] - bp.chips_in[root, player])
            chips[player] = np.int32(min(tree.chips_in[leaf, player] + added + 0.5, np.float64(tree.stacks[player])))
        showdown(chips, bp.folded[end], traverser, deal, by_level[slot])
