"""What a searching agent says of all hands is what it drew from: AIVAT and range tracking rest on it.

Checked hand by hand against somebody whose bets no tree has, after the hand is over, with solves that end by their
iterations, by the clock, and not at all.
"""

from dataclasses import replace

import numpy as np
import pytest

from holdem.cards.cards import hole_index
from holdem.errors import HoldemError
from holdem.game.actions import Action
from holdem.game.agent import Agent, Observation
from holdem.game.game import Game
from holdem.game.play import play_hand
from holdem.realtime.search.agent import SearchAgent
from holdem.realtime.search.decision import Decision, Method
from holdem.realtime.search.request import SolveRequest
from holdem.realtime.search.street_resolver import StreetResolver
from holdem.realtime.search.street_solution import StreetSolution
from holdem.realtime.search_controller import SearchController
from holdem.types import SearchConfig
from tests.evaluation.outside_agent import OutsideAgent
from tests.realtime.blueprints import game_config, random_blueprint

FIXED = SearchConfig(iterations=5, min_iters=5)
BY_THE_CLOCK = SearchConfig(time_budget_ms=3, min_iters=1)


class Recording(SearchAgent):
    """Keeps what it saw and decided."""

    def __init__(self, config: SearchConfig, resolver: StreetResolver | None = None) -> None:
        super().__init__(SearchController(random_blueprint(), config, resolver=resolver))
        self.seen: list[tuple[Observation, Decision]] = []

    def act(self, observation: Observation) -> Action:
        action = super().act(observation)
        assert self.last_decision is not None and self.last_decision.chosen == action
        self.seen.append((observation, self.last_decision))
        return action


class Unreliable(StreetResolver):
    """Every third solve fails, as for want of time or memory."""

    count = 0

    def solve(self, request: SolveRequest) -> StreetSolution:
        self.count += 1
        if self.count % 3 == 0:
            raise HoldemError("no time")
        return super().solve(request)


def decisions_of(agent: Recording, deals: int) -> list[tuple[Observation, Decision]]:
    """All decisions of some hands from both seats; after each hand its decisions are looked at again."""
    game = Game(game_config())
    outside: Agent = OutsideAgent(3)
    decisions = []
    for deal in range(deals):
        for first, second in ((agent, outside), (outside, agent)):
            play_hand(game, [first, second], deal)
            for observation, decision in agent.seen:
                actions, table = agent.range_policy(observation.public())
                row = table[hole_index(*observation.hole_cards)]
                assert tuple(actions) == decision.actions
                assert len(set(actions)) == len(actions)
                assert row.tolist() == list(decision.probabilities)
                assert row[actions.index(decision.chosen)] > 0.0
                assert np.abs(table.sum(axis=1) - 1.0).max() < 1e-12
            decisions += agent.seen
            agent.seen = []
    return decisions


@pytest.mark.parametrize(
    ("config", "resolver", "methods"),
    [
        (FIXED, None, {Method.BLUEPRINT, Method.SEARCH}),
        (BY_THE_CLOCK, None, {Method.BLUEPRINT, Method.SEARCH}),
        (FIXED, Unreliable, {Method.BLUEPRINT, Method.SEARCH, Method.FALLBACK}),
    ],
)
def test_asked_after_the_hand_it_says_what_it_drew_from(
    config: SearchConfig, resolver: type[StreetResolver] | None, methods: set[Method]
) -> None:
    """Bit for bit, whatever ended the solve."""
    agent = Recording(config, None if resolver is None else resolver(random_blueprint()))
    decisions = decisions_of(agent, 12)
    assert {decision.method for _, decision in decisions} >= methods
    assert {len(observation.board) for observation, _ in decisions} >= {0, 4}


def test_actions_are_drawn_as_often_as_they_are_said_to_be() -> None:
    """Other deals of the same situation draw other numbers: counts are within four standard deviations."""
    agent = Recording(FIXED)
    mixed = [
        (observation, decision)
        for observation, decision in decisions_of(agent, 12)
        if decision.method is Method.SEARCH and sorted(decision.probabilities)[-2] > 0.05
    ]
    assert len(mixed) >= 3
    draws = 1_000
    for observation, decision in mixed[:3]:
        drawn = [agent.controller.decide(replace(observation, deal=deal)).chosen for deal in range(draws)]
        for action, chance in zip(decision.actions, decision.probabilities, strict=True):
            spread = np.sqrt(draws * chance * (1.0 - chance))
            assert abs(drawn.count(action) - draws * chance) <= 4.0 * spread + 1e-9
