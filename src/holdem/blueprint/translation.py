"""What a bet that is not in the tree is taken for: the pseudo-harmonic mapping (Ganzfried & Sandholm 2013, "Action
Translation in Extensive-Form Games with Large Action Spaces: Axioms, Paradoxes, and the Pseudo-Harmonic Mapping").

A bet between two sizes of the tree is taken for the smaller one with a probability, so that nobody can win by betting
just beside a size. The mapping is the one by which the answer to a bet keeps the right frequency of calls against it:
whoever faces a bet of x pots must call 1 / (1 + x) of the time, and f / (1 + A) + (1 - f) / (1 + B) is just that.
"""

from collections.abc import Sequence


def probability_of_smaller(smaller: float, larger: float, size: float, pot: float = 1.0) -> float:
    """How often `size`, between two sizes of the tree, is taken for the smaller; all in the unit of `pot`."""
    return (larger - size) * (pot + smaller) / ((larger - smaller) * (pot + size))


def translate(sizes: Sequence[float], size: float) -> list[tuple[int, float]]:
    """Which of `sizes` (ascending, in pots) a bet is taken for: places with probabilities, one or two of them.

    Outside the range of the sizes it is the nearest one.
    """
    if size <= sizes[0]:
        return [(0, 1.0)]
    for place in range(1, len(sizes)):
        if size == sizes[place]:
            return [(place, 1.0)]
        if size < sizes[place]:
            share = probability_of_smaller(sizes[place - 1], sizes[place], size)
            return [(place - 1, share), (place, 1.0 - share)]
    return [(len(sizes) - 1, 1.0)]
