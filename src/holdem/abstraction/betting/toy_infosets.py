"""The infosets of a toy game with OpenSpiel's names: rows of a strategy table to a tabular policy and back."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from holdem.abstraction.betting.tree import BettingTree, NodeKind
from holdem.cards.cards import Cards
from holdem.game.toy_games import ToyGame, bucket_of


@dataclass(frozen=True)
class ToyInfoset:
    """One row of a table: where it is, what OpenSpiel calls it, and the numbers of its actions in our order."""

    node: int
    bucket: int
    hole: Cards
    information_state: str
    action_numbers: tuple[int, ...]


def toy_infosets(game: ToyGame, tree: BettingTree, nodes: Iterable[int] | None = None) -> Iterator[ToyInfoset]:
    """Every infoset of a toy game, or those of some decision nodes, node by node."""
    if nodes is None:
        nodes = np.flatnonzero(tree.kind == NodeKind.DECISION).tolist()
    for node in nodes:
        actions = [tree.action_into(step) for step in tree.path(node)[1:]]
        numbers = tuple(game.action_number(actions, tree.action_into(child)) for child in tree.children(node))
        position = int(tree.player[node])
        for hole in combinations(game.deck, game.hole_size):
            rest = [card for card in game.deck if card not in hole]
            for board in combinations(rest, game.config.board_cards[tree.street[node]]):
                name = game.information_state(position, hole, board, actions)
                yield ToyInfoset(node, bucket_of(game, hole, board), hole, name, numbers)
