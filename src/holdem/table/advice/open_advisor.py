"""The bot of a blueprint, with search or without, ready before the first hand."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from weakref import WeakSet

from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.buckets import PolicyBuckets, prepare_tables
from holdem.game.agent import observe
from holdem.game.game import Game
from holdem.policy.policy import AveragePolicy
from holdem.policy.run_names import named_run
from holdem.policy.unpacked_models import run_name
from holdem.realtime.search.agent import SearchAgent
from holdem.realtime.search.waiting_controller import SearchCompilation, search_is_ready
from holdem.table.advice.advisor import Advisor, Decide, blueprint_decision
from holdem.table.advice.rollout_tables import RolloutTables
from holdem.table.advice.rollouts import Rollouts
from holdem.types import GameConfig, SearchConfig
from holdem.util.logs import LOGGER
from holdem.util.parallel import available_cores

DEALS = 4_000
PATIENCE_MS, PATIENT_ITERATIONS = 500.0, 300
"""What advice to a person takes at least: then most solves are accurate to a tenth of a per cent of the pot."""
LOOK_SECONDS = 0.2
RIVER, ALL_RANKS = 3, 13
_WARMING = threading.Lock()
_WARM: "WeakSet[PolicyBuckets]" = WeakSet()


def trained_game(path: Path) -> GameConfig:
    """The game of a policy, read in milliseconds: what a table is checked against before anything is opened."""
    return AveragePolicy.load(named_run(path)).config


def can_be_searched(game: GameConfig) -> bool:
    """Whether streets of a game can be solved: it is hold'em with all cards."""
    return game.variant == "holdem" and len(game.ranks) == ALL_RANKS


@contextmanager
def open_bot(
    path: Path,
    search: SearchConfig | None = None,
    deals: int = DEALS,
    may_wait: bool = False,
    advises: bool = False,
) -> Iterator[tuple[BlueprintAgent, Advisor]]:
    """The blueprint of a run or an avg_policy.json, and the advisor that plays it.

    With `search`, subgames are solved from the flop on; its processes start here. A bot that `may_wait` plays the
    blueprint until the search is compiled and bucket tables are built, if they are not yet. Where nothing was solved,
    what actions are worth is estimated by rollouts with so many deals, or not at all with 0.

    One that `advises` plays nothing: it takes both ranges as the betting leaves them, so that frequencies and worth
    belong together, and tells how accurate they are. A bot at a table also guards against hands that an opponent should
    not have (a safe root), which costs something against those that he should.
    """
    game = trained_game(path)
    if search is None or (advises and not can_be_searched(game)):
        blueprint = BlueprintAgent.open(path, name="blueprint")
        yield blueprint, make_advisor(blueprint, partial(blueprint_decision, blueprint), deals, may_wait=may_wait)
        return
    workers = search.num_workers or available_cores()
    many = workers > 1 and game.num_players > 2
    LOGGER.info(
        "opening %s; %s", run_name(path), f"{workers} solver processes start" if many else "the solver warms up"
    )
    if advises:
        search = search.model_copy(update={"root": "unsafe"})
    searcher = SearchAgent.open(path, search, may_wait=may_wait, advises=advises)
    try:
        blueprint = searcher.controller.blueprint
        decide, counts = searcher.controller.decide, searcher.controller.counts
        advisor = make_advisor(blueprint, decide, deals, counts, 0, may_wait)
        advisor.decide_with = searcher.controller.decide_with if advises else None
        yield blueprint, advisor
    finally:
        searcher.close()


def prepare_bot(path: Path, search: SearchConfig | None, gone: Callable[[], bool]) -> None:
    """Compile and build what a bot that is opened now would lack, in processes of their own: where others play beside
    it, a thread that does it would hold them up. Returns when that is done, or when whoever waits is `gone`.
    """
    blueprint = BlueprintAgent.open(path)
    searches = search is not None and can_be_searched(blueprint.policy.config)
    if searches and not search_is_ready(blueprint):
        _wait(SearchCompilation.of(str(path), blueprint).over, gone)
    if Rollouts(blueprint, DEALS).lacks_tables and (tables := RolloutTables.of(blueprint)) is not None:
        _wait(tables.over, gone)


def _wait(over: threading.Event, gone: Callable[[], bool]) -> None:
    while not (over.wait(LOOK_SECONDS) or gone()):
        pass


def patient(search: SearchConfig | None) -> SearchConfig | None:
    """The search of a table with the time that a person who asks for advice gives it, without processes of its own."""
    if search is None:
        return None
    time_ms, iterations = max(search.time_budget_ms, PATIENCE_MS), max(search.min_iters, PATIENT_ITERATIONS)
    return search.model_copy(update={"time_budget_ms": time_ms, "min_iters": iterations, "num_workers": 1})


def make_advisor(
    blueprint: BlueprintAgent,
    decide: Decide,
    deals: int = DEALS,
    counts: Counter[str] | None = None,
    last_street: int = RIVER,
    may_wait: bool = False,
) -> Advisor:
    """An advisor that has warmed up, to the last street on which it estimates.

    Rollouts need bucket tables. One that `may_wait` estimates nothing until they are built, if they are not there.
    """
    advisor = Advisor(decide, _open_rollouts(blueprint, deals, may_wait) if deals else None, counts)
    _warm_up(advisor, blueprint, last_street)
    return advisor


def _open_rollouts(blueprint: BlueprintAgent, deals: int, may_wait: bool) -> Rollouts | None:
    """Rollouts, whose tables may still be built; None where there can be none."""
    rollouts = Rollouts(blueprint, deals)
    if rollouts.lacks_tables:
        if may_wait and RolloutTables.of(blueprint) is not None:
            return rollouts
        prepare_tables(blueprint.buckets)
    if rollouts.why_not:
        LOGGER.info("what actions are worth is not computed: %s", rollouts.why_not)
        return None
    return rollouts


def _warm_up(advisor: Advisor, blueprint: BlueprintAgent, last_street: int) -> None:
    """Compile, and read the tables for the first time, before anybody waits for it: one hand that is checked down.

    The agents of a policy share its arrays, so once is enough for all of them. One decision of a street compiles
    whatever the others need.
    """
    with _WARMING:
        if blueprint.buckets in _WARM:
            return
        hand = Game(blueprint.policy.config).new_hand(0)
        seen: set[int] = set()
        while hand.actor is not None and hand.street <= last_street:
            if hand.street not in seen:
                advisor.recommend(observe(hand))
            seen.add(hand.street)
            hand.check_or_call()
        advisor.forget_counts()
        _WARM.add(blueprint.buckets)
