"""Random blueprints for matches: hold'em with whole tables of scrambled buckets, and short-rank hold'em."""

import numpy as np

from holdem.abstraction.betting_tree import build_tree
from holdem.abstraction.bucketing import Grouping, HandBucketing
from holdem.abstraction.row_layout import layout_rows
from holdem.evaluation.blueprint_agent import BlueprintAgent
from holdem.evaluation.policy_buckets import PolicyBuckets
from holdem.game.presets import load_preset
from holdem.game.toy_games import num_buckets, toy_game
from holdem.mccfr.policy import AveragePolicy, BucketReference, PolicyInfo
from holdem.types import BucketConfig, GameConfig
from tests.mccfr.test_deal import scrambled

COUNTS = (169, 11, 7, 5)


def scrambled_bucketing() -> HandBucketing:
    """Every hand has a bucket, and neighbours differ."""
    groupings = tuple(Grouping("intervals", starts=np.arange(count)) for count in COUNTS[1:])
    tables = tuple(scrambled(board, count) for board, count in zip((3, 4, 5), COUNTS[1:], strict=True))
    return HandBucketing(BucketConfig(), groupings, "scrambled", {}, tables)  # type: ignore[arg-type]


def holdem_config(num_players: int) -> GameConfig:
    """Four streets and few bets."""
    menus = {"preflop": "3x, a", "flop": "100%", "turn": "100%", "river": "50%, a"}
    betting = {"sizes": menus, "max_raises": 1 if num_players > 2 else 2}
    return GameConfig.model_validate({"name": "test", "num_players": num_players, "stacks": 2_000, "betting": betting})


def holdem_blueprint(config: GameConfig, seed: int) -> BlueprintAgent:
    """A random policy with scrambled buckets; some rows were never visited."""
    tree = build_tree(config)
    sums = np.random.default_rng(seed).random(layout_rows(tree, COUNTS).entries)
    sums[: 5 * len(sums) // 1000] = 0.0
    info = PolicyInfo(config, COUNTS, 1, BucketReference("none.pkl", "scrambled"))
    policy = AveragePolicy.from_strategy_sums(info, sums, tree)
    return BlueprintAgent(policy, f"random {seed}", PolicyBuckets(policy, scrambled_bucketing()))


def short_rank_blueprint(seed: int) -> BlueprintAgent:
    """A random policy of short-rank hold'em, every hand its own bucket."""
    config = GameConfig.model_validate({**load_preset("short_rank").model_dump(), "ranks": "QKA"})
    game, tree = toy_game(config), build_tree(config)
    counts = tuple(num_buckets(game, street) for street in range(config.num_streets))
    sums = np.random.default_rng(seed).random(layout_rows(tree, counts).entries)
    policy = AveragePolicy.from_strategy_sums(PolicyInfo(config, counts, 1), sums, tree)
    return BlueprintAgent(policy, f"short {seed}")
