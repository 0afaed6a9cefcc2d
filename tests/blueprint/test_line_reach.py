"""How hands get to a node: Bayes by hand on small policies, and hand by hand on random ones."""

from itertools import pairwise

import numpy as np
import pytest

from holdem.abstraction.betting.line import parse_line
from holdem.abstraction.betting.tree import build_tree
from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.buckets import PolicyBuckets
from holdem.blueprint.line_reach import line_reach
from holdem.cards.cards import HOLE_CARDS, NUM_HOLE_PAIRS, hole_cards, hole_index, parse_cards
from holdem.cards.ranges import CLASS_OF_HOLE
from holdem.errors import CardError
from holdem.policy.policy import AveragePolicy, PolicyInfo
from holdem.types import GameConfig
from tests.table.policies import ONE_BUCKET, one_bucket, random_blueprint

GAME = GameConfig.model_validate(
    {
        "name": "two sizes",
        "num_players": 2,
        "stacks": 2_000,
        "betting": {"sizes": {"preflop": "100%", "flop": "50%", "turn": "", "river": ""}, "max_raises": 1},
    }
)
BIG_BLIND, BUTTON = 0, 1


def two_classes() -> BlueprintAgent:
    """The button raises aces always, kings half the time, everything else never; the rest was never trained."""
    tree = build_tree(GAME)
    policy = AveragePolicy.from_strategy_sums(
        PolicyInfo(GAME, ONE_BUCKET, 1), np.zeros(tree.counts.entries(ONE_BUCKET)), tree
    )
    table = policy.table.copy()
    rows = policy.places(0)
    aces, kings = (int(CLASS_OF_HOLE[hole_index(*parse_cards(text))]) for text in ("AsAh", "KsKh"))
    table[rows[:, 1]] = 60_000
    table[rows[aces]] = [0, 0, 60_000]
    table[rows[kings]] = [0, 30_000, 30_000]
    policy = AveragePolicy(policy.info, table)
    return BlueprintAgent(policy, "two classes", PolicyBuckets(policy, one_bucket()))


def test_bayes_by_hand() -> None:
    agent = two_classes()
    where = parse_line(agent.policy.tree, "SB raise, BB call | Ks7d2c")
    reach = line_reach(agent.policy, agent.buckets.of_holes, where.node, where.board)
    assert reach.shape == (2, NUM_HOLE_PAIRS)
    weights = {text: reach[BUTTON, hole_index(*parse_cards(text))] for text in ("AsAh", "KhKd", "KsKh", "QsQh")}
    assert weights == {"AsAh": 1.0, "KhKd": 0.5, "KsKh": 0.0, "QsQh": 0.0}  # the king of spades is on the board
    assert reach[BUTTON].sum() == 6 + 3 * 0.5
    # The big blind was never trained: fold and call equally often, with every hand that the board leaves.
    free = ~np.isin(HOLE_CARDS, where.board).any(axis=1)
    assert reach[BIG_BLIND].tolist() == np.where(free, 0.5, 0.0).tolist()


@pytest.mark.parametrize(
    ("game", "line"),
    [("headsup_100bb", "SB raise 3bb, BB call | Ks7d2c BB check, SB bet 3bb, BB call | 5h"), ("three players", "")],
)
def test_every_hand_by_the_policy_itself(game: str, line: str) -> None:
    agent = random_blueprint(game)
    policy, tree = agent.policy, agent.policy.tree
    where = parse_line(tree, line, nearest=True)
    node = where.node or int(tree.descendants(0)[-1])
    board = where.board or parse_cards("Ks7d2c5h9s")
    reach = line_reach(policy, agent.buckets.of_holes, node, board)
    for hand in np.random.default_rng(1).choice(NUM_HOLE_PAIRS, 40, replace=False).tolist():
        expected = np.ones(tree.num_players)
        for before, after in pairwise(tree.path(node)):
            shown = board[: policy.config.board_cards[tree.street[before]]]
            if not set(hole_cards(hand)) & set(board):
                bucket = agent.buckets.bucket(hole_cards(hand), shown)
                chances = policy.probabilities(before, bucket)
                expected[tree.player[before]] *= chances[after - tree.first_child[before]]
        if set(hole_cards(hand)) & set(board):
            expected[:] = 0.0
        np.testing.assert_allclose(reach[:, hand], expected, rtol=1e-12)


def test_at_the_root_everybody_holds_everything() -> None:
    agent = two_classes()
    assert (line_reach(agent.policy, agent.buckets.of_holes, 0) == 1.0).all()


def test_a_line_without_its_cards_is_a_sentence() -> None:
    agent = two_classes()
    node = parse_line(agent.policy.tree, "SB raise, BB call | Ks7d2c BB check").node
    with pytest.raises(CardError, match="are not all named"):
        line_reach(agent.policy, agent.buckets.of_holes, node, ())
