"""What the traversal kernels read of a betting tree: four int64 per node, half a cache line.

    decision: [head, row of bucket 0, slot, what the player to act gets for folding]
              head = first child + (number of actions << 32) + (player << 40) + flags; slot = street * players + player
    terminal, two players: [-1, payoff of player 0 if it has the better hand, if hands are equal, if the worse]
    terminal, more players: [-1 - settlement, pot, folded bits, 0]; see `Settlement`

A deal is `rows[slot]` (bucket times the stride of that street and player) and `strengths[player]`: the row of an
infoset is then the record's row plus `rows[slot]`. Payoffs are in table units, chips times the game's `unit`.
"""

from enum import IntEnum

FIELDS = 4
ACTIONS_SHIFT, PLAYER_SHIFT = 32, 40
LAST_STREET, OFFERS_FOLD = 1 << 48, 1 << 49
CHILD_MASK = (1 << 32) - 1


class Settlement(IntEnum):
    """How a terminal of three or more players is paid out."""

    HEADSUP = 0
    """Two players at the table: the payoffs are in the record."""
    FOLD_WIN = 1
    ONE_POT = 2
    """Everybody still in put in the same: one pot for the best hand, whatever those who folded had put in."""
    SIDE_POTS = 3
