"""Exact best responses against OpenSpiel's, known equilibria, and the plain twin that lists every deal."""

import time

import numpy as np
import pyspiel
import pytest

from holdem.abstraction.betting.toy_infosets import toy_infosets
from holdem.errors import ConfigError
from holdem.evaluation.response.exact import BestResponse, DealList, exploitability, nash_conv
from tests.evaluation.tables import Toy, openspiel_policy, random_strategy, toy, uniform_strategy

SAME_GAMES = [
    pytest.param(toy("kuhn"), "kuhn_poker", id="kuhn"),
    pytest.param(toy("kuhn", num_players=3), "kuhn_poker(players=3)", id="kuhn-3-players"),
    pytest.param(toy("leduc"), "leduc_poker", id="leduc"),
]


@pytest.mark.parametrize(("game", "name"), SAME_GAMES)
def test_nash_conv_and_exploitability_are_openspiels(game: Toy, name: str) -> None:
    evaluator = BestResponse(game.game, game.tree, game.layout)
    openspiel = pyspiel.load_game(name)
    for seed in range(4):
        strategy = random_strategy(game.tree, game.buckets, game.layout, seed)
        policy = pyspiel.TabularPolicy(openspiel_policy(game, strategy))
        expected = pyspiel.nash_conv(openspiel, policy, False)
        assert evaluator.nash_conv(strategy) == pytest.approx(expected, abs=1e-9)
        assert evaluator.exploitability(strategy) == pytest.approx(expected / game.tree.num_players, abs=1e-9)
        values = pyspiel.expected_returns(openspiel.new_initial_state(), policy, -1, False)
        assert evaluator.expected_values(strategy) == pytest.approx(values, abs=1e-9)


def test_openspiels_own_exploitability_of_the_uniform_strategy() -> None:
    game = toy("leduc")
    strategy = uniform_strategy(game.tree, game.buckets, game.layout)
    expected = pyspiel.exploitability(pyspiel.load_game("leduc_poker"), openspiel_policy(game, strategy))
    assert exploitability(game.game, game.tree, game.layout, strategy) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("alpha", [0.0, 0.2, 1 / 3])
def test_kuhns_equilibria_cannot_be_exploited(alpha: float) -> None:
    """Kuhn 1950: with alpha in [0, 1/3] the first player bluffs the jack with alpha and bets the king with 3 alpha."""
    game = toy("kuhn")
    bets = {"0": alpha, "1": 0.0, "2": 3 * alpha, "0pb": 0.0, "1pb": alpha + 1 / 3, "2pb": 1.0}
    bets |= {"0p": 1 / 3, "1p": 0.0, "2p": 1.0, "0b": 0.0, "1b": 1 / 3, "2b": 1.0}
    strategy = np.zeros(game.layout.entries)
    for start, name in openspiel_rows(game):
        strategy[start : start + 2] = (1 - bets[name], bets[name])
    responses = BestResponse(game.game, game.tree, game.layout).responses(strategy)
    assert responses.exploitability == pytest.approx(0.0, abs=1e-12)
    assert responses.expected == pytest.approx([-1 / 18, 1 / 18], abs=1e-12)
    assert responses.best == pytest.approx([-1 / 18, 1 / 18], abs=1e-12)


def openspiel_rows(game: Toy) -> list[tuple[int, str]]:
    rows = toy_infosets(game.game, game.tree)
    return [(game.layout.row_start(row.node, row.bucket), row.information_state) for row in rows]


# Eight cards, two streets, a preflop all-in among the terminals.
TINY_HOLDEM = toy(
    "short_rank", ranks="TJ", betting={"sizes": {"preflop": "a", "flop": "a"}, "max_raises": [1, 1, 0, 0]}
)


@pytest.mark.parametrize("game", [toy("kuhn"), toy("leduc"), TINY_HOLDEM], ids=["kuhn", "leduc", "short_rank"])
def test_matrices_and_listed_deals_agree(game: Toy) -> None:
    fast = BestResponse(game.game, game.tree, game.layout)
    plain = BestResponse(game.game, game.tree, game.layout)
    plain.terminals = DealList(game.game, game.tree)
    for seed in range(3):
        strategy = random_strategy(game.tree, game.buckets, game.layout, seed)
        one, other = fast.responses(strategy), plain.responses(strategy)
        # Sums of at most a few thousand terms of at most 1,000 chips: rounding stays far below 1e-9.
        assert one.best == pytest.approx(other.best, abs=1e-9)
        assert one.expected == pytest.approx(other.expected, abs=1e-9)
        assert one.expected.sum() == pytest.approx(0.0, abs=1e-9)
        assert (one.best >= one.expected - 1e-9).all()


def test_it_is_fast_enough_to_follow_training() -> None:
    game = toy("leduc")
    evaluator = BestResponse(game.game, game.tree, game.layout)
    strategy = uniform_strategy(game.tree, game.buckets, game.layout)
    evaluator.exploitability(strategy)
    times = []
    for _ in range(5):
        start = time.thread_time()
        evaluator.exploitability(strategy)
        times.append(time.thread_time() - start)
    assert min(times) < 0.05  # of the processor: about 2 ms on a server core; the slack is for a busy machine


def test_tables_that_are_no_strategies_are_refused() -> None:
    game = toy("kuhn")
    strategy = uniform_strategy(game.tree, game.buckets, game.layout)
    with pytest.raises(ValueError, match="sum to"):
        nash_conv(game.game, game.tree, game.layout, strategy * 2)
    with pytest.raises(ValueError, match="shape"):
        nash_conv(game.game, game.tree, game.layout, strategy[:-1])
    other = toy("kuhn", num_players=3)
    with pytest.raises(ValueError, match="entries"):
        BestResponse(game.game, game.tree, other.layout)


def test_games_that_cannot_be_enumerated_are_refused() -> None:
    with pytest.raises(ConfigError, match="one or two streets"):
        game = toy("short_rank", ranks="TJ", board_cards=(0, 3, 4))
        BestResponse(game.game, game.tree, game.layout)
    with pytest.raises(ConfigError, match="deals"):
        game = toy("short_rank", num_players=3)
        BestResponse(game.game, game.tree, game.layout)
