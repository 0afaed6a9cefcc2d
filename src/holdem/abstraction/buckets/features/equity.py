"""Equity against a uniform range, exact: on the river a score of 0 to 1,980, earlier the sum over the cards to come.

A turn hand's sum runs over 46 river cards (0 to 91,080), a flop hand's over 47 turn and 46 river cards (0 to
4,280,760). Dividing by the largest value gives the equity.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from holdem.abstraction.buckets.boards import canonical_boards
from holdem.abstraction.kernels.features import MAX_SCORE, score_rivers
from holdem.cards.suit_index import INDEX_SIZES
from holdem.util.parallel import run_chunks

LARGEST_SUM = {5: MAX_SCORE, 4: 46 * MAX_SCORE, 3: 47 * 46 * MAX_SCORE}
"""The value of a hand that wins everything, by board size."""

UNSEEN_SCORE = 65535
_BOARDS_PER_CHUNK = 256


def river_scores(
    threads: int = 0, progress: Callable[[int], None] | None = None
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.int64]]:
    """(123,156,254,) the score of every river hand, and (1981,) how many deals have each score."""
    boards, multiplicities = canonical_boards(5)
    scores = np.full(INDEX_SIZES[5], UNSEEN_SCORE, dtype=np.uint16)
    parts: dict[int, npt.NDArray[np.int64]] = {}

    def work(start: int, stop: int) -> None:
        parts[start] = np.zeros(MAX_SCORE + 1, dtype=np.int64)
        score_rivers(boards[start:stop], multiplicities[start:stop], scores, parts[start])

    run_chunks(work, len(boards), _BOARDS_PER_CHUNK, threads, progress)
    check_complete(scores, UNSEEN_SCORE)
    return scores, np.sum(list(parts.values()), axis=0)


def check_complete(values: npt.NDArray[np.generic], unseen: int) -> None:
    """Every hand must have been met: an index or a board that was left out is a defect."""
    missing = int(np.count_nonzero(values == unseen))
    if missing:
        raise AssertionError(f"{missing:,} of {len(values):,} hands were never met")
