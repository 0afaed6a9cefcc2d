"""Runs that can be looked at on every street: hands in four buckets by equity, computed from a manifest alone."""

from pathlib import Path

import numpy as np

from holdem.abstraction.betting.line import parse_line
from holdem.abstraction.betting.tree import build_tree
from holdem.abstraction.bucketing import Grouping, HandBucketing, content_hash, write_manifest
from holdem.abstraction.buckets.cached_tables import differs_mark
from holdem.abstraction.buckets.features.board import board_features
from holdem.cards.cards import parse_cards
from holdem.cards.ranges import CLASS_NAMES
from holdem.policy.policy import SCALE, AveragePolicy, BucketReference, PolicyInfo
from holdem.types import BucketConfig, GameConfig
from holdem.util.arrays import Float64
from tests.table.policies import random_policy

BUCKETS = (169, 4, 4, 4)
BOARD = "Ks7d2c5h9s"
FLOP = "SB raise 3bb, BB call | Ks7d2c"
JAM = "SB raise 10bb all-in"
RIVER = f"{FLOP} BB check, SB check | 5h BB check, SB check | 9s"


def game(preflop: str = "3x, a", stack: int = 2_000) -> GameConfig:
    """Heads-up with twenty big blinds and few bets."""
    sizes = {"preflop": preflop, "flop": "50%", "turn": "50%", "river": "50%, a"}
    return GameConfig.model_validate(
        {"name": "small", "num_players": 2, "stacks": stack, "betting": {"sizes": sizes, "max_raises": 1}}
    )


def random_sums(config: GameConfig, seed: int) -> Float64:
    """Rows of a random policy."""
    return np.asarray(np.random.default_rng(seed).random(build_tree(config).counts.entries(BUCKETS)) ** 2)


def save_run(folder: Path, config: GameConfig, sums: Float64) -> Path:
    """A run folder with a policy and the manifest of its buckets; the tables are nowhere and cannot be built."""
    folder.mkdir(parents=True, exist_ok=True)
    groupings, digests = (_quarters(3), _quarters(4), _quarters(5)), ["0" * 64] * 3
    digest = content_hash(BucketConfig(), groupings, digests)
    bucketing = HandBucketing(BucketConfig(), groupings, digest, {})
    write_manifest(folder / "buckets.pkl", bucketing, digests)
    differs_mark(bucketing).parent.mkdir(parents=True, exist_ok=True)
    differs_mark(bucketing).touch()
    info = PolicyInfo(config, BUCKETS, 10, BucketReference("buckets.pkl", digest))
    AveragePolicy.from_strategy_sums(info, sums).save(folder)
    return folder


def save_random(folder: Path, seed: int = 1, preflop: str = "3x, a", stack: int = 2_000) -> Path:
    """A run with a random policy."""
    config = game(preflop, stack)
    return save_run(folder, config, random_sums(config, seed))


def save_three(folder: Path, seed: int = 1) -> Path:
    """A run for three players with a random policy."""
    config = GameConfig.model_validate({**game().model_dump(), "name": "small three", "num_players": 3})
    return save_run(folder, config, random_sums(config, seed))


def save_changed(folder: Path, line: str, row: list[float], seed: int = 1) -> Path:
    """The random policy with one decision played alike with every hand."""
    config = game()
    policy = AveragePolicy.from_strategy_sums(PolicyInfo(config, BUCKETS, 10), random_sums(config, seed))
    strategy = policy.table / SCALE
    strategy[policy.places(parse_line(policy.tree, line).node)] = row
    return save_run(folder, config, strategy)


def save_jam_without(folder: Path, *names: str) -> Path:
    """Jam or fold, where training never came with some classes to the answer to an all-in."""
    policy = random_policy("jam_or_fold_10bb")
    strategy = policy.table / SCALE
    answer = policy.places(parse_line(policy.tree, JAM).node)
    strategy[answer[[CLASS_NAMES.index(name) for name in names]]] = 0.0
    folder.mkdir(parents=True, exist_ok=True)
    AveragePolicy.from_strategy_sums(policy.info, strategy, policy.tree).save(folder)
    return folder


def _quarters(cards: int) -> Grouping:
    """The hands of one board in four groups of about the same size."""
    sums, _ = board_features(parse_cards(BOARD)[:cards], BucketConfig().bins)
    starts = np.quantile(sums[sums > 0], (0.25, 0.5, 0.75)).astype(np.int64)
    return Grouping("intervals", starts=np.array([0, *starts], dtype=np.int64))
