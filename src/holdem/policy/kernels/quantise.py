"""Compiled rounding of strategy sums to whole numbers of a fixed total, row by row."""

from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.util.jit import kernel


@kernel
def quantise_rows(
    sums: npt.NDArray[Any], row_lengths: npt.NDArray[np.int8], scale: int, out: npt.NDArray[np.uint16]
) -> None:
    """Shares of each row in whole numbers that add up to `scale`, by largest remainder; a row of zeros stays so.

    sums, out: (entries,) consecutive rows whose lengths repeat `row_lengths`. What is left after rounding down goes
    to the largest fractions, the first of equals, and never to an action with a sum of zero.
    """
    fractions = np.empty(128)
    start = 0
    while start < len(sums):
        for length in row_lengths:
            total = 0.0
            for a in range(start, start + length):
                total += sums[a]
            left = 0
            if total > 0.0:
                left = scale
            for a in range(length):
                value = sums[start + a]
                share = value / total * scale if value > 0 else 0.0
                whole = int(share)
                out[start + a] = whole
                fractions[a] = share - whole if value > 0 else -1.0
                left -= whole
            while left > 0:
                best = 0
                for a in range(1, length):
                    if fractions[a] > fractions[best]:
                        best = a
                out[start + best] += 1
                fractions[best] = -1.0
                left -= 1
            start += length
