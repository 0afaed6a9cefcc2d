"""The sampled solver for three to six players, against exact values from every deal of small ranges."""

import numpy as np
import pytest

from holdem.cards.cards import hole_cards
from holdem.errors import HoldemError
from holdem.realtime.multiway.solver import MultiwaySolver
from holdem.realtime.search.street_tree import street_tree
from tests.realtime.multiway.every_deal import SMALL, Exact, river_state, weights


def test_three_players_come_close_to_an_equilibrium_of_every_deal() -> None:
    state = river_state()
    street = street_tree(state, SMALL)
    solver = MultiwaySolver.build(street, weights(), state.board, seed=1)
    gains = []
    for iterations in (20, 8_000):
        solver.run(iterations - solver.iterations)
        exact = Exact(street, state.board, solver)
        profile = [exact.values(player, best=False) for player in range(3)]
        assert sum(profile) == pytest.approx(0.0, abs=1e-3)  # chips in float32, nothing is lost
        gains.append(sum(exact.values(player, best=True) - profile[player] for player in range(3)))
    # The pot is 300 chips. Regrets of sampled CFR shrink with the root of the iterations: 20 times from 20 to 8,000.
    assert gains[1] < gains[0] / 5
    assert gains[1] < 0.03 * state.pot  # all-in is 99 times the pot, and one sampled deal weighs as much


def test_action_values_are_those_of_the_profile() -> None:
    state = river_state(bet=200)
    street = street_tree(state, SMALL)
    assert state.seat == 1 and street.tree.player[street.decision] == state.position
    solver = MultiwaySolver.build(street, weights(), state.board, seed=2)
    solver.run(4_000)
    policy, values = solver.policy(street.decision), solver.action_values()
    hands = np.flatnonzero(weights()[state.position])
    hands = np.array([h for h in hands if not set(hole_cards(int(h))) & set(state.board)])
    # Folding loses the limp, whatever the sample.
    assert values[hands, 0] == pytest.approx(np.full(len(hands), -100.0), rel=1e-4)
    taken = (policy[hands] * values[hands]).sum(axis=1)
    # What the actions taken miss of the best one is regret: on average below a twentieth of the pot.
    assert (values[hands].max(axis=1) - taken).mean() < 0.05 * state.pot


def test_a_hand_that_was_not_sampled_has_no_values() -> None:
    """One iteration deals one hand to each of the others; a hand that shares a card with one of them is not walked."""
    state = river_state(bet=200)
    solver = MultiwaySolver.build(street_tree(state, SMALL), weights(), state.board, seed=2)
    solver.run(1)
    folds = solver.action_values()[:, 0]
    assert np.isnan(folds).any()
    assert folds[~np.isnan(folds)] == pytest.approx(-100.0, rel=1e-4)


def test_the_same_seed_gives_the_same_strategy_and_another_one_does_not() -> None:
    state = river_state()
    street = street_tree(state, SMALL)
    runs = []
    for seed, pieces in ((1, (50,)), (1, (20, 30)), (2, (50,))):
        solver = MultiwaySolver.build(street, weights(), state.board, seed=seed)
        for piece in pieces:
            solver.run(piece)
        runs.append(solver.policy(0))
    assert np.array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0], runs[2])


def test_a_deadline_in_the_past_stops_at_once() -> None:
    state = river_state()
    solver = MultiwaySolver.build(street_tree(state, SMALL), weights(), state.board)
    assert solver.run(10, deadline=0.0) == 0
    assert solver.policy(0) == pytest.approx(np.full((1326, 2), 0.5))


def test_locked_strategies_stay() -> None:
    state = river_state(bet=200)
    street = street_tree(state, SMALL)
    count = int(street.tree.num_actions[0])
    fixed = np.zeros((1326, count))
    fixed[:, street.line[1] - int(street.tree.first_child[0])] = 1.0
    solver = MultiwaySolver.build(street, weights(), state.board, locked={0: fixed})
    solver.run(50)
    assert np.array_equal(solver.policy(0), fixed)


def test_the_bet_on_the_table_is_a_size_of_the_tree() -> None:
    state = river_state(bet=417)
    street = street_tree(state, SMALL)
    tree = street.tree
    assert street.line == (0, *(c for c in tree.children(0) if tree.amount[c] == 417))
    assert tree.chips_in[street.decision].tolist() == [517, 100, 100]


def test_empty_ranges_are_refused_in_one_sentence() -> None:
    state = river_state()
    empty = weights()
    empty[1] = 0.0
    with pytest.raises(HoldemError, match="range of position 1 is empty"):
        MultiwaySolver.build(street_tree(state, SMALL), empty, state.board)
    with pytest.raises(HoldemError, match="3 positions need"):
        MultiwaySolver.build(street_tree(state, SMALL), empty[:2], state.board)
