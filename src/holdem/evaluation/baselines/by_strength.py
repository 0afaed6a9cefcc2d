"""Playing by the strength of the hand: what the tight and the loose aggressive player share.

Before the flop a hand is raised if it is among the best `raised` share of the 1,326, and called with if it is among the
best `played`. After it, strength is the chance against random hands: strong hands bet and raise, middling ones call
when the price is right by a margin, because whoever bets seldom has a random hand; the rest bluffs now and then.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from holdem.cards.cards import HOLE_CARDS
from holdem.evaluation.baselines.bets import bet_of
from holdem.evaluation.baselines.hand_strength import chance_against, equity_of
from holdem.game.actions import Action
from holdem.game.agent import Observation


@dataclass(frozen=True)
class ByStrength:
    """Shares of hands for before the flop; chances, a margin and how often to bluff for after it."""

    name: str
    raised: float
    played: float
    bet_from: float
    raise_from: float
    margin: float
    bluffs: float

    def act(self, observation: Observation) -> Action:
        """Before the flop by rank of the hand, after it by its chance."""
        if not observation.board:
            return self._before_the_flop(observation)
        chance = chance_against(observation.hole_cards, observation.board, sum(observation.live) - 1)
        price = observation.legal.call_amount
        if chance >= (self.raise_from if price else self.bet_from):
            return bet_of(observation, 0.75)
        if observation.draw() < self.bluffs:
            return bet_of(observation, 0.75)
        if price and chance < price / (observation.pot + price) + self.margin:
            return Action.fold()
        return Action.check_or_call()

    def _before_the_flop(self, observation: Observation) -> Action:
        """Raise three times the bet with good hands; the more has been raised, the better they must be."""
        better = share_of_better_hands(equity_of(tuple(sorted(observation.hole_cards)), ()))
        level, big_blind = max(observation.street_bets), max(observation.config.big_blind, 1)
        reraised = level > 4 * big_blind
        if better < (self.raised / 6 if reraised else self.raised):
            return bet_of(observation, 1.0)
        if better < (self.played / 3 if reraised else self.played) or not observation.legal.can_fold:
            return Action.check_or_call()
        return Action.fold()


@lru_cache(maxsize=256)
def share_of_better_hands(equity: float) -> float:
    """Share of the 1,326 hands with more equity before the flop."""
    return float(np.mean(_all_equities() > equity))


@lru_cache(maxsize=1)
def _all_equities() -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    return np.array([equity_of((low, high), ()) for low, high in HOLE_CARDS.tolist()])
