"""What players of rules share: a table of probabilities for all holes, which `act` draws from and AIVAT is told."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from holdem.cards.cards import NUM_HOLE_PAIRS, hole_index
from holdem.errors import ConfigError
from holdem.game.actions import Action
from holdem.game.agent import Observation, PublicState
from holdem.game.records import Bet, BoardDealt, Raise
from holdem.util.arrays import Float64

ALL_IN_FROM = 0.7
"""A bet of at least this share of what is left is all of it."""

Plan = Iterator[tuple[Action, Float64]]


class RuleAgent(ABC):
    """A `RangeAgent` for two players. Rules are in `plan`; here is what makes of them a strategy and an action."""

    name: str

    def __init__(self) -> None:
        self._remembered = lru_cache(maxsize=512)(self._strategy)

    @abstractmethod
    def plan(self, state: PublicState) -> Plan:
        """Raises and (1326,) how often each hole makes them, then calls with how often it makes those; what is left is
        a fold, or a check where that is free."""

    def act(self, observation: Observation) -> Action:
        """Draw from the row of the own hole."""
        actions, table = self.range_policy(observation.public())
        return actions[place_of(observation.draw(), table[hole_index(*observation.hole_cards)])]

    def range_policy(self, public_state: PublicState) -> tuple[list[Action], Float64]:
        """Its actions, and (1326, actions) their probabilities for each hole pair; rows sum to 1."""
        if public_state.config.num_players != 2:
            raise ConfigError(f"{self.name} plays with two, not {public_state.config.num_players}; use a heads-up game")
        actions, table = self._remembered(public_state)
        return list(actions), table

    def _strategy(self, state: PublicState) -> tuple[tuple[Action, ...], Float64]:
        rest = Action.fold() if state.legal.can_fold else Action.check_or_call()
        columns: dict[Action, Float64] = {rest: np.ones(NUM_HOLE_PAIRS)}
        for action, share in self.plan(state):
            taken = np.minimum(share, columns[rest])
            if action != rest:
                columns[action] = columns.get(action, 0.0) + taken
                columns[rest] = columns[rest] - taken
        table = np.stack(list(columns.values()), axis=1)
        table.setflags(write=False)
        return tuple(columns), table


def place_of(draw: float, row: Float64) -> int:
    """The column that a number in [0, 1) stands for; a column of zero is never drawn."""
    ends = np.cumsum(row)
    return int(np.searchsorted(ends, draw * ends[-1], side="right"))


def raise_of(state: PublicState, share: float) -> Action:
    """A raise by this share of the pot after a call, as the rules allow it; a call where they allow none."""
    least, most = state.legal.min_raise_to, state.legal.max_raise_to
    if least is None or most is None:
        return Action.check_or_call()
    paid, level = state.street_bets[state.seat], max(state.street_bets)
    amount = max(least, level + round(share * (state.pot + level - paid)))
    if amount - paid >= ALL_IN_FROM * (most - paid):
        amount = most
    return Action.raise_to(amount)


def price_of(state: PublicState) -> float:
    """The share of the pot after a call that the call costs."""
    return state.legal.call_amount / (state.pot + state.legal.call_amount)


def raises_on_street(state: PublicState) -> int:
    """Bets and raises since the last board card; blinds do not count."""
    count = 0
    for record in state.history:
        if isinstance(record, BoardDealt):
            count = 0
        count += isinstance(record, Bet | Raise)
    return count


def ramp(values: Float64, start: float, end: float) -> Float64:
    """0 up to `start`, 1 from `end` on, straight in between; downhill if `end` is the smaller one."""
    return np.clip((values - start) / (end - start), 0.0, 1.0)
