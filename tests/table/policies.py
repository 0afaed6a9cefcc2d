"""Hand-made policies for tables: one that needs no bucket tables, and one with a single bucket after the flop."""

from functools import cache
from pathlib import Path

import numpy as np

from holdem.abstraction.betting.tree import build_tree
from holdem.abstraction.bucketing import Grouping, HandBucketing
from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.buckets import PolicyBuckets
from holdem.cards.suit_index import INDEX_SIZES
from holdem.game.presets import load_preset
from holdem.policy.policy import AveragePolicy, PolicyInfo
from holdem.types import BucketConfig, GameConfig

ONE_BUCKET = (169, 1, 1, 1)


SMALL_GAMES = {
    "three players": GameConfig.model_validate(
        {
            "name": "three players",
            "num_players": 3,
            "stacks": 1_000,
            "betting": {"sizes": {"preflop": "a", "flop": "100%", "turn": "a", "river": "a"}, "max_raises": 1},
        }
    )
}


def random_policy(game: str, seed: int = 1) -> AveragePolicy:
    """A game's policy with random rows: 169 hands before the flop, one bucket after it."""
    tree = build_tree(SMALL_GAMES[game] if game in SMALL_GAMES else load_preset(game))
    sums = np.random.default_rng(seed).random(tree.counts.entries(ONE_BUCKET)) ** 3
    return AveragePolicy.from_strategy_sums(PolicyInfo(tree.config, ONE_BUCKET, 10), sums, tree)


def one_bucket() -> HandBucketing:
    """All hands of a street in bucket 0; the tables are zeros that are never written, so they take no memory."""
    groupings = (Grouping("medians", centroids=np.zeros((1, 1), np.uint8)),) * 3
    tables = tuple(np.zeros(INDEX_SIZES[board], np.uint8) for board in (3, 4, 5))
    return HandBucketing(BucketConfig(), groupings, "one", {}, tables)


@cache
def random_blueprint(game: str = "headsup_100bb", seed: int = 1) -> BlueprintAgent:
    """An agent with a random policy and the bucket tables that it needs."""
    policy = random_policy(game, seed)
    return BlueprintAgent(policy, "random blueprint", PolicyBuckets(policy, one_bucket()))


def save_jam_or_fold(folder: Path, seed: int = 1) -> Path:
    """A run folder whose policy decides only before the flop, so it opens without bucket tables."""
    random_policy("jam_or_fold_10bb", seed).save(folder)
    return folder / "avg_policy.json"
