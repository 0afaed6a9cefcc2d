"""A node of a solved subgame as the 13 × 13 grid that blueprints are shown in, classes weighted by the range."""

from dataclasses import dataclass

import numpy as np

from holdem.blueprint.tree_values import sums_by
from holdem.blueprint.view import NodeSummary, StrategyView
from holdem.cards import NUM_HOLE_PAIRS, format_cards
from holdem.cards.ranges import CLASS_OF_HOLE, NUM_CLASSES
from holdem.realtime.subgame.nodes.view import NodeView
from holdem.types import STREET_NAMES
from holdem.util.arrays import Float64


@dataclass(frozen=True)
class RangeView(StrategyView):
    """A strategy of a range: `weights: (1326,)` says how often each hand comes to the node."""

    weights: Float64

    def frequencies(self) -> Float64:
        """(actions,) over the range."""
        held = self.possible
        return np.asarray(self.weights[held] @ self.probabilities[held] / self.weights[held].sum())

    def _by_class(self, values: Float64) -> Float64:
        held = self.possible
        classes = CLASS_OF_HOLE[held].astype(np.int64)
        return sums_by(classes, values[held] * self.weights[held], NUM_CLASSES)


def action_words(label: str) -> str:
    """`bet 45` for `Bet(45)`, `all-in 300` for `AllIn(300)`."""
    return label.replace("AllIn", "all-in").replace("(", " ").rstrip(")").lower()


def range_view(node: NodeView) -> RangeView:
    """The view that pictures and grids are drawn from; hands that never come to the node are left out."""
    probabilities = np.full((NUM_HOLE_PAIRS, len(node.actions)), np.nan)
    weights = np.zeros(NUM_HOLE_PAIRS)
    live = node.weights > 0
    probabilities[node.hands[live]] = node.strategy[live]
    weights[node.hands[live]] = node.weights[live]
    summary = NodeSummary(
        line=f"{format_cards(node.board, ' ')}: {', '.join(map(action_words, node.path)) or 'first to act'}",
        street=STREET_NAMES[len(node.board) - 2],
        position=("OOP", "IP")[node.player],
        actions=tuple(map(action_words, node.actions)),
        pot_chips=node.pot,
        big_blind=0,
    )
    return RangeView(summary, node.board, probabilities, np.ones(NUM_HOLE_PAIRS, dtype=np.bool_), weights)
