"""Values of depth-limited leaves: the kernel against sums over all pairs of hands."""

import numpy as np
import pytest

from holdem.cards.cards import HOLE_CARDS
from holdem.realtime._kernels_leaves import leaf_values
from holdem.realtime.deals import same_hands


def test_a_leaf_is_the_mean_over_buckets_times_the_hands_that_can_be_met() -> None:
    random = np.random.default_rng(3)
    leaves, buckets = 3, 7
    hands = np.sort(random.choice(1326, 90, replace=False)), np.sort(random.choice(1326, 80, replace=False))
    own_buckets, other_buckets = random.integers(0, buckets, 90), random.integers(0, buckets, 80)
    tables = random.normal(size=(leaves, buckets, buckets)).astype(np.float32)
    reach = random.random((leaves, 80)).astype(np.float32)
    reach[2] = 0.0
    values = np.empty((leaves, 90), dtype=np.float32)
    leaf_values(
        reach,
        np.ascontiguousarray(tables.transpose(0, 2, 1)),
        own_buckets.astype(np.int32),
        other_buckets.astype(np.int32),
        HOLE_CARDS[hands[0]].astype(np.int32),
        HOLE_CARDS[hands[1]].astype(np.int32),
        np.ascontiguousarray(same_hands(hands)[0, :90]),
        values,
    )
    apart = np.array([[not set(HOLE_CARDS[a]) & set(HOLE_CARDS[b]) for b in hands[1]] for a in hands[0]])
    for leaf in range(leaves):
        total = reach[leaf].sum()
        for hand in range(90):
            mean = sum(reach[leaf, o] * tables[leaf, own_buckets[hand], other_buckets[o]] for o in range(80))
            expected = mean / total * (apart[hand] @ reach[leaf]) if total else 0.0
            assert values[leaf, hand] == pytest.approx(expected, abs=1e-3)
