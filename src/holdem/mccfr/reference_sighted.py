"""What a river subtree teaches against an opponent who sees the board, in plain Python: hand by hand, recursive.

The twin of `_kernels_sighted.answer_river` and `learn_river`, without their cells.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting_tree import BettingTree, NodeKind
from holdem.mccfr._kernels_sighted import TREMBLE

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass
class ReferenceSighted:
    """strategy: (buckets, actions) of a node's rows; strengths, buckets: (hands,) on the river."""

    tree: BettingTree
    learner: int
    strategy: Callable[[int], Floats]
    strengths: Ints
    buckets: Ints
    choice: dict[int, Ints] = field(default_factory=dict)
    gains: dict[int, Floats] = field(default_factory=dict)

    def learn(self, root: int, own_range: Floats, other_range: Floats) -> dict[int, Floats]:
        """By node of the learner: (buckets, actions) what its hands together gain by each action, in chips."""
        self.choice, self.gains = {}, {}
        self._answer(root, own_range)
        self._values(root, other_range)
        return self.gains

    def _answer(self, node: int, reach: Floats) -> Floats:
        """(hands,) what the opponent wins with its best actions against the learner's reach."""
        children = self.tree.children(node)
        if not children:
            return self._payoffs(node, 1 - self.learner, reach)
        if self.tree.player[node] == self.learner:
            chances = (1.0 - TREMBLE) * self.strategy(node) + TREMBLE / len(children)
            taken = [self._answer(child, reach * chances[self.buckets, a]) for a, child in enumerate(children)]
            return np.asarray(np.sum(taken, axis=0))
        values = np.array([self._answer(child, reach) for child in children])
        self.choice[node] = values.argmax(axis=0)
        return np.asarray(values.max(axis=0))

    def _values(self, node: int, reach: Floats) -> Floats:
        """(hands,) what the learner wins against the opponent's answer."""
        children = self.tree.children(node)
        if not children:
            return self._payoffs(node, self.learner, reach)
        if self.tree.player[node] != self.learner:
            best = self.choice[node]
            taken = [self._values(child, np.where(best == a, reach, 0.0)) for a, child in enumerate(children)]
            return np.asarray(np.sum(taken, axis=0))
        values = np.array([self._values(child, reach) for child in children]).T
        strategy = self.strategy(node)
        mean: Floats = (strategy[self.buckets] * values).sum(axis=1)
        gains = np.zeros(strategy.shape)
        np.add.at(gains, self.buckets, values - mean[:, None])
        self.gains[node] = gains
        return mean

    def _payoffs(self, node: int, position: int, reach: Floats) -> Floats:
        """(hands,) chips won by `position` against a range; nobody counts cards."""
        chips = self.tree.chips_in[node]
        if self.tree.kind[node] == NodeKind.SHOWDOWN:
            beats = np.sign(self.strengths[:, None] - self.strengths[None, :])
            return np.asarray(min(chips) * (beats @ reach))
        lost = (int(self.tree.folded[node]) >> position) & 1
        return np.full(len(reach), (-chips[position] if lost else chips[1 - position]) * reach.sum())
