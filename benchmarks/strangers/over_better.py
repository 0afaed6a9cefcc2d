"""Bets one and a half to three times the pot with the best and the worst hands, and calls by pot odds.

Sizes are odd numbers of chips that no tree of ours has. What it calls with is measured against any two cards, and asks
for a margin that grows with each bet of the street, because whoever bets seldom has any two cards.
"""

from benchmarks.strangers.equities import against_any, standing
from benchmarks.strangers.rule_agent import Plan, RuleAgent, price_of, raise_of, raises_on_street, ramp
from holdem.game.actions import Action
from holdem.game.agent import PublicState

SIZES = ((1.53, 0.5), (2.17, 0.3), (2.83, 0.2))
"""In shares of the pot, and how often each."""
MARGIN, MARGIN_OF_A_BET, MIXING = 0.02, 0.05, 0.06


class OverBetter(RuleAgent):
    """Polarised: no hand in between bets."""

    name = "over-better"

    def plan(self, state: PublicState) -> Plan:
        """By the place of a hole among all holes on the board."""
        place = standing(state.board)
        raises, unbet = raises_on_street(state), not state.legal.call_amount
        if unbet:
            often = 0.8 * ramp(place, 0.80, 0.88) + 0.35 * ramp(place, 0.20, 0.14)
        elif not raises:  # the small blind, before the flop
            often = 0.8 * ramp(place, 0.55, 0.70) + 0.15 * ramp(place, 0.12, 0.06)
        else:
            often = 0.6 * ramp(place, 0.93, 0.97) + 0.08 * ramp(place, 0.06, 0.03)
        for share, part in SIZES:
            yield raise_of(state, share), part * often
        if not unbet:
            needed = price_of(state) + MARGIN + MARGIN_OF_A_BET * raises
            calls = ramp(against_any(state.board), needed - MIXING / 2, needed + MIXING / 2)
            yield Action.check_or_call(), (1.0 - often) * calls
