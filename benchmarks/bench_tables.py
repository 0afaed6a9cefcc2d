"""Decisions of a blueprint at a table, and fifty tables of one server in browsers.

The opponents bet sizes that are not in the blueprint's tree, which has its full size.
Policy and buckets are random numbers of the real sizes, as hard on the caches as trained ones and there without
training. Times are those of single decisions, so the 99th percentile needs a quiet machine.
"""

import time

import numpy as np

from benchmarks.browser_tables import measure_tables
from benchmarks.measurement import Measurement
from holdem.abstraction.betting.tree import build_tree
from holdem.abstraction.bucketing import Grouping, HandBucketing
from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.buckets import PolicyBuckets
from holdem.cards.suit_index import INDEX_SIZES
from holdem.evaluation.baselines import open_baseline
from holdem.game.agent import Observation
from holdem.game.game import Game
from holdem.game.presets import load_preset
from holdem.policy.policy import AveragePolicy, PolicyInfo
from holdem.table.advice.advisor import Advisor, blueprint_decision
from holdem.table.advice.rollouts import Rollouts
from holdem.table.history.observed_hand import SeatObserver
from holdem.table.session.local_table import LocalTable
from holdem.types import BucketConfig

BUCKETS = (169, 50, 50, 50)
HANDS, WARM_UP = 2_000, 200
ESTIMATES = 200


def run() -> list[Measurement]:
    """Percentiles of a decision, and what an estimate of worth costs."""
    blueprint = make_blueprint()
    clock = _Clock(Advisor(lambda observation: blueprint_decision(blueprint, observation)))
    table = LocalTable(Game(blueprint.policy.config), [blueprint, open_baseline("random")], seed=1)
    table.add_observer(0, clock)
    for _ in range(WARM_UP):
        table.play_hand()
    clock.seconds.clear()
    for _ in range(HANDS):
        table.play_hand()
    middle, high = np.percentile(clock.seconds, [50, 99]) * 1e3
    return [
        Measurement(f"blueprint decision, median of {len(clock.seconds):,}", float(middle), "ms"),
        Measurement("blueprint decision, 99th percentile", float(high), "ms", target="≤ 2 ms"),
        Measurement("worth of all actions by 1,000 deals, mean", _estimate_seconds(blueprint, clock.seen) * 1e3, "ms"),
        *measure_tables(),
    ]


def make_blueprint() -> BlueprintAgent:
    """A random policy of the preset heads-up game with random buckets."""
    generator = np.random.default_rng(0)
    tree = build_tree(load_preset("headsup_100bb"))
    sums = generator.random(tree.counts.entries(BUCKETS)) ** 3
    policy = AveragePolicy.from_strategy_sums(PolicyInfo(tree.config, BUCKETS, 1), sums, tree)
    tables = tuple(generator.integers(0, 50, INDEX_SIZES[board], dtype=np.uint8) for board in (3, 4, 5))
    medians = Grouping("medians", centroids=np.zeros((50, 1), np.uint8))
    bucketing = HandBucketing(BucketConfig(), (medians, medians, medians), "random", {}, tables)
    return BlueprintAgent(policy, "blueprint", PolicyBuckets(policy, bucketing))


class _Clock(SeatObserver):
    """Times the recommendation at every turn of a seat."""

    def __init__(self, advisor: Advisor) -> None:
        self.advisor = advisor
        self.seconds: list[float] = []
        self.seen: list[Observation] = []

    def to_act(self, observation: Observation) -> None:
        start = time.perf_counter()
        self.advisor.recommend(observation)
        self.seconds.append(time.perf_counter() - start)
        self.seen.append(observation)


def _estimate_seconds(blueprint: BlueprintAgent, seen: list[Observation]) -> float:
    rollouts = Rollouts(blueprint, 1_000)
    chosen = [(one, blueprint_decision(blueprint, one).actions) for one in seen[-ESTIMATES:]]
    for observation, actions in chosen[:5]:
        rollouts.worth(observation, actions)
    start = time.perf_counter()
    for observation, actions in chosen:
        rollouts.worth(observation, actions)
    return (time.perf_counter() - start) / len(chosen)
