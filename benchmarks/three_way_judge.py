"""What each of three players could gain alone on a river: an independent judge of multiway solves (NashConv).

It goes through all triples of hands by matrix products, and shares neither tables nor code with the solvers: strengths
come from the plain evaluator, pots are divided layer by layer, and for every hand h the sum over pairs (a, b) is
Σ_a Σ_b w(h, a) · N(a, b) · w(h, b), where N says which hands share no card.
"""

from collections.abc import Callable

import numpy as np

from holdem.abstraction.betting.tree import BettingTree, NodeKind
from holdem.cards import evaluate
from holdem.cards.cards import Cards, hole_cards
from holdem.util.arrays import Float64

Policy = Callable[[int], Float64]
"""(1326, actions) probabilities at a decision node."""


class ThreeWayJudge:
    """A river, three ranges and a strategy of all players. `ranges`: (positions, 1326)."""

    def __init__(self, tree: BettingTree, ranges: Float64, board: Cards, policy: Policy) -> None:
        self.tree = tree
        self.live = [p for p in range(tree.num_players) if not int(tree.folded[0]) >> p & 1]
        assert len(self.live) == 3
        held = np.flatnonzero((ranges[self.live] > 0.0).any(axis=0)).tolist()
        hands = [h for h in held if not set(hole_cards(h)) & set(board)]
        cards = np.zeros((len(hands), 52))
        for place, hand in enumerate(hands):
            cards[place, list(hole_cards(hand))] = 1.0
        strength = np.array([evaluate(hole_cards(hand) + board) for hand in hands])
        self.apart = (cards @ cards.T == 0.0).astype(np.float64)
        self.beats = self.apart * (strength[:, None] > strength[None, :])
        self.ties = self.apart * (strength[:, None] == strength[None, :])
        self.ranges = {p: ranges[p, hands] for p in self.live}
        decisions = np.flatnonzero(tree.kind == NodeKind.DECISION).tolist()
        self.policy = {node: policy(node)[hands] for node in decisions}

    def gains(self) -> list[float]:
        """Chips per hand that each player could win more by its best answer to the two others."""
        return [self.value(p, best=True) - self.value(p, best=False) for p in self.live]

    def nash_conv(self) -> float:
        """The sum of these gains."""
        return sum(self.gains())

    def value(self, player: int, best: bool) -> float:
        """Chips that a player wins on average: by its strategy, or by the best answer to the others'."""
        first, second = (p for p in self.live if p != player)
        values = self._walk(0, player, best, dict(self.ranges))
        meets = ((self.apart * self.ranges[first]) @ self.apart) * (self.apart * self.ranges[second])
        total = float(self.ranges[player] @ meets.sum(axis=1))
        return float(self.ranges[player] @ values) / total

    def _walk(self, node: int, player: int, best: bool, reach: dict[int, Float64]) -> Float64:
        """By hand of `player`: what it wins below a node times the weights of the others' hands."""
        tree = self.tree
        if tree.kind[node] != NodeKind.DECISION:
            return self._terminal(node, player, reach)
        actor, policy = int(tree.player[node]), self.policy[node]
        options = []
        for place, child in enumerate(tree.children(node)):
            moved = reach if actor == player else {**reach, actor: reach[actor] * policy[:, place]}
            options.append(self._walk(child, player, best, moved))
        found = np.stack(options, axis=1)
        if actor != player:
            return np.asarray(found.sum(axis=1))
        return np.asarray(found.max(axis=1) if best else (found * policy).sum(axis=1))

    def _terminal(self, node: int, player: int, reach: dict[int, Float64]) -> Float64:
        """The pot in layers, each for those who paid for it and have not folded."""
        tree = self.tree
        chips = tree.chips_in[node].tolist()
        contenders = [p for p in self.live if not int(tree.folded[node]) >> p & 1]
        others = [p for p in self.live if p != player]
        value = -chips[player] * self._share(reach, others, ())
        totals = sorted({chips[p] for p in contenders})
        for place, total in enumerate(totals):
            low = totals[place - 1] if place else 0
            high = total if place + 1 < len(totals) else max(chips)
            pot = sum(min(paid, high) - min(paid, low) for paid in chips)
            paid_for = [p for p in contenders if chips[p] >= total]
            if player in paid_for:
                value = value + pot * self._share(reach, others, tuple(p for p in paid_for if p != player))
        return np.asarray(value)

    def _share(self, reach: dict[int, Float64], others: list[int], rivals: tuple[int, ...]) -> Float64:
        """By hand: the part of a pot that it wins from `rivals`, summed over all pairs of the others' hands."""
        left, right = (reach[p] for p in others)
        if not rivals:
            return self._pairs(self.apart * left, self.apart * right)
        if len(rivals) == 1:
            above = self.beats + self.ties / 2.0
            one, other = (above if p in rivals else self.apart for p in others)
            return self._pairs(one * left, other * right)
        won, won_other, tied, tied_other = self.beats * left, self.beats * right, self.ties * left, self.ties * right
        half = self._pairs(won, tied_other) + self._pairs(tied, won_other)
        return self._pairs(won, won_other) + half / 2.0 + self._pairs(tied, tied_other) / 3.0

    def _pairs(self, one: Float64, other: Float64) -> Float64:
        return np.asarray(((one @ self.apart) * other).sum(axis=1))
