"""An independent judge of solved spots: it imports nothing of the project that it judges.

It plays the betting by its own reading of the labels, deals every card, ranks hands with phevaluator and works with
plain NumPy. A card is `4 × rank + suit`, a hole pair `high × (high − 1) / 2 + low`, as docs/architecture.md says.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt
from phevaluator import evaluate_cards

Float64 = npt.NDArray[np.float64]
Board = tuple[int, ...]
Ask = Callable[[tuple[str, ...]], tuple[tuple[str, ...], Float64]]
"""Actions at a node, named by labels and cards, and (1326, actions) probabilities."""

OUT_OF_POSITION = 0
RIVER_CARDS = 5


def card_name(card: int) -> str:
    return "23456789TJQKA"[card // 4] + "cdhs"[card % 4]


def pair_number(pair: tuple[int, int]) -> int:
    low, high = sorted(pair)
    return high * (high - 1) // 2 + low


@dataclass(frozen=True)
class Betting:
    """Chips that both put in since the root, what each had in before this street, and who acts."""

    totals: tuple[int, int] = (0, 0)
    before: int = 0
    player: int = OUT_OF_POSITION
    acted: bool = False

    def put_in(self, total: int) -> tuple[int, int]:
        return (total, self.totals[1]) if self.player == 0 else (self.totals[0], total)


@dataclass(frozen=True)
class Worth:
    """Counterfactual values of each hand: of the best response of either player, and of the strategies as they are."""

    best: tuple[Float64, Float64]
    mean: tuple[Float64, Float64]

    def __add__(self, other: "Worth") -> "Worth":
        return Worth(
            (self.best[0] + other.best[0], self.best[1] + other.best[1]),
            (self.mean[0] + other.mean[0], self.mean[1] + other.mean[1]),
        )

    def __truediv__(self, divisor: float) -> "Worth":
        return Worth((self.best[0] / divisor, self.best[1] / divisor), (self.mean[0] / divisor, self.mean[1] / divisor))


class Judge:
    """One spot: `hands` are pairs of cards and their weights, for the player out of position and the other."""

    def __init__(
        self, board: Board, pot: int, stack: int, hands: Sequence[Sequence[tuple[tuple[int, int], float]]]
    ) -> None:
        self.board, self.pot, self.stack = board, pot, stack
        self.cards = [[pair for pair, _ in own] for own in hands]
        self.weights = [np.array([weight for _, weight in own]) for own in hands]
        self.numbers = [[pair_number(pair) for pair in own] for own in self.cards]
        self.meeting = cache(self._meeting)
        self.winning = cache(self._winning)

    def judge(self, ask: Ask) -> "Verdict":
        """The exact best response to the strategies that `ask` tells, and their value."""
        worth = self._visit(ask, Betting(), self.board, (), (self.weights[0], self.weights[1]))
        deals = float(self.weights[0] @ self.meeting(self.board) @ self.weights[1])
        best = [float(self.weights[p] @ worth.best[p]) / deals for p in (0, 1)]
        mean = float(self.weights[0] @ worth.mean[0]) / deals
        meeting = (self.meeting(self.board) @ self.weights[1], self.weights[0] @ self.meeting(self.board))
        with np.errstate(divide="ignore", invalid="ignore"):
            of_hands = [worth.mean[p] / meeting[p] + self.pot / 2 for p in (0, 1)]
        return Verdict(sum(best) / 2, (self.pot / 2 + mean, self.pot / 2 - mean), (of_hands[0], of_hands[1]))

    def _meeting(self, board: Board) -> Float64:
        """1 where two hands share no card with each other or the board."""
        size = 4 + len(board)
        return np.array([[float(len({*a, *b, *board}) == size) for b in self.cards[1]] for a in self.cards[0]])

    def _winning(self, board: Board) -> Float64:
        """+1, 0 or −1 for player 0, averaged over all ways to complete the board."""
        table = np.zeros((len(self.cards[0]), len(self.cards[1])))
        missing = RIVER_CARDS - len(board)
        for i, mine in enumerate(self.cards[0]):
            for j, theirs in enumerate(self.cards[1]):
                if len({*mine, *theirs, *board}) == 4 + len(board):
                    deck = [card for card in range(52) if card not in {*mine, *theirs, *board}]
                    signs = [self._showdown(mine, theirs, (*board, *more)) for more in combinations(deck, missing)]
                    table[i, j] = sum(signs) / len(signs)
        return table

    @staticmethod
    def _showdown(mine: tuple[int, int], theirs: tuple[int, int], board: Board) -> int:
        first, second = _rank(mine, board), _rank(theirs, board)
        return (first < second) - (first > second)  # phevaluator: smaller is better

    def _visit(
        self, ask: Ask, at: Betting, board: Board, path: tuple[str, ...], reach: tuple[Float64, Float64]
    ) -> Worth:
        actions, rows = ask(path)
        own = rows[self.numbers[at.player]]
        facing = at.totals[1 - at.player] > at.totals[at.player]
        assert actions[: 2 if facing else 1] == (("Fold", "Call") if facing else ("Check",))
        lower = []
        for i, label in enumerate(actions):
            mine = reach[at.player] * own[:, i]
            after = (mine, reach[1]) if at.player == 0 else (reach[0], mine)
            lower.append(self._after(ask, at, label, board, (*path, label), after))
        return _decide(at.player, own, lower)

    def _after(
        self, ask: Ask, at: Betting, label: str, board: Board, path: tuple[str, ...], reach: tuple[Float64, Float64]
    ) -> Worth:
        word, amount = _read(label)
        other = at.totals[1 - at.player]
        if word == "Fold":
            sign = -1.0 if at.player == 0 else 1.0
            return self._terminal(sign * (self.pot / 2 + at.totals[at.player]) * self.meeting(board), reach)
        if word in ("Bet", "Raise", "AllIn"):
            total = at.before + amount
            assert max(at.totals) < total <= self.stack
            assert (word == "AllIn") == (total == self.stack)
            return self._visit(ask, replace(at, totals=at.put_in(total), player=1 - at.player, acted=True), board, path,
                               reach)  # fmt: skip
        assert word == ("Call" if other > at.totals[at.player] else "Check")
        if not at.acted:
            return self._visit(ask, replace(at, player=1 - at.player, acted=True), board, path, reach)
        return self._closed(ask, replace(at, totals=at.put_in(other)), board, path, reach)

    def _closed(
        self, ask: Ask, at: Betting, board: Board, path: tuple[str, ...], reach: tuple[Float64, Float64]
    ) -> Worth:
        """The end of a betting round: a showdown, the rest of the board, or the next card."""
        chips = at.totals[0]
        assert chips == at.totals[1]
        if len(board) == RIVER_CARDS or chips == self.stack:
            return self._terminal((self.pot / 2 + chips) * self.winning(tuple(sorted(board))), reach)
        deck = [card for card in range(52) if card not in board]
        below = Betting(at.totals, before=chips)
        parts = [self._visit(ask, below, (*board, card), (*path, card_name(card)), reach) for card in deck]
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        return total / (len(deck) - 4)

    @staticmethod
    def _terminal(matrix: Float64, reach: tuple[Float64, Float64]) -> Worth:
        """`matrix`: chips that player 0 wins, for each pair of hands."""
        values = (matrix @ reach[1], -(reach[0] @ matrix))
        return Worth(values, values)


@dataclass(frozen=True)
class Verdict:
    """Chips: half the sum of both best responses, EVs of the players (their sum is the pot), EVs of their hands."""

    exploitability: float
    expected_values: tuple[float, float]
    of_hands: tuple[Float64, Float64]


def _decide(player: int, strategy: Float64, lower: list[Worth]) -> Worth:
    best, mean = [], []
    for p in (0, 1):
        tables = [np.stack([worth.best[p] for worth in lower], axis=1), np.stack([w.mean[p] for w in lower], axis=1)]
        if p == player:
            best.append(tables[0].max(axis=1))
            mean.append((strategy * tables[1]).sum(axis=1))
        else:
            best.append(tables[0].sum(axis=1))
            mean.append(tables[1].sum(axis=1))
    return Worth((best[0], best[1]), (mean[0], mean[1]))


@cache
def _rank(pair: tuple[int, int], board: Board) -> int:
    return int(evaluate_cards(*map(card_name, (*pair, *board))))


@cache
def _read(label: str) -> tuple[str, int]:
    match = re.fullmatch(r"(\w+)(?:\((\d+)\))?", label)
    assert match is not None, label
    return match[1], int(match[2] or 0)
