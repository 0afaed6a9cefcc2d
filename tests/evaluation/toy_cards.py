"""The cards of a small game for AIVAT, by listing everything: Leduc and its like, and the plain twin of hold'em's."""

from functools import lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from holdem.cards.cards import Cards
from holdem.game.toy_games import ToyGame, bucket_of
from holdem.util.arrays import Float64

IntArray = npt.NDArray[np.int64]


class ToyCards:
    """All holes and boards of a toy game; a `CardModel`. Holes are numbered as `itertools.combinations` lists them."""

    def __init__(self, game: ToyGame) -> None:
        self.game = game
        self.holes = list(combinations(game.deck, game.hole_size))
        self.disjoint = np.array([[float(not set(a) & set(b)) for b in self.holes] for a in self.holes])
        self._views = lru_cache(maxsize=1024)(self._list_views)

    @property
    def num_holes(self) -> int:
        return len(self.holes)

    @property
    def last_street(self) -> int:
        return self.game.config.num_streets - 1

    def street(self, board: Cards) -> int:
        return self.game.config.board_cards.index(len(board))

    def held(self, hole: int) -> Float64:
        return np.asarray(self.disjoint[hole])

    def restricted(self, weights: Float64, board: Cards) -> Float64:
        return weights * (self._views(board)[0] >= 0)

    def against(self, weights: Float64) -> Float64:
        return np.asarray(self.disjoint @ weights)

    def value(self, board: Cards, first: Float64, second: Float64, matrix: Float64) -> float:
        left, right = np.flatnonzero(first), np.flatnonzero(second)
        buckets, _ = self._views(board)
        total = first[left] @ matrix[np.ix_(buckets[left], buckets[right])] @ second[right]
        return float(total / first.sum() / second.sum())

    def expected_value(self, board: Cards, first: Float64, second: Float64, matrix: Float64) -> float:
        parts = self._next(board, first, second)
        return sum(chance * self.value(after, left, right, matrix) for after, chance, left, right in parts)

    def showdown(self, board: Cards, first: Float64, second: Float64) -> float:
        left, right = np.flatnonzero(first), np.flatnonzero(second)
        _, strengths = self._views(board)
        weights = first[left][:, None] * second[right] * self.disjoint[np.ix_(left, right)]
        signs = np.sign(strengths[left][:, None] - strengths[right])
        return float((weights * signs).sum() / weights.sum())

    def expected_showdown(self, board: Cards, first: Float64, second: Float64) -> float:
        parts = self._next(board, first, second)
        return sum(chance * self.showdown(after, left, right) for after, chance, left, right in parts)

    def _next(self, board: Cards, first: Float64, second: Float64) -> list[tuple[Cards, float, Float64, Float64]]:
        """The next street's boards that can be, with their chances and the ranges that they leave."""
        count = self.game.config.board_cards[self.street(board) + 1] - len(board)
        found = []
        for more in combinations([card for card in self.game.deck if card not in board], count):
            left, right = self.restricted(first, (*board, *more)), self.restricted(second, (*board, *more))
            mass = float(left @ self.against(right))
            if mass > 0.0:
                found.append(((*board, *more), mass, left, right))
        total = sum(mass for _, mass, _, _ in found)
        return [(after, mass / total, left, right) for after, mass, left, right in found]

    def _list_views(self, board: Cards) -> tuple[IntArray, IntArray]:
        """(holes,) bucket of each hole on a board, -1 where they share a card, and its strength on the last street."""
        buckets, strengths = np.full((2, len(self.holes)), -1, dtype=np.int64)
        for number, hole in enumerate(self.holes):
            if not set(hole) & set(board):
                buckets[number] = bucket_of(self.game, hole, board)
                if self.street(board) == self.last_street:
                    strengths[number] = self.game.strength(hole, board)
        return buckets, strengths
