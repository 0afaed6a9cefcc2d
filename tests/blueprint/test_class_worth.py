"""Which figures rest on play that was trained."""

from dataclasses import replace

import numpy as np

from holdem.abstraction.betting.line import choices, parse_line
from holdem.blueprint.class_worth import ClassWorth, defended_actions
from holdem.blueprint.line_view import view_line
from holdem.cards.ranges import CLASS_NAMES
from tests.blueprint.test_line_reach import two_classes
from tests.table.policies import random_blueprint

ACES, KINGS, QUEENS = (CLASS_NAMES.index(name) for name in ("AA", "KK", "QQ"))


def test_an_action_that_a_class_never_takes_has_no_figure() -> None:
    """The button raises AA always, KK half the time and nothing else."""
    agent = two_classes()
    tree = agent.policy.tree
    view = view_line(agent.policy, 0, (), agent.buckets.of_holes)
    defended = defended_actions(tree, 0, view)
    assert choices(tree, 0) == ["fold", "call", "raise 3bb"]
    assert defended[ACES].tolist() == [True, False, True]
    assert defended[KINGS].tolist() == [True, True, True]
    assert defended[QUEENS].tolist() == [True, True, False]


def test_a_class_that_training_never_met_has_no_figure() -> None:
    agent = two_classes()
    policy = replace(agent.policy, table=np.array(agent.policy.table))
    policy.table[policy.places(0)[KINGS]] = [0, 1, 0]  # a guess that calls
    view = view_line(policy, 0, (), agent.buckets.of_holes)
    assert view.class_probabilities()[KINGS].tolist() == [0.0, 1.0, 0.0]
    assert defended_actions(policy.tree, 0, view)[KINGS].tolist() == [True, False, False]


def test_actions_behind_which_nobody_decides_for_itself_are_known() -> None:
    """After its own all-in a hand has nothing to decide, after a call nobody has: also for classes that never do it."""
    agent = random_blueprint("jam_or_fold_10bb")
    tree = agent.policy.tree
    for line in ("", "SB raise 10bb all-in"):
        node = parse_line(tree, line).node
        view = view_line(agent.policy, node, (), agent.buckets.of_holes)
        assert view.class_probabilities().min() < 0.05 < view.frequencies().min()
        assert defended_actions(tree, node, view).all()


def test_figures_are_left_out() -> None:
    figures = np.ones((169, 2))
    defended = np.zeros((169, 2), dtype=np.bool_)
    defended[:, 0] = True
    visited = np.arange(169) != ACES
    worth = ClassWorth(figures, figures, figures[:, 0], figures[:, 0], "words").only(defended, visited)
    assert np.isnan(worth.evs[:, 1]).all() and np.isnan(worth.errors[:, 1]).all()
    assert (worth.evs[:, 0] == 1.0).all()
    assert (worth.means[visited] == 1.0).all() and (worth.mean_errors[visited] == 1.0).all()
    assert np.isnan(worth.means[ACES]) and np.isnan(worth.mean_errors[ACES])


def test_what_a_mixture_gives_up() -> None:
    """Figures and shares made by hand: three actions, of which the last is left out with KK and QQ."""
    evs, errors, taken = np.zeros((169, 3)), np.zeros((169, 3)), np.zeros((169, 3))
    defended = np.ones((169, 3), dtype=bool)
    defended[[KINGS, QUEENS], 2] = False
    evs[ACES], taken[ACES], errors[ACES] = (6.0, 4.0, 0.0), (0.5, 0.5, 0.0), (0.3, 0.2, 0.0)
    evs[KINGS], taken[KINGS] = (6.0, 4.0, -50.0), (0.48, 0.48, 0.04)
    evs[QUEENS], taken[QUEENS] = (6.0, 4.0, 50.0), (1.0, 0.0, 0.0)
    own_errors = np.full(169, 0.4)
    lost, error = ClassWorth(evs, errors, (taken * evs).sum(axis=1), own_errors, "words").given_up(defended, taken)
    np.testing.assert_allclose(lost[[ACES, KINGS, QUEENS]], (1.0, 1.0, 0.0), atol=1e-12)
    assert np.isclose(error[ACES], 0.5), "of the best action, 0.3, and of the mixture, 0.4"


def test_hands_of_a_class_that_each_play_their_best_give_nothing_up() -> None:
    """A quarter of them wins 3 with the second action, the others 1 with the first: more than either alone."""
    evs = np.tile([1.25, 0.75], (169, 1))
    worth = ClassWorth(evs, np.zeros_like(evs), np.full(169, 1.5), np.zeros(169), "words")
    lost, _ = worth.given_up(np.ones_like(evs, dtype=bool), np.tile([0.75, 0.25], (169, 1)))
    assert not lost.any()
