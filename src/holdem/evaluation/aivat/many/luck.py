"""The luck of one hand with any number of players: it knows no rules and no cards."""

import numpy as np

from holdem.util.arrays import Float64

BOARD, FIRST_ACTIONS, LATER_ACTIONS, PARTS = 0, 1, 2, 3
"""The parts of luck: cards of the board, actions before the flop, and after it."""


class Luck:
    """Adds up luck: what moves brought beyond their mean, by guesses about the end of the hand.

    parts: (PARTS, players)
    """

    def __init__(self, players: int) -> None:
        self.parts: Float64 = np.zeros((PARTS, players))

    def act(self, street: int, choice: int, chances: Float64, guesses: Float64) -> None:
        """A player took the action `choice`. chances: (actions,) of all it may do; guesses: (actions, players)"""
        self.parts[FIRST_ACTIONS if street == 0 else LATER_ACTIONS] += guesses[choice] - chances @ guesses

    def deal(self, before: Float64, after: Float64) -> None:
        """Cards came. after: (players,) the guess with them; before: its exact mean over all that might have come."""
        self.parts[BOARD] += after - before
