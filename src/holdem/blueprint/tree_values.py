"""Exact values of a strategy on a tree whose terminals can be evaluated: expected, best response, exploitability.

NashConv is the sum over players of what each could gain by answering the others' strategies perfectly, and
exploitability is that sum divided by the number of players, as in OpenSpiel (Lanctot et al. 2019).

Values are counterfactual: at a terminal, for each private view of a player, the sum over the deals that show this view
of chance times the opponents' reach times the payoff. Above it nothing depends on cards any more: an opponent's
decision adds up its children, an own decision takes the best one view by view, and where a street begins the views of
the new board add up to the view of the old one. So a game brings its `Terminals`, and the walk here serves them all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from holdem.abstraction.betting.row_layout import RowLayout
from holdem.abstraction.betting.tree import BettingTree, NodeKind
from holdem.errors import ConfigError
from holdem.types import GameConfig
from holdem.util.arrays import Float64, Int64

_ROW_SUM_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Responses:
    """expected, best: (players,) chips a hand when all play the strategy, and when one answers it perfectly."""

    expected: Float64
    best: Float64

    @property
    def nash_conv(self) -> float:
        """What all players together could gain by deviating alone."""
        return float((self.best - self.expected).sum())

    @property
    def exploitability(self) -> float:
        """NashConv per player: for two players half of it."""
        return self.nash_conv / len(self.best)


def check_two_players(config: GameConfig) -> None:
    """ConfigError for three and more players, where a best response does not measure strength."""
    if config.num_players > 2:
        raise ConfigError(
            f"{config.name} has {config.num_players} players, and there a best response proves nothing about how "
            "strong a strategy is; play matches with holdem match, or let one seat learn an answer with "
            "holdem best-response --learned"
        )


class Terminals(Protocol):
    """Counterfactual values of a position at every terminal, from the reach of all positions at every node."""

    def values(self, position: int, reaches: list[dict[int, Float64]]) -> dict[int, Float64]: ...


class TreeValues:
    """Exact values of strategies of one game. A strategy is `(entries,) float64`, each row summing to one.

    earlier_view: (buckets of the second street,) int64, the bucket on the first street that each belongs to; empty
    for a tree of one street.
    """

    def __init__(
        self,
        tree: BettingTree,
        layout: RowLayout,
        buckets: Sequence[int],
        terminals: Terminals,
        earlier_view: Int64 | None = None,
    ) -> None:
        expected = tree.counts.entries(buckets)
        if layout.entries != expected:
            raise ValueError(f"the layout has {layout.entries} entries, and this game needs {expected}")
        self.tree = tree
        self.layout = layout
        self.buckets = tuple(buckets)
        self.terminals = terminals
        self._earlier_view = np.empty(0, dtype=np.int64) if earlier_view is None else earlier_view

    def responses(self, strategy: Float64) -> Responses:
        """Expected and best-response values of every position."""
        rows = self._rows(strategy)
        reaches = [self._reach(position, rows) for position in range(self.tree.num_players)]
        values = [self.terminals.values(position, reaches) for position in range(self.tree.num_players)]
        expected = [
            sum(float(value @ reach[node]) for node, value in by_node.items())
            for by_node, reach in zip(values, reaches, strict=True)
        ]
        best = [float(self._best(0, position, by_node).sum()) for position, by_node in enumerate(values)]
        return Responses(np.array(expected), np.array(best))

    def expected_values(self, strategy: Float64) -> Float64:
        """(players,) chips a hand when everybody plays the strategy."""
        return self.responses(strategy).expected

    def best_response_values(self, strategy: Float64) -> Float64:
        """(players,) chips a hand of a perfect answer by each position to the strategy of the others."""
        return self.responses(strategy).best

    def nash_conv(self, strategy: Float64) -> float:
        """Sum over positions of best response minus expected value."""
        return self.responses(strategy).nash_conv

    def exploitability(self, strategy: Float64) -> float:
        """NashConv divided by the number of players."""
        return self.responses(strategy).exploitability

    def _rows(self, strategy: Float64) -> dict[int, Float64]:
        """(buckets, actions) of each decision, as views into the strategy."""
        table = np.ascontiguousarray(strategy, dtype=np.float64)
        if table.shape != (self.layout.entries,):
            raise ValueError(f"the strategy has shape {table.shape}, not ({self.layout.entries},)")
        rows = {}
        for node in np.flatnonzero(self.tree.kind == NodeKind.DECISION).tolist():
            shape = (self.buckets[self.tree.street[node]], int(self.tree.num_actions[node]))
            stride = int(self.layout.stride[node])
            rows[node] = np.lib.stride_tricks.as_strided(
                table[self.layout.offset[node] :], shape, (8 * stride, 8), writeable=False
            )
            sums = rows[node].sum(axis=1)
            if not np.abs(sums - 1.0).max() <= _ROW_SUM_TOLERANCE:
                raise ValueError(f"node {node}: the probabilities of a row sum to {sums[np.abs(sums - 1).argmax()]}")
        return rows

    def _reach(self, position: int, rows: dict[int, Float64]) -> dict[int, Float64]:
        """(buckets of its street,) at each node: the probability that `position` plays its own actions to there."""
        tree = self.tree
        reach = {0: np.ones(self.buckets[0])}
        for node, row in rows.items():  # ascending, so that a parent comes before its children
            for action, child in enumerate(tree.children(node)):
                after = reach[node] * row[:, action] if tree.player[node] == position else reach[node]
                reach[child] = after[self._earlier_view] if tree.street[child] > tree.street[node] else after
        return reach

    def _best(self, node: int, position: int, values: dict[int, Float64]) -> Float64:
        """(buckets,) counterfactual value at a node when `position` answers perfectly from there on."""
        tree = self.tree
        if tree.kind[node] != NodeKind.DECISION:
            return values[node]
        total: Float64 | None = None
        for child in tree.children(node):
            value = self._best(child, position, values)
            if tree.street[child] > tree.street[node]:
                value = sums_by(self._earlier_view, value, self.buckets[0])
            if total is None:
                total = value
            else:
                total = np.maximum(total, value) if tree.player[node] == position else total + value
        assert total is not None
        return total


def sums_by(places: Int64, values: Float64, count: int) -> Float64:
    """(count,) the values added up by place."""
    return np.asarray(np.bincount(places, weights=values, minlength=count), dtype=np.float64)
