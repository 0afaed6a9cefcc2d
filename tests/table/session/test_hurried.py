"""Bots that nobody waits for: searches end at once with what they have, and the blueprint plays on."""

import threading
import time
from itertools import count

import pytest

from holdem.game.actions import Action
from holdem.game.agent import Observation, observe
from holdem.game.game import Game
from holdem.realtime.search.agent import SearchAgent
from holdem.realtime.search.decision import Decision, Method
from holdem.realtime.search_controller import SearchController
from holdem.realtime.waiting import nobody_waits, waited_for
from holdem.table.session.hurried import Hurried
from holdem.types import SearchConfig
from tests.realtime.blueprints import CALL, game_config, random_blueprint

AGES = SearchConfig(time_budget_ms=60_000, min_iters=10_000_000)
"""Nobody sees the end of such a search."""
LOOKS = 100
"""A search looks every few milliseconds whether somebody waits: so often somebody does."""
LONG_SECONDS = 120.0


def on_the_river(players: int) -> Observation:
    hand = Game(game_config(players)).new_hand(4)
    for action in [Action.raise_to(300), *[CALL] * (4 * players - 2)]:
        if hand.street < 3:
            hand.act(action)
    assert hand.street == 3
    return observe(hand, deal=7)


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3])
def test_a_search_in_the_middle_of_it_ends_and_answers(players: int) -> None:
    seen: list[Decision] = []
    searcher = SearchAgent(SearchController(random_blueprint(players), AGES))
    searcher.on_decision = seen.append
    looks = count()
    bot = Hurried(searcher, lambda: next(looks) >= LOOKS)
    observation = on_the_river(players)
    SearchController(random_blueprint(players), SearchConfig(iterations=4, min_iters=4)).decide(observation)  # compiles
    start = time.monotonic()
    assert observation.legal.allows(bot.act(observation))
    assert time.monotonic() - start < LONG_SECONDS
    assert [decision.method for decision in seen] == [Method.SEARCH]
    assert 0 < seen[0].iterations < AGES.min_iters
    again = bot.act(observation)  # nobody is there: what the blueprint draws, without a search
    assert again == searcher.controller.blueprint.act(observation)
    assert len(seen) == 1


def test_only_the_thread_that_was_told_so_hurries() -> None:
    found: list[bool] = []
    with waited_for(lambda: True):
        assert nobody_waits()
        other = threading.Thread(target=lambda: found.append(nobody_waits()))
        other.start()
        other.join()
        with waited_for(lambda: False):
            assert not nobody_waits()
        assert nobody_waits()
    assert found == [False]
    assert not nobody_waits()
