"""Agents at a table: a self-match in duplicate is exactly zero, whatever the agent draws."""

import pytest

from holdem.errors import ConfigError, IllegalAction
from holdem.game import Action, Game, GameConfig, Observation, play_duplicate, play_hand


class RandomAgent:
    """Draws everything from the observation's own stream."""

    def __init__(self, name: str) -> None:
        self.name = name

    def act(self, observation: Observation) -> Action:
        generator = observation.random()
        legal = observation.legal
        choice = generator.random()
        if legal.min_raise_to is not None and legal.max_raise_to is not None and choice < 0.3:
            return Action.raise_to(int(generator.integers(legal.min_raise_to, legal.max_raise_to + 1)))
        return Action.fold() if legal.can_fold and choice < 0.5 else Action.check_or_call()


class Folder:
    name = "folder"

    def act(self, observation: Observation) -> Action:
        return Action.fold()


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_duplicate_self_match_is_exactly_zero(seats: int) -> None:
    game = Game(GameConfig(num_players=seats, stacks=tuple(2000 + 700 * seat for seat in range(seats))))
    agents = [RandomAgent(f"copy {number}") for number in range(seats)]
    for deal in range(25):
        assert play_duplicate(game, agents, deal) == (0,) * seats


@pytest.mark.parametrize("button", range(4))
def test_a_deal_is_the_same_wherever_the_button_is(button: int) -> None:
    game = Game(GameConfig(num_players=4))
    agents = [RandomAgent("random")] * 4
    there = play_hand(game, agents, 11, button=button)
    here = play_hand(game, agents, 11)
    assert [there.payoffs[there.seat_at(p)] for p in range(4)] == [here.payoffs[here.seat_at(p)] for p in range(4)]


def test_the_same_seed_plays_the_same_hand() -> None:
    game = Game(GameConfig(num_players=3))
    agents = [RandomAgent("random")] * 3
    assert play_hand(game, agents, 9).records == play_hand(game, agents, 9).records
    assert play_hand(game, agents, 9).records != play_hand(game, agents, 10).records


def test_an_illegal_action_names_the_agent() -> None:
    game = Game(GameConfig())

    class Caller(Folder):
        def act(self, observation: Observation) -> Action:
            return Action.check_or_call()

    with pytest.raises(IllegalAction, match="agent folder: seat 0 cannot fold when there is nothing to call"):
        play_hand(game, [Folder(), Caller()], 1)


def test_every_seat_needs_an_agent() -> None:
    with pytest.raises(ConfigError, match="1 agents for 2 seats"):
        play_hand(Game(GameConfig()), [Folder()], 1)
