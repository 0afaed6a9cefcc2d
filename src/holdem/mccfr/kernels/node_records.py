"""What the traversal kernels read of a betting tree: four int32 per node, so that the children of most decisions lie
in one cache line.

    decision: [first child, head, row of bucket 0 within the block of its slot, what its player gets for folding]
              head = number of actions + (player << 8) + (slot << 12) + flags; slot = street * players + player
    terminal, two players: [-1, payoff of player 0 if it has the better hand, if hands are equal, if the worse]
    terminal, more players: [-1 - settlement, pot, folded bits, what each player who is still in has put in]

A deal is `rows[slot]` (where the block of the slot begins, plus bucket times its stride) and `strengths[player]`: the
row of an infoset is then the record's row plus `rows[slot]`. Payoffs are in table units, chips times the game's `unit`.
"""

from enum import IntEnum

FIELDS = 4
ACTIONS_MASK = 255
PLAYER_SHIFT, PLAYER_MASK = 8, 15
SLOT_SHIFT, SLOT_MASK = 12, 63
LAST_STREET, OFFERS_FOLD = 1 << 20, 1 << 21


class Settlement(IntEnum):
    """How a terminal of three or more players is paid out."""

    HEADSUP = 0
    """Two players at the table: the payoffs are in the record."""
    FOLD_WIN = 1
    ONE_POT = 2
    """Everybody still in put in the same: one pot for the best hand, whatever those who folded had put in."""
    SIDE_POTS = 3
    """Those still in put in different amounts: the record has 0 for them."""
