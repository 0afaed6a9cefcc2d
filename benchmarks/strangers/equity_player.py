"""Plays by its equity against what it believes of the opponent, a range that narrows with each bet.

A bet of share f of the pot is believed to come from the best 1 / (1 + f) of all holes on that board; the others stay
possible with a weight of `DOUBT` for each bet. Every decision is mixed: probabilities rise with the equity in ramps.
"""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from benchmarks.strangers.equities import equities, standing
from benchmarks.strangers.rule_agent import Plan, RuleAgent, price_of, raise_of, raises_on_street, ramp
from holdem.cards.cards import NUM_HOLE_PAIRS, Cards
from holdem.game.actions import Action
from holdem.game.agent import PublicState
from holdem.game.records import AntePosted, Bet, BlindPosted, BoardDealt, Call, Raise, StraddlePosted
from holdem.util.arrays import Float64

DOUBT = 0.2
SMALL, LARGE, RAISE = 0.37, 0.83, 0.9
"""Bets and raises in shares of the pot."""
RAISE_RAMPS = ((0.50, 0.62), (0.60, 0.74), (0.68, 0.82))
"""Equities between which raises begin, by the raises before on that street."""
BLUFFS, BLUFF_RAISES = 0.18, 0.05


class EquityPlayer(RuleAgent):
    """Bets when it is ahead of the believed range, calls when the price is right, and bluffs a little."""

    name = "equity-player"

    def plan(self, state: PublicState) -> Plan:
        """Value by ramps of equity; the weakest hands bluff."""
        equity = _believed_equities(state.board, tuple(_opponents_bets(state)))
        if not state.legal.call_amount:
            large = ramp(equity, 0.60, 0.85)
            value, bluff = 0.9 * ramp(equity, 0.50, 0.68), BLUFFS * ramp(equity, 0.42, 0.32)
            yield raise_of(state, LARGE), value * large + bluff / 2
            yield raise_of(state, SMALL), value * (1.0 - large) + bluff / 2
            return
        start, end = RAISE_RAMPS[min(raises_on_street(state), len(RAISE_RAMPS) - 1)]
        raised = 0.85 * ramp(equity, start, end) + BLUFF_RAISES * ramp(equity, 0.38, 0.33)
        yield raise_of(state, RAISE), raised
        yield Action.check_or_call(), (1.0 - raised) * ramp(equity - price_of(state), -0.04, 0.06)


@lru_cache(maxsize=2048)
def _believed_equities(board: Cards, bets: tuple[tuple[Cards, float], ...]) -> Float64:
    weights = np.ones(NUM_HOLE_PAIRS)
    for then, share in bets:
        weights = weights * np.where(standing(then) >= 1.0 - 1.0 / (1.0 + share), 1.0, DOUBT)
    return equities(board, weights)


def _opponents_bets(state: PublicState) -> Iterator[tuple[Cards, float]]:
    """The board at each bet or raise of the opponent, and its share of the pot after a call."""
    board: Cards = ()
    pot, paid = 0, [0, 0]
    for record in state.history:
        if isinstance(record, BoardDealt):
            board, paid = board + record.cards, [0, 0]
        elif isinstance(record, AntePosted):
            pot += record.amount
        elif isinstance(record, BlindPosted | StraddlePosted | Call):
            pot += record.amount
            paid[record.seat] += record.amount
        elif isinstance(record, Bet | Raise):
            level = max(paid)
            called = pot + level - paid[record.seat]
            if record.seat != state.seat:
                yield board, round((record.amount - level) / called, 3)
            pot += record.amount - paid[record.seat]
            paid[record.seat] = record.amount
