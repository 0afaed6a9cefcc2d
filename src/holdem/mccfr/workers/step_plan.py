"""How the iterations of a step are cut into the pieces that workers claim.

A batch is divided as `batch_shares` says. Since all workers add into one table, nothing has to be exchanged between
batches, and the cut follows the clock: at small batches a piece is the same share of several batches, so that claiming
costs nothing, and a share that would take long is cut, so that a worker looks at the control block often. Towards the
end pieces shrink, so that the workers finish together (guided self-scheduling, Polychronopoulos & Kuck 1987).
"""

import numpy as np
import numpy.typing as npt

from holdem.mccfr.kernels.control import cut_pieces
from holdem.mccfr.schedules.ranges import batch_shares, shares

SHORTEST_SECONDS = 0.015
LONGEST_SECONDS = 0.03
LAST_SECONDS = 0.001
"""A piece in the middle of a step takes between the first two, and the very last ones take about the third."""
MOST_PIECES = 8_192


def cut_step(first: int, last: int, batch_size: int, workers: int, pace: float, bounds: npt.NDArray[np.int64]) -> int:
    """Cut [first, last) into pieces and return how many: piece i is [bounds[i], bounds[i + 1]).

    pace: iterations a second of one worker. The cut ends before `last` where `bounds` is too short for more pieces.
    """
    sizes = np.array(piece_sizes(batch_size, workers, pace), dtype=np.int64)
    return cut_pieces(first, last, sizes, max(1, int(LAST_SECONDS * pace)), workers, bounds)


def piece_sizes(batch_size: int, workers: int, pace: float) -> list[int]:
    """The sizes of a batch's pieces in turn, or of several batches taken together."""
    batches = max(1, round(SHORTEST_SECONDS * pace * workers / batch_size))
    longest = max(1, int(LONGEST_SECONDS * pace))
    sizes: list[int] = []
    for share in batch_shares(batch_size, workers):
        if share:
            sizes += shares(batches * share, -(-batches * share // longest))
    return sizes
