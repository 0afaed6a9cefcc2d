"""Weighted averages of whole tables: the arithmetic of merging.

Tables that were trained apart are not added: copies that did not see each other all move the same way, and the sum of
their regrets overshoots. Regrets are averaged by iterations. Strategy sums are averaged too, which is adding them in
units of the number of tables: a policy does not see a common factor, and integers stay in range.

A row that would leave the range of an integer table is halved as a whole, as training does with a row that grows too
large: its strategy stays the same.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.row_layout import row_blocks
from holdem.abstraction.betting.tree import BettingTree
from holdem.mccfr.kernels.table import HIGHEST_ENTRY
from holdem.mccfr.schedules.pruning import LOWEST_REGRET
from holdem.mccfr.table.regret_tracker import REGRET, STRATEGY_SUM
from holdem.util.arrays import AnyArray, Float64

_ENTRIES_PER_CHUNK = 2_000_000


def average_tables(
    tree: BettingTree,
    buckets_per_street: Sequence[int],
    tables: Sequence[AnyArray],
    regret_shares: Sequence[float],
    sum_shares: Sequence[float],
    out: AnyArray,
) -> None:
    """Fill `out`, (entries, 2), with the tables times their shares; piece by piece, so `out` may be one of them."""
    for block in row_blocks(tree, buckets_per_street):
        for start, stop in block.pieces(_ENTRIES_PER_CHUNK):
            for column, shares in ((REGRET, regret_shares), (STRATEGY_SUM, sum_shares)):
                total = np.zeros(stop - start)
                for table, share in zip(tables, shares, strict=True):
                    if share:
                        total += table[start:stop, column] * share
                if out.dtype == np.int32:
                    total = np.rint(_fit_rows(total, block.widths.astype(np.int64)))
                out[start:stop, column] = total


def reference_average_row(rows: Sequence[Sequence[float]], shares: Sequence[float]) -> list[int]:
    """One row of one column in plain Python."""
    row = [sum(r[a] * share for r, share in zip(rows, shares, strict=True)) for a in range(len(rows[0]))]
    while max(row) > HIGHEST_ENTRY:
        row = [value / 2 for value in row]
    return [round(max(value, LOWEST_REGRET)) for value in row]


def _fit_rows(values: Float64, widths: npt.NDArray[np.int64]) -> Float64:
    """Halve rows whose largest entry is beyond the limit until it is not; values: whole rows of the widths in turn."""
    if values.max(initial=0.0) > HIGHEST_ENTRY:
        lines = values.reshape(-1, int(widths.sum()))
        peaks = np.maximum.reduceat(lines, np.cumsum(widths) - widths, axis=1)
        halvings = np.ceil(np.log2(np.maximum(peaks / HIGHEST_ENTRY, 1.0)))
        values = (lines * np.repeat(0.5**halvings, widths, axis=1)).reshape(-1)
    return np.maximum(values, LOWEST_REGRET)
