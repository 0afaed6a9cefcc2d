"""A subgame the slow way: plain recursion, matrices of all pairs of hands, every card dealt, phevaluator for strength.

Shares with the solver only the betting tree. It knows best responses, values of given strategies, and discounted CFR.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt
from phevaluator import evaluate_cards

from holdem.cards import Cards, format_card, hole_cards
from holdem.realtime.subgame.spot import Spot
from holdem.realtime.subgame.tree import Node, SubgameNodeKind, TreeBuilder

Float64 = npt.NDArray[np.float64]
Strategy = Callable[[Node, tuple[str, ...], Cards], Float64]
"""(hands, actions) at a node, given the path to it (labels and cards) and the board."""


class PlainSubgame:
    """One spot; `path` tuples name nodes as `Solution.strategy` takes them."""

    def __init__(self, spot: Spot) -> None:
        self.spot = spot
        self.root = TreeBuilder(spot.root(), spot.sizes_of, spot.played).build()
        self.hands = [np.flatnonzero(weights > 0) for weights in spot.ranges]
        self.weights = [spot.ranges[p][self.hands[p]] for p in (0, 1)]
        self.cards = [[hole_cards(int(h)) for h in hands] for hands in self.hands]
        self.meeting = cache(self._meeting)
        self.winning = cache(self._winning)

    def _meeting(self, board: Cards) -> Float64:
        """1 where two hands share no card with each other or the board."""
        distinct = 4 + len(board)
        rows = [[len({*mine, *theirs, *board}) == distinct for theirs in self.cards[1]] for mine in self.cards[0]]
        return np.array(rows, dtype=np.float64)

    def _winning(self, board: Cards) -> Float64:
        """+1, 0 or −1 for player 0, averaged over all ways to complete the board."""
        if len(board) == 5:
            ranks = [[self._rank(hand, board) for hand in cards] for cards in self.cards]
            # phevaluator: smaller is better
            return np.sign(np.subtract.outer(ranks[0], ranks[1])) * -1.0 * self.meeting(board)
        deck = [card for card in range(52) if card not in board]
        return sum(self.winning((*board, card)) for card in deck) / (len(deck) - 4)  # type: ignore[return-value]

    @staticmethod
    def _rank(hand: tuple[int, int], board: Cards) -> int:
        if set(hand) & set(board):
            return 0
        return int(evaluate_cards(*map(format_card, (*hand, *board))))

    def values(
        self, node: Node, board: Cards, path: tuple[str, ...], player: int, reach: Float64, strategy: Strategy,
        best: bool,
    ) -> Float64:  # fmt: skip
        """Counterfactual values of the player's hands; `best`: he takes the best action everywhere."""
        half = self.spot.pot / 2

        def against(matrix: Float64) -> Float64:
            return np.asarray(matrix @ reach if player == 0 else reach @ matrix)

        if node.kind == SubgameNodeKind.FOLD:
            sign = -1.0 if node.player == player else 1.0
            return sign * (half + node.chips_in[node.player]) * against(self.meeting(board))
        if node.kind in (SubgameNodeKind.SHOWDOWN, SubgameNodeKind.ALL_IN):
            side = 1.0 if player == 0 else -1.0
            return side * (half + node.chips_in[0]) * against(self.winning(board))
        if node.kind == SubgameNodeKind.DEAL:
            deck = [card for card in range(52) if card not in board]
            total = np.zeros(len(self.hands[player]))
            for card in deck:
                lower = (*path, format_card(card))
                total += self.values(node.children[0], (*board, card), lower, player, reach, strategy, best)
            return total / (len(deck) - 4)
        rows = strategy(node, path, board)
        children = []
        for i, (label, child) in enumerate(zip(node.actions, node.children, strict=True)):
            share = reach if node.player == player else reach * rows[:, i]
            children.append(self.values(child, board, (*path, label), player, share, strategy, best))
        table = np.stack(children, axis=1)
        if node.player != player:
            return np.asarray(table.sum(axis=1))
        return self.decide(node, path, rows, table, best)

    def decide(self, node: Node, path: tuple[str, ...], rows: Float64, table: Float64, best: bool) -> Float64:
        """What the player makes of the values (hands, actions) of his actions."""
        return np.asarray(table.max(axis=1) if best else (rows * table).sum(axis=1))

    def root_value(self, player: int, strategy: Strategy, best: bool) -> float:
        """Mean over all deals, zero-sum chips."""
        board = self.spot.board
        values = self.values(self.root, board, (), player, self.weights[1 - player], strategy, best)
        return float(self.weights[player] @ values / (self.weights[0] @ self.meeting(board) @ self.weights[1]))

    def exploitability(self, strategy: Strategy) -> float:
        """(best response of 0 + best response of 1) / 2 of the zero-sum game, in chips."""
        return sum(self.root_value(player, strategy, True) for player in (0, 1)) / 2


class PlainCFR(PlainSubgame):
    """Discounted CFR with alternating updates: the twin of the compiled solver."""

    def __init__(self, spot: Spot) -> None:
        super().__init__(spot)
        self.regrets: dict[tuple[str, ...], Float64] = {}
        self.averages: dict[tuple[str, ...], Float64] = {}
        self.factors = np.zeros(3)

    def current(self, node: Node, path: tuple[str, ...], board: Cards) -> Float64:
        """Regret matching."""
        shape = (len(self.hands[node.player]), len(node.actions))
        positive = np.maximum(self.regrets.setdefault(path, np.zeros(shape)), 0.0)
        total = positive.sum(axis=1, keepdims=True)
        return np.where(total > 0, positive / np.where(total > 0, total, 1.0), 1.0 / shape[1])

    def iterate(self, factors: npt.NDArray[np.float32]) -> None:
        """One iteration: player 0 learns, then player 1."""
        self.factors = factors.astype(np.float64)
        for player in (0, 1):
            reach = self.weights[1 - player]
            self.values(self.root, self.spot.board, (), player, reach, self.current, False)

    def decide(self, node: Node, path: tuple[str, ...], rows: Float64, table: Float64, best: bool) -> Float64:
        value = super().decide(node, path, rows, table, best)
        positive, negative, weight = self.factors
        before = self.regrets[path]
        self.regrets[path] = before * np.where(before > 0, positive, negative) + table - value[:, None]
        average = self.averages.setdefault(path, np.zeros_like(rows))
        self.averages[path] = average + (rows - average) * weight
        return value
