"""How much of the luck that is known to take off a match, where it was guessed by players unlike those who played.

Luck has the mean zero, so any multiple of it may be taken off. Good guesses want all of it, bad ones a part; which part
is fitted to the deals, each half of them with what the other half says, so that the mean stays exactly what it is. All
agents have the same multiples: their chips still add up to zero.
"""

import numpy as np

from holdem.util.arrays import Float64

LEAST_DEALS = 20
"""Fewer than this in a half say nothing about multiples; then all luck is taken off."""


def without_luck(chips: Float64, luck: Float64) -> Float64:
    """(deals, agents) chips less multiples of the parts of luck. luck: (deals, parts, agents)"""
    steady = chips.copy()
    for half in (0, 1):
        multiples = _fitted(chips[1 - half :: 2], luck[1 - half :: 2])
        steady[half::2] -= np.tensordot(luck[half::2], multiples, axes=(1, 0))
    return steady


def _fitted(chips: Float64, luck: Float64) -> Float64:
    """(parts,) the multiples that make these deals vary least."""
    parts = luck.shape[1]
    if len(chips) < LEAST_DEALS:
        return np.ones(parts)
    columns = np.moveaxis(luck - luck.mean(axis=0), 1, 2).reshape(-1, parts)
    return np.asarray(np.linalg.lstsq(columns, (chips - chips.mean(axis=0)).ravel(), rcond=None)[0])
