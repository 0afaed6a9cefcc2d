"""How every hand of every position gets to a node of a blueprint's tree: Bayes' rule along its line.

A weight is the product of what the average policy plays with the hand at each of the position's own decisions on the
way. Rows that training never visited weigh as the policy plays them there. Weights are of each position alone: that
two players cannot hold one card is up to whoever lets the ranges meet.

    reach = line_reach(policy, buckets.of_holes, node, board)    # (players, 1326)
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from holdem.cards.cards import HOLE_CARDS, NUM_HOLE_PAIRS, Cards
from holdem.errors import CardError
from holdem.policy.policy import AveragePolicy
from holdem.types import STREET_NAMES
from holdem.util.arrays import Float64, Int64
from holdem.util.words import counted

Buckets = Callable[[Cards], Int64]
"""(1326,) the bucket of every hole pair on a board, -1 where it cannot be held: `PolicyBuckets.of_holes`."""


def line_reach(policy: AveragePolicy, buckets: Buckets, node: int, board: Cards = ()) -> Float64:
    """(players, 1326) the chance that each position plays the line to `node` with each hand; 0 for hands that touch
    the board. `board`: at least the cards that were dealt when the last action of the line was taken.
    """
    tree = policy.tree
    reach = np.ones((tree.num_players, NUM_HOLE_PAIRS))
    reach[:, np.isin(HOLE_CARDS, board).any(axis=1)] = 0.0
    for before, after in pairwise(tree.path(node)):
        position, action = int(tree.player[before]), after - int(tree.first_child[before])
        own = buckets(_shown(policy, before, board))
        rows, _ = policy.rows(before)
        reach[position] *= np.where(own >= 0, rows[own, action], 0.0)
    return reach


def _shown(policy: AveragePolicy, node: int, board: Cards) -> Cards:
    """The board cards that a decision is taken on."""
    street = int(policy.tree.street[node])
    due = policy.config.board_cards[street]
    if len(board) < due:
        raise CardError(
            f"the line has an action on the {STREET_NAMES[street]}, whose {counted(due, 'card')} are not all named; "
            "write them behind the `|`, as in `SB call, BB check | Ks7d2c`"
        )
    return board[:due]
