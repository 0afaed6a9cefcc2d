"""An agent that searches: the blueprint before the flop, a solve of the real situation afterwards."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from holdem.game.actions import Action
from holdem.game.agent import Observation, PublicState
from holdem.policy.policy import AveragePolicy
from holdem.realtime.parallel_resolver import ParallelSubgameResolver
from holdem.realtime.search.decision import Decision
from holdem.realtime.search.measured_costs import calibrate_once
from holdem.realtime.search.street_resolver import open_resolver
from holdem.realtime.search_controller import SearchController
from holdem.types import SearchConfig


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
        cls, path: Path | str, config: SearchConfig | None = None, *, name: str | None = None, seed: int = 0
    ) -> "SearchAgent":
        """A searching agent with the blueprint of a run."""
        resolver = open_resolver(str(path))
        config = config or SearchConfig()
        if config.num_workers != 1:
            resolver = ParallelSubgameResolver(partial(open_resolver, str(path)), config.num_workers, resolver)
            resolver.wait_until_ready()
        controller = SearchController(resolver.blueprint, config, resolver, seed)
        if controller.config.iterations is None:
            calibrate_once(controller)
        return cls(controller, name or f"search:{path}")

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
