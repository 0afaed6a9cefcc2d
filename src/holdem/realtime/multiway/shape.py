"""What both solvers ask of a street's tree before they make room for it."""

import numpy as np

from holdem.abstraction.betting.tree import BettingTree
from holdem.cards.cards import Cards
from holdem.errors import HoldemError
from holdem.realtime.search.ranges import free_of
from holdem.util.arrays import Float64


def live_positions(tree: BettingTree) -> list[int]:
    """Who has not folded when the street begins."""
    return [p for p in range(tree.num_players) if not int(tree.folded[0]) >> p & 1]


def longest_line(tree: BettingTree) -> int:
    """Nodes on the longest line; parents come before their children."""
    depth = np.ones(tree.num_nodes, dtype=np.int64)
    for node in range(1, tree.num_nodes):
        depth[node] = depth[tree.parent[node]] + 1
    return int(depth.max())


def check_ranges(tree: BettingTree, ranges: Float64, board: Cards) -> None:
    """Refuse a player without a hand. `ranges`: (positions, 1326)."""
    for position in live_positions(tree):
        if not np.any(ranges[position] * free_of(board)):
            raise HoldemError(f"the range of position {position} is empty on this board; give it some hands")
