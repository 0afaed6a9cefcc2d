"""A blueprint at a real table: any stacks, any bets, and its whole strategy open to be tracked.

What happened at the table leads to one or more nodes of the policy's tree (`history_walk`); the agent plays the mixture
of what the policy does there, each bet in the same share of the real pot. Bets off the tree are translated anew for
the whole history at every decision, so that `range_policy` is exactly what `act` draws from.

    agent = BlueprintAgent.open("runs/blueprint")
    agent.act(observation)
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from holdem.abstraction.bucketing import HandBucketing
from holdem.blueprint.buckets import PolicyBuckets
from holdem.blueprint.shared_policies import shared_buckets, shared_policy
from holdem.blueprint.walk import HistoryWalk, NodeShares, TreeRaise
from holdem.cards.cards import NUM_HOLE_PAIRS
from holdem.errors import ConfigError
from holdem.game.actions import Action, ActionKind
from holdem.game.agent import Observation, PublicState
from holdem.policy.policy import AveragePolicy
from holdem.util.arrays import Float64

Value = TypeVar("Value", float, Float64)

_KIND_ORDER = {kind: place for place, kind in enumerate(ActionKind)}


class BlueprintAgent:
    """Plays an average policy; a `RangeAgent`."""

    def __init__(self, policy: AveragePolicy, name: str = "blueprint", buckets: PolicyBuckets | None = None) -> None:
        self.policy = policy
        self._name = name
        self.buckets = PolicyBuckets(policy) if buckets is None else buckets
        self.walk = HistoryWalk(policy.tree)

    @classmethod
    def open(
        cls, path: Path | str, *, name: str | None = None, bucketing: HandBucketing | None = None
    ) -> "BlueprintAgent":
        """The blueprint of a run directory or of an avg_policy.json; `bucketing`, if given, must be the policy's.

        Agents of one policy share its arrays.
        """
        policy = shared_policy(path)
        if policy.config.variant != "holdem":
            raise ConfigError(f"{path} is a policy of {policy.config.name}, which is not played at a hold'em table")
        buckets = shared_buckets(policy) if bucketing is None else PolicyBuckets(policy, bucketing)
        return cls(policy, name or str(path), buckets)

    @property
    def name(self) -> str:
        """What reports call it."""
        return self._name

    def act(self, observation: Observation) -> Action:
        """Draw an action with the policy's probabilities."""
        return self.choose(observation, observation.draw())

    def choose(self, observation: Observation, draw: float) -> Action:
        """The action that a number in [0, 1) stands for."""
        return drawn_action(self.mixture(observation), draw)

    def mixture(self, observation: Observation) -> list[tuple[Action, float]]:
        """What it plays with the seat's cards: actions in the order fold, call, raises, with their probabilities."""
        hole, board = tuple(sorted(observation.hole_cards)), observation.board
        bucket = self.buckets.bucket
        return self._mixture(observation, lambda node: self.policy.played(node, bucket(hole, board)))

    def trained_share(self, observation: Observation) -> float:
        """How much of the mixture was ever trained with the seat's cards."""
        bucket = self.buckets.bucket(tuple(sorted(observation.hole_cards)), observation.board)
        return sum(share for node, share in self.node_probabilities(observation) if self.policy.visited(node, bucket))

    def range_policy(self, public_state: PublicState) -> tuple[list[Action], Float64]:
        """Its actions, and (1326, actions) their probabilities for each hole pair; uniform where a pair cannot be."""
        board = public_state.board
        columns = self._mixture(public_state, lambda node: self._columns(node, self.buckets.of_holes(board)))
        table = np.empty((NUM_HOLE_PAIRS, len(columns)))
        for place, (_, column) in enumerate(columns):
            table[:, place] = column
        return [action for action, _ in columns], table

    def node_probabilities(self, public_state: PublicState) -> NodeShares:
        """The decision nodes that the history stands for; empty if the tree has no decision like it."""
        seats = public_state.config.num_players
        if seats != self.policy.config.num_players:
            raise ConfigError(
                f"{self.name} was trained for {self.policy.config.num_players} players, and this table has {seats}; "
                "choose a blueprint for that many"
            )
        return self.walk.node_probabilities(public_state)

    def actions_at(self, node: int, state: PublicState) -> list[Action]:
        """What each action of a node is at the real table, in the order of the node's children."""
        tree = self.policy.tree
        decision = self.walk.decision(node)
        sizes = {bet.child: bet for bet in decision.raises}
        same_depth = self.walk.same_depth(state)
        actions = []
        for child in tree.children(node):
            if child in sizes:
                actions.append(_real_raise(sizes[child], state, same_depth))
            elif child == decision.fold and state.legal.can_fold:
                actions.append(Action.fold())
            else:
                actions.append(Action.check_or_call())
        return actions

    def _mixture(self, state: PublicState, rows: Callable[[int], Sequence[Value]]) -> list[tuple[Action, Value]]:
        """Actions in the order fold, call, raises, with their probabilities; `rows` gives those of a node's actions."""
        columns: dict[Action, Any] = {}
        for node, share in self.node_probabilities(state):
            for action, values in zip(self.actions_at(node, state), rows(node), strict=True):
                columns[action] = columns.get(action, 0.0) + share * values
        if not columns:  # a street that this tree never plays: nothing is known, so nothing is risked
            columns[Action.fold() if state.legal.can_fold else Action.check_or_call()] = 1.0
        return sorted(columns.items(), key=lambda column: (_KIND_ORDER[column[0].kind], column[0].amount))

    def _columns(self, node: int, buckets: npt.NDArray[np.int64]) -> list[Float64]:
        """(1326,) probabilities of each action at a node; uniform for bucket -1."""
        rows = self.policy.rows(node)[0]
        uniform = np.full((1, rows.shape[1]), 1.0 / rows.shape[1])
        return list(np.concatenate([rows, uniform]).T[:, buckets])


def drawn_action(mixture: Sequence[tuple[Action, float]], draw: float) -> Action:
    """The action of a mixture that a number in [0, 1) stands for."""
    for action, probability in mixture:
        draw -= probability
        if draw < 0.0:
            return action
    return max(mixture, key=lambda column: column[1])[0]  # rounding left a crumb beyond the last one


def _real_raise(bet: TreeRaise, state: PublicState, same_depth: bool) -> Action:
    """A raise of the same share of the real pot, as far as the rules allow; a call where they allow none."""
    least, most = state.legal.min_raise_to, state.legal.max_raise_to
    if least is None or most is None:
        return Action.check_or_call()
    if bet.all_in and same_depth:
        return Action.raise_to(most)
    level = max(state.street_bets)
    pot_after_call = state.pot + level - state.street_bets[state.seat]
    return Action.raise_to(min(max(level + round(bet.size * pot_after_call), least), most))
