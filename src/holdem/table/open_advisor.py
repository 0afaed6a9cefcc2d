"""An advisor for a blueprint, with search or without, ready before the first hand."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from holdem.errors import ArtifactError
from holdem.evaluation.blueprint_agent import BlueprintAgent
from holdem.game.agent import observe
from holdem.game.game import Game
from holdem.realtime.search_agent import leaf_values_of
from holdem.realtime.search_controller import SearchController
from holdem.table.advisor import Advisor, blueprint_decision
from holdem.table.rollouts import Rollouts
from holdem.types import SearchConfig
from holdem.util.logs import LOGGER

DEALS = 1_000
DEFAULT_POLICY = Path("runs/blueprint/avg_policy.json")


def open_blueprint(path: Path) -> BlueprintAgent:
    """The blueprint of a run or an avg_policy.json; the sentence of a missing one says how to make it."""
    if not path.exists():
        raise ArtifactError(f"{path} does not exist; make train trains a blueprint into runs/blueprint in two minutes")
    return BlueprintAgent.open(path, name="blueprint")


@contextmanager
def open_advisor(
    blueprint: BlueprintAgent, search: SearchConfig | None = None, deals: int = DEALS
) -> Iterator[Advisor]:
    """`search` solves subgames from the flop on, its processes start here; where nothing was solved, what actions are
    worth is estimated by rollouts with so many deals, or not at all with 0."""
    rollouts = Rollouts(blueprint, deals) if deals else None
    if rollouts is not None and rollouts.why_not:
        LOGGER.info("what actions are worth is not computed: %s", rollouts.why_not)
        rollouts = None
    if search is None:
        advisor = Advisor(lambda observation: blueprint_decision(blueprint, observation), rollouts)
        _warm_up(advisor, blueprint)
        yield advisor
        return
    controller = SearchController(blueprint, search, leaf_values_of(blueprint))
    advisor = Advisor(controller.decide, rollouts)
    _warm_up(advisor, blueprint)
    yield advisor


def _warm_up(advisor: Advisor, blueprint: BlueprintAgent) -> None:
    """Compile, and read the tables for the first time, before anybody waits for it: one hand that is checked down."""
    hand = Game(blueprint.policy.config).new_hand(0)
    while hand.actor is not None:
        advisor.recommend(observe(hand))
        hand.check_or_call()
    advisor.forget_counts()
