"""Hand-made strategy tables, and toy games with their trees and layouts."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.row_layout import RowLayout, layout_rows
from holdem.abstraction.betting.toy_infosets import toy_infosets
from holdem.abstraction.betting.tree import BettingTree, NodeKind, build_tree
from holdem.game.presets import load_preset
from holdem.game.toy_games import ToyGame, num_buckets, toy_game
from holdem.types import GameConfig

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Toy:
    """A toy game with everything that a table of it needs."""

    game: ToyGame
    tree: BettingTree
    buckets: tuple[int, ...]
    layout: RowLayout


def toy(name: str, **changes: object) -> Toy:
    config = GameConfig.model_validate({**load_preset(name).model_dump(), **changes})
    game, tree = toy_game(config), build_tree(config)
    buckets = tuple(num_buckets(game, street) for street in range(config.num_streets))
    return Toy(game, tree, buckets, layout_rows(tree, buckets))


def random_strategy(tree: BettingTree, buckets: tuple[int, ...], layout: RowLayout, seed: int) -> FloatArray:
    """Every row drawn at random (Dirichlet), some of them pure."""
    generator = np.random.default_rng(seed)
    table = np.full(layout.entries, np.nan)
    for node in np.flatnonzero(tree.kind == NodeKind.DECISION).tolist():
        for bucket in range(buckets[tree.street[node]]):
            start, actions = layout.row_start(node, bucket), int(tree.num_actions[node])
            if generator.random() < 0.2:
                table[start : start + actions] = np.eye(actions)[generator.integers(actions)]
            else:
                table[start : start + actions] = generator.dirichlet(np.ones(actions))
    assert not np.isnan(table).any()
    return table


def uniform_strategy(tree: BettingTree, buckets: tuple[int, ...], layout: RowLayout) -> FloatArray:
    """Every action of a row equally likely."""
    table = np.zeros(layout.entries)
    for node in np.flatnonzero(tree.kind == NodeKind.DECISION).tolist():
        actions = int(tree.num_actions[node])
        for bucket in range(buckets[tree.street[node]]):
            start = layout.row_start(node, bucket)
            table[start : start + actions] = 1.0 / actions
    return table


def openspiel_policy(toy: Toy, strategy: FloatArray) -> dict[str, list[tuple[int, float]]]:
    """A table as pyspiel.TabularPolicy takes it."""
    policy = {}
    for infoset in toy_infosets(toy.game, toy.tree):
        start = toy.layout.row_start(infoset.node, infoset.bucket)
        row = strategy[start : start + len(infoset.action_numbers)].tolist()
        policy[infoset.information_state] = list(zip(infoset.action_numbers, row, strict=True))
    return policy
