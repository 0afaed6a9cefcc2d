"""How often a policy does something on a whole street: the reach of all hands along the tree, on one board."""

from dataclasses import dataclass, field
from math import prod

import numpy as np

from holdem.abstraction.betting.tree import NodeKind
from holdem.cards.cards import Cards
from holdem.evaluation.litmus.spots import PolicySpots, action_columns
from holdem.util.arrays import Bools, Float64

NEGLIGIBLE = 1e-7
"""A branch that a hand takes more rarely than this is not followed: thousands of them would not make a per mille."""


@dataclass
class ActionShares:
    """What a position does with certain hands, in shares of all deals of these hands; rows are counted as judged.

    by_node: how often the action is taken at each node
    chances: how often it could be taken, over all nodes
    """

    by_node: dict[int, float] = field(default_factory=dict)
    chances: float = 0.0
    judged: int = 0
    unvisited: int = 0

    @property
    def rate(self) -> float:
        """How often it is taken of all the times that it could be."""
        return sum(self.by_node.values()) / self.chances if self.chances > 0 else 0.0


def action_shares(spots: PolicySpots, street: int, board: Cards, hands: str, action: str) -> list[ActionShares]:
    """Where, and how often, each position takes an action on a street with certain hands."""
    walk = _Walk(spots, street, board, spots.hands(hands, board), action)
    walk.visit(0, [np.ones(len(walk.held)) for _ in range(spots.tree.num_players)])
    return walk.shares


class _Walk:
    """Goes through the tree from the root, with the reach of every position's hands: those that the board leaves.

    buckets[s]: (held,) the bucket of each of these hands on street s
    asked: (held,) the hands that are judged
    """

    def __init__(self, spots: PolicySpots, street: int, board: Cards, asked: Bools, action: str) -> None:
        self.policy, self.tree, self.street, self.action = spots.policy, spots.tree, street, action
        self.held = np.flatnonzero(spots.buckets(board) >= 0)
        shown = self.policy.config.board_cards[: street + 1]
        self.buckets = [spots.buckets(board[:cards])[self.held] for cards in shown]
        self.asked = asked[self.held]
        self.shares = [ActionShares() for _ in range(self.tree.num_players)]

    def visit(self, node: int, reaches: list[Float64]) -> None:
        """`reaches`: for each position (held,), how likely each of its hands has come here by its own actions."""
        tree, street = self.tree, int(self.tree.street[node])
        if tree.kind[node] != NodeKind.DECISION or street > self.street:
            return
        means = [float(reach.mean()) for reach in reaches]
        if max(float(reach[self.asked].max()) * _others(means, p) for p, reach in enumerate(reaches)) < NEGLIGIBLE:
            return
        actor = int(tree.player[node])
        rows, visited = self.policy.rows(node)
        if street == self.street:
            self._count(node, rows, visited, reaches[actor] * _others(means, actor))
        chosen = rows.T[:, self.buckets[street]]
        for column, child in enumerate(tree.children(node)):
            after = list(reaches)
            after[actor] = reaches[actor] * chosen[column]
            self.visit(child, after)

    def _count(self, node: int, rows: Float64, visited: Bools, reach: Float64) -> None:
        columns = action_columns(self.tree, node, self.action)
        if not columns:
            return
        shares, buckets = self.shares[int(self.tree.player[node])], self.buckets[self.street][self.asked]
        seen = visited[buckets]
        shares.judged += int(seen.sum())
        shares.unvisited += int((~seen).sum())
        weights = reach[self.asked][seen] / len(seen)
        shares.chances += float(weights.sum())
        done = float(weights @ rows[buckets[seen]][:, columns].sum(axis=1))
        if done > 0:
            shares.by_node[node] = done


def _others(means: list[float], position: int) -> float:
    """How likely all other positions have come here, whatever they hold."""
    return prod(mean for other, mean in enumerate(means) if other != position)
