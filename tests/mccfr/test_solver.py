"""Solved games: values and exploitabilities that are known, and runs that can be cut anywhere."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdem.cards import parse_cards
from holdem.errors import ConfigError
from holdem.evaluation.response.jam_or_fold import JamOrFold
from holdem.game.toy_games import bucket_of, toy_game
from holdem.mccfr.sampling.sampler import Sampler
from holdem.mccfr.solver import MCCFRSolver
from holdem.mccfr.training_game import TrainingGame
from holdem.types import MCCFRConfig
from tests.mccfr.games import best_response, kuhn

LEDUC = TrainingGame.from_preset("leduc")


def exploitability(solver: MCCFRSolver) -> float:
    return best_response(solver.game).exploitability(solver.tracker.average_strategy_table())


def trained(game: TrainingGame, iterations: int, **settings: object) -> MCCFRSolver:
    solver = MCCFRSolver(MCCFRConfig.model_validate(settings), game)
    solver.run(iterations)
    return solver


@pytest.mark.parametrize("sampling", ["external", "outcome"])
def test_kuhn(sampling: str) -> None:
    solver = trained(kuhn(), 2_000_000, sampling=sampling, seed=1)
    assert exploitability(solver) < (0.001 if sampling == "external" else 0.003)
    solver.statistics.reset()
    solver.run(1_000_000)
    statistics = solver.statistics
    # While both learn, play is worth -1/18 up to the regrets, far smaller here than the noise of a million hands.
    for player, value in ((0, -1 / 18), (1, 1 / 18)):
        assert abs(statistics.value_chips(player) - value) < 4 * statistics.standard_error_chips(player)
    assert statistics.standard_error_chips(0) < 0.005


# Settings whose average has the weights of the regrets, or less weight on the end.
CONVERGING = [
    pytest.param({}, id="linear"),
    pytest.param({"discount_interval": 500}, id="linear, short periods"),
    pytest.param({"discount_interval": 0}, id="none"),
    pytest.param({"regret_discount_alpha": 1.5, "strategy_discount_beta": 0.0}, id="alpha 1.5, plain average"),
]


@pytest.mark.parametrize("settings", CONVERGING)
def test_leduc(settings: dict[str, float]) -> None:
    assert exploitability(trained(LEDUC, 4_500_000, seed=2, **settings)) < 0.01


def test_leduc_with_pruning_that_acts() -> None:
    solver = trained(LEDUC, 6_000_000, seed=2, pruning_threshold=-3000.0)
    assert solver.statistics.actions_pruned > 100_000
    assert solver.tracker.regrets.min() >= -2 * 3100 * LEDUC.unit
    assert exploitability(solver) < 0.01


def test_leduc_by_outcome_sampling() -> None:
    assert exploitability(trained(LEDUC, 16_000_000, seed=2, sampling="outcome")) < 0.03


@pytest.mark.slow
def test_leduc_by_outcome_sampling_for_long() -> None:
    assert exploitability(trained(LEDUC, 120_000_000, seed=2, sampling="outcome")) < 0.01


@pytest.mark.slow
def test_leduc_for_long() -> None:
    """Further than the suite's 0.01: sums that fill up and are halved too early stop near 0.008."""
    assert exploitability(trained(LEDUC, 60_000_000, seed=2)) < 0.003


def test_three_player_kuhn_gets_closer_to_equilibrium() -> None:
    game = kuhn(3)
    evaluator = best_response(game)
    solver = MCCFRSolver(MCCFRConfig(seed=4), game)
    gaps = []
    for iterations in (1_000, 30_000, 600_000):
        solver.run(iterations - solver.iteration)
        gaps.append(evaluator.nash_conv(solver.tracker.average_strategy_table()))
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 0.02


def test_jam_or_fold() -> None:
    """Ten big blinds, all 169 hands: less than a thousandth of a big blind from equilibrium."""
    solver = trained(TrainingGame.from_preset("jam_or_fold_10bb"), 16_000_000, seed=1)
    game = solver.game
    assert game.tree.counts.decision_nodes == 2
    assert JamOrFold(game.tree, game.layout).exploitability_mbb(solver.tracker.average_strategy_table()) < 1.0


def test_short_rank_holdem_does_not_fold_aces() -> None:
    solver = trained(TrainingGame.from_preset("short_rank"), 200_000, seed=1)
    cards = toy_game(solver.game.config)
    assert solver.game.tree.describe_action(solver.game.tree.children(0)[0]) == "fold"
    for hole in combinations(parse_cards("AcAdAhAs"), 2):
        assert solver.tracker.average_strategy(0, bucket_of(cards, hole, ()))[0] < 0.02


@pytest.mark.parametrize("sampling", ["external", "outcome"])
@given(cuts=st.lists(st.integers(1, 6_000), max_size=5), seed=st.integers(0, 3))
@settings(max_examples=15)
def test_a_run_can_be_cut_anywhere(sampling: str, cuts: list[int], seed: int) -> None:
    """Pieces of any length, each with a new solver on the saved table: the same bytes as one piece."""
    config = MCCFRConfig.model_validate(
        {
            "sampling": sampling,
            "seed": seed,
            "discount_interval": 700,
            "regret_discount_alpha": 1.2,
            "pruning_threshold": -50_000.0,
        }
    )
    whole = MCCFRSolver(config, LEDUC)
    whole.run(6_500)
    table, iteration = None, 0
    for stop in [*sorted(cuts), 6_500]:
        part = MCCFRSolver(config, LEDUC, table=table, iteration=iteration)
        part.run(stop - part.iteration)
        table, iteration = part.tracker.table.copy(), part.iteration
    assert iteration == 6_500
    assert table is not None
    assert table.tobytes() == whole.tracker.table.tobytes()


def test_seeds_and_streams() -> None:
    tables = []
    for seed, stream_start in ((1, 0), (1, 0), (2, 0), (1, 9)):
        solver = MCCFRSolver(MCCFRConfig(seed=seed), LEDUC, stream_start=stream_start)
        solver.run(1_000)
        tables.append(solver.tracker.table)
    first, again, other_seed, other_stream = tables
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other_seed)
    assert not np.array_equal(first, other_stream)


def test_samplers_have_one_protocol() -> None:
    samplers: list[Sampler] = [trained(kuhn(), 10, sampling=kind).sampler for kind in ("external", "outcome")]
    for sampler in samplers:
        assert sampler.statistics.iterations == 10
        assert sampler.statistics.nodes > 20


def test_wrong_number_of_players_is_refused() -> None:
    with pytest.raises(ConfigError, match="for 2 players, not for 3"):
        MCCFRSolver(MCCFRConfig(), kuhn(), num_players=3)
    with pytest.raises(ValueError, match="exploration_epsilon"):
        MCCFRConfig(sampling="outcome", exploration_epsilon=0.0)
