"""Numbers into intervals: the cut of least variance, found exactly (one-dimensional k-means)."""

import numpy as np
import numpy.typing as npt

from holdem.abstraction.kernels.clustering import optimal_intervals


def best_intervals(weights: npt.NDArray[np.int64], clusters: int) -> npt.NDArray[np.int64]:
    """(clusters,): first value of each interval of 0 .. n − 1, rising; fewer if there are fewer different values."""
    values = np.flatnonzero(weights)
    clusters = min(clusters, len(values))
    starts = np.empty(clusters, dtype=np.int64)
    optimal_intervals(np.ascontiguousarray(weights), clusters, starts)
    starts[0] = 0
    return np.unique(starts)
