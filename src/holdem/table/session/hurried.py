"""An agent at a table that somebody may leave in the middle of a hand.

The hand is still played to its end, and nobody watches: a search that is going on answers with what it has, and from
then on its blueprint plays; other programs are not waited for.
"""

from collections.abc import Callable

from holdem.errors import RunFailed
from holdem.game.actions import Action
from holdem.game.agent import Agent, Observation
from holdem.realtime.search.agent import SearchAgent
from holdem.realtime.waiting import waited_for
from holdem.table.session.safe_action import check_or_fold


class Hurried:
    """Thinks until `gone` says yes."""

    def __init__(self, agent: Agent, gone: Callable[[], bool]) -> None:
        self._agent, self._gone = agent, gone

    @property
    def name(self) -> str:
        """The agent's."""
        return self._agent.name

    def act(self, observation: Observation) -> Action:
        """What the agent does; what its blueprint does if nobody waits for a search."""
        if self._gone() and isinstance(self._agent, SearchAgent):
            return self._agent.controller.blueprint.act(observation)
        try:
            with waited_for(self._gone):
                return self._agent.act(observation)
        except RunFailed:
            if not self._gone():
                raise
            return check_or_fold(observation.legal)  # another program, which was asked in vain
