"""Two agents of one's own: holdem match python:my_agent:Tight always-call --hands 2000"""

import numpy as np
import numpy.typing as npt

from holdem.cards import Range, hole_index
from holdem.game import Action, LegalActions, Observation, PublicState


def go_in(legal: LegalActions) -> Action:
    """All-in, or a call where nobody can raise any more."""
    return Action.check_or_call() if legal.max_raise_to is None else Action.raise_to(legal.max_raise_to)


def give_up(legal: LegalActions) -> Action:
    """Fold, or check where that is free."""
    return Action.fold() if legal.can_fold else Action.check_or_call()


class Tight:
    """An `Agent`: a name, and a legal action for what its seat sees."""

    name = "tight"
    hands = Range.parse("TT+, AK")

    def act(self, observation: Observation) -> Action:
        """All-in with the best 46 of the 1,326 hands."""
        good = self.hands.weights[hole_index(*observation.hole_cards)] > 0.0
        return go_in(observation.legal) if good else give_up(observation.legal)


class ByRanges:
    """A `RangeAgent`: the same, and its strategy for all hands at once. A weight of 0.5 goes in every second time."""

    name = "by-ranges"
    big_blind = Range.parse("22+, A2s+, A2o+, K2s+, K6o+, Q8s+, Q9o+, J9s+, JTo:0.5")
    button = Range.parse(
        "22+, A2s+, A2o+, K2s+, K2o+, Q2s+, Q8o+, J4s+, J8o+, T6s+, T8o+, 96s+, 98o, 85s+, 75s+, 64s+, 54s, 43s:0.5"
    )

    def act(self, observation: Observation) -> Action:
        """Draw from what `range_policy` says; only `observation.draw()` may decide, so that deals can be repeated."""
        actions, table = self.range_policy(observation.public())
        row = np.cumsum(table[hole_index(*observation.hole_cards)])
        return actions[int(np.searchsorted(row, observation.draw(), side="right"))]

    def range_policy(self, public_state: PublicState) -> tuple[list[Action], npt.NDArray[np.float64]]:
        """Its actions, and (1326, actions) their probabilities; every row adds up to 1."""
        if public_state.street > 0:  # somebody just called, and a flop came
            return [give_up(public_state.legal)], np.ones((1326, 1))
        weights = (self.big_blind, self.button)[public_state.position].weights
        return [give_up(public_state.legal), go_in(public_state.legal)], np.stack([1.0 - weights, weights], axis=1)
