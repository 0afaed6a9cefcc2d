"""Tight and aggressive: a third of the hands, played hard, and hardly a bluff."""

from holdem.evaluation.baselines.by_strength import ByStrength


def tight_aggressive() -> ByStrength:
    """Raises the best quarter of the hands."""
    return ByStrength("tight-aggressive", 0.25, 0.35, bet_from=0.6, raise_from=0.8, margin=0.1, bluffs=0.05)
