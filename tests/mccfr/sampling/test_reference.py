"""The kernels against their plain-Python twins on random small trees, draw by draw."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from holdem.mccfr.sampling.external import STRATEGY_UNIT, ExternalSampler
from holdem.mccfr.sampling.outcome import OutcomeSampler
from holdem.mccfr.table.regret_tracker import RegretTracker
from holdem.mccfr.training_game import TrainingGame
from holdem.types import MCCFRConfig
from tests.mccfr.games import small_games
from tests.mccfr.reference_sampler import ReferenceSampler

ITERATIONS = 12


def deal(game: TrainingGame, seed: int, iteration: int) -> tuple[list[int], list[int]]:
    rows = np.zeros((1, game.num_slots), dtype=np.int64)
    strengths = np.zeros((1, game.num_players), dtype=np.int64)
    game.dealer.deal(seed, iteration, rows, strengths)
    return rows[0].tolist(), strengths[0].tolist()


@given(game=small_games, seed=st.integers(0, 2**62), threshold=st.sampled_from([-1.0, -4.0, -300.0]))
@settings(max_examples=60)
def test_external_sampling(game: TrainingGame, seed: int, threshold: float) -> None:
    config = MCCFRConfig(seed=seed, pruning_threshold=threshold, pruning_probability=0.7)
    tracker = RegretTracker.allocate(game)
    sampler = ExternalSampler(config, tracker)
    twin = ReferenceSampler(game.tree, game.layout, game.unit, np.zeros((game.layout.entries, 2)))
    utilities = np.zeros(game.num_players)
    for iteration in range(ITERATIONS):
        weight = 1.0 + iteration / ITERATIONS
        sampler.run(iteration, iteration + 1, weight, weight)
        twin.regret_weight, twin.strategy_weight = weight, weight * STRATEGY_UNIT
        acts = iteration > -threshold / game.largest_swing_chips
        twin.prune_probability = 0.7 if acts else 0.0
        twin.threshold = int(threshold * game.unit * weight)
        twin.floor = int(threshold * game.unit * weight * 31.0 / 30.0)
        utilities += twin.external(seed, iteration, *deal(game, seed, iteration))
        # Both add whole numbers; a sum that falls on a half may round either way, and what follows inherits it.
        np.testing.assert_allclose(tracker.table, twin.table, atol=4)
        twin.table[:] = tracker.table
    statistics = sampler.statistics
    assert statistics.decisions == twin.decisions
    assert statistics.terminals == twin.terminals
    assert statistics.actions_considered == twin.considered
    assert statistics.actions_pruned == twin.pruned
    np.testing.assert_allclose(statistics.utilities[:, 0], utilities, rtol=1e-9, atol=1e-3)


@given(game=small_games, seed=st.integers(0, 2**62), epsilon=st.sampled_from([0.1, 0.6, 1.0]))
@settings(max_examples=60)
def test_outcome_sampling(game: TrainingGame, seed: int, epsilon: float) -> None:
    config = MCCFRConfig(seed=seed, sampling="outcome", exploration_epsilon=epsilon)
    tracker = RegretTracker.allocate(game, np.float64)
    sampler = OutcomeSampler(config, tracker)
    twin = ReferenceSampler(
        game.tree, game.layout, game.unit, np.zeros((game.layout.entries, 2)), epsilon=epsilon, round_to_integers=False
    )
    utilities = np.zeros(game.num_players)
    for iteration in range(ITERATIONS):
        weight = 1.0 + iteration / ITERATIONS
        sampler.run(iteration, iteration + 1, weight, weight)
        twin.regret_weight = twin.strategy_weight = weight
        utilities += twin.outcome(seed, iteration, *deal(game, seed, iteration))
    # Sums of products in another order: relative errors of a few units in the last place.
    np.testing.assert_allclose(tracker.table, twin.table, rtol=1e-9, atol=1e-6)
    np.testing.assert_allclose(sampler.statistics.utilities[:, 0], utilities, rtol=1e-9, atol=1e-6)
    assert sampler.statistics.decisions == twin.decisions
    assert sampler.statistics.terminals == twin.terminals


def test_pruning_is_part_of_the_comparison() -> None:
    """Some of the random games above do prune, so the agreement is not empty."""
    from tests.mccfr.games import random_game

    pruned = 0
    for seed in range(10):
        game = random_game(seed, 3)
        sampler = ExternalSampler(MCCFRConfig(seed=seed, pruning_threshold=-1.0), RegretTracker.allocate(game))
        sampler.run(0, ITERATIONS, 1.0, 1.0)
        pruned += sampler.statistics.actions_pruned
    assert pruned > 0
