"""Bets in shares of the pot, as the rules allow them."""

from holdem.game.actions import Action
from holdem.game.agent import PublicState


def bet_of(state: PublicState, share: float) -> Action:
    """A bet or raise by this share of the pot after a call, at least the minimum; a call if no raise is allowed."""
    least, most = state.legal.min_raise_to, state.legal.max_raise_to
    if least is None or most is None:
        return Action.check_or_call()
    level = max(state.street_bets)
    pot_after_call = state.pot + level - state.street_bets[state.seat]
    return Action.raise_to(min(max(level + round(share * pot_after_call), least), most))
