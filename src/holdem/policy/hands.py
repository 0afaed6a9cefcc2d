"""Which bucket of a policy a hand is in: classes before the flop, the run's card abstraction after it.

In toy games every hand is its own bucket.
"""

from functools import lru_cache
from itertools import combinations
from pathlib import Path

import numpy as np

from holdem.abstraction.bucketing import HandBucketing
from holdem.cards.cards import NUM_HOLE_PAIRS, Cards, format_cards, hole_index
from holdem.cards.ranges import CLASS_OF_HOLE, NUM_CLASSES
from holdem.errors import ArtifactError, CardError
from holdem.game.toy_games import bucket_of, num_buckets, toy_game
from holdem.policy.policy import AveragePolicy
from holdem.util.arrays import Int64


def is_lossless(policy: AveragePolicy) -> bool:
    """Whether every hand is its own bucket, suits told apart, as in Kuhn, Leduc and short-rank hold'em."""
    game = toy_game(policy.config)
    lossless = tuple(num_buckets(game, street) for street in range(policy.config.num_streets))
    return policy.info.bucketing is None and policy.info.buckets_per_street == lossless


def buckets_of_holes(policy: AveragePolicy, board: Cards) -> Int64:
    """(1326,) the bucket of every hole pair with this board, -1 where a card is on the board or not in the deck."""
    if policy.config.variant != "holdem":
        raise CardError(f"{policy.config.name} is not played with hole pairs; its cards are numbers")
    if is_lossless(policy):
        return _lossless_buckets(policy, board)
    if not board and policy.info.buckets_per_street[0] == NUM_CLASSES:
        return CLASS_OF_HOLE.astype(np.int64)
    return bucketing_of(policy).buckets_of_holes(board)


def bucketing_of(policy: AveragePolicy) -> HandBucketing:
    """The card abstraction that a policy was trained with, from the manifest beside it."""
    if policy.info.bucketing is None:
        raise ArtifactError(
            f"{policy.path or 'this policy'} was trained without a card abstraction and knows no hands after the flop; "
            "show a line before the flop"
        )
    if policy.bucketing_path is None:
        raise ArtifactError("this policy was never saved, so no card abstraction lies beside it; save it and load it")
    if not policy.bucketing_path.exists():
        raise ArtifactError(
            f"{policy.bucketing_path} is missing, the card abstraction that this policy was trained with; "
            f"copy there the one with content hash {policy.info.bucketing.content_hash[:12]}"
        )
    bucketing = _load(policy.bucketing_path)
    if bucketing.content_hash != policy.info.bucketing.content_hash:
        raise ArtifactError(
            f"{policy.bucketing_path} is not the card abstraction that {policy.path} was trained with; "
            "copy the one of its run there"
        )
    return check_counts(policy, bucketing)


def check_counts(policy: AveragePolicy, bucketing: HandBucketing) -> HandBucketing:
    """The same abstraction, refused if it has other numbers of buckets than the rows of the policy."""
    have, want = bucketing.buckets_per_street, policy.info.buckets_per_street
    if policy.info.bucketing is not None and have != want:
        raise ArtifactError(
            f"{policy.path or 'this policy'} has rows for {want} buckets, and its card abstraction has {have}; "
            "write the policy again from a checkpoint of its run"
        )
    return bucketing


@lru_cache(maxsize=4)
def _load(path: Path) -> HandBucketing:
    return HandBucketing.load(path, tables=False)


def _lossless_buckets(policy: AveragePolicy, board: Cards) -> Int64:
    game = toy_game(policy.config)
    missing = [card for card in board if card not in game.deck]
    if missing:
        raise CardError(f"{format_cards(missing)} is not in the deck of {policy.config.name}")
    buckets = np.full(NUM_HOLE_PAIRS, -1, dtype=np.int64)
    for hole in combinations([card for card in game.deck if card not in board], 2):
        buckets[hole_index(*hole)] = bucket_of(game, hole, board)
    return buckets
