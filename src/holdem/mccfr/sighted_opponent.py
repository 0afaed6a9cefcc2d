"""Training the river against an opponent who sees the board.

Buckets say how strong a hand is, and not how strong the own range is on this board. A strategy that is trained against
itself alone never meets anybody who knows: it folds as often as it must on average, too often on some boards and too
rarely on others, and the longer it trains the sharper that gets. So every `sighted_interval` iterations one board is
dealt, and on a few betting lines the river is trained against an opponent who knows the board and both ranges and
answers the current strategy as well as it can (Johanson et al. 2012, "Finding optimal abstract strategies in
extensive-form games", do that in the whole game, "CFR-BR"). Only regrets are added; averages are the sampler's
business as ever. The opponent counts no cards, which lets hands that tie be treated as one.

`sighted_weight` says how much the opponent counts: with 1, what one line adds to the regrets of a row is as much as
sampling adds in the same iterations if all of them had come to this line.
"""

from typing import Literal

import numpy as np
import numpy.typing as npt

from holdem.mccfr._kernels_sighted import NUM_HANDS, RIVER, BoardHands, Scratch, TreeNodes, train_against_sighted
from holdem.mccfr.dealers import HoldemDealer
from holdem.mccfr.regret_tracker import RegretTracker
from holdem.mccfr.schedules.sighted import meets_sighted_opponent
from holdem.mccfr.training_game import TrainingGame
from holdem.types import MCCFRConfig
from holdem.util.rng import derived_seed

LINES_PER_BOARD = 16


class SightedOpponent:
    """Trains the river rows of one table; `shared` and `stream_start` are those of the sampler."""

    def __init__(
        self,
        config: MCCFRConfig,
        tracker: RegretTracker,
        dealer: HoldemDealer,
        shared: Literal[1] | None,
        stream_start: int,
    ) -> None:
        game = tracker.game
        self._weight = config.sighted_weight * config.sighted_interval / LINES_PER_BOARD * game.unit
        self._seed = derived_seed(config.seed, "sighted opponent") >> 1
        self._table, self._tables = tracker.table, dealer.tables
        self._shared, self._stream_start = shared, stream_start
        self._nodes, self._hands, self._scratch = tree_nodes(game), empty_hands(), empty_scratch(game)

    @classmethod
    def of(
        cls, config: MCCFRConfig, tracker: RegretTracker, shared: Literal[1] | None, stream_start: int
    ) -> "SightedOpponent | None":
        """The opponent that a configuration asks for, if the game has one."""
        game = tracker.game
        if not meets_sighted_opponent(config.model_dump(), game.config, game.buckets_per_street):
            return None
        assert isinstance(game.dealer, HoldemDealer)
        return cls(config, tracker, game.dealer, shared, stream_start)

    def visit(self, iteration: int, regret_weight: float, floor: int) -> None:
        """Train both players on one board, just before `iteration`; no regret falls below `floor`."""
        train_against_sighted(
            self._seed,
            self._stream_start + iteration,
            LINES_PER_BOARD,
            self._nodes,
            self._tables,
            self._table,
            self._weight * regret_weight,
            floor,
            self._hands,
            self._scratch,
            self._shared,
        )


def tree_nodes(game: TrainingGame) -> TreeNodes:
    """The tree and the rows of a game as the kernels read them."""
    tree, layout = game.tree, game.layout
    return TreeNodes(
        tree.player,
        tree.street,
        tree.kind,
        tree.num_actions,
        tree.first_child,
        tree.end,
        tree.parent,
        tree.folded,
        tree.chips_in,
        layout.offset,
        layout.stride,
        leads_to_river(game),
        np.array(game.buckets_per_street, dtype=np.int64),
    )


def leads_to_river(game: TrainingGame) -> npt.NDArray[np.bool_]:
    """(nodes,) whether a decision on the river can be reached by betting."""
    tree = game.tree
    found: npt.NDArray[np.bool_] = (tree.street == RIVER) & (tree.num_actions > 0)
    new: npt.NDArray[np.integer] = np.flatnonzero(found)
    while len(new):
        parents = np.unique(tree.parent[new])
        new = parents[(parents >= 0) & ~found[parents]]
        found[new] = True
    return found


def empty_hands() -> BoardHands:
    """Memory for the hands of a board."""
    bucket, cell, cell_bucket = (np.zeros(shape, np.int32) for shape in ((RIVER, NUM_HANDS), NUM_HANDS, NUM_HANDS))
    tie, sizes = np.zeros(NUM_HANDS + 1, np.int32), np.zeros(2, np.int64)
    return BoardHands(bucket, cell, cell_bucket, np.zeros(NUM_HANDS, np.float32), tie, sizes)


def empty_scratch(game: TrainingGame) -> Scratch:
    """Working memory for the river subtrees of a game."""
    tree = game.tree
    roots = np.flatnonzero((tree.street == RIVER) & (tree.num_actions > 0))
    places = int((tree.end[roots] - tree.first_child[roots]).max()) + 1
    actions, buckets = int(tree.num_actions.max()), max(game.buckets_per_street)
    learner, opponent, values = (np.zeros((places, NUM_HANDS), np.float32) for _ in range(3))
    return Scratch(
        np.zeros((2, NUM_HANDS), np.float32),
        learner,
        opponent,
        values,
        learner_row=np.zeros(places, np.int32),
        opponent_row=np.zeros(places, np.int32),
        choice=np.zeros((places, NUM_HANDS), np.int8),
        strategy=np.zeros((places, actions, buckets), np.float32),
        gains=np.zeros((actions, buckets), np.float32),
        masses=np.zeros(actions),
    )
