"""One compiled walk over a block of rows for what a training log shows."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.util.jit import kernel


@kernel
def row_figures(
    table: npt.NDArray[Any], widths: npt.NDArray[np.int8], buckets: int, start: int, out: npt.NDArray[np.float64]
) -> None:
    """Add to `out: (4,)` rows touched, rows with a strategy, their entropies in bits, and squared positive regrets.

    table: (entries, 2). The block begins at `start` and has for each bucket a row of each of the widths in turn.
    """
    row = start
    for _ in range(buckets):
        for i in range(widths.shape[0]):
            width = np.int64(widths[i])
            total = 0.0
            logs = 0.0
            touched = False
            for a in range(row, row + width):
                regret, weight = np.float64(table[a, 0]), np.float64(table[a, 1])
                if regret > 0.0:
                    out[3] += regret * regret
                if weight > 0.0:
                    total += weight
                    logs += weight * math.log2(weight)
                touched = touched or regret != 0.0 or weight != 0.0
            out[0] += touched
            if total > 0.0:
                out[1] += 1.0
                out[2] += math.log2(total) - logs / total
            row += width
