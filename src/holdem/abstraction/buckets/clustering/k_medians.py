"""Cumulative histograms into clusters: k-medians under the earth mover's distance, in integers.

Starts are spread as in k-means++ (Arthur & Vassilvitskii 2007), then assignment and medians alternate. All sums are
integer sums, so neither the number of threads nor the machine changes the result.
"""

from collections.abc import Callable

import numpy as np

from holdem.abstraction.kernels.clustering import assign_rows, count_values, median_rows, spread_seeds
from holdem.util.arrays import UInt8, UInt16
from holdem.util.parallel import run_chunks

_CHUNK = 8192


def assign(
    rows: UInt8, centroids: UInt8, threads: int = 0, progress: Callable[[int], None] | None = None
) -> tuple[UInt16, int]:
    """Nearest centroid of every row, and the sum of distances."""
    labels = np.empty(len(rows), dtype=np.uint16)
    sums: list[int] = []

    def work(start: int, stop: int) -> None:
        sums.append(assign_rows(rows[start:stop], centroids, labels[start:stop]))

    run_chunks(work, len(rows), _CHUNK, threads, progress)
    return labels, sum(sums)


def medians(rows: UInt8, labels: UInt16, clusters: int) -> UInt8:
    """Entry-wise lower median of the rows of each cluster."""
    counts = np.zeros((clusters, rows.shape[1], int(rows.max()) + 1), dtype=np.int32)
    count_values(rows, labels, counts)
    centroids = np.zeros((clusters, rows.shape[1]), dtype=np.uint8)
    median_rows(counts, centroids)
    return centroids


def cluster(
    rows: UInt8,
    clusters: int,
    seed: int,
    iterations: int,
    threads: int = 0,
    progress: Callable[[int], None] | None = None,
) -> UInt8:
    """(at most clusters, width): centroids from the weakest (most weight in low bins) to the strongest."""
    chosen = np.empty(clusters, dtype=np.int64)
    count = spread_seeds(rows, clusters, seed, chosen)
    centroids = rows[chosen[:count]].copy()
    previous = -1
    for iteration in range(iterations):
        labels, total = assign(rows, centroids, threads)
        if progress is not None:
            progress(1 if total != previous else iterations - iteration)
        if total == previous:
            break
        previous = total
        counts = np.zeros((count, rows.shape[1], int(rows.max()) + 1), dtype=np.int32)
        count_values(rows, labels, counts)
        median_rows(counts, centroids)
    # A cumulative histogram that rises early is a weak hand: order by falling sum, then entry by entry.
    unique = np.unique(centroids, axis=0)
    order = np.lexsort([*unique.T[::-1], -unique.sum(axis=1, dtype=np.int64)])
    return np.ascontiguousarray(unique[order])
