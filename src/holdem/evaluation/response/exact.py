"""Exact best response and exploitability of a strategy table on games whose deals can be enumerated.

Two players: all holes against all holes of each board are one matrix product. More players: the deals are listed
(`DealList`, which is also the plain twin of the matrices).

    evaluator = BestResponse(game, tree, layout)   # once per game
    evaluator.exploitability(strategy)             # often: a few milliseconds for Leduc
"""

from itertools import combinations

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.payoffs import payoffs
from holdem.abstraction.betting.row_layout import RowLayout
from holdem.abstraction.betting.tree import BettingTree, NodeKind
from holdem.blueprint.tree_values import Terminals, TreeValues, sums_by
from holdem.errors import ConfigError
from holdem.game.toy_games import ToyGame, bucket_of, deal_count, deals, num_buckets
from holdem.util.arrays import Float64, Int64

LISTED_DEALS_LIMIT = 1_000_000
_PAIRS_PER_CHUNK = 1 << 20


class BestResponse(TreeValues):
    """Exact values of strategies of one toy game, for many strategies.

    The row of a node and a view begins at `layout.row_start(node, bucket)`, with `toy_games.bucket_of` for the bucket.
    """

    def __init__(self, game: ToyGame, tree: BettingTree, layout: RowLayout) -> None:
        if game.config.num_streets > 2:
            raise ConfigError(
                f"exact best response knows games of one or two streets, and {game.config.name} has "
                f"{game.config.num_streets}; shorten board_cards to [0, 3]"
            )
        terminals: Terminals = PairMatrices(game, tree) if tree.num_players == 2 else DealList(game, tree)
        buckets = [num_buckets(game, street) for street in range(game.config.num_streets)]
        super().__init__(tree, layout, buckets, terminals, _earlier_views(game))


def best_response_values(game: ToyGame, tree: BettingTree, layout: RowLayout, strategy: Float64) -> Float64:
    """(players,) chips a hand of a perfect answer by each position; many strategies: keep a `BestResponse`."""
    return BestResponse(game, tree, layout).best_response_values(strategy)


def expected_values(game: ToyGame, tree: BettingTree, layout: RowLayout, strategy: Float64) -> Float64:
    """(players,) chips a hand when everybody plays the strategy; many strategies: keep a `BestResponse`."""
    return BestResponse(game, tree, layout).expected_values(strategy)


def nash_conv(game: ToyGame, tree: BettingTree, layout: RowLayout, strategy: Float64) -> float:
    """What all players together could gain by deviating alone; many strategies: keep a `BestResponse`."""
    return BestResponse(game, tree, layout).nash_conv(strategy)


def exploitability(game: ToyGame, tree: BettingTree, layout: RowLayout, strategy: Float64) -> float:
    """NashConv divided by the number of players; many strategies: keep a `BestResponse`."""
    return BestResponse(game, tree, layout).exploitability(strategy)


def _earlier_views(game: ToyGame) -> Int64:
    """(buckets of the second street,) the view on the first street that each belongs to; empty for one street."""
    if game.config.num_streets == 1:
        return np.empty(0, dtype=np.int64)
    boards = num_buckets(game, 1) // num_buckets(game, 0)
    views: Int64 = np.arange(num_buckets(game, 1)) // boards  # `bucket_of` numbers the boards within a hole
    return views


class PairMatrices:
    """Two players. A block is a board with the holes that it leaves; by counting places in the rest of the deck, which
    holes share a card is the same for every board.

    blocks[s]: (boards, holes) int64, the bucket of each hole of each block of street s
    strengths: (boards, holes) int64, of the last street
    disjoint[s]: (holes, holes) float64, 1 where two holes of a block of street s can be dealt together
    """

    def __init__(self, game: ToyGame, tree: BettingTree) -> None:
        self.tree = tree
        self.buckets = [num_buckets(game, street) for street in range(game.config.num_streets)]
        self.blocks: list[Int64] = []
        self.disjoint: list[Float64] = []
        for street, board_size in enumerate(game.config.board_cards):
            boards = list(combinations(game.deck, board_size))
            rests = [[card for card in game.deck if card not in board] for board in boards]
            holes = [
                [(hole, board) for hole in combinations(rest, game.hole_size)]
                for rest, board in zip(rests, boards, strict=True)
            ]
            self.blocks.append(np.array([[bucket_of(game, *view) for view in block] for block in holes]))
            self.disjoint.append(_disjoint(len(rests[0]), game.hole_size))
            if street == game.config.num_streets - 1:
                self.strengths = np.array([[game.strength(*view) for view in block] for block in holes])
        self.first_blocks = self.blocks[-1] // (self.buckets[-1] // self.buckets[0])
        nodes = np.flatnonzero(tree.kind != NodeKind.DECISION).tolist()
        stakes = np.array([payoffs(tree, node, [1, 0])[0] for node in nodes])
        self.groups = []
        for street in range(len(self.blocks)):
            for kind in (NodeKind.FOLD_WIN, NodeKind.SHOWDOWN):
                chosen = [i for i, node in enumerate(nodes) if (tree.street[node], tree.kind[node]) == (street, kind)]
                self.groups.append((street, kind, [nodes[i] for i in chosen], stakes[chosen]))

    def values(self, position: int, reaches: list[dict[int, Float64]]) -> dict[int, Float64]:
        values: dict[int, Float64] = {}
        for street, kind, nodes, stakes in self.groups:
            if not nodes:
                continue
            reach = np.stack([reaches[1 - position][node] for node in nodes], axis=1) * stakes
            if kind == NodeKind.SHOWDOWN:
                table = self._showdown_values(street, reach)
            else:
                table = self._fold_values(street, reach if position == 0 else -reach)
            values.update(zip(nodes, table.T, strict=True))
        return values

    def _fold_values(self, street: int, reach: Float64) -> Float64:
        """(buckets, terminals) from the opponent's reach times the position's payoff, of the same shape."""
        blocks, disjoint = self.blocks[street], self.disjoint[street]
        table = np.empty_like(reach)
        table[blocks] = np.matmul(disjoint, reach[blocks]) / (blocks.shape[0] * disjoint.sum())
        return table

    def _showdown_values(self, street: int, reach: Float64) -> Float64:
        """The same where the better hand wins the stake; on an earlier street than the last, over all boards."""
        last = len(self.blocks) - 1
        blocks = self.blocks[last] if street == last else self.first_blocks
        weight = 1.0 / (blocks.shape[0] * self.disjoint[last].sum())
        table = np.zeros_like(reach)
        step = max(1, _PAIRS_PER_CHUNK // blocks.shape[1] ** 2)
        for start in range(0, len(blocks), step):
            block, strength = blocks[start : start + step], self.strengths[start : start + step]
            outcome = np.sign(strength[:, :, None] - strength[:, None, :]) * self.disjoint[last]
            won = np.matmul(outcome, reach[block]) * weight
            if street == last:
                table[block] = won
            else:
                np.add.at(table, block, won)
        return table


def _disjoint(cards: int, hole_size: int) -> Float64:
    """(holes, holes) 1 where two holes out of that many cards share none."""
    masks = np.array([sum(1 << place for place in hole) for hole in combinations(range(cards), hole_size)])
    shared: npt.NDArray[np.int64] = masks[:, None] & masks[None, :]
    return np.where(shared == 0, 1.0, 0.0)


class DealList:
    """Any number of players, every deal listed: probability (deals,), buckets[s] (deals, players), and the payoffs
    (deals, players) of each terminal."""

    def __init__(self, game: ToyGame, tree: BettingTree) -> None:
        count = deal_count(game)
        if count > LISTED_DEALS_LIMIT:
            raise ConfigError(
                f"{game.config.name} has {count:,} deals for {tree.num_players} players, more than exact best response "
                f"lists ({LISTED_DEALS_LIMIT:,}); use fewer ranks or two players"
            )
        self.tree = tree
        self.sizes = [num_buckets(game, street) for street in range(game.config.num_streets)]
        listed = list(deals(game))
        self.probability = np.array([deal.probability for deal in listed])
        self.buckets = [
            np.array([[bucket_of(game, hole, deal.board[:shown]) for hole in deal.holes] for deal in listed])
            for shown in game.config.board_cards
        ]
        strengths = [[game.strength(hole, deal.board) for hole in deal.holes] for deal in listed]
        self.payoffs = {
            node: np.array([payoffs(tree, node, hands) for hands in strengths])
            for node in np.flatnonzero(tree.kind != NodeKind.DECISION).tolist()
        }

    def values(self, position: int, reaches: list[dict[int, Float64]]) -> dict[int, Float64]:
        values: dict[int, Float64] = {}
        for node, won in self.payoffs.items():
            street = int(self.tree.street[node])
            weights = self.probability * won[:, position]
            for other, reach in enumerate(reaches):
                if other != position:
                    weights = weights * reach[node][self.buckets[street][:, other]]
            own = self.buckets[street][:, position]
            values[node] = sums_by(own, weights, self.sizes[street])
        return values
