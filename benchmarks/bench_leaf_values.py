"""Leaf values and AIVAT, one core: hands counted, turn leaves valued, and hands with luck taken out.

The blueprint of `bench_matches` (random, 100 big blinds) for the leaves; AIVAT runs on the same with ten big blinds,
whose leaf values take a second.
"""

from functools import cache

import numpy as np

from benchmarks.bench_matches import blueprint
from benchmarks.measurement import Measurement, best_seconds
from holdem.abstraction.betting.row_layout import layout_rows
from holdem.abstraction.betting.tree import build_tree
from holdem.abstraction.bucketing import HandBucketing
from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.buckets import PolicyBuckets
from holdem.blueprint.leaf_values import LeafValues
from holdem.blueprint.leaf_values.compute import Computation, compute_leaf_values
from holdem.blueprint.leaf_values.transitions import count_cards
from holdem.evaluation.aivat.table import TableAivat
from holdem.game.game import Game
from holdem.game.play import play_hand
from holdem.policy.policy import AveragePolicy, BucketReference, PolicyInfo
from holdem.types import GameConfig

DEALS = 1_000_000
LEAVES = 45
HANDS = 100


def run() -> list[Measurement]:
    """Deals, leaves and hands a second."""
    policy = blueprint(1).policy
    dealing = DEALS / best_seconds(lambda: count_cards(policy, bucketing(), DEALS, threads=1))
    computation = Computation(policy, count_cards(policy, bucketing(), DEALS, threads=1), threads=1)
    values = LeafValues(policy, computation.table, computation.scale, {})
    leaves = values.layout.leaves[2][:LEAVES].tolist()
    valuing = LEAVES / best_seconds(lambda: computation.value_leaves(2, leaves, values))
    aivat, agent = _shallow()
    hands = [play_hand(Game(agent.policy.config), [agent, agent], deal) for deal in range(HANDS)]
    correcting = HANDS / best_seconds(lambda: [aivat.corrected(hand, [agent, agent]) for hand in hands])
    return [
        Measurement("hands counted for leaf values, one core", dealing, "hands/s"),
        Measurement("turn leaves valued (seven tables each), one core", valuing, "leaves/s"),
        Measurement("AIVAT, two known strategies, one core", correcting, "hands/s"),
    ]


def bucketing() -> HandBucketing:
    """That of the blueprint."""
    found = blueprint(1).buckets.bucketing
    assert found is not None
    return found


@cache
def _shallow() -> tuple[TableAivat, BlueprintAgent]:
    config = GameConfig.model_validate({**blueprint(1).policy.config.model_dump(), "stacks": (1000,)})
    tree, counts = build_tree(config), bucketing().buckets_per_street
    sums = np.random.default_rng(1).random(layout_rows(tree, counts).entries)
    info = PolicyInfo(config, counts, 1, BucketReference("none.pkl", bucketing().content_hash))
    policy = AveragePolicy.from_strategy_sums(info, sums, tree)
    values = compute_leaf_values(policy, bucketing(), deals=DEALS, threads=1)
    return TableAivat(values, bucketing()), BlueprintAgent(policy, "shallow", PolicyBuckets(policy, bucketing()))
