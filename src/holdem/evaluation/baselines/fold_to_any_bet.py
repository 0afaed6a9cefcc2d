"""The timid one: checks when it is free and folds as soon as it costs anything, the small blind's half bet included."""

import numpy as np
import numpy.typing as npt

from holdem.cards.cards import NUM_HOLE_PAIRS
from holdem.game.actions import Action
from holdem.game.agent import Observation, PublicState


class FoldToAnyBet:
    """Never puts a chip in that it does not have to."""

    name = "fold-to-any-bet"

    def act(self, observation: Observation) -> Action:
        """Fold if there is anything to call."""
        return Action.fold() if observation.legal.can_fold else Action.check_or_call()

    def range_policy(self, public_state: PublicState) -> tuple[list[Action], npt.NDArray[np.float64]]:
        """The same with every hand."""
        return [Action.fold() if public_state.legal.can_fold else Action.check_or_call()], np.ones((NUM_HOLE_PAIRS, 1))
