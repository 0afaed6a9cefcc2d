"""Search that begins when it is compiled: until then the blueprint plays, so that nobody waits for the compiler.

A process of its own fills the cache, since compiling in a thread would hold up the table; then a thread of this process
loads what lies there. The bucket tables that three and more players need are built there too. Costs are measured when
an agent begins to search, with its own resolver. Whoever measures a strategy opens a `SearchAgent` as usual, which
compiles and builds first.
"""

import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import NamedTuple

from holdem.blueprint.agent import BlueprintAgent
from holdem.errors import HoldemError
from holdem.game.agent import Observation, PublicState
from holdem.realtime.search.decision import Decision
from holdem.realtime.search.measured_costs import calibrate_once
from holdem.realtime.search.street_resolver import StreetResolver, lacks_tables, open_resolver, warm_up
from holdem.realtime.search.street_solution import StreetSolution
from holdem.realtime.search_controller import SearchController
from holdem.types import SearchConfig
from holdem.util.compiling import COMPILATIONS
from holdem.util.jit import is_compiled, mark_compiled
from holdem.util.logs import LOGGER
from holdem.util.processes import CLOSING, PipedProcess, end_with_parent, telling_errors

END_SECONDS = 10.0
"""For the compiler to end after its last word."""
_RUNNING: "dict[str, SearchCompilation]" = {}
_STARTING = threading.Lock()


def search_is_compiled(players: int) -> bool:
    """Whether a search with so many players can begin at once."""
    return is_compiled(_purpose(players))


def search_is_ready(blueprint: BlueprintAgent) -> bool:
    """Whether it is compiled, and has the bucket tables that it needs."""
    return search_is_compiled(blueprint.policy.config.num_players) and not lacks_tables(blueprint)


def mark_search(players: int) -> None:
    """Remember that it can."""
    mark_compiled(_purpose(players))


def _purpose(players: int) -> str:
    return f"search of {players} players"


class WaitsFor(NamedTuple):
    """What a search waits for, in words."""

    until: str
    done: str
    note: str


COMPILER = WaitsFor(
    "the search is compiled, once for each version: about a minute", "compiled", "the search is still being compiled"
)
TABLES = WaitsFor(
    "the bucket tables of the policy are built, once: about a minute",
    "made ready",
    "the bucket tables of the policy are still being built",
)
BOTH = WaitsFor(
    "the search is compiled and the bucket tables of the policy are built, once: some minutes",
    "made ready",
    "the search is still being made ready",
)


def _waits_for(blueprint: BlueprintAgent) -> WaitsFor:
    if not lacks_tables(blueprint):
        return COMPILER
    return TABLES if search_is_compiled(blueprint.policy.config.num_players) else BOTH


def _key(blueprint: BlueprintAgent) -> str:
    """One compilation is enough for so many players; tables are given to the agents that share their buckets."""
    purpose = _purpose(blueprint.policy.config.num_players)
    return f"{purpose} with tables {id(blueprint.buckets)}" if lacks_tables(blueprint) else purpose


class SearchCompilation:
    """The compilation of a search, for all agents of this process with the same number of players."""

    def __init__(self, path: str, blueprint: BlueprintAgent) -> None:
        self.ready = False
        self.over = threading.Event()
        """Set when it is ready, or has failed."""
        self._blueprint = blueprint
        self._players = blueprint.policy.config.num_players
        self._key = _key(blueprint)
        self.waits_for = _waits_for(blueprint)
        self._process = PipedProcess(compile_search, (path,), "search compiler")
        COMPILATIONS.say(f"the blueprint plays until {self.waits_for.until}")
        threading.Thread(target=self._follow, name="search compiler", daemon=True).start()

    @classmethod
    def of(cls, path: str, blueprint: BlueprintAgent) -> "SearchCompilation":
        """The one that is going on, or a new one."""
        key = _key(blueprint)
        with _STARTING:
            if key not in _RUNNING:
                _RUNNING[key] = cls(path, blueprint)
            return _RUNNING[key]

    @property
    def note(self) -> str:
        """Why the blueprint plays."""
        failed = self.over.is_set() and not self.ready
        return f"the search could not be {self.waits_for.done}" if failed else self.waits_for.note

    def _follow(self) -> None:
        start = time.monotonic()
        try:
            self._process.wait(END_SECONDS)
            if lacks_tables(self._blueprint):
                self._blueprint.buckets.open_tables(quiet=True)
            warm_up(StreetResolver(self._blueprint))
            mark_search(self._players)
            self.ready = True
            COMPILATIONS.say(
                f"searching from the next hand on: {self.waits_for.done} in {time.monotonic() - start:.0f} s"
            )
        except Exception as error:
            if not CLOSING.is_set():
                unexpected = None if isinstance(error, HoldemError) else error
                LOGGER.warning(
                    "the search could not be %s (%s), so the blueprint plays on",
                    self.waits_for.done,
                    error,
                    exc_info=unexpected,
                )
        finally:
            with _STARTING:
                _RUNNING.pop(self._key, None)  # a later table may try again
            self.over.set()


def compile_search(connection: Connection, path: str) -> None:
    """What the process does: it builds the tables, if they are needed, and solves a small tree of each kind."""
    end_with_parent(connection)
    resolver = open_resolver(path, tables=False)
    if lacks_tables(resolver.blueprint):
        with telling_errors(connection):
            resolver.blueprint.buckets.open_tables(quiet=True)
    SearchController(resolver.blueprint, SearchConfig(), resolver).calibrate()


class WaitingController(SearchController):
    """A controller whose blueprint plays until the search is compiled; hands are never changed in the middle."""

    def __init__(
        self,
        blueprint: BlueprintAgent,
        config: SearchConfig,
        seed: int,
        compilation: SearchCompilation,
        open_own: Callable[[], StreetResolver],
        advises: bool = False,
    ) -> None:
        """`open_own` opens the resolver when it can be used: its processes would compile everything once more."""
        super().__init__(blueprint, config, StreetResolver(blueprint), seed, advises)
        self._compilation = compilation
        self._open_own = open_own
        self.waiting = True

    def _solution(self, state: PublicState, until: float) -> StreetSolution | str:
        return self._compilation.note if self.waiting else super()._solution(state, until)

    def _by_design(self, state: PublicState) -> bool:
        return self.waiting or super()._by_design(state)

    def decide(self, observation: Observation) -> Decision:
        """The action; a search begins when it can and the seat has done nothing in its hand yet, advice at once."""
        begins = self.advises or (observation.street == 0 and observation.decision == 0)
        if self.waiting and self._compilation.ready and begins:
            self.resolver = self._open_own()
            if self.config.iterations is None:
                calibrate_once(self)
            self.waiting = False
        return super().decide(observation)
