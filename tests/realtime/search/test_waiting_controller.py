"""The blueprint plays until a process has compiled the search, and no hand is changed in the middle."""

import time
from pathlib import Path

import pytest

from holdem.cli.compile_jobs import RUN, TRAINING, prepare
from holdem.game.actions import Action
from holdem.game.agent import Observation, observe
from holdem.game.game import Game
from holdem.realtime.search.agent import SearchAgent
from holdem.realtime.search.decision import Method
from holdem.realtime.search.waiting_controller import WaitingController, search_is_compiled
from holdem.types import SearchConfig
from holdem.util.jit import cache_folder

PATIENCE_SECONDS = 300.0


def seen_after(decisions: int) -> Observation:
    """What the seat to act sees after so many checks and calls."""
    hand = Game.from_preset("headsup_100bb").new_hand(5)
    for _ in range(decisions):
        hand.act(Action.check_or_call())
    return observe(hand, deal=5)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("waiting")
    prepare(folder)
    assert TRAINING.start(folder).wait() == 0, TRAINING.last_words(folder)
    return folder / RUN


def test_the_blueprint_plays_until_the_search_is_compiled(run: Path) -> None:
    (cache_folder() / "search_of_2_players.compiled").unlink(missing_ok=True)
    agent = SearchAgent.open(run, SearchConfig(iterations=5, min_iters=5), may_wait=True)
    controller = agent.controller
    assert isinstance(controller, WaitingController) and not search_is_compiled(2)
    first, flop = seen_after(0), seen_after(2)
    assert controller.decide(first).method is Method.BLUEPRINT
    waiting = controller.decide(flop)
    assert waiting.method is Method.BLUEPRINT and waiting.note == "the search is still being compiled"
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not controller._compilation.ready and time.monotonic() < deadline:
        time.sleep(0.05)
    assert search_is_compiled(2)
    # In the middle of a hand nothing changes; from the next one on there is a search.
    assert controller.decide(flop).method is Method.BLUEPRINT
    controller.decide(first)
    assert controller.decide(flop).method is Method.SEARCH
    # Who comes later need not wait.
    assert not isinstance(SearchAgent.open(run, may_wait=True).controller, WaitingController)
