"""Bucket tables for rollouts, built while somebody plays: until then nothing is said of what actions are worth.

A process of its own builds them into the user's cache and compiles the rollouts; then a thread of this process opens
what lies there. Everybody who shares the buckets of the policy has them from then on.
"""

import threading
from multiprocessing.connection import Connection

from holdem.abstraction.buckets.cached_tables import can_be_built
from holdem.blueprint.agent import BlueprintAgent
from holdem.errors import HoldemError
from holdem.game.agent import observe
from holdem.game.game import Game
from holdem.table.advice.advisor import blueprint_decision
from holdem.table.advice.rollouts import Rollouts
from holdem.util.compiling import COMPILATIONS
from holdem.util.logs import LOGGER
from holdem.util.processes import CLOSING, PipedProcess, end_with_parent, telling_errors

END_SECONDS = 10.0
"""For the process to end after its last word."""
WARMING_DEALS = 20
_RUNNING: "dict[int, RolloutTables]" = {}
_STARTING = threading.Lock()


class RolloutTables:
    """A build that is going on, for all agents of this process that share their buckets."""

    def __init__(self, blueprint: BlueprintAgent) -> None:
        self.over = threading.Event()
        """Set when they are there, or cannot be built."""
        self._blueprint = blueprint
        self._process = PipedProcess(build_tables, (str(blueprint.policy.path),), "bucket tables")
        COMPILATIONS.say("what actions are worth is said when the bucket tables are built, once: about a minute")
        threading.Thread(target=self._follow, name="bucket tables", daemon=True).start()

    @classmethod
    def of(cls, blueprint: BlueprintAgent) -> "RolloutTables | None":
        """The one that is going on, or a new one; None where the tables cannot be built in the background."""
        bucketing, key = blueprint.buckets.bucketing, id(blueprint.buckets)
        if blueprint.policy.path is None or bucketing is None or not can_be_built(bucketing):
            return None
        with _STARTING:
            if key not in _RUNNING:
                _RUNNING[key] = cls(blueprint)
            return _RUNNING[key]

    def _follow(self) -> None:
        try:
            self._process.wait(END_SECONDS)
            self._blueprint.buckets.open_tables(quiet=True)
            warm_up(self._blueprint)
            COMPILATIONS.say("what actions are worth is said from now on")
        except Exception as error:
            if not CLOSING.is_set():
                unexpected = None if isinstance(error, HoldemError) else error
                LOGGER.warning("what actions are worth is not computed: %s", error, exc_info=unexpected)
        finally:
            with _STARTING:
                _RUNNING.pop(id(self._blueprint.buckets), None)  # a later table may try again
            self.over.set()


def build_tables(connection: Connection, path: str) -> None:
    """What the process does."""
    end_with_parent(connection)
    with telling_errors(connection):
        blueprint = BlueprintAgent.open(path)
        blueprint.buckets.open_tables(quiet=True)
    warm_up(blueprint)


def warm_up(blueprint: BlueprintAgent) -> None:
    """Estimate once on every street of a hand that is checked down, so that everything is compiled or loaded."""
    rollouts, seen = Rollouts(blueprint, WARMING_DEALS), set[int]()
    hand = Game(blueprint.policy.config).new_hand(0)
    while hand.actor is not None:
        if hand.street not in seen:
            observation = observe(hand)
            rollouts.worth(observation, blueprint_decision(blueprint, observation).actions)
        seen.add(hand.street)
        hand.check_or_call()
