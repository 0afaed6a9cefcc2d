"""Compiled clustering of cumulative histograms in integers.

Rows are cumulative counts, padded to a multiple of BLOCK bytes. The earth mover's distance between two histograms
of one dimension is the sum of the absolute differences of their cumulative counts; the row that minimises the sum
of distances to a cluster is its median, entry by entry, which is a cumulative histogram again.
"""

import numpy as np
import numpy.typing as npt

from holdem.abstraction.kernels.distance import BLOCK, block_distance
from holdem.util.arrays import Int64, UInt8, UInt16
from holdem.util.jit import kernel
from holdem.util.kernels.random_numbers import next_bits, seed_stream

_FAR = 1 << 60


@kernel
def assign_rows(rows: UInt8, centroids: UInt8, labels: UInt16) -> int:
    """Nearest centroid of each row, the first of equals; returns the sum of distances.

    rows: (n, width) uint8; centroids: (clusters, width) uint8; labels: (n,) uint16.
    """
    width = rows.shape[1]
    flat_rows = rows.reshape(-1)
    flat_centroids = centroids.reshape(-1)
    total = 0
    for i in range(rows.shape[0]):
        best, nearest = _FAR, 0
        for c in range(centroids.shape[0]):
            distance = 0
            for start in range(0, width, BLOCK):
                distance += block_distance(flat_rows, i * width + start, flat_centroids, c * width + start)
            if distance < best:
                best, nearest = distance, c
        labels[i] = nearest
        total += best
    return total


@kernel
def spread_seeds(rows: UInt8, clusters: int, seed: int, chosen: Int64) -> int:
    """First centroids: each next row is drawn with a chance proportional to its distance (k-means++ in L1).

    chosen: (clusters,) int64 receives row numbers; returns how many: fewer than `clusters` if the rows run out.
    """
    count, width = rows.shape
    flat = rows.reshape(-1)
    state = np.empty(2, dtype=np.uint64)
    seed_stream(state, seed, 0)
    nearest = np.full(count, _FAR, dtype=np.int64)
    chosen[0] = np.int64(next_bits(state) >> np.uint64(1)) % count
    for k in range(1, clusters + 1):
        total = 0
        for i in range(count):
            distance = 0
            for start in range(0, width, BLOCK):
                distance += block_distance(flat, i * width + start, flat, chosen[k - 1] * width + start)
            nearest[i] = min(nearest[i], distance)
            total += nearest[i]
        if k == clusters or total == 0:
            return k
        target = np.int64(next_bits(state) >> np.uint64(1)) % total
        i = 0
        while target >= nearest[i]:
            target -= nearest[i]
            i += 1
        chosen[k] = i
    return clusters


@kernel
def count_values(rows: UInt8, labels: UInt16, counts: npt.NDArray[np.int32]) -> None:
    """Add to `counts: (clusters, width, values)` how often each value stands in each column of each cluster."""
    for i in range(rows.shape[0]):
        for k in range(rows.shape[1]):
            counts[labels[i], k, rows[i, k]] += 1


@kernel
def median_rows(counts: npt.NDArray[np.int32], centroids: UInt8) -> None:
    """Lower median of each column of each cluster; a cluster without rows keeps its centroid."""
    for c in range(counts.shape[0]):
        members = counts[c, 0].sum()
        if members == 0:
            continue
        for k in range(counts.shape[1]):
            seen = 0
            for value in range(counts.shape[2]):
                seen += counts[c, k, value]
                if 2 * seen >= members:
                    centroids[c, k] = value
                    break


@kernel
def optimal_intervals(weights: Int64, clusters: int, starts: Int64) -> None:
    """Cut values 0 .. n − 1 with these weights into intervals of least weighted squared deviation from their means.

    Dynamic programming over (clusters, end) with the monotone best start (divide and conquer), as in Wang and Song
    (2011). weights: (n,) int64; starts: (clusters,) int64 receives the first value of each interval.
    Sums are exact integers; each cost is three correctly rounded operations, so the result is the same everywhere.
    """
    n = len(weights)
    weight_sums, value_sums, square_sums = (
        np.zeros(n + 1, np.int64),
        np.zeros(n + 1, np.int64),
        np.zeros(n + 1, np.int64),
    )
    for v in range(n):
        weight_sums[v + 1] = weight_sums[v] + weights[v]
        value_sums[v + 1] = value_sums[v] + weights[v] * v
        square_sums[v + 1] = square_sums[v] + weights[v] * v * v
    best = np.empty((clusters, n + 1))
    origin = np.zeros((clusters, n + 1), dtype=np.int32)
    stack = np.empty((4 * 64, 4), dtype=np.int64)
    for k in range(clusters):
        depth = 1
        stack[0] = (0, n, 0, n)
        while depth:
            depth -= 1
            low, high, first, last = stack[depth]
            middle = (low + high) // 2
            lowest, place = np.inf, first
            for start in range(first, min(middle, last) + 1):
                if k == 0:
                    if start > 0:
                        break
                    before = 0.0
                else:
                    before = best[k - 1, start]
                weight = weight_sums[middle] - weight_sums[start]
                cost = before
                if weight > 0:
                    total = np.float64(value_sums[middle] - value_sums[start])
                    cost += np.float64(square_sums[middle] - square_sums[start]) - total * total / np.float64(weight)
                if cost < lowest:
                    lowest, place = cost, start
            best[k, middle] = lowest
            origin[k, middle] = place
            if low < middle:
                stack[depth] = (low, middle - 1, first, place)
                depth += 1
            if middle < high:
                stack[depth] = (middle + 1, high, place, last)
                depth += 1
    end = n
    for k in range(clusters - 1, -1, -1):
        starts[k] = origin[k, end]
        end = origin[k, end]
