"""What a search may hang into a solve: values at a depth limit, and a choice before the root."""

from typing import Protocol

import numpy as np
import numpy.typing as npt

Float32 = npt.NDArray[np.float32]


class LeafEvaluator(Protocol):
    """What follows a depth-limited leaf, as values of hands against the opponent's reach."""

    def __call__(self, player: int, reach: Float32) -> Float32:
        """(leaves, hands of player) from `reach: (leaves, hands of the opponent)`, leaves as in `solver.leaves`.

        A value is the sum over the opponent's hands that share no card of reach × (chips that `player` takes from the
        pot in the end − chips that he puts in from the root on − half of the root's pot).
        """
        ...


class RootGadget(Protocol):
    """Lets a player choose, hand by hand, whether to enter the subgame (safe re-solving)."""

    player: int

    def entering(self) -> Float32:
        """(hands of the player,): the reach with which he enters now."""
        ...

    def learn(self, values: Float32) -> None:
        """Take the counterfactual values (hands,) of entering, after each traversal of that player."""
        ...
