"""The passes behind a card abstraction, and the lookup that the trainer makes."""

import numpy as np
import numpy.typing as npt

from benchmarks.bench_cards import evaluate_all_boards
from benchmarks.measurement import Measurement, best_seconds
from holdem.abstraction.buckets.boards import canonical_boards
from holdem.abstraction.buckets.clustering.k_medians import assign
from holdem.abstraction.buckets.features.equity import river_scores
from holdem.abstraction.buckets.features.potential import turn_rows
from holdem.abstraction.kernels.features import score_boards
from holdem.cards.kernels.evaluator import CARD_BITS
from holdem.cards.kernels.index import index_of_bits
from holdem.cards.suit_index import INDEX_SIZES
from holdem.util.jit import kernel
from holdem.util.progress import ProgressBar


@kernel
def look_up(hands: npt.NDArray[np.uint8], table: npt.NDArray[np.uint8]) -> int:
    """Buckets of river hands: index and table."""
    total = 0
    for i in range(hands.shape[0]):
        hole = CARD_BITS[hands[i, 0]] | CARD_BITS[hands[i, 1]]
        board = 0
        for j in range(2, 7):
            board |= CARD_BITS[hands[i, j]]
        total += table[index_of_bits(hole, board, 5)]
    return total


@kernel
def read_at(indices: npt.NDArray[np.int64], table: npt.NDArray[np.uint8]) -> int:
    """The reads alone."""
    total = 0
    for index in indices:
        total += table[index]
    return total


def run() -> list[Measurement]:
    boards = canonical_boards(5)[0]
    strengths = np.empty(1326, dtype=np.int16)
    bare = best_seconds(lambda: evaluate_all_boards(boards, strengths))
    scores = best_seconds(lambda: score_boards(boards), 1)
    with ProgressBar("river pass", 2 * len(boards)) as bar:
        river = best_seconds(lambda: river_scores(progress=bar), 1)
    with ProgressBar("turn pass", 2 * len(canonical_boards(4)[0])) as bar:
        turn = best_seconds(lambda: turn_rows(32, progress=bar), 1)
    rows = np.random.default_rng(0).integers(0, 47, (200_000, 32), dtype=np.uint8)
    nearest = best_seconds(lambda: assign(rows, rows[:200].copy(), threads=1)) / len(rows) / 200
    return [
        Measurement("river equities, board by board, 1 thread", scores, "s", "strengths only", bare, "≤ 10×"),
        Measurement("river equities, indexed, all threads", river, "s", target="≤ 15 s"),
        Measurement("turn histograms, all threads", turn, "s"),
        Measurement("one histogram distance", nearest * 1e9, "ns"),
        _lookup(),
    ]


def _lookup() -> Measurement:
    hands = np.random.default_rng(1).random((1_000_000, 52)).argpartition(7, axis=1)[:, :7].astype(np.uint8)
    table = np.random.default_rng(2).integers(0, 200, INDEX_SIZES[5], dtype=np.uint8)
    indices = np.random.default_rng(3).integers(0, INDEX_SIZES[5], len(hands))
    whole = best_seconds(lambda: look_up(hands, table)) / len(hands)
    read = best_seconds(lambda: read_at(indices, table)) / len(hands)
    return Measurement("river bucket of a hand", whole * 1e9, "ns", "bare read", read * 1e9, "≤ 150 ns more")
