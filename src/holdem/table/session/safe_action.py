"""What to answer when a state is not understood: a check where it is free, a fold where it is not."""

from holdem.game.actions import Action, LegalActions


def check_or_fold(legal: LegalActions) -> Action:
    """The answer that never puts a chip in."""
    return Action.fold() if legal.call_amount and legal.can_fold else Action.check_or_call()
