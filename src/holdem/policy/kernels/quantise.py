"""Compiled rounding of strategies to whole numbers of a fixed total, row by row.

A row comes from strategy sums, or from a table of training: its sums, and where it has none its positive regrets.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.util.arrays import Float64, UInt16
from holdem.util.jit import inline_kernel, kernel

_MOST_ACTIONS = 128
_REGRET, _SUM = 0, 1


@inline_kernel
def _round_row(weights: Float64, length: int, scale: int, fractions: Float64, out: UInt16, start: int) -> None:
    """Shares of `weights[:length]` in whole numbers that add up to `scale`, by largest remainder; zeros stay zeros.

    What is left after rounding down goes to the largest fractions, the first of equals, and never to a weight of zero.
    """
    total = 0.0
    for a in range(length):
        total += weights[a]
    left = scale if total > 0.0 else 0
    for a in range(length):
        share = weights[a] / total * scale if weights[a] > 0 else 0.0
        whole = int(share)
        out[start + a] = whole
        fractions[a] = share - whole if weights[a] > 0 else -1.0
        left -= whole
    while left > 0:
        best = 0
        for a in range(1, length):
            if fractions[a] > fractions[best]:
                best = a
        out[start + best] += 1
        fractions[best] = -1.0
        left -= 1


@kernel
def quantise_rows(sums: npt.NDArray[Any], row_lengths: npt.NDArray[np.int8], scale: int, out: UInt16) -> None:
    """Round every row; sums, out: (entries,) consecutive rows whose lengths repeat `row_lengths`."""
    weights, fractions = np.empty(_MOST_ACTIONS), np.empty(_MOST_ACTIONS)
    start = 0
    while start < len(sums):
        for length in row_lengths:
            for a in range(length):
                weights[a] = sums[start + a]
            _round_row(weights, length, scale, fractions, out, start)
            start += length


@inline_kernel
def _column_of(table: npt.NDArray[Any], start: int, length: int) -> int:
    """The sums if the row has any, else the regrets."""
    for a in range(start, start + length):
        if table[a, _SUM] > 0:
            return _SUM
    return _REGRET


@kernel
def quantise_table(table: npt.NDArray[Any], row_lengths: npt.NDArray[np.int8], scale: int, out: UInt16) -> None:
    """The same of a table of training: (entries, 2), regrets and strategy sums."""
    weights, fractions = np.empty(_MOST_ACTIONS), np.empty(_MOST_ACTIONS)
    start = 0
    while start < len(table):
        for length in row_lengths:
            column = _column_of(table, start, length)
            for a in range(length):
                weights[a] = max(np.float64(table[start + a, column]), 0.0)
            _round_row(weights, length, scale, fractions, out, start)
            start += length


@kernel
def count_untrained(table: npt.NDArray[Any], row_lengths: npt.NDArray[np.int8]) -> int:
    """Rows of a table of training for which `quantise_table` finds nothing."""
    untrained, start = 0, 0
    while start < len(table):
        for length in row_lengths:
            column = _column_of(table, start, length)
            nothing = 1
            for a in range(start, start + length):
                if table[a, column] > 0:
                    nothing = 0
            untrained += nothing
            start += length
    return untrained
