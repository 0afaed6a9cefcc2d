"""Guesses where training never came by: plain arithmetic on every row, and hands that people know."""

import numpy as np
import pytest

from holdem.abstraction.betting.line import parse_line
from holdem.abstraction.betting.tree import ActionCode, build_tree
from holdem.abstraction.bucketing import HandBucketing
from holdem.cards import equity
from holdem.cards.ranges import CLASS_NAMES
from holdem.policy.files import GUESS, PolicyInfo
from holdem.policy.guesses import CALL_MARGIN, blocks_with_guesses, bucket_chances
from holdem.policy.policy import AveragePolicy
from tests.policy.models.made import BUCKETS, short_game


@pytest.fixture(scope="module")
def bucketing() -> HandBucketing:
    return HandBucketing.load(BUCKETS, tables=False)


@pytest.fixture(scope="module")
def guessed(bucketing: HandBucketing) -> AveragePolicy:
    """Three players, six big blinds: a policy that was trained for class 0 before the flop, and nowhere else."""
    tree = build_tree(short_game("threemax_100bb", stack=600))
    zeros = np.zeros(tree.counts.entries(bucketing.buckets_per_street))
    policy = AveragePolicy.from_strategy_sums(PolicyInfo(tree.config, bucketing.buckets_per_street, 1), zeros, tree)
    for node in np.flatnonzero((tree.kind == 0) & (tree.street == 0)).tolist():
        policy.table[policy.places(node)[0, -1]] = 60_000
    table = np.concatenate([entries for _, entries in blocks_with_guesses(policy, bucketing)])
    filled = AveragePolicy(policy.info, table)
    filled.__dict__["tree"] = tree
    return filled


def test_every_row_is_what_the_odds_say(guessed: AveragePolicy, bucketing: HandBucketing) -> None:
    tree, counted = guessed.tree, 0
    for node in np.flatnonzero(tree.num_actions).tolist():
        chips, player, street = tree.chips_in[node].tolist(), int(tree.player[node]), int(tree.street[node])
        price = max(chips) - chips[player]
        others = sum(not int(tree.folded[node]) >> seat & 1 for seat in range(3)) - 1
        codes = [tree.action[child] for child in tree.children(node)]
        chances = bucket_chances(bucketing, street, bucketing.buckets_per_street[street])
        assert chances is not None
        rows, visited = guessed.table[guessed.places(node)], guessed.rows(node)[1]
        assert visited.tolist() == [street == 0 and bucket == 0 for bucket in range(len(rows))]
        for bucket, row in enumerate(rows.tolist()):
            if visited[bucket]:
                assert sum(row) == 60_000
                continue
            expected = [0] * len(row)
            if price and codes[:2] == [ActionCode.FOLD, ActionCode.CALL]:
                pays = float(chances[bucket]) ** others >= price / (sum(chips) + price) + CALL_MARGIN
                expected[int(pays)] = GUESS
                counted += 1
            assert row == expected
    assert counted > 1_000


def test_aces_call_an_all_in_and_trash_folds(guessed: AveragePolicy) -> None:
    node = parse_line(guessed.tree, "BTN raise 6bb all-in, SB fold").node
    rows, visited = guessed.rows(node)
    for name, call in (("AA", 1.0), ("KK", 1.0), ("72o", 0.0), ("32o", 0.0)):
        bucket = CLASS_NAMES.index(name)
        assert rows[bucket].tolist() == [1.0 - call, call]
        assert guessed.played(node, bucket) == guessed.probabilities(node, bucket).tolist() == rows[bucket].tolist()
        assert visited[bucket] == guessed.visited(node, bucket) == (bucket == 0)


def test_chances_before_the_flop_are_equities(bucketing: HandBucketing) -> None:
    chances = bucket_chances(bucketing, 0, 169)
    assert chances is not None
    for name in ("AA", "72o", "T9s"):
        against_any = equity(name, ",".join(CLASS_NAMES)).equity
        assert chances[CLASS_NAMES.index(name)] == pytest.approx(against_any, abs=1e-6)


def test_chances_are_those_of_the_report_and_nothing_is_said_without_one(bucketing: HandBucketing) -> None:
    for street, buckets in enumerate(bucketing.buckets_per_street[1:], start=1):
        chances = bucket_chances(bucketing, street, buckets)
        assert chances is not None and 0.0 <= chances.min() < 0.4 < 0.6 < chances.max() <= 1.0
        assert bucket_chances(bucketing, street, buckets + 1) is None
    assert bucket_chances(bucketing, 0, 13) is None
