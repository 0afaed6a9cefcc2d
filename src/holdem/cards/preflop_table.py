"""Count every preflop all-in: `python -m holdem.cards.preflop_table` writes `preflop_table.npz`.

`wins[c, d]` is the number of deals (a hand of class c, a hand of class d that shares no card with it, one of the
1,712,304 boards that they leave) in which class c wins; classes are numbered as in `holdem.cards.ranges`. Losses are
the transpose, ties the rest. The 134,459 boards that differ by more than the names of suits stand for all 2,598,960.
The table is small enough to ship, and a slow test counts it again and compares.
"""

from math import comb

import numpy as np
import numpy.typing as npt

from holdem.cards.cards import HOLE_CARDS
from holdem.cards.equity import suit_symmetries
from holdem.cards.kernels.equity import complete_boards
from holdem.cards.kernels.preflop import add_class_wins
from holdem.cards.preflop_equity import TABLE_PATH
from holdem.cards.ranges import CLASS_OF_HOLE, NUM_CLASSES, Range
from holdem.util.parallel import run_chunks

_PADDED_CLASSES = 176
"""A multiple of 16, so that the inner loop has no remainder."""
_BOARDS_PER_CHUNK = 1024


def count_wins(threads: int = 0) -> npt.NDArray[np.int32]:
    """(169, 169) int32: deals that each class wins against each other class, over all boards (15 s on one core)."""
    boards, multiplicities = np.empty((comb(52, 5), 5), dtype=np.uint8), np.empty(comb(52, 5), dtype=np.int64)
    renamings = suit_symmetries(Range.parse("random"), ())
    count = complete_boards(np.empty(0, dtype=np.uint8), renamings, boards, multiplicities)
    low, high = HOLE_CARDS[:, 0].astype(np.uint8), HOLE_CARDS[:, 1].astype(np.uint8)
    parts: list[npt.NDArray[np.int32]] = []

    def work(start: int, stop: int) -> None:
        wins = np.zeros((NUM_CLASSES, _PADDED_CLASSES), dtype=np.int32)
        add_class_wins(boards[start:stop], multiplicities[start:stop], low, high, CLASS_OF_HOLE, wins)
        parts.append(wins[:, :NUM_CLASSES])

    run_chunks(work, count, _BOARDS_PER_CHUNK, threads)
    total: npt.NDArray[np.int32] = np.sum(parts, axis=0, dtype=np.int32)
    return total


if __name__ == "__main__":
    np.savez_compressed(TABLE_PATH, wins=count_wins())
    print(f"wrote {TABLE_PATH.name}")
