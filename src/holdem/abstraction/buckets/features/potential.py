"""Potential: how a hand's equity spreads over the next card, as a cumulative histogram (Gilpin et al. 2007).

A turn hand counts its 46 river scores, a flop hand its 47 turn sums, in bins of equal width. Rows are padded with
their last count to the width that the distance works in; equal padding adds nothing to a distance.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from holdem.abstraction.buckets.boards import canonical_boards
from holdem.abstraction.buckets.features.equity import LARGEST_SUM, check_complete
from holdem.abstraction.kernels.distance import BLOCK
from holdem.abstraction.kernels.features import MAX_SCORE, flop_potentials, turn_potentials
from holdem.cards.suit_index import INDEX_SIZES
from holdem.util.arrays import UInt8, UInt32
from holdem.util.parallel import run_chunks

UNSEEN_SUM = 2**32 - 1


def row_width(bins: int) -> int:
    """Bytes of a row with this number of bins."""
    return -(-bins // BLOCK) * BLOCK


def bin_of_score(bins: int) -> npt.NDArray[np.uint8]:
    """(1981,): the bin of each river score."""
    return (np.arange(MAX_SCORE + 1) * bins // (MAX_SCORE + 1)).astype(np.uint8)


def turn_bin_width(bins: int) -> int:
    """Turn sums in one bin."""
    return -(-(LARGEST_SUM[4] + 1) // bins)


def turn_rows(bins: int, threads: int = 0, progress: Callable[[int], None] | None = None) -> tuple[UInt8, UInt32]:
    """(13,960,050, width) cumulative histograms and (13,960,050,) sums of all turn hands."""
    boards, _ = canonical_boards(4)
    rows = np.empty((INDEX_SIZES[4], row_width(bins)), dtype=np.uint8)
    sums = np.full(INDEX_SIZES[4], UNSEEN_SUM, dtype=np.uint32)
    bin_table = bin_of_score(bins)
    run_chunks(lambda a, b: turn_potentials(boards[a:b], bin_table, rows, sums), len(boards), 32, threads, progress)
    check_complete(sums, UNSEEN_SUM)
    return rows, sums


def flop_rows(
    bins: int, turn_sums: UInt32, threads: int = 0, progress: Callable[[int], None] | None = None
) -> tuple[UInt8, UInt32]:
    """(1,286,792, width) cumulative histograms and (1,286,792,) sums of all flop hands."""
    boards, _ = canonical_boards(3)
    rows = np.empty((INDEX_SIZES[3], row_width(bins)), dtype=np.uint8)
    sums = np.full(INDEX_SIZES[3], UNSEEN_SUM, dtype=np.uint32)
    width = turn_bin_width(bins)
    run_chunks(
        lambda a, b: flop_potentials(boards[a:b], turn_sums, width, rows, sums), len(boards), 8, threads, progress
    )
    check_complete(sums, UNSEEN_SUM)
    return rows, sums
