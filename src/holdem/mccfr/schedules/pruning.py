"""Regret-based pruning (Brown & Sandholm 2019, "Superhuman AI for multiplayer poker").

A traversal prunes with a fixed probability, drawn once for all of it. It then skips actions whose regret is below a
threshold, except on the last street, into terminals, and where no regret is positive. Regrets stop a little below the
threshold, so that an action can come back in reasonable time. All numbers here are in table units: chips times the
game's unit times the weight of the iteration, as what is added to the table.
"""

from dataclasses import dataclass

FLOOR_BELOW_THRESHOLD = 31.0 / 30.0
"""Pluribus prunes below -300 million and lets no regret fall below -310 million."""
LOWEST_REGRET = -(1 << 30)
"""No regret of an integer table goes below this, pruning or not."""


@dataclass(frozen=True)
class Pruning:
    """What one traversal needs: a probability of 0 when pruning is off."""

    probability: float
    threshold: float
    floor: float


def pruning_at(
    iteration: int,
    regret_weight: float,
    *,
    enabled: bool,
    probability: float,
    threshold_chips: float,
    unit: int,
    largest_swing_chips: int,
) -> Pruning:
    """Pruning of an iteration. `largest_swing_chips` is the most that one visit can change a regret by."""
    threshold = threshold_chips * unit * regret_weight
    floor = threshold * FLOOR_BELOW_THRESHOLD
    if not enabled or floor < LOWEST_REGRET:
        return Pruning(0.0, float(LOWEST_REGRET), float(LOWEST_REGRET))
    if iteration < acts_from(threshold_chips, largest_swing_chips):
        probability = 0.0
    return Pruning(probability, threshold, floor)


def acts_from(threshold_chips: float, largest_swing_chips: int) -> int:
    """The first iteration at which some regret can be below the threshold.

    An iteration visits an infoset at most once in its owner's traversal, and weights never fall: before iteration t no
    regret is further from zero than t times the largest swing at today's weight.
    """
    return int(-threshold_chips / largest_swing_chips) + 1
