"""The timid one: checks when it is free and folds as soon as it costs anything, the small blind's half bet included."""

from holdem.game.actions import Action
from holdem.game.agent import Observation


class FoldToAnyBet:
    """Never puts a chip in that it does not have to."""

    name = "fold-to-any-bet"

    def act(self, observation: Observation) -> Action:
        """Fold if there is anything to call."""
        return Action.fold() if observation.legal.can_fold else Action.check_or_call()
