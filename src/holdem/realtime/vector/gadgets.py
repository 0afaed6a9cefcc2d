"""Safe roots: the opponent may leave the subgame and take the value that was promised.

*Unsafe* solving takes the ranges as given. *Re-solving* (Burch, Johanson & Bowling 2014, "CFR-D") lets the opponent
decide for each hand whether to enter the subgame or to take what it was promised; *max-margin* (Moravčík et al. 2016)
lets it enter with the hands whose margin over that value is the smallest, so that every hand gains as much as it can.
Both keep the opponent from gaining by a subgame strategy that trusts a wrong range.
"""

from collections.abc import Callable

import numpy as np

from holdem.realtime.subgame.workspace import RootGadget
from holdem.util.arrays import Float32


class ResolveGadget:
    """Regret matching per hand between entering and leaving. `promised`: (hands,) counterfactual values."""

    def __init__(self, player: int, weights: Float32, promised: Float32) -> None:
        self.player, self.weights, self.promised = player, weights, promised
        self._regrets = np.zeros((2, len(weights)), dtype=np.float32)
        """Of leaving and of entering, never below 0."""

    def entering(self) -> Float32:
        """(hands,) the reach with which the player enters."""
        return np.asarray(self.weights * self._shares(), dtype=np.float32)

    def learn(self, values: Float32) -> None:
        """Counterfactual values of entering, after a traversal."""
        share = self._shares()
        mean = share * values + (1.0 - share) * self.promised
        self._regrets = np.maximum(self._regrets + np.stack([self.promised - mean, values - mean]), 0.0)

    def _shares(self) -> Float32:
        total = self._regrets.sum(axis=0)
        return np.asarray(np.where(total > 0.0, self._regrets[1] / np.where(total > 0.0, total, 1.0), 0.5))


class MaxMarginGadget:
    """One regret per hand: the opponent enters with the hands whose margin over the promise is the smallest."""

    def __init__(self, player: int, weights: Float32, promised: Float32) -> None:
        self.player, self.weights, self.promised = player, weights, promised
        self._regrets = np.zeros(len(weights), dtype=np.float32)

    def entering(self) -> Float32:
        """(hands,) the reach with which the player enters; all together as much as the whole range."""
        share = self._shares()
        return np.asarray(share * self.weights.sum(), dtype=np.float32)

    def learn(self, values: Float32) -> None:
        """Counterfactual values of entering: the opponent regrets not to have entered where it gains most."""
        gain = values - self.promised
        mean = float(self._shares() @ gain)
        self._regrets = np.maximum(self._regrets + gain - mean, 0.0)

    def _shares(self) -> Float32:
        total = self._regrets.sum()
        if total > 0.0:
            return np.asarray(self._regrets / total, dtype=np.float32)
        return np.asarray(self.weights / self.weights.sum(), dtype=np.float32)


class MixedGadget(ResolveGadget):
    """Half of the range enters in any case, and the other half decides as in re-solving."""

    def entering(self) -> Float32:
        """(hands,) the reach with which the player enters."""
        return np.asarray(self.weights * (1.0 + self._shares()) / 2.0, dtype=np.float32)


GADGETS: dict[str, Callable[[int, Float32, Float32], RootGadget]] = {
    "resolve": ResolveGadget,
    "max-margin": MaxMarginGadget,
    "mixed": MixedGadget,
}
"""By the name of the root."""
