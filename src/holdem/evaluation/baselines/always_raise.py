"""The maniac: bets and raises the pot until everything is in."""

from holdem.evaluation.baselines.bets import bet_of
from holdem.game.actions import Action
from holdem.game.agent import Observation


class AlwaysRaise:
    """Raises by the pot with any cards; calls where no raise is allowed."""

    name = "always-raise"

    def act(self, observation: Observation) -> Action:
        """A raise by the pot."""
        return bet_of(observation, 1.0)
