"""The calling station: never folds, never raises."""

from holdem.game.actions import Action
from holdem.game.agent import Observation


class AlwaysCall:
    """Checks and calls to the end."""

    name = "always-call"

    def act(self, observation: Observation) -> Action:
        """Check, or call whatever it costs."""
        return Action.check_or_call()
