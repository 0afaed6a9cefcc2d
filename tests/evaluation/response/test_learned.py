"""Learned responses against exact best responses of toy games."""

from functools import partial

import numpy as np
import pytest

from holdem.abstraction.betting.tree import ActionCode
from holdem.evaluation.response.exact import BestResponse
from holdem.evaluation.response.learned import exploitability, gain, learn_responses, own_results, played_entries
from holdem.mccfr.training_game import TrainingGame
from holdem.policy.policy import AveragePolicy, PolicyInfo
from tests.evaluation.blueprints import holdem_blueprint, holdem_config
from tests.evaluation.tables import random_strategy, toy

ITERATIONS = 400_000


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_they_approach_the_exact_best_response_from_below(name: str) -> None:
    game = toy(name)
    training = TrainingGame.from_preset(name)
    for seed in range(2):
        strategy = random_strategy(game.tree, game.buckets, game.layout, seed)
        policy = AveragePolicy.from_strategy_sums(PolicyInfo(training.config, game.buckets, 1), strategy, game.tree)
        exact = BestResponse(game.game, game.tree, game.layout).responses(policy.strategy())
        responses = learn_responses(training, policy, ITERATIONS, seed=seed)
        for response, best in zip(responses, exact.best, strict=True):
            assert response is not None
            assert response.iterations == ITERATIONS
            # Never better than the best response beyond noise; worse by what is still being learnt.
            assert response.won < best + 4.0 * response.standard_error
            assert response.won > best - 4.0 * response.standard_error - 0.02 * abs(best)
        won, interval = exploitability([response for response in responses if response is not None])
        assert won == pytest.approx(exact.exploitability, abs=2.1 * interval + 0.02 * exact.exploitability)


def test_one_thread_learns_the_same() -> None:
    training = TrainingGame.from_preset("leduc")
    game = toy("leduc")
    strategy = random_strategy(game.tree, game.buckets, game.layout, 5)
    policy = AveragePolicy.from_strategy_sums(PolicyInfo(training.config, game.buckets, 1), strategy, game.tree)
    counted: list[int] = []
    responses = learn_responses(training, policy, 40_000, threads=1, progress=counted.append)
    assert responses == learn_responses(training, policy, 40_000, threads=2)
    assert sum(counted) == 2 * 40_000
    for threads in (1, 2):
        assert learn_responses(training, policy, 40_000, threads=threads, stopped=lambda: True) == [None, None]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stop_in_the_first_stage_leaves_what_both_have_learned(threads: int) -> None:
    """A stage here is 50,000 hands, and both positions stop after the first few of them."""
    training = TrainingGame.from_preset("leduc")
    game = toy("leduc")
    strategy = random_strategy(game.tree, game.buckets, game.layout, 5)
    policy = AveragePolicy.from_strategy_sums(PolicyInfo(training.config, game.buckets, 1), strategy, game.tree)
    exact = BestResponse(game.game, game.tree, game.layout).responses(policy.strategy())
    heard: list[int] = []
    stopped = partial(learn_responses, training, policy, 400_000, threads=threads, progress=heard.append)
    responses = stopped(stopped=lambda: sum(heard) > 60_000)
    for response, best in zip(responses, exact.best, strict=True):
        assert response is not None
        assert 0 < response.iterations <= 50_000
        assert response.won < best + 4.0 * response.standard_error


def test_rows_that_were_never_visited_do_not_raise() -> None:
    agent = holdem_blueprint(holdem_config(2), 3)
    policy, tree = agent.policy, agent.policy.tree
    entries = played_entries(policy)
    first = int(np.argmin(np.where(policy.layout.offset >= 0, policy.layout.offset, policy.layout.entries)))
    assert not policy.visited(first, 0)
    for node, bucket in ((first, 0), (first, 168), (0, 7)):
        start = policy.layout.row_start(node, bucket)
        row = entries[start : start + int(tree.num_actions[node])]
        raises = tree.action[tree.first_child[node] : tree.first_child[node] + len(row)] == ActionCode.RAISE
        stored = policy.table[start : start + len(row)]
        assert row / row.sum() == pytest.approx(stored / 60_000 if stored.any() else ~raises / (~raises).sum())
    assert np.all(entries[policy.table > 0] == policy.table[policy.table > 0])


def test_three_players_approach_the_exact_best_response_from_below() -> None:
    """One position learns against two that keep to the policy; what the policy itself wins is measured beside it."""
    game = toy("kuhn", num_players=3)
    training = TrainingGame.from_config(game.tree.config)
    for seed in range(2):
        strategy = random_strategy(game.tree, game.buckets, game.layout, seed)
        policy = AveragePolicy.from_strategy_sums(PolicyInfo(training.config, game.buckets, 1), strategy, game.tree)
        exact = BestResponse(game.game, game.tree, game.layout).responses(policy.strategy())
        responses = [r for r in learn_responses(training, policy, ITERATIONS, seed=seed) if r is not None]
        own = own_results(training, policy, 100_000, first=ITERATIONS, seed=seed)
        for position, (response, result) in enumerate(zip(responses, own, strict=True)):
            best, expected = exact.best[position], exact.expected[position]
            assert response.won < best + 4.0 * response.standard_error
            assert response.won > best - 4.0 * response.standard_error - 0.02 * abs(best)
            assert result.won == pytest.approx(expected, abs=4.0 * result.standard_error)
            more, half = gain(response, result)
            assert more == pytest.approx(best - expected, abs=2.1 * half + 0.02 * abs(best))
        won, interval = exploitability(responses)
        assert won == pytest.approx(exact.exploitability, abs=2.1 * interval + 0.02 * exact.exploitability)


def test_one_chosen_position_learns_as_it_does_among_all() -> None:
    game = toy("kuhn", num_players=3)
    training = TrainingGame.from_config(game.tree.config)
    strategy = random_strategy(game.tree, game.buckets, game.layout, 0)
    policy = AveragePolicy.from_strategy_sums(PolicyInfo(training.config, game.buckets, 1), strategy, game.tree)
    everybody = learn_responses(training, policy, 40_000)
    assert learn_responses(training, policy, 40_000, positions=[2]) == everybody[2:]
    assert learn_responses(training, policy, 40_000, threads=1) == everybody
    assert learn_responses(training, policy, 40_000, stopped=lambda: True) == [None] * 3


def test_the_others_stay_as_they_are() -> None:
    """Measuring with weights of nothing changes no entry, so two measurements of the same deals agree to the bit."""
    game = toy("kuhn", num_players=3)
    training = TrainingGame.from_config(game.tree.config)
    strategy = random_strategy(game.tree, game.buckets, game.layout, 3)
    policy = AveragePolicy.from_strategy_sums(PolicyInfo(training.config, game.buckets, 1), strategy, game.tree)
    assert own_results(training, policy, 30_000) == own_results(training, policy, 30_000)
    assert own_results(training, policy, 30_000)[0] != own_results(training, policy, 30_000, first=30_000)[0]
    assert own_results(training, policy, 30_000, stopped=lambda: True)[0].hands == 0
