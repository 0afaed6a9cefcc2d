"""Both samplers in plain Python: slow, recursive, and drawing the same random numbers as the kernels.

They work on one deal (`rows[slot]`, `strengths[player]`) and on a float table (entries, 2), which holds whole numbers
when they stand in for the integer kernel.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.payoffs import reference_payoffs
from holdem.abstraction.betting.row_layout import RowLayout
from holdem.abstraction.betting.tree import ActionCode, BettingTree, NodeKind
from holdem.mccfr.schedules.epsilon import sampling_probability
from holdem.util.kernels.random_numbers import next_bits, seed_stream

Floats = npt.NDArray[np.float64]


@dataclass
class ReferenceSampler:
    """One iteration at a time: `external` and `outcome` are the twins of the kernels of those names.

    table: (entries, 2) float64, updated in place
    regret_weight, strategy_weight: multiply what is added, units included
    prune_probability, threshold, floor: as in `run_external`; round_to_integers: add whole numbers only, as it does
    """

    tree: BettingTree
    layout: RowLayout
    unit: int
    table: Floats
    regret_weight: float = 1.0
    strategy_weight: float = 1.0
    prune_probability: float = 0.0
    threshold: float = -(2.0**30)
    floor: float = -(2.0**30)
    epsilon: float = 0.6
    round_to_integers: bool = True
    decisions: int = 0
    terminals: int = 0
    considered: int = 0
    pruned: int = 0
    state: npt.NDArray[np.uint64] = field(default_factory=lambda: np.zeros(2, dtype=np.uint64))

    def external(self, seed: int, iteration: int, rows: Sequence[int], strengths: Sequence[int]) -> list[float]:
        """One iteration of external sampling; the value of each player's traversal, in table units."""
        seed_stream(self.state, seed, 2 * iteration + 1)
        self.rows, self.strengths, values = rows, strengths, []
        for player in range(self.tree.num_players):
            self.pruning = self.prune_probability > 0.0 and self._unit() < self.prune_probability
            values.append(self._traverse(self._follow(0, player), player))
        return values

    def outcome(self, seed: int, iteration: int, rows: Sequence[int], strengths: Sequence[int]) -> list[float]:
        """One iteration of outcome sampling; the estimate of each player's value, in table units."""
        seed_stream(self.state, seed, 2 * iteration + 1)
        self.rows, self.strengths, values = rows, strengths, []
        for player in range(self.tree.num_players):
            values.append(self._play(0, player, 1.0))
        return values

    def _follow(self, node: int, player: int) -> int:
        """The first decision of the traverser, or the terminal, that the others' draws lead to."""
        while self.tree.kind[node] == NodeKind.DECISION and self.tree.player[node] != player:
            self.decisions += 1
            strategy, choice = self._strategy(node), self._draw_by_regret(node)
            self._add_strategy(node, strategy)
            node = self.tree.children(node)[choice]
        return node

    def _traverse(self, node: int, player: int) -> float:
        """The value of a terminal or of a decision of the traverser; draws of all its actions come before the next."""
        if self.tree.kind[node] != NodeKind.DECISION:
            return self._payoff(node, player)
        self.decisions += 1
        strategy, children, skipped = self._strategy(node), self.tree.children(node), self._skipped(node)
        self.considered += len(children)
        self.pruned += sum(skipped)
        folds = [self.tree.action[child] == ActionCode.FOLD for child in children]
        reached = [None if skipped[a] or folds[a] else self._follow(child, player) for a, child in enumerate(children)]
        values = np.zeros(len(children))
        for a, target in enumerate(reached):
            if folds[a]:
                values[a] = -float(self.tree.chips_in[node, player]) * self.unit
            elif target is not None:
                values[a] = self._traverse(target, player)
        value, row = float(strategy @ values), self._row(node)
        for a in range(len(children)):
            if not skipped[a]:
                regret = self.table[row + a, 0]
                increment = np.floor((values[a] - value) * self.regret_weight + 0.5)
                self.table[row + a, 0] = max(regret + increment, min(self.floor, regret))
        return value

    def _skipped(self, node: int) -> list[bool]:
        row, children = self._row(node), self.tree.children(node)
        regrets = self.table[row : row + len(children), 0]
        last_street = self.tree.street[node] == self.tree.config.num_streets - 1
        if not self.pruning or last_street or regrets.max() <= 0:
            return [False] * len(children)
        return [
            bool(
                regrets[a] < self.threshold
                and self.tree.kind[child] == NodeKind.DECISION
                and self.tree.action[child] != ActionCode.FOLD
            )
            for a, child in enumerate(children)
        ]

    def _play(self, node: int, player: int, sampled: float) -> float:
        """One line of play from a node that the traverser's draws reach with probability `sampled`."""
        if self.tree.kind[node] != NodeKind.DECISION:
            return self._payoff(node, player)
        self.decisions += 1
        strategy, children, row = self._strategy(node), self.tree.children(node), self._row(node)
        if self.tree.player[node] != player:
            self.table[row : row + len(children), 1] += self.strategy_weight * strategy / sampled
            return self._play(children[_pick(strategy, self._unit())], player, sampled)
        self.considered += len(children)
        mixture = np.array([sampling_probability(p, len(children), self.epsilon) for p in strategy])
        choice = _pick(mixture, self._unit())
        if self.tree.action[children[choice]] == ActionCode.FOLD:
            value = -float(self.tree.chips_in[node, player]) * self.unit
        else:
            value = self._play(children[choice], player, sampled * mixture[choice])
        values = np.zeros(len(children))
        values[choice] = value / mixture[choice]
        value = float(values[choice] * strategy[choice])
        self.table[row : row + len(children), 0] += self.regret_weight / sampled * (values - value)
        return value

    def _add_strategy(self, node: int, strategy: Floats) -> None:
        row = self._row(node)
        for a, probability in enumerate(strategy):
            amount = self.strategy_weight * probability
            self.table[row + a, 1] += np.floor(amount + self.fraction) if self.round_to_integers else amount

    def _strategy(self, node: int) -> Floats:
        row, actions = self._row(node), int(self.tree.num_actions[node])
        positive = np.maximum(self.table[row : row + actions, 0], 0.0)
        total = positive.sum()
        return positive / total if total > 0.0 else np.full(actions, 1.0 / actions)

    def _draw_by_regret(self, node: int) -> int:
        """An action by whole positive regrets, as the integer kernel draws it."""
        row, actions = self._row(node), int(self.tree.num_actions[node])
        positive = [max(int(regret), 0) for regret in self.table[row : row + actions, 0]]
        if not any(positive):
            positive = [1] * actions
        bits = int(next_bits(self.state))
        target, self.fraction = ((bits >> 34) * sum(positive)) >> 30, (bits >> 2) % 2**32 / 2.0**32
        return next(a for a in range(actions) if target < sum(positive[: a + 1]))

    def _payoff(self, node: int, player: int) -> float:
        self.terminals += 1
        folded = {p for p in range(self.tree.num_players) if self.tree.folded[node] >> p & 1}
        return reference_payoffs(self.tree.chips_in[node].tolist(), folded, self.strengths)[player] * self.unit

    def _row(self, node: int) -> int:
        slot = int(self.tree.street[node]) * self.tree.num_players + int(self.tree.player[node])
        return int(self.layout.offset[node]) + int(self.rows[slot])

    def _unit(self) -> float:
        return float(int(next_bits(self.state)) >> 11) / 2.0**53


def _pick(probabilities: Floats, unit: float) -> int:
    """The action that a number in [0, 1) picks."""
    picked = int(np.searchsorted(np.cumsum(probabilities), unit, side="right"))
    return min(picked, len(probabilities) - 1)
