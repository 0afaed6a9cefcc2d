"""Hands weighed by how they get to a decision: Bayes by hand on a small policy, brute force on random ranges."""

import numpy as np
import pytest

from holdem.abstraction.betting.line import parse_line
from holdem.blueprint.line_view import LineView, mass_beside, players_left, range_weights, view_line
from holdem.cards.cards import HOLE_MASKS, NUM_HOLE_PAIRS, hole_index, parse_cards
from holdem.cards.ranges import CLASS_NAMES, CLASS_OF_HOLE
from tests.blueprint.test_line_reach import BIG_BLIND, BUTTON, two_classes
from tests.table.policies import random_blueprint

ACES, KINGS = CLASS_NAMES.index("AA"), CLASS_NAMES.index("KK")


def view_at(line: str) -> LineView:
    agent = two_classes()
    where = parse_line(agent.policy.tree, line)
    return view_line(agent.policy, where.node, where.board, agent.buckets.of_holes)


def test_bayes_by_hand() -> None:
    """The button raises AA always and KK half the time; the big blind does nothing that tells its hands apart."""
    view = view_at("SB raise, BB call | Ks7d2c BB check")
    assert view.position == BUTTON
    reach = view.class_reach()
    assert (reach[ACES], reach[KINGS]) == (1.0, 0.5)
    assert np.nansum(reach) == 1.5
    # Beside two aces or two kings of this board the big blind has 47 over 2 hands, each equally often: 6 aces weigh 6,
    # and the three pairs of kings that are left 1.5.
    weights = view.class_weights()
    assert weights[ACES] == pytest.approx(6 / 7.5)
    assert weights[KINGS] == pytest.approx(1.5 / 7.5)
    assert view.share == pytest.approx(7.5 / 1176)
    assert view.comes_here and view.is_weighed
    assert view.class_fills()[[ACES, KINGS]].tolist() == [1.0, 0.5]


def test_the_other_players_hands_block() -> None:
    """The big blind faces a raise of AA and half of KK: with an ace in its hand the raise was half as likely."""
    view = view_at("SB raise")
    assert view.position == BIG_BLIND
    weight = {text: view.weights[hole_index(*parse_cards(text))] for text in ("QhJh", "AhQh", "KhQh", "AhKh", "AhAd")}
    # Of 6 + 6 / 2 = 9, an ace takes away 3 of the aces, a king half of 3.
    assert weight == pytest.approx({"QhJh": 9.0, "AhQh": 6.0, "KhQh": 7.5, "AhKh": 4.5, "AhAd": 4.0})
    assert (view.reach[BIG_BLIND] == 1.0).all()


def test_totals_are_means_by_weight() -> None:
    """Brute force over all pairs of hands."""
    agent = random_blueprint()
    where = parse_line(agent.policy.tree, "SB raise 3bb, BB call | Ks7d2c BB check", nearest=True)
    view = view_line(agent.policy, where.node, where.board, agent.buckets.of_holes)
    apart = (HOLE_MASKS[:, None] & HOLE_MASKS[None, :]) == 0
    joint = view.reach[BUTTON][:, None] * view.reach[BIG_BLIND][None, :] * apart
    own = joint.sum(axis=1)
    np.testing.assert_allclose(view.weights, own, rtol=1e-9)
    expected = np.nansum(own[:, None] * view.probabilities, axis=0) / own.sum()
    np.testing.assert_allclose(view.frequencies(), expected, rtol=1e-9)
    of_class = own * (CLASS_NAMES.index("AKs") == CLASS_OF_HOLE)
    row = np.nansum(of_class[:, None] * view.probabilities, axis=0) / of_class.sum()
    np.testing.assert_allclose(view.class_probabilities()[CLASS_NAMES.index("AKs")], row, rtol=1e-9)


def test_mass_beside_a_hand() -> None:
    weights = np.random.default_rng(3).random(NUM_HOLE_PAIRS)
    apart = (HOLE_MASKS[:, None] & HOLE_MASKS[None, :]) == 0
    np.testing.assert_allclose(mass_beside(weights), apart @ weights, rtol=1e-9)
    only = np.zeros(NUM_HOLE_PAIRS)
    only[hole_index(*parse_cards("AsAh"))] = 0.3
    assert mass_beside(only)[hole_index(*parse_cards("AsKs"))] == 0.0
    assert range_weights(np.stack([only, np.ones(NUM_HOLE_PAIRS)]), 0).sum() == pytest.approx(0.3 * 1225)


def test_a_line_that_is_never_played_counts_all_hands_alike() -> None:
    """The button never raises what is no pair of aces or kings: on this board it has nothing left."""
    agent = two_classes()
    where = parse_line(agent.policy.tree, "SB raise, BB call | KsKd2c BB check")
    view = view_line(agent.policy, where.node, where.board, agent.buckets.of_holes)
    assert view.comes_here
    emptied = LineView(
        view.summary, view.board, view.probabilities, view.visited, reach=0.0 * view.reach, position=BUTTON
    )
    assert not emptied.comes_here
    np.testing.assert_allclose(emptied.frequencies(), np.nanmean(view.probabilities, axis=0))
    assert emptied.to_plain()["reach"] == 0.0


def test_who_is_left() -> None:
    agent = random_blueprint("three players")
    tree = agent.policy.tree
    assert list(players_left(agent.policy, 0).values()) == ["SB", "BB", "BTN"]
    node = parse_line(tree, "BTN fold").node
    assert list(players_left(agent.policy, node).values()) == ["SB", "BB"]
