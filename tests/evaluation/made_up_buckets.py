"""A card abstraction that is made up, buckets by hand index, for tests that do not ask how good it is."""

from functools import lru_cache

import numpy as np

from holdem.abstraction.betting.row_layout import layout_rows
from holdem.abstraction.betting.tree import build_tree
from holdem.abstraction.bucketing import Grouping, HandBucketing
from holdem.blueprint.leaf_values import LeafValues
from holdem.blueprint.leaf_values.compute import compute_leaf_values
from holdem.cards.suit_index import INDEX_SIZES
from holdem.game.presets import load_preset
from holdem.policy.policy import AveragePolicy, BucketReference, PolicyInfo
from holdem.types import BucketConfig, GameConfig
from tests.evaluation.tables import random_strategy

BUCKETS = 4


@lru_cache(maxsize=1)
def made_up_buckets() -> HandBucketing:
    """Four buckets a street; all rivers are in bucket 0, so that their table costs no memory."""
    grouping = Grouping("intervals", starts=np.arange(BUCKETS))
    flop = (np.arange(INDEX_SIZES[3]) % BUCKETS).astype(np.uint8)
    turn = (np.arange(INDEX_SIZES[4]) % BUCKETS).astype(np.uint8)
    river = np.zeros(INDEX_SIZES[5], dtype=np.uint8)
    return HandBucketing(BucketConfig(), (grouping,) * 3, "made up", {}, (flop, turn, river))


@lru_cache(maxsize=1)
def short_stacked() -> LeafValues:
    """Heads-up with five big blinds, a random strategy and its leaf values."""
    config = GameConfig.model_validate({**load_preset("headsup_100bb").model_dump(), "stacks": (500,)})
    tree, buckets = build_tree(config), (169, BUCKETS, BUCKETS, BUCKETS)
    strategy = random_strategy(tree, buckets, layout_rows(tree, buckets), 5)
    info = PolicyInfo(config, buckets, 10, BucketReference("buckets.pkl", "made up"))
    policy = AveragePolicy.from_strategy_sums(info, strategy, tree)
    return compute_leaf_values(policy, made_up_buckets(), deals=500_000, threads=1)
