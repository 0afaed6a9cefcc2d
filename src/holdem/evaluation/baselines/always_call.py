"""The calling station: never folds, never raises."""

import numpy as np
import numpy.typing as npt

from holdem.cards.cards import NUM_HOLE_PAIRS
from holdem.game.actions import Action
from holdem.game.agent import Observation, PublicState


class AlwaysCall:
    """Checks and calls to the end."""

    name = "always-call"

    def act(self, observation: Observation) -> Action:
        """Check, or call whatever it costs."""
        return Action.check_or_call()

    def range_policy(self, public_state: PublicState) -> tuple[list[Action], npt.NDArray[np.float64]]:
        """The same with every hand."""
        return [Action.check_or_call()], np.ones((NUM_HOLE_PAIRS, 1))
