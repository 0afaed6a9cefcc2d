"""An agent that searches: the blueprint before the flop, a solve of the real situation afterwards."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from holdem.errors import ArtifactError
from holdem.evaluation.blueprint_agent import BlueprintAgent
from holdem.evaluation.leaf_values import LeafValues
from holdem.game.actions import Action
from holdem.game.agent import Observation, PublicState
from holdem.realtime.decision import Decision
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
        """A searching agent with the blueprint of a run, and its leaf values if they were computed."""
        blueprint = BlueprintAgent.open(path)
        controller = SearchController(blueprint, config, leaf_values_of(blueprint), seed=seed)
        if controller.config.iterations is None:
            controller.calibrate()
        return cls(controller, name or f"search:{path}")

    @property
    def name(self) -> str:
        """What reports call it."""
        return self._name

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


def leaf_values_of(blueprint: BlueprintAgent) -> LeafValues | None:
    """The leaf values beside a heads-up blueprint, None if nobody computed them."""
    if blueprint.policy.config.num_players != 2 or blueprint.policy.path is None:
        return None
    try:
        return LeafValues.open(blueprint.policy)
    except ArtifactError as error:
        if "missing" in str(error):
            return None
        raise
