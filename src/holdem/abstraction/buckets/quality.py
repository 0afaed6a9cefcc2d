"""How good buckets are, in numbers: what they keep of equity and of the spread over the next street.

All figures are over random deals. The share of equity variance is 1 − (variance inside buckets) / (variance of all
hands). The share of earth mover's distance is the same with the mean distance of a hand's histogram to the median of
its bucket, against the distance to the median of all hands.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.abstraction.buckets.clustering.k_medians import medians
from holdem.util.arrays import Float64, UInt8, UInt16

EQUITY_BINS = 20
EXAMPLES = 3


def variance_explained(equity: Float64, labels: UInt16) -> float:
    """Share of the variance of equity that lies between buckets."""
    sizes = np.bincount(labels)
    sums, squares = np.bincount(labels, weights=equity), np.bincount(labels, weights=equity**2)
    inside = squares.sum() - (sums**2 / np.maximum(sizes, 1)).sum()
    total = len(equity) * equity.var()
    return float(1.0 - inside / total) if total > 0 else 1.0


def distances_to_median(rows: UInt8, labels: UInt16, clusters: int) -> Float64:
    """Earth mover's distance of each row to the median row of its bucket."""
    centres = medians(rows, labels, clusters).astype(np.int16)
    distances: Float64 = np.abs(rows.astype(np.int16) - centres[labels]).sum(axis=1).astype(np.float64)
    return distances


def distance_explained(rows: UInt8, labels: UInt16, clusters: int) -> float:
    """Share of the distance between histograms that lies between buckets."""
    everything = distances_to_median(rows, np.zeros(len(rows), dtype=np.uint16), 1).sum()
    return float(1.0 - distances_to_median(rows, labels, clusters).sum() / everything)


def describe_buckets(indices: npt.NDArray[np.int64], equity: Float64, labels: UInt16, clusters: int) -> dict[str, Any]:
    """For each bucket: share of deals, mean and spread of equity, its distribution, and examples by hand index."""
    sizes = np.bincount(labels, minlength=clusters)
    safe = np.maximum(sizes, 1)
    mean = np.bincount(labels, weights=equity, minlength=clusters) / safe
    square = np.bincount(labels, weights=equity**2, minlength=clusters) / safe
    bins = np.minimum((equity * EQUITY_BINS).astype(np.int64), EQUITY_BINS - 1)
    spread = np.zeros((clusters, EQUITY_BINS), dtype=np.int32)
    np.add.at(spread, (labels, bins), 1)
    examples = np.full((clusters, EXAMPLES), -1, dtype=np.int64)
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(clusters))
    for bucket in range(clusters):
        mine = indices[order[starts[bucket] : starts[bucket] + min(EXAMPLES, sizes[bucket])]]
        examples[bucket, : len(mine)] = mine
    return {
        "share": (sizes / len(labels)).astype(np.float32),
        "equity_mean": mean.astype(np.float32),
        "equity_deviation": np.sqrt(np.maximum(square - mean**2, 0)).astype(np.float32),
        "equity_histogram": spread,
        "examples": examples,
    }
