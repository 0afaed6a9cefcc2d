"""Compiled values of depth-limited leaves: bucket × bucket tables against the opponent's reach.

A hand gets the mean over the opponent's buckets, times the reach of the hands that it can meet. Leaves that differ only
in what their own player chose come one after another with the same reach, which is then summed up once. Several threads
share the leaves of a traversal; each leaf is the work of one, so that their number changes nothing.
"""

from typing import NamedTuple

import numpy as np

from holdem.realtime.subgame.kernels.arrays import DealArrays, MemoryMap, Storage, SubgameArrays
from holdem.realtime.subgame.kernels.terminals import evaluate_lanes
from holdem.realtime.subgame.kernels.together import meet
from holdem.realtime.subgame.kernels.traversal import UPDATE, ascend, descend, set_root
from holdem.util.arrays import Float32, Int32, Int64
from holdem.util.jit import kernel


class LeafTables(NamedTuple):
    """The leaves of a tree and the hands of both players.

    nodes: (leaves,) int32; tables: (2, leaves, other buckets, own buckets) chips of player p per deal
    buckets: (2, hands) int32; cards: (2, hands, 2) int32; same: (2, hands) int32, the other's same cards, or -1
    counts: (2,) int32 how many hands each has; the arrays are as wide as the wider range
    """

    nodes: Int32
    tables: Float32
    buckets: Int32
    cards: Int32
    same: Int32
    counts: Int32


@kernel
def _sum_reach(row: Float32, count: int, buckets: Int32, cards: Int32, by_bucket: Float32, by_card: Float32) -> float:
    """Add up a reach row by bucket and by card; its total."""
    for b in range(by_bucket.shape[0]):
        by_bucket[b] = 0.0
    for c in range(52):
        by_card[c] = 0.0
    total = np.float32(0.0)
    for h in range(count):
        by_bucket[buckets[h]] += row[h]
        by_card[cards[h, 0]] += row[h]
        by_card[cards[h, 1]] += row[h]
        total += row[h]
    return total


@kernel
def leaf_values(
    tree: SubgameArrays, memory: MemoryMap, p: int, leaves: LeafTables, first: int, last: int, work: Float32
) -> None:
    """Values of player p at leaves `first` to `last` of the street into `work`, from the opponent's reach in it."""
    own, other = np.int64(tree.player_hands[p]), np.int64(tree.player_hands[1 - p])
    count, buckets = np.int64(leaves.counts[p]), leaves.tables.shape[2]
    by_bucket, by_card = np.empty(buckets, np.float32), np.empty(52, np.float32)
    means, meeting = np.empty(buckets, np.float32), np.empty(count, np.float32)
    own_buckets, own_cards, same = leaves.buckets[p], leaves.cards[p], leaves.same[p]
    summed, total = -1, np.float32(0.0)
    for leaf in range(first, last):
        node = leaves.nodes[leaf]
        if tree.row[p, node] != summed:
            summed = tree.row[p, node]
            start = memory.reach_at[0] + summed * other
            row = work[start : start + other]
            total = _sum_reach(
                row, leaves.counts[1 - p], leaves.buckets[1 - p], leaves.cards[1 - p], by_bucket, by_card
            )
            for h in range(count):
                free = total - by_card[own_cards[h, 0]] - by_card[own_cards[h, 1]]
                if same[h] >= 0:
                    free += row[same[h]]
                meeting[h] = max(free, np.float32(0.0))
        for b in range(buckets):
            means[b] = 0.0
        if total > 0.0:
            for b in range(buckets):
                line, share = leaves.tables[p, leaf, b], by_bucket[b] / total
                for c in range(buckets):
                    means[c] += line[c] * share
        start = memory.values_at[0] + tree.value_row[p, node] * own
        out = work[start : start + own]
        for h in range(count):
            out[h] = means[own_buckets[h]] * meeting[h]


@kernel
def run_with_leaves(
    thread: int, threads: int, signs: Int64, tree: SubgameArrays, deals: DealArrays, memory: MemoryMap,
    factors: Float32, storage: Storage, weights: Float32, leaves: LeafTables, work: Float32,
) -> None:  # fmt: skip
    """What thread number `thread` does in whole iterations of a one-street tree, one per row of `factors`.

    The first thread walks the street, and everybody evaluates a share of its leaves; `work` is the same for all.
    """
    meetings = 0
    first = thread * leaves.nodes.shape[0] // threads
    last = (thread + 1) * leaves.nodes.shape[0] // threads
    for t in range(factors.shape[0]):
        for p in range(2):
            if thread == 0:
                set_root(tree, memory, p, weights, work)
                descend(tree, memory, 0, 0, p, storage.regrets, work)
                evaluate_lanes(tree, deals, memory, 0, 0, p, work)
            meetings += 1
            meet(signs, meetings, threads)
            leaf_values(tree, memory, p, leaves, first, last, work)
            meetings += 1
            meet(signs, meetings, threads)
            if thread == 0:
                ascend(tree, memory, 0, 0, p, UPDATE, factors[t], storage, work)
