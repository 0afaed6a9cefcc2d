"""The accountant: calls when its chance against a random hand pays for the call, and bets when it is ahead."""

from holdem.evaluation.baselines.bets import bet_of
from holdem.evaluation.baselines.hand_strength import chance_against
from holdem.game.actions import Action
from holdem.game.agent import Observation

BETS_FROM = 0.65


class PotOdds:
    """Compares its equity with the price, as if opponents held random hands."""

    name = "pot-odds"

    def act(self, observation: Observation) -> Action:
        """Bet half the pot when well ahead and nobody has bet; otherwise pay or fold by the odds."""
        chance = chance_against(observation.hole_cards, observation.board, sum(observation.live) - 1)
        price = observation.legal.call_amount
        if not price:
            return bet_of(observation, 0.5) if chance >= BETS_FROM else Action.check_or_call()
        return Action.check_or_call() if chance >= price / (observation.pot + price) else Action.fold()
