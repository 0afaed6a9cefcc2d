"""Matches and agents: compiled hands beside the rules engine, and what a blueprint's decision costs.

The blueprint is random (heads-up, 100 big blinds, buckets of the real sizes), so hands go on for longer than between
trained ones. Decision times are those of the thread, so that other work on the machine disturbs little.
"""

import time
from functools import cache

import numpy as np

from benchmarks.bench_training import SyntheticBuckets
from benchmarks.measurement import Measurement, best_seconds
from holdem.abstraction.betting.row_layout import layout_rows
from holdem.abstraction.betting.tree import build_tree
from holdem.abstraction.bucketing import Grouping, HandBucketing
from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.buckets import PolicyBuckets
from holdem.evaluation.baselines import open_baseline
from holdem.evaluation.match.blueprint_match import BlueprintMatch
from holdem.game.agent import Observation, observe
from holdem.game.game import Game
from holdem.game.play import play_duplicate
from holdem.game.presets import load_preset
from holdem.policy.policy import AveragePolicy, BucketReference, PolicyInfo
from holdem.types import BucketConfig

DEALS = 100_000
SLOW_DEALS = 200
TARGET_HANDS_PER_SECOND = "≥ 8,333 hands/s (a million in two minutes)"


def run() -> list[Measurement]:
    """Hands a second on one core, and milliseconds of decisions."""
    first, second = blueprint(1), blueprint(2)
    config = first.policy.config
    match = BlueprintMatch(config, [first, second], seed=0)
    compiled = 2 * DEALS / best_seconds(lambda: match.play(0, DEALS))
    ruled = 2 * SLOW_DEALS / best_seconds(lambda: _duplicates(first, second))
    against = 2 * SLOW_DEALS / best_seconds(lambda: _duplicates(first, open_baseline("tight-aggressive")))
    acts, ranges = _decision_times(first)
    return [
        Measurement(
            "blueprint against blueprint, one core",
            compiled,
            "hands/s",
            "rules engine",
            ruled,
            target=TARGET_HANDS_PER_SECOND,
        ),
        Measurement("blueprint against tight-aggressive, one core", against, "hands/s"),
        Measurement("blueprint's decision, 99th percentile", acts, "ms", target="≤ 2 ms"),
        Measurement("range_policy with a board seen before, 99th percentile", ranges, "ms", target="≤ 1 ms"),
    ]


@cache
def blueprint(seed: int) -> BlueprintAgent:
    """A random policy with buckets of the real sizes."""
    config = load_preset("headsup_100bb")
    tree = build_tree(config)
    bucketing = _bucketing()
    counts = bucketing.buckets_per_street
    sums = np.random.default_rng(seed).random(layout_rows(tree, counts).entries)
    info = PolicyInfo(config, counts, 1, BucketReference("none.pkl", bucketing.content_hash))
    policy = AveragePolicy.from_strategy_sums(info, sums, tree)
    return BlueprintAgent(policy, f"random {seed}", PolicyBuckets(policy, bucketing))


@cache
def _bucketing() -> HandBucketing:
    synthetic = SyntheticBuckets()
    groupings = tuple(Grouping("intervals", starts=np.arange(count)) for count in synthetic.buckets_per_street[1:])
    return HandBucketing(BucketConfig(), groupings, "synthetic", {}, synthetic.tables)  # type: ignore[arg-type]


def _duplicates(first: BlueprintAgent, second: object) -> None:
    game = Game(first.policy.config)
    for deal in range(SLOW_DEALS):
        play_duplicate(game, [first, second], deal)  # type: ignore[list-item]


class _Timed:
    """A blueprint with a stopwatch for both of its questions."""

    name = "timed"

    def __init__(self, agent: BlueprintAgent) -> None:
        self.agent = agent
        self.acts: list[float] = []
        self.ranges: list[float] = []

    def act(self, observation: Observation) -> object:
        start = time.thread_time()
        action = self.agent.act(observation)
        self.acts.append(time.thread_time() - start)
        public = observation.public()
        self.agent.range_policy(public)
        start = time.thread_time()
        self.agent.range_policy(public)
        self.ranges.append(time.thread_time() - start)
        return action


def _decision_times(agent: BlueprintAgent) -> tuple[float, float]:
    """99th percentiles in milliseconds, against somebody whose bets are never in the tree."""
    timed, other = _Timed(agent), open_baseline("random")
    game = Game(agent.policy.config)
    for deal in range(600):
        hand = game.new_hand(deal)
        while (seat := hand.actor) is not None:
            player = timed if (seat + deal) % 2 else other
            hand.act(player.act(observe(hand, deal, len(hand.records))))  # type: ignore[arg-type]
    return tuple(1e3 * float(np.percentile(times[50:], 99)) for times in (timed.acts, timed.ranges))  # type: ignore[return-value]
