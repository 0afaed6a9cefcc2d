"""What a row of a policy's table plays, for every kernel that reads one.

A row of zeros was never trained. Nothing is known there, so nothing is raised: the first `passive` actions, those that
do not raise, are taken equally often.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.util.jit import inline_kernel


@inline_kernel
def row_total(table: npt.NDArray[Any], start: int, count: int) -> float:
    """What the row of `count` actions at `start` adds up to; 0 if it was never trained."""
    total = 0.0
    for a in range(start, start + count):
        total += table[a]
    return total


@inline_kernel
def played_weight(table: npt.NDArray[Any], start: int, action: int, passive: int, total: float) -> float:
    """How often an action is played, in parts of `played_total`; total: of the row."""
    if total > 0.0:
        return np.float64(table[start + action])
    return 1.0 if action < passive else 0.0


@inline_kernel
def played_total(passive: int, total: float) -> float:
    """What the weights of a row add up to."""
    return total if total > 0.0 else np.float64(passive)
