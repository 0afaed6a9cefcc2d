"""How large leaf values get and how long they take, before anything is computed: two probes of a tenth of a second."""

import time
from dataclasses import dataclass

import numpy as np

from holdem.abstraction.bucketing import HandBucketing
from holdem.blueprint.leaf_values.compute import check_game
from holdem.blueprint.leaf_values.continuations import PAIRS
from holdem.blueprint.leaf_values.start_values import start_values
from holdem.blueprint.leaf_values.tables import Layout, LeafValues
from holdem.blueprint.leaf_values.transitions import PATHS, count_cards
from holdem.policy.hands import is_lossless
from holdem.policy.policy import AveragePolicy
from holdem.util.parallel import workers_for

PROBE_DEALS, PROBE_LEAVES = 100_000, 10
SECONDS_PER_ADD = 0.4e-9
"""Of one multiply-add of `add_rows` (13 ns for 63 of them, and as much again for what is around it)."""
SECONDS_PER_PATH = 20e-9
"""Of following one hand from one leaf in `add_paths`."""
DENSITY = 3
"""At most about one in so many steps from a bucket pair to a bucket pair can be dealt at all."""


@dataclass(frozen=True)
class Estimate:
    """What a computation will take."""

    leaves: tuple[int, ...]
    """By the street that closes."""
    table_bytes: int
    memory_bytes: int
    seconds: float


def estimate(policy: AveragePolicy, bucketing: HandBucketing | None, deals: int, threads: int = 0) -> Estimate:
    """Size, memory and time of the leaf values of a policy."""
    check_game(policy)
    layout = Layout.of(policy.tree, policy.info.buckets_per_street)
    threads = workers_for(threads)
    deals = 0 if is_lossless(policy) else deals
    count_cards(policy, bucketing, 1_000, threads=1)  # compiles or loads the kernels
    begun = time.monotonic()
    count_cards(policy, bucketing, PROBE_DEALS, threads=1)
    dealing = (time.monotonic() - begun) * deals / PROBE_DEALS / threads
    entries = [min(2 * deals, size**2 * after**2 // DENSITY) for size, after in _sizes(layout)]
    adding = sum(
        len(nodes) * len(PAIRS) * count * (2 if street == len(entries) - 1 else 1) * SECONDS_PER_ADD / threads
        for street, (nodes, count) in enumerate(zip(layout.leaves, entries, strict=True))
    )
    paths = 2 * min(deals, PATHS) if len(entries) > 1 else 0
    following = paths * len(layout.leaves[-2]) * SECONDS_PER_PATH / threads if paths else 0.0
    return Estimate(
        tuple(len(nodes) for nodes in layout.leaves),
        layout.table_bytes,
        layout.table_bytes + 32 * sum(entries) + 13 * paths,
        dealing + adding + following + _playing(policy, layout) * (2 if paths else 1),
    )


def _sizes(layout: Layout) -> list[tuple[int, int]]:
    return list(zip(layout.buckets[:-1], layout.buckets[1:], strict=True))


def _playing(policy: AveragePolicy, layout: Layout) -> float:
    """Seconds to play the streets of all leaves, from some of the last ones."""
    street = len(layout.leaves) - 1
    equity = np.zeros((layout.buckets[street + 1],) * 2, dtype=np.float32)
    leaves = layout.leaves[street][:: max(1, len(layout.leaves[street]) // PROBE_LEAVES)].tolist()
    empty = LeafValues(policy, np.zeros(0, dtype=np.int16), {}, {})
    begun = time.monotonic()
    for leaf in leaves:
        start_values(empty, leaf, equity)
    return (time.monotonic() - begun) / max(len(leaves), 1) * layout.num_leaves
