"""The luck of one hand with any number of players: it knows no rules and no cards."""

import numpy as np

from holdem.util.arrays import Float64


class Luck:
    """Adds up luck: what moves brought beyond their mean, by guesses about the end of the hand. total: (players,)"""

    def __init__(self, players: int) -> None:
        self.total: Float64 = np.zeros(players)

    def act(self, choice: int, chances: Float64, guesses: Float64) -> None:
        """A player took the action `choice`. chances: (actions,) of all it may do; guesses: (actions, players)"""
        self.total += guesses[choice] - chances @ guesses

    def deal(self, before: Float64, after: Float64) -> None:
        """Cards came. after: (players,) the guess with them; before: its exact mean over all that might have come."""
        self.total += after - before
