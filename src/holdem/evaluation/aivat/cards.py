"""What AIVAT needs of a game's cards. Ranges are (holes,) weights by hole, zero where a hole cannot be held."""

from typing import Protocol

from holdem.cards.cards import Cards
from holdem.util.arrays import Float64


class CardModel(Protocol):
    """Sums over pairs of holes that can be dealt together, and over the boards that may come next.

    A *matrix* is (buckets, buckets) chips by the buckets of both players on a street. A value is the mean of a matrix
    over the buckets of two ranges; that both players cannot hold the same card is left out of it, for speed. It is a
    guess all the same; chances are exact.
    """

    @property
    def num_holes(self) -> int:
        """Different holes of one player."""

    @property
    def last_street(self) -> int:
        """The street whose board is complete."""

    def street(self, board: Cards) -> int:
        """The street that a board belongs to."""

    def held(self, hole: int) -> Float64:
        """(holes,) 1 for the holes that share no card with `hole`, else 0."""

    def restricted(self, weights: Float64, board: Cards) -> Float64:
        """A range without the holes that share a card with the board."""

    def against(self, weights: Float64) -> Float64:
        """(holes,) the weight of the holes of a range that can be dealt together with each hole."""

    def value(self, board: Cards, first: Float64, second: Float64, matrix: Float64) -> float:
        """The value of two ranges on a board."""

    def expected_value(self, board: Cards, first: Float64, second: Float64, matrix: Float64) -> float:
        """The exact mean of `value` over the next street's boards."""

    def showdown(self, board: Cards, first: Float64, second: Float64) -> float:
        """How often the first range beats the second on a complete board minus how often it loses, exactly."""

    def expected_showdown(self, board: Cards, first: Float64, second: Float64) -> float:
        """The exact mean of `showdown` over the boards of the last street, from the street before it."""
