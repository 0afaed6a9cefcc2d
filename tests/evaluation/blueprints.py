"""Random blueprints for matches: hold'em with whole tables of scrambled buckets, and short-rank hold'em."""

from functools import cache

import numpy as np

from holdem.abstraction.betting.row_layout import layout_rows
from holdem.abstraction.betting.tree import build_tree
from holdem.abstraction.bucketing import Grouping, HandBucketing
from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.buckets import PolicyBuckets
from holdem.cards.suit_index import INDEX_SIZES
from holdem.evaluation.baselines import open_baseline
from holdem.game.agent import Agent
from holdem.game.presets import load_preset
from holdem.game.toy_games import num_buckets, toy_game
from holdem.policy.policy import AveragePolicy, BucketReference, PolicyInfo
from holdem.types import BucketConfig, GameConfig

COUNTS = (169, 11, 7, 5)


@cache
def scrambled_bucketing() -> HandBucketing:
    """Every hand has a bucket, and neighbours differ."""
    groupings = tuple(Grouping("intervals", starts=np.arange(count)) for count in COUNTS[1:])
    sizes = [INDEX_SIZES[board] for board in (3, 4, 5)]
    tables = tuple(np.resize(np.arange(n, dtype=np.uint8), size) for n, size in zip(COUNTS[1:], sizes, strict=True))
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


def open_any(spec: str, config: GameConfig | None = None) -> Agent:
    """Importable, so that workers can call it: `blueprint 3` is a random one with that seed."""
    if not spec.startswith("blueprint"):
        return open_baseline(spec)
    assert config is not None
    return holdem_blueprint(config, int(spec.split()[1]))
