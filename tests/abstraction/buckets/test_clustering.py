"""Clustering kernels against NumPy and brute force, and the same result for any number of threads."""

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem.abstraction.buckets.clustering.intervals import best_intervals
from holdem.abstraction.buckets.clustering.k_medians import assign, cluster, medians


def random_rows(number: int, width: int = 32, seed: int = 0) -> npt.NDArray[np.uint8]:
    """Cumulative histograms of 46 cards."""
    counts = np.random.default_rng(seed).multinomial(46, np.full(width, 1 / width), size=number)
    return np.cumsum(counts, axis=1).astype(np.uint8)


@pytest.mark.parametrize("width", [32, 64])
def test_assignment_is_the_nearest_centroid(width: int) -> None:
    rows, centroids = random_rows(500, width), random_rows(37, width, seed=1)
    labels, total = assign(rows, centroids)
    distances = np.abs(rows[:, None].astype(int) - centroids[None].astype(int)).sum(axis=2)
    assert labels.tolist() == distances.argmin(axis=1).tolist()
    assert total == distances.min(axis=1).sum()


def test_distance_covers_all_byte_values() -> None:
    rows = np.random.default_rng(2).integers(0, 256, (300, 32), dtype=np.uint8)
    _, total = assign(rows, rows[:1])
    assert total == np.abs(rows.astype(int) - rows[0].astype(int)).sum()


def test_medians_are_numpys_lower_medians() -> None:
    rows = random_rows(301)
    labels = (np.arange(301) % 4).astype(np.uint16)
    for c, centre in enumerate(medians(rows, labels, 4)):
        expected = np.percentile(rows[labels == c], 50, axis=0, method="inverted_cdf")
        assert centre.tolist() == expected.tolist()


def test_clusters_do_not_depend_on_threads() -> None:
    rows = random_rows(30_000)
    results = [cluster(rows, 20, seed=3, iterations=8, threads=threads) for threads in (1, 2, 3)]
    assert all(np.array_equal(results[0], other) for other in results[1:])
    assert not np.array_equal(results[0], cluster(rows, 20, seed=4, iterations=8))


def test_fitting_lowers_the_distance() -> None:
    rows = random_rows(20_000)
    once, often = (assign(rows, cluster(rows, 20, 0, iterations))[1] for iterations in (1, 20))
    assert often < once


def test_fewer_different_rows_than_clusters() -> None:
    rows = np.repeat(random_rows(3), 50, axis=0)
    assert len(cluster(rows, 10, 0, 5)) == 3


def cost(weights: list[int], cuts: tuple[int, ...]) -> float:
    """Weighted squared deviation of intervals that start at 0 and at the cuts."""
    total = 0.0
    for start, stop in zip((0, *cuts), (*cuts, len(weights)), strict=True):
        part, values = np.array(weights[start:stop], dtype=float), np.arange(start, stop)
        if part.sum() > 0:
            total += float(part @ (values - part @ values / part.sum()) ** 2)
    return total


@given(st.lists(st.integers(0, 9), min_size=3, max_size=9).filter(any), st.integers(1, 4))
def test_intervals_are_the_best_of_all(weights: list[int], clusters: int) -> None:
    starts = best_intervals(np.array(weights, dtype=np.int64), clusters)
    assert starts[0] == 0
    assert len(starts) <= clusters
    best = min(
        cost(weights, cuts) for number in range(clusters) for cuts in combinations(range(1, len(weights)), number)
    )
    assert cost(weights, tuple(starts[1:].tolist())) == pytest.approx(best, abs=1e-9)
