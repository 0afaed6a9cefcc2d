"""What a build will cost, before it starts: memory, disk and time on this machine."""

import time
from dataclasses import dataclass

import numpy as np

from holdem.abstraction.buckets.boards import canonical_boards
from holdem.abstraction.buckets.features.potential import row_width
from holdem.abstraction.kernels.clustering import assign_rows
from holdem.abstraction.kernels.distance import BLOCK
from holdem.abstraction.kernels.features import score_boards
from holdem.cards.suit_index import INDEX_SIZES
from holdem.types import BucketConfig
from holdem.util.parallel import available_cores

INTERPRETER_BYTES = 250_000_000
"""Python, Numba and the boards, as measured on x86-64 Linux."""
FLOP_LOOKUPS = 1755 * 1176 * 47
_LOOKUP_SECONDS = 6e-8
"""One hand index and a table entry; and one count in a histogram."""
_COUNT_SECONDS = 4e-9


@dataclass(frozen=True)
class BuildEstimate:
    """Bytes and seconds of a build."""

    memory_bytes: int
    disk_bytes: int
    seconds: float


def estimate(config: BucketConfig, threads: int) -> BuildEstimate:
    """Memory and disk from the sizes; time from a few boards and distances measured now."""
    return BuildEstimate(*build_bytes(config), _seconds(config, threads))


def build_bytes(config: BucketConfig) -> tuple[int, int]:
    """Memory and disk of a build."""
    entry = [1 if count <= 256 else 2 for count in config.buckets_per_street[1:]]
    tables = [size * width for size, width in zip((INDEX_SIZES[3], INDEX_SIZES[4], INDEX_SIZES[5]), entry, strict=True)]
    river = INDEX_SIZES[5] * (2 + (2 if config.features.river == "ochs" else 0)) + tables[2]
    turn = INDEX_SIZES[4] * (row_width(config.bins) + 4 + 2) + tables[1] + 2 * config.samples * row_width(config.bins)
    return INTERPRETER_BYTES + max(river, turn), sum(tables)


def _seconds(config: BucketConfig, threads: int) -> float:
    board = _seconds_per_board()
    river = board + 1081 * _LOOKUP_SECONDS
    turn = 48 * (board + 1081 * _COUNT_SECONDS) + 1128 * _LOOKUP_SECONDS
    distance = _seconds_per_distance() * row_width(config.bins) / BLOCK
    rounds = config.samples * (config.iterations / 2 + 2)
    total = river * len(canonical_boards(5)[0]) + turn * len(canonical_boards(4)[0]) + FLOP_LOOKUPS * _LOOKUP_SECONDS
    for street, size in (("turn", INDEX_SIZES[4]), ("flop", INDEX_SIZES[3])):
        if getattr(config.features, street) == "potential":
            total += (size + rounds) * getattr(config.buckets, street) * distance
    if config.features.river == "ochs":
        hands = len(canonical_boards(5)[0]) * 1081
        total += river * 5 * len(canonical_boards(5)[0]) + (hands + rounds) * config.buckets.river * distance
    return total / (threads or available_cores())


def _seconds_per_board() -> float:
    """The scores of one complete board, on one thread."""
    boards = canonical_boards(5)[0][::500].copy()
    score_boards(boards[:1])
    start = time.perf_counter()
    score_boards(boards)
    return (time.perf_counter() - start) / len(boards)


def _seconds_per_distance() -> float:
    rows, labels = (
        np.random.default_rng(0).integers(0, 47, (400, BLOCK), dtype=np.uint8),
        np.empty(400, dtype=np.uint16),
    )
    assign_rows(rows[:1], rows, labels)
    start = time.perf_counter()
    assign_rows(rows, rows, labels)
    return (time.perf_counter() - start) / 400**2
