"""Compiled values of depth-limited leaves: bucket × bucket tables against the opponent's reach."""

import numpy as np
import numpy.typing as npt

from holdem.util.jit import kernel

Float32 = npt.NDArray[np.float32]
Int32 = npt.NDArray[np.int32]


@kernel
def leaf_values(
    reach: Float32,
    tables: Float32,
    own_buckets: Int32,
    other_buckets: Int32,
    own_cards: Int32,
    other_cards: Int32,
    same: Int32,
    values: Float32,
) -> None:
    """Values of all hands at all leaves.

    reach: (leaves, other hands); tables: (leaves, other buckets, own buckets) chips of the own player per deal
    own_cards, other_cards: (hands, 2); same: (own hands,) the other's hand of the same cards, or -1
    values: (leaves, own hands). The mean over the other's buckets, times the reach of hands that share no card.
    """
    buckets = tables.shape[1]
    for leaf in range(reach.shape[0]):
        row, out, table = reach[leaf], values[leaf], tables[leaf]
        by_bucket, by_card = np.zeros(buckets, np.float32), np.zeros(52, np.float32)
        total = np.float32(0.0)
        for h in range(row.shape[0]):
            by_bucket[other_buckets[h]] += row[h]
            by_card[other_cards[h, 0]] += row[h]
            by_card[other_cards[h, 1]] += row[h]
            total += row[h]
        if total <= 0.0:
            for h in range(out.shape[0]):
                out[h] = 0.0
            continue
        means = np.zeros(buckets, np.float32)
        for b in range(buckets):
            line, share = table[b], by_bucket[b] / total
            if share > 0.0:
                for c in range(buckets):
                    means[c] += line[c] * share
        for h in range(out.shape[0]):
            free = total - by_card[own_cards[h, 0]] - by_card[own_cards[h, 1]]
            if same[h] >= 0:
                free += row[same[h]]
            out[h] = means[own_buckets[h]] * max(free, np.float32(0.0))
