"""Compiled payoffs of a terminal: who wins which chips, side pots included."""

import numpy as np
import numpy.typing as npt

from holdem.util.jit import inline_kernel, kernel

NOBODY = 1 << 40
"""More chips than anybody can put in."""


@inline_kernel
def headsup_payoff(chips_0: int, chips_1: int, folded: int, strength_0: int, strength_1: int) -> float:
    """What position 0 wins from position 1 (who wins the opposite); the larger strength wins."""
    if folded & 1:
        return -float(chips_0)
    if folded & 2:
        return float(chips_1)
    if strength_0 == strength_1:
        return 0.0
    at_stake = float(min(chips_0, chips_1))
    return at_stake if strength_0 > strength_1 else -at_stake


@kernel
def payoffs_into(
    chips_in: npt.NDArray[np.int32],
    folded: int,
    strengths: npt.NDArray[np.int64],
    out: npt.NDArray[np.float64],
) -> None:
    """Write chips won minus chips put in, one per position, into `out`.

    chips_in, strengths, out: (players,); folded: bits. Strengths of players who folded are not read.
    """
    count = chips_in.shape[0]
    if count == 2:
        out[0] = headsup_payoff(chips_in[0], chips_in[1], folded, strengths[0], strengths[1])
        out[1] = -out[0]
        return
    deepest = 0
    for p in range(count):
        out[p] = -float(chips_in[p])
        if not (folded >> p) & 1:
            deepest = max(deepest, chips_in[p])
    low = 0
    while low < NOBODY:
        # A layer of the pot reaches from `low` to the next total of a contender; the topmost takes all above.
        high = NOBODY
        for p in range(count):
            if not (folded >> p) & 1 and chips_in[p] > low:
                high = min(high, chips_in[p])
        top = NOBODY if high >= deepest else high
        layer = 0
        for p in range(count):
            layer += min(max(chips_in[p] - low, 0), top - low)
        best, winners = strengths[0], 0
        for p in range(count):
            if (folded >> p) & 1 or chips_in[p] < min(high, deepest):
                continue
            if winners == 0 or strengths[p] > best:
                best, winners = strengths[p], 1
            elif strengths[p] == best:
                winners += 1
        for p in range(count):
            if not (folded >> p) & 1 and chips_in[p] >= min(high, deepest) and strengths[p] == best:
                out[p] += layer / winners
        low = top
