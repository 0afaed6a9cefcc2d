"""Agents from outside: they have the methods of a `RangeAgent`, and other sizes, no tree and no buckets."""

import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from holdem.cards import parse_cards
from holdem.cards.cards import hole_index
from holdem.cards.ranges import CLASS_OF_HOLE
from holdem.game.actions import Action
from holdem.game.agent import Observation, PublicState
from holdem.game.records import Bet, Call, Check, Fold, Raise

FloatArray = npt.NDArray[np.float64]


class OutsideAgent:
    """Draws a row for every hole from a hash of the public line, suits and all.

    sizes: bets in shares of the pot, the last one all-in; several may end at the same legal amount, and then the action
    is listed as often. playable: the only holes that it does not fold before the flop, by default all.
    """

    def __init__(self, seed: int, sizes: Sequence[float] = (0.37, 1.13), playable: Sequence[str] = ()) -> None:
        self.name, self._seed, self._sizes = f"outside {seed}", seed, (*sizes, 1e9)
        self._playable = [hole_index(*parse_cards(hole)) for hole in playable]

    def act(self, observation: Observation) -> Action:
        actions, table = self.range_policy(observation.public())
        row = np.cumsum(table[hole_index(*observation.hole_cards)])
        draw = float(observation.random().random()) * row[-1]
        return actions[int(np.searchsorted(row, draw, side="right"))]

    def range_policy(self, public_state: PublicState) -> tuple[list[Action], FloatArray]:
        actions = self._actions(public_state)
        table = self._rows(public_state, len(actions))
        if self._playable and public_state.street == 0:
            others = np.setdiff1d(np.arange(1326), self._playable)
            table[others] = np.eye(1, len(actions))[0]
        return actions, table

    def _rows(self, state: PublicState, actions: int) -> FloatArray:
        """(1326, actions); before the flop by class, which keeps the mean over flops cheap."""
        played = [
            (type(record).__name__, record.seat, getattr(record, "amount", 0))
            for record in state.history
            if isinstance(record, Bet | Call | Check | Fold | Raise)
        ]
        digest = hashlib.blake2b(repr((self._seed, state.board, played)).encode(), digest_size=8).digest()
        generator = np.random.default_rng(int.from_bytes(digest, "little"))
        weights = np.ones(actions)
        weights[0] = 0.3 if state.legal.can_fold else 1.0
        rows = generator.dirichlet(weights, size=1326)
        return np.asarray(rows if state.street else rows[CLASS_OF_HOLE])

    def _actions(self, state: PublicState) -> list[Action]:
        legal = state.legal
        actions = [Action.fold()] if legal.can_fold else []
        actions.append(Action.check_or_call())
        if legal.min_raise_to is None or legal.max_raise_to is None:
            return actions
        level = max(state.street_bets)
        pot = state.pot + level - state.street_bets[state.seat]
        amounts = [level + round(min(size * pot, 1e6)) for size in self._sizes]
        return actions + [Action.raise_to(min(max(a, legal.min_raise_to), legal.max_raise_to)) for a in amounts]


class Hidden:
    """The same player without its `range_policy`: nothing is known of it but its cards."""

    def __init__(self, agent: OutsideAgent) -> None:
        self.name, self.agent = f"hidden {agent.name}", agent

    def act(self, observation: Observation) -> Action:
        return self.agent.act(observation)
