"""All boards of a street up to suits: 1,755 flops, 16,432 turn boards, 134,459 river boards."""

from functools import cache
from itertools import permutations
from math import comb

import numpy as np
import numpy.typing as npt

from holdem.cards.kernels.equity import complete_boards


@cache
def canonical_boards(size: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """(n, size) one board for each set of boards that differ in the names of suits, and (n,) the sets' sizes."""
    room = comb(52, size)
    boards, multiplicities = np.empty((room, size), dtype=np.uint8), np.empty(room, dtype=np.int64)
    renamings = np.array(list(permutations(range(4))), dtype=np.int64)
    count = complete_boards(np.empty(0, dtype=np.uint8), renamings, boards, multiplicities)
    # Not marked read-only: Numba would compile every kernel a second time for that type.
    return boards[:count].copy(), multiplicities[:count].copy()
