"""Opponent cluster hand strength (Johanson et al. 2013): a river hand's equity against groups of opponents' hands.

The groups are the 169 preflop classes cut by their equity against a random hand, so that every suit is treated alike.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from holdem.abstraction.buckets.boards import canonical_boards
from holdem.abstraction.buckets.clustering.intervals import best_intervals
from holdem.abstraction.buckets.features.equity import UNSEEN_SCORE, check_complete
from holdem.abstraction.kernels.distance import BLOCK
from holdem.abstraction.kernels.ochs import assign_rivers, river_cluster_rows
from holdem.cards.equity import hand_equities
from holdem.cards.suit_index import INDEX_SIZES
from holdem.util.parallel import run_chunks

_STEPS = 4096


def opponent_clusters(clusters: int, threads: int = 0) -> npt.NDArray[np.uint8]:
    """(1326,): the group of each hole pair, weakest group first; there may be fewer groups than asked for."""
    # Equities are quotients of exact counts; the small shift keeps a rounding below an edge from crossing it.
    steps = np.floor(hand_equities("random", threads=threads) * _STEPS + 1e-6).astype(np.int64)
    starts = best_intervals(np.bincount(steps, minlength=_STEPS + 1), clusters)
    return (np.searchsorted(starts, steps, side="right") - 1).astype(np.uint8)


def sample_rows(
    indices: npt.NDArray[np.int64], groups: npt.NDArray[np.uint8], threads: int = 0
) -> npt.NDArray[np.uint8]:
    """(n, BLOCK): rows of the given river hands."""
    rows = np.empty((len(indices), BLOCK), dtype=np.uint8)
    count = int(groups.max()) + 1
    run_chunks(lambda a, b: river_cluster_rows(indices[a:b], groups, count, rows[a:b]), len(indices), 2048, threads)
    return rows


def assign_all(
    groups: npt.NDArray[np.uint8],
    centroids: npt.NDArray[np.uint8],
    threads: int = 0,
    progress: Callable[[int], None] | None = None,
) -> npt.NDArray[np.uint16]:
    """(123,156,254,): the nearest centroid of every river hand."""
    boards, _ = canonical_boards(5)
    labels = np.full(INDEX_SIZES[5], UNSEEN_SCORE, dtype=np.uint16)
    count = int(groups.max()) + 1
    run_chunks(
        lambda a, b: assign_rivers(boards[a:b], groups, count, centroids, labels), len(boards), 128, threads, progress
    )
    check_complete(labels, UNSEEN_SCORE)
    return labels
