"""The bot of a blueprint, with search or without, ready before the first hand."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from weakref import WeakSet

from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.buckets import PolicyBuckets
from holdem.game.agent import observe
from holdem.game.game import Game
from holdem.policy.policy import AveragePolicy
from holdem.policy.run_names import named_run
from holdem.realtime.search.agent import SearchAgent
from holdem.table.advice.advisor import Advisor, Decide, blueprint_decision
from holdem.table.advice.rollouts import Rollouts
from holdem.types import GameConfig, SearchConfig
from holdem.util.logs import LOGGER
from holdem.util.parallel import available_cores

DEALS = 1_000
_WARMING = threading.Lock()
_WARM: "WeakSet[PolicyBuckets]" = WeakSet()


def trained_game(path: Path) -> GameConfig:
    """The game of a policy, read in milliseconds: what a table is checked against before anything is opened."""
    return AveragePolicy.load(named_run(path)).config


@contextmanager
def open_bot(
    path: Path, search: SearchConfig | None = None, deals: int = DEALS, may_wait: bool = False
) -> Iterator[tuple[BlueprintAgent, Advisor]]:
    """The blueprint of a run or an avg_policy.json, and the advisor that plays it.

    With `search`, subgames are solved from the flop on; its processes start here. A bot that `may_wait` plays the
    blueprint until the search is compiled, if it is not yet. Where nothing was solved, what actions are worth is
    estimated by rollouts with so many deals, or not at all with 0.
    """
    players = trained_game(path).num_players
    if search is None:
        blueprint = BlueprintAgent.open(path, name="blueprint")
        yield blueprint, make_advisor(blueprint, lambda observation: blueprint_decision(blueprint, observation), deals)
        return
    workers = search.num_workers or available_cores()
    many = workers > 1 and players > 2
    LOGGER.info("opening %s; %s", path, f"{workers} solver processes start" if many else "the solver warms up")
    searcher = SearchAgent.open(path, search, may_wait=may_wait)
    try:
        blueprint = searcher.controller.blueprint
        yield blueprint, make_advisor(blueprint, searcher.controller.decide, deals, searcher.controller.counts)
    finally:
        searcher.close()


def make_advisor(
    blueprint: BlueprintAgent, decide: Decide, deals: int = DEALS, counts: Counter[str] | None = None
) -> Advisor:
    """An advisor that has warmed up."""
    rollouts = Rollouts(blueprint, deals) if deals else None
    if rollouts is not None and rollouts.why_not:
        LOGGER.info("what actions are worth is not computed: %s", rollouts.why_not)
        rollouts = None
    advisor = Advisor(decide, rollouts, counts)
    _warm_up(advisor, blueprint)
    return advisor


def _warm_up(advisor: Advisor, blueprint: BlueprintAgent) -> None:
    """Compile, and read the tables for the first time, before anybody waits for it: one hand that is checked down.

    The agents of a policy share its arrays, so once is enough for all of them. One decision of a street compiles
    whatever the others need.
    """
    with _WARMING:
        if blueprint.buckets in _WARM:
            return
        hand = Game(blueprint.policy.config).new_hand(0)
        seen: set[int] = set()
        while hand.actor is not None:
            if hand.street not in seen:
                advisor.recommend(observe(hand))
            seen.add(hand.street)
            hand.check_or_call()
        advisor.forget_counts()
        _WARM.add(blueprint.buckets)
