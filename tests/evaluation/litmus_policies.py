"""Hand-made hold'em policies for litmus checks: one that makes sense, and some that do not.

A policy is a rule from the strength of a hand (0 the worst, 1 the best) and the actions there to probabilities. Before
the flop strength is the rank of the class by equity against a random hand; later the bucket, which is the equity in
tenths, computed exactly for the stand-in of a card abstraction.
"""

from collections.abc import Callable
from functools import cache
from typing import cast

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.row_layout import layout_rows
from holdem.abstraction.betting.tree import ActionCode, BettingTree, build_tree
from holdem.abstraction.bucketing import HandBucketing
from holdem.cards.cards import HOLE_CARDS, Cards
from holdem.cards.equity import hand_equities
from holdem.cards.preflop_equity import preflop_equities
from holdem.game.presets import load_preset
from holdem.policy.policy import AveragePolicy, BucketReference, PolicyInfo
from holdem.types import BettingConfig, GameConfig, StreetMenus

TENTHS = 10
FloatArray = npt.NDArray[np.float64]
Rule = Callable[[float, list[ActionCode]], list[float]]


class EquityBuckets:
    """Stands in for a card abstraction: the bucket of a hand is its exact equity against a random hand, in tenths."""

    content_hash = "tenths"
    path = None

    def __init__(self, streets: int = 4) -> None:
        self.buckets_per_street = (169, *[TENTHS] * (streets - 1))

    def buckets_of_holes(self, board: Cards) -> npt.NDArray[np.int64]:
        blocked = np.isin(HOLE_CARDS, board).any(axis=1)
        equities = np.nan_to_num(_equities(board))
        return np.where(blocked, -1, np.minimum(equities * TENTHS, TENTHS - 1).astype(np.int64))


@cache
def _equities(board: Cards) -> FloatArray:
    return hand_equities("random", board)


def equity_buckets(streets: int = 4) -> HandBucketing:
    """The stand-in, for those who ask for the real thing."""
    return cast("HandBucketing", EquityBuckets(streets))


def sensible(strength: float, actions: list[ActionCode]) -> list[float]:
    """Folds the worst third to a bet, raises the more the better the hand, and never folds for free."""
    row = [0.0] * len(actions)
    raises = [i for i, action in enumerate(actions) if action == ActionCode.RAISE]
    call = actions.index(ActionCode.CALL) if ActionCode.CALL in actions else raises[0]
    if ActionCode.FOLD in actions and strength < 0.35:
        row[actions.index(ActionCode.FOLD)] = 1.0
        return row
    share = strength**2 if raises else 0.0
    for action in raises:
        row[action] += share / len(raises)
    row[call] += 1.0 - share
    return row


def uniform(strength: float, actions: list[ActionCode]) -> list[float]:
    """Does not look at its cards."""
    return [1.0 / len(actions)] * len(actions)


def inverted(strength: float, actions: list[ActionCode]) -> list[float]:
    """Takes the best hands for the worst."""
    return sensible(1.0 - strength, actions)


def folding(strength: float, actions: list[ActionCode]) -> list[float]:
    """Gives up whatever it holds."""
    return [float(i == 0) for i in range(len(actions))]


@cache
def heads_up_tree() -> BettingTree:
    """The preset with fewer sizes: a tenth of its nodes, and every line of the shipped checks."""
    menu = ("100%, a",)
    betting = BettingConfig(sizes=StreetMenus(preflop=menu, flop=menu, turn=menu, river=menu), max_raises=(3, 2, 2, 2))
    return build_tree(load_preset("headsup_100bb").model_copy(update={"betting": betting}))


@cache
def short_tree(players: int) -> BettingTree:
    """Jam or fold with ten big blinds, for any number of players."""
    return build_tree(
        GameConfig(
            name=f"jam or fold, {players} players",
            num_players=players,
            stacks=(1000,),
            betting=BettingConfig(sizes=StreetMenus(preflop=("a",)), max_raises=(1, 1, 1, 1), limps=False),
        )
    )


def make_policy(
    tree: BettingTree,
    rule: Rule,
    unvisited: Callable[[int], bool] = lambda node: False,
    rule_at: Callable[[int], Rule | None] = lambda node: None,
) -> AveragePolicy:
    """The policy of a rule on a tree; nodes that training "never visited" have empty rows, some their own rule."""
    streets = int(tree.street.max()) + 1
    buckets = (169, *((TENTHS if street < streets else 1) for street in range(1, tree.config.num_streets)))
    layout = layout_rows(tree, buckets)
    sums = np.zeros(layout.entries)
    strengths = [_preflop_strengths(), np.linspace(0.0, 1.0, TENTHS)]
    rows_by_actions: dict[tuple[bool, tuple[ActionCode, ...], Rule], FloatArray] = {}
    for node in np.flatnonzero(tree.player >= 0).tolist():
        if unvisited(node):
            continue
        actions = tuple(ActionCode(int(tree.action[child])) for child in tree.children(node))
        key = bool(tree.street[node] == 0), actions, rule_at(node) or rule
        if key not in rows_by_actions:
            rows_by_actions[key] = np.array([key[2](strength, list(actions)) for strength in strengths[not key[0]]])
        rows = rows_by_actions[key]
        starts = layout.offset[node] + np.arange(len(rows)) * layout.stride[node]
        sums[starts[:, None] + np.arange(len(actions))] = rows
    reference = BucketReference("buckets.pkl", EquityBuckets.content_hash) if streets > 1 else None
    return AveragePolicy.from_strategy_sums(PolicyInfo(tree.config, buckets, 1000, reference), sums, tree)


@cache
def _preflop_strengths() -> FloatArray:
    """(169,) rank of each class by equity against a random hand, from 0 to 1."""
    table = preflop_equities()
    equity = (table.equity * table.combinations).sum(axis=1) / table.combinations.sum(axis=1)
    return np.argsort(np.argsort(equity)) / 168.0
