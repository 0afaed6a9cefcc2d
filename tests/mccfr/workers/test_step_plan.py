"""Steps cut into pieces: nothing twice, nothing left out, and pieces of the right length."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from holdem.mccfr.schedules.ranges import batch_shares
from holdem.mccfr.workers.step_plan import LAST_SECONDS, LONGEST_SECONDS, MOST_PIECES, cut_step, piece_sizes


def plain_cut(first: int, last: int, sizes: list[int], least: int, workers: int) -> list[int]:
    """The cut in plain Python."""
    bounds = [first]
    while bounds[-1] < last and len(bounds) <= MOST_PIECES:
        left = last - bounds[-1]
        size = sizes[(len(bounds) - 1) % len(sizes)]
        bounds.append(bounds[-1] + min(size, max(least, left // (2 * workers)), left))
    return bounds


@given(
    first=st.integers(0, 10**12),
    length=st.integers(1, 200_000),
    batch_size=st.integers(1, 20_000),
    workers=st.integers(1, 64),
    pace=st.floats(0.1, 2e6),
)
def test_pieces_tile_the_step(first: int, length: int, batch_size: int, workers: int, pace: float) -> None:
    bounds = np.zeros(MOST_PIECES + 1, dtype=np.int64)
    pieces = cut_step(first, first + length, batch_size, workers, pace, bounds)
    sizes = piece_sizes(batch_size, workers, pace)
    found = bounds[: pieces + 1].tolist()
    assert found == plain_cut(first, first + length, sizes, max(1, int(LAST_SECONDS * pace)), workers)
    assert found[0] == first
    assert all(np.diff(found) > 0)
    assert found[-1] == first + length or pieces == MOST_PIECES


@given(st.integers(1, 20_000), st.integers(1, 64), st.floats(0.1, 2e6))
def test_pieces_are_whole_batches(batch_size: int, workers: int, pace: float) -> None:
    sizes = piece_sizes(batch_size, workers, pace)
    assert sum(sizes) % batch_size == 0
    assert max(sizes) <= max(1, LONGEST_SECONDS * pace)


def test_a_batch_is_shared_as_documented() -> None:
    # Slow enough that a piece is a share of one batch: 100 // 6 each, and the remainder to the first.
    assert piece_sizes(100, 6, 1_000.0) == batch_shares(100, 6) == [20, 16, 16, 16, 16, 16]
    assert piece_sizes(100, 2, 100_000.0) == [1_500, 1_500]
    assert piece_sizes(10_000, 2, 100_000.0) == [2_500, 2_500, 2_500, 2_500]
