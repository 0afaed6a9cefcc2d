"""Small blueprints for searching agents: random strategies, and buckets that need no files."""

from functools import lru_cache

import numpy as np

from holdem.abstraction.betting.row_layout import layout_rows
from holdem.abstraction.betting.tree import build_tree
from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.buckets import PolicyBuckets
from holdem.cards.cards import HOLE_CARDS, Cards
from holdem.game.actions import Action
from holdem.game.agent import PublicState, public_state
from holdem.game.game import Game
from holdem.policy.policy import AveragePolicy, PolicyInfo
from holdem.realtime.search.street_resolver import StreetResolver
from holdem.types import GameConfig
from tests.table.policies import ONE_BUCKET, one_bucket

BUCKETS = (169, 3, 3, 3)
CALL = Action.check_or_call()


class ByCards(PolicyBuckets):
    """The sum of the cards, so that different hands are in different buckets."""

    def _bucket(self, hole: Cards, board: Cards) -> int:
        return (sum(hole) + sum(board)) % BUCKETS[{0: 0, 3: 1, 4: 2, 5: 3}[len(board)]]

    def _of_holes(self, board: Cards) -> np.ndarray:
        pairs = [tuple(pair) for pair in HOLE_CARDS.tolist()]
        return np.array([-1 if set(pair) & set(board) else self._bucket(pair, board) for pair in pairs])


def game_config(num_players: int = 2) -> GameConfig:
    menus = {"preflop": "3x, a", "flop": "50%, 100%, a", "turn": "100%", "river": "a"}
    betting = {"sizes": menus, "max_raises": 2}
    return GameConfig.model_validate({"num_players": num_players, "stacks": 3_000, "betting": betting})


@lru_cache
def random_blueprint(num_players: int = 2) -> BlueprintAgent:
    config = game_config(num_players)
    tree = build_tree(config)
    sums = np.random.default_rng(1).random(layout_rows(tree, BUCKETS).entries)
    policy = AveragePolicy.from_strategy_sums(PolicyInfo(config, BUCKETS, 1), sums, tree)
    return BlueprintAgent(policy, "random blueprint", ByCards(policy))


@lru_cache
def blueprint_with_tables(num_players: int) -> BlueprintAgent:
    """A random blueprint that can play hands out, as streets of three to six players need; up to three see a flop."""
    menus = {"preflop": "3x", "flop": "100%", "turn": "100%", "river": "a"}
    betting = {"sizes": menus, "max_raises": 1, "max_flop_players": 3}
    config = GameConfig.model_validate({"num_players": num_players, "stacks": 3_000, "betting": betting})
    tree = build_tree(config)
    sums = np.random.default_rng(2).random(tree.counts.entries(ONE_BUCKET))
    policy = AveragePolicy.from_strategy_sums(PolicyInfo(config, ONE_BUCKET, 1), sums, tree)
    return BlueprintAgent(policy, "random blueprint", PolicyBuckets(policy, one_bucket()))


def state_after(actions: list[Action], num_players: int = 2, seed: int = 4) -> PublicState:
    hand = Game(game_config(num_players)).new_hand(seed)
    for action in actions:
        hand.act(action)
    return public_state(hand)


def open_random(num_players: int) -> StreetResolver:
    """What a worker process of a test solves with."""
    return StreetResolver(random_blueprint(num_players))
