"""Loose and aggressive: two hands of three, and a bluff in five."""

from holdem.evaluation.baselines.by_strength import ByStrength


def loose_aggressive() -> ByStrength:
    """Raises nearly every second hand."""
    return ByStrength("loose-aggressive", 0.45, 0.7, bet_from=0.5, raise_from=0.75, margin=0.0, bluffs=0.2)
