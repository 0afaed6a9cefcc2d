"""An agent that searches: the blueprint before the flop, a solve of the real situation afterwards."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from holdem.blueprint.buckets import PolicyBuckets
from holdem.game.actions import Action
from holdem.game.agent import Observation, PublicState
from holdem.policy.policy import AveragePolicy
from holdem.realtime.parallel_resolver import ParallelSubgameResolver
from holdem.realtime.search.decision import Decision
from holdem.realtime.search.measured_costs import calibrate_once
from holdem.realtime.search.street_resolver import StreetResolver, open_resolver
from holdem.realtime.search.waiting_controller import (
    SearchCompilation,
    WaitingController,
    mark_search,
    search_is_ready,
)
from holdem.realtime.search_controller import SearchController
from holdem.types import SearchConfig
from holdem.util.compiling import COMPILATIONS, SEARCH


def _shared_resolver(path: str, config: SearchConfig, local: StreetResolver) -> StreetResolver:
    """The resolver of an agent; with several workers, when they are ready."""
    if config.num_workers == 1:
        return local
    shared = ParallelSubgameResolver(partial(open_resolver, path, tables=False), config.num_workers, local)
    shared.wait_until_ready()
    return shared


class SearchAgent:
    """A `RangeAgent` whose strategy is what its controller solves; `range_policy` and `act` share the solve."""

    def __init__(self, controller: SearchController, name: str | None = None) -> None:
        self.controller = controller
        self._name = name or f"search:{controller.blueprint.name}"
        self.on_decision: Callable[[Decision], None] | None = None
        """Told of every decision that `act` makes."""
        self.last_decision: Decision | None = None

    @classmethod
    def open(
        cls,
        path: Path | str,
        config: SearchConfig | None = None,
        *,
        name: str | None = None,
        seed: int = 0,
        may_wait: bool = False,
        advises: bool = False,
    ) -> "SearchAgent":
        """A searching agent with the blueprint of a run; one that `may_wait` plays by it while search is compiled
        and its bucket tables are built.

        One that `advises` tells how accurate its solves are, and solves with any hand.
        """
        config, name = config or SearchConfig(), name or f"search:{path}"
        local = open_resolver(str(path), tables=not may_wait)
        blueprint = local.blueprint
        players = blueprint.policy.config.num_players
        open_own = partial(_shared_resolver, str(path), config, local)
        if may_wait and not search_is_ready(blueprint):
            compilation = SearchCompilation.of(str(path), blueprint)
            return cls(WaitingController(blueprint, config, seed, compilation, open_own, advises), name)
        COMPILATIONS.expect(SEARCH)
        controller = SearchController(blueprint, config, open_own(), seed, advises)
        if controller.config.iterations is None:
            calibrate_once(controller)
            mark_search(players)
            COMPILATIONS.finished()
        return cls(controller, name)

    def close(self) -> None:
        """End the resident processes, if there are any."""
        if isinstance(self.controller.resolver, ParallelSubgameResolver):
            self.controller.resolver.close()

    @property
    def name(self) -> str:
        """What reports call it."""
        return self._name

    @property
    def policy(self) -> AveragePolicy:
        """The blueprint's."""
        return self.controller.blueprint.policy

    @property
    def buckets(self) -> PolicyBuckets:
        """The blueprint's."""
        return self.controller.blueprint.buckets

    def act(self, observation: Observation) -> Action:
        """Search, and draw an action with the probabilities found."""
        decision = self.controller.decide(observation)
        self.last_decision = decision
        if self.on_decision is not None:
            self.on_decision(decision)
        return decision.chosen

    def range_policy(self, public_state: PublicState) -> tuple[list[Action], npt.NDArray[np.float64]]:
        """Its actions, and (1326, actions) their probabilities for each hole pair."""
        return self.controller.range_policy(public_state)
