"""What actions are worth when a street is played through: plain recursions, exact all-ins, drawn hands."""

import numpy as np
import pytest

from holdem.abstraction.betting.line import parse_line
from holdem.abstraction.betting.payoffs import payoffs
from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.class_worth import ClassWorth
from holdem.blueprint.line_view import LineView, view_line
from holdem.blueprint.street_worth import StreetWorth, meet_by_class, river_meeting, street_worth
from holdem.cards import evaluate
from holdem.cards.cards import HOLE_MASKS, NUM_HOLE_PAIRS, hole_cards, hole_index, parse_cards
from holdem.cards.preflop_equity import class_index, preflop_equities
from holdem.cards.ranges import CLASS_OF_HOLE
from holdem.policy.policy import AveragePolicy
from holdem.table.advice.class_rollouts import ClassRollouts
from tests.table.policies import random_blueprint

RIVER = "SB call, BB check | Ks7d2c BB check, SB check | 5h BB check, SB check | 9s BB check"
SIGMAS = 4.5


def place(agent: BlueprintAgent, line: str) -> tuple[int, LineView]:
    where = parse_line(agent.policy.tree, line)
    return where.node, view_line(agent.policy, where.node, where.board, agent.buckets.of_holes)


def plain_value(policy: AveragePolicy, node: int, position: int, strengths: list[int]) -> float:
    """One deal, recursively; all hands are in bucket 0."""
    tree = policy.tree
    if tree.num_actions[node] == 0:
        return float(payoffs(tree, node, strengths)[position])
    row = policy.probabilities(node, 0)
    below = [plain_value(policy, child, position, strengths) for child in tree.children(node)]
    return float(np.dot(row, below))


def test_a_river_is_the_plain_recursion_over_all_hands() -> None:
    agent = random_blueprint()
    policy = agent.policy
    node, view = place(agent, RIVER)
    worth = StreetWorth(policy, view.position, agent.buckets.of_holes(view.board), river_meeting(view.board))
    # Every twentieth hand of the opponent is as good a check as all of them.
    opponent = np.where(np.arange(NUM_HOLE_PAIRS) % 20 == 0, view.reach[1 - view.position], 0.0)
    found = worth.actions(node, opponent)
    chips = int(policy.tree.chips_in[node, view.position])
    for text in ("KhQh", "8d6d", "Tc3h"):
        own = parse_cards(text)
        total, weight = np.zeros(len(view.summary.actions)), 0.0
        for other in np.flatnonzero(opponent).tolist():
            if set(own) & set(hole_cards(other)):
                continue
            strengths = [0, 0]
            strengths[view.position] = evaluate((*own, *view.board))
            strengths[1 - view.position] = evaluate((*hole_cards(other), *view.board))
            children = policy.tree.children(node)
            total += opponent[other] * np.array([plain_value(policy, c, view.position, strengths) for c in children])
            weight += opponent[other]
        np.testing.assert_allclose(found[hole_index(*own)], total / weight + chips, rtol=1e-9)


def test_jam_or_fold_is_what_equities_say() -> None:
    agent = random_blueprint("jam_or_fold_10bb")
    policy, tree = agent.policy, agent.policy.tree
    node, view = place(agent, "")
    worth = street_worth(policy, node, view, agent.buckets.of_holes(()))
    assert worth is not None
    assert worth.words.startswith("exact")
    jam = next(child for child in tree.children(0) if tree.num_actions[child] > 0)
    calls = policy.rows(jam)[0][:, [tree.describe_action(child) for child in tree.children(jam)].index("call")]
    table = preflop_equities()
    for name in ("AA", "72o", "T9s"):
        own = class_index(name)
        chance = table.combinations[own] / table.combinations[own].sum()
        exact = float(chance @ ((1 - calls) * 150 + calls * (2_000 * table.equity[own] - 950)))
        assert worth.evs[own, 0] == pytest.approx(0.0, abs=1e-9)
        assert worth.evs[own, 1] == pytest.approx(exact)
        assert worth.means[own] == pytest.approx(policy.rows(0)[0][own, 1] * exact)


@pytest.mark.parametrize(("game", "line"), [("headsup_100bb", RIVER), ("jam_or_fold_10bb", "SB raise 10bb all-in")])
def test_drawn_hands_agree(game: str, line: str) -> None:
    agent = random_blueprint(game)
    node, view = place(agent, line)
    exact = street_worth(agent.policy, node, view, agent.buckets.of_holes(view.board))
    assert exact is not None
    check_agreement(exact, ClassRollouts(agent).worth_by_class(node, view, rounds=20, seed=3))


def check_agreement(exact: ClassWorth, drawn: ClassWorth) -> None:
    both = [(exact.evs, drawn.evs, drawn.errors), (exact.means, drawn.means, drawn.mean_errors)]
    for ours, theirs, errors in both:
        known = ~np.isnan(ours) & ~np.isnan(theirs) & (errors > 1.0)  # less: it won every deal that was drawn
        assert known.sum() > 100
        off = np.abs(ours - theirs)[known] / errors[known]
        assert off.max() < SIGMAS
        assert np.mean(off**2) < 1.5


def test_streets_in_between_are_not_played_through() -> None:
    agent = random_blueprint()
    node, view = place(agent, "SB call, BB check | Ks7d2c")
    assert street_worth(agent.policy, node, view, agent.buckets.of_holes(view.board)) is None
    node, view = place(agent, "")
    assert street_worth(agent.policy, node, view, agent.buckets.of_holes(())) is None


def test_meeting_by_class_is_the_sum_over_hands() -> None:
    random = np.random.default_rng(2)
    table, weights = random.normal(size=(169, 169)), random.random(NUM_HOLE_PAIRS)
    apart = (HOLE_MASKS[:, None] & HOLE_MASKS[None, :]) == 0
    expected = (table[CLASS_OF_HOLE][:, CLASS_OF_HOLE] * apart) @ weights
    np.testing.assert_allclose(meet_by_class(table, weights), expected, atol=1e-9)
