"""The AIVAT estimate of one hand, move by move. It knows no rules and no cards: those come in as two models."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np

from holdem.cards.cards import Cards
from holdem.evaluation.aivat.cards import CardModel
from holdem.evaluation.aivat.points import Folded, Point, Showdown
from holdem.util.arrays import Float64


class ValueModel(Protocol):
    """Guesses about the rest of a hand."""

    def matrix(self, point: Point, street: int) -> Float64:
        """(buckets, buckets) chips that position 0 wins by the end, by the buckets of a street's board."""


class Aivat:
    """The models of one game; opens hands."""

    def __init__(self, cards: CardModel, values: ValueModel) -> None:
        self.cards, self.values = cards, values
        self.mean_at_deal = lru_cache(maxsize=8)(self._mean_at_deal)

    def hand(self, holes: Sequence[int | None], start: Point) -> "AivatHand":
        """A hand that begins at `start`; `holes`: of both positions, None where that player's strategy is known."""
        if all(hole is not None for hole in holes):
            raise ValueError("AIVAT needs at least one player whose strategy is known")
        return AivatHand(self, holes, start)

    def value(self, point: Point, board: Cards, first: Float64, second: Float64) -> float:
        """A guess about what position 0 wins, from both ranges; at the end of a hand it is exact."""
        if isinstance(point, Folded):
            return point.won
        if isinstance(point, Showdown) and self.cards.street(board) == self.cards.last_street:
            return point.stake * self.cards.showdown(board, first, second)
        return self.cards.value(board, first, second, self.values.matrix(point, self.cards.street(board)))

    def expected_value(self, point: Point, board: Cards, first: Float64, second: Float64) -> float:
        """The mean of `value` over the boards of the next street."""
        street = self.cards.street(board) + 1
        if isinstance(point, Showdown) and street == self.cards.last_street:
            return point.stake * self.cards.expected_showdown(board, first, second)
        return self.cards.expected_value(board, first, second, self.values.matrix(point, street))

    def first_ranges(self, holes: Sequence[int | None]) -> list[Float64]:
        """The ranges before anybody acts: one hole, or all holes that it leaves."""
        ranges = [np.ones(self.cards.num_holes), np.ones(self.cards.num_holes)]
        for position, hole in enumerate(holes):
            if hole is not None:
                ranges[position] = np.eye(1, self.cards.num_holes, hole)[0]
                ranges[1 - position] = self.cards.held(hole)
        return ranges

    def _mean_at_deal(self, start: Point, dealt: int) -> float:
        """The mean of the value at the start over all holes of the player at position `dealt`, equally likely."""
        total = 0.0
        for hole in range(self.cards.num_holes):
            holes: list[int | None] = [None, None]
            holes[dealt] = hole
            total += self.value(start, (), *self.first_ranges(holes))
        return total / self.cards.num_holes


class AivatHand:
    """Follows one hand. After the last move, `result` is what position 0 won, without the luck that is known."""

    def __init__(self, aivat: Aivat, holes: Sequence[int | None], start: Point) -> None:
        self.aivat, self.point = aivat, start
        self.board: Cards = ()
        self.ranges = aivat.first_ranges(holes)
        self.luck = 0.0
        for position, hole in enumerate(holes):
            if hole is not None:
                self.luck += aivat.value(start, (), *self.ranges) - aivat.mean_at_deal(start, position)

    def act(self, position: int, choice: int, points: Sequence[Point], probabilities: Float64 | None = None) -> None:
        """A player takes the action `choice`. `points`: where each of its actions leads.

        probabilities: (holes, actions) of its strategy, None if that is not known.
        """
        self.point = points[choice]
        if probabilities is None:
            return
        cards, own, other = self.aivat.cards, self.ranges[position], self.ranges[1 - position]
        played = own[:, None] * probabilities
        chances = cards.against(other) @ played
        if not chances[choice] > 0.0:
            raise ValueError(f"position {position} took action {choice}, which its strategy never takes here")
        chances /= chances.sum()
        guesses = np.zeros(len(points))
        for action in np.flatnonzero(chances).tolist():
            self.ranges[position] = played[:, action]
            guesses[action] = self.aivat.value(points[action], self.board, *self.ranges)
        self.ranges[position] = played[:, choice] / played[:, choice].max()  # else a line of rare actions underflows
        self.luck += float(guesses[choice] - chances @ guesses)

    def deal(self, board: Cards) -> None:
        """The board of the next street is dealt; `board` is the whole of it."""
        mean = self.aivat.expected_value(self.point, self.board, *self.ranges)
        self.board = board
        self.ranges = [self.aivat.cards.restricted(weights, board) for weights in self.ranges]
        self.luck += self.aivat.value(self.point, board, *self.ranges) - mean

    @property
    def result(self) -> float:
        """Chips that position 0 won in the mean over the ranges, less its luck; the hand must be over."""
        return self.aivat.value(self.point, self.board, *self.ranges) - self.luck
