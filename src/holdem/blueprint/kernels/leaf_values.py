"""Compiled parts of leaf values: bucket pairs of dealt hands as sorted keys, and sums of table rows by such keys.

A *pair* of a street is bucket of position 0 times the street's buckets plus bucket of position 1. A *key* of a hand
is (pair of a street × pairs of the next street + pair of the next street) × 3 + 1 + who wins: sorted keys are the
rows of a sparse matrix of transitions.
"""

import numpy as np
import numpy.typing as npt

from holdem.util.arrays import Float32, Int64
from holdem.util.jit import kernel


@kernel
def transition_keys(buckets: Int64, strengths: Int64, street: int, sizes: Int64, keys: Int64) -> None:
    """Keys of the step from `street` to the next one, two for each hand: as dealt, and with the seats swapped.

    buckets: (hands, 2 * streets); strengths: (hands, 2); sizes: (streets,) buckets per street; keys: (2 * hands,)
    """
    here, there = sizes[street], sizes[street + 1]
    for i in range(buckets.shape[0]):
        a, b = buckets[i, 2 * street], buckets[i, 2 * street + 1]
        c, d = buckets[i, 2 * street + 2], buckets[i, 2 * street + 3]
        sign = np.int64(strengths[i, 0] > strengths[i, 1]) - np.int64(strengths[i, 0] < strengths[i, 1])
        keys[2 * i] = ((a * here + b) * there * there + c * there + d) * 3 + 1 + sign
        keys[2 * i + 1] = ((b * here + a) * there * there + d * there + c) * 3 + 1 - sign


@kernel
def count_showdowns(buckets: Int64, strengths: Int64, street: int, size: int, wins: Int64, hands: Int64) -> None:
    """Add up, by pair of a street, showdowns won minus lost and hands; each hand both ways round.

    buckets: (hands, 2 * streets); strengths: (hands, 2); wins, hands: (size * size,)
    """
    for i in range(buckets.shape[0]):
        a, b = buckets[i, 2 * street], buckets[i, 2 * street + 1]
        sign = np.int64(strengths[i, 0] > strengths[i, 1]) - np.int64(strengths[i, 0] < strengths[i, 1])
        wins[a * size + b] += sign
        wins[b * size + a] -= sign
        hands[a * size + b] += 1
        hands[b * size + a] += 1


@kernel
def compress(keys: Int64, counts: Int64) -> int:
    """Equal neighbours of sorted `keys` become one, with their number in `counts`; returns how many are left."""
    kept = 0
    for i in range(len(keys)):
        if kept and keys[kept - 1] == keys[i]:
            counts[kept - 1] += 1
        else:
            keys[kept] = keys[i]
            counts[kept] = 1
            kept += 1
    return kept


@kernel
def merge_counts(keys_1: Int64, counts_1: Int64, keys_2: Int64, counts_2: Int64, keys: Int64, counts: Int64) -> int:
    """Two sorted lists of different keys with their counts as one; returns its length."""
    i, j, kept = 0, 0, 0
    while i < len(keys_1) or j < len(keys_2):
        if j == len(keys_2) or (i < len(keys_1) and keys_1[i] < keys_2[j]):
            keys[kept], counts[kept] = keys_1[i], counts_1[i]
            i += 1
        elif i == len(keys_1) or keys_2[j] < keys_1[i]:
            keys[kept], counts[kept] = keys_2[j], counts_2[j]
            j += 1
        else:
            keys[kept], counts[kept] = keys_1[i], counts_1[i] + counts_2[j]
            i += 1
            j += 1
        kept += 1
    return kept


@kernel
def sparse_rows(
    keys: Int64,
    counts: Int64,
    next_pairs: int,
    starts: Int64,
    places: npt.NDArray[np.int32],
    weights: Float32,
    signs: Float32,
) -> int:
    """Sorted keys as a sparse matrix: rows are pairs of a street, columns pairs of the next; returns its entries.

    starts: (pairs + 1,) where each row begins in places; places, weights, signs: (entries,) the column, the number of
    hands, and showdowns won minus lost
    """
    kept, row, last = 0, 0, -1
    for i in range(len(keys)):
        cell = keys[i] // 3
        if cell != last:
            last = cell
            while row < cell // next_pairs:
                row += 1
                starts[row] = kept
            places[kept] = cell % next_pairs
            weights[kept], signs[kept] = 0.0, 0.0
            kept += 1
        weights[kept - 1] += counts[i]
        signs[kept - 1] += counts[i] * (keys[i] % 3 - 1)
    while row < len(starts) - 1:
        row += 1
        starts[row] = kept
    return kept


@kernel
def add_rows(starts: Int64, places: npt.NDArray[np.int32], weights: Float32, values: Float32, out: Float32) -> None:
    """Add to each row of `out` the rows of `values` at its places, weighted: a sparse matrix times a dense one.

    starts: (rows + 1,); places, weights: (entries,); values: (pairs, columns); out: (rows, columns)
    """
    columns = values.shape[1]
    for row in range(len(starts) - 1):
        total = out[row]
        for i in range(starts[row], starts[row + 1]):
            weight = weights[i]
            source = values[places[i]]
            for j in range(columns):
                total[j] += weight * source[j]


@kernel
def add_paths(
    pairs: npt.NDArray[np.int32],
    signs: npt.NDArray[np.int8],
    ends: Float32,
    reach: Float32,
    fixed: Float32,
    at_stake: Float32,
    sums: npt.NDArray[np.float64],
    squares: npt.NDArray[np.float64],
) -> None:
    """Add up, by pair of the first of three streets, what hands are worth that are followed through all of them.

    pairs: (hands, 3), the pairs of each hand; signs: (hands,) who wins the showdown; ends: (2, pairs) of the second
    street, what its terminals are worth and what is at stake there; reach: (pairs, leaves) of the second street, how
    often it ends in each leaf; fixed, at_stake: (pairs, leaves) of the last one; sums, squares: (pairs,) of the first
    """
    leaves = reach.shape[1]
    for i in range(pairs.shape[0]):
        first, second, last = pairs[i, 0], pairs[i, 1], pairs[i, 2]
        sign = np.float32(signs[i])
        value = ends[0, second] + sign * ends[1, second]
        ways, sure, open_ = reach[second], fixed[last], at_stake[last]
        for j in range(leaves):
            value += ways[j] * (sure[j] + sign * open_[j])
        sums[first] += value
        squares[first] += value * value
