"""Search that begins when it is compiled: until then the blueprint plays, so that nobody waits for the compiler.

A process of its own fills the cache, since compiling in a thread would hold up the table; then a thread of this process
loads what lies there and measures costs. Whoever measures a strategy opens a `SearchAgent` as usual, which compiles
first.
"""

import threading
import time
from collections.abc import Callable

from holdem.blueprint.agent import BlueprintAgent
from holdem.game.agent import Observation, PublicState
from holdem.realtime.search.decision import Decision
from holdem.realtime.search.measured_costs import calibrate_once
from holdem.realtime.search.street_resolver import StreetResolver, open_resolver, warm_up
from holdem.realtime.search.street_solution import StreetSolution
from holdem.realtime.search_controller import SearchController
from holdem.types import SearchConfig
from holdem.util.compiling import COMPILATIONS
from holdem.util.jit import is_compiled, mark_compiled
from holdem.util.logs import LOGGER
from holdem.util.processes import describe_exit, start_spawned

_RUNNING: "dict[str, SearchCompilation]" = {}
_STARTING = threading.Lock()


def search_is_compiled(players: int) -> bool:
    """Whether a search with so many players can begin at once."""
    return is_compiled(_purpose(players))


def mark_search(players: int) -> None:
    """Remember that it can."""
    mark_compiled(_purpose(players))


def _purpose(players: int) -> str:
    return f"search of {players} players"


class SearchCompilation:
    """The compilation of a search, for all agents of this process with the same number of players."""

    def __init__(self, path: str, blueprint: BlueprintAgent, config: SearchConfig) -> None:
        self.ready = False
        self._blueprint, self._config = blueprint, config
        self._players = blueprint.policy.config.num_players
        self._process = start_spawned(_compile_search, (path,), "search compiler")
        COMPILATIONS.say("the blueprint plays until the search is compiled, once for each version: about a minute")
        threading.Thread(target=self._follow, name="search compiler", daemon=True).start()

    @classmethod
    def of(cls, path: str, blueprint: BlueprintAgent, config: SearchConfig) -> "SearchCompilation":
        """The one that is going on, or a new one."""
        purpose = _purpose(blueprint.policy.config.num_players)
        with _STARTING:
            if purpose not in _RUNNING:
                _RUNNING[purpose] = cls(path, blueprint, config)
            return _RUNNING[purpose]

    def _follow(self) -> None:
        start = time.monotonic()
        self._process.join()
        if not search_is_compiled(self._players):
            how = describe_exit(self._process.exitcode)
            LOGGER.warning("the search could not be compiled (%s), so the blueprint plays on", how)
            return
        calibrate_once(SearchController(self._blueprint, self._config))
        self.ready = True
        COMPILATIONS.say(f"searching from the next hand on: compiled in {time.monotonic() - start:.0f} s")


def _compile_search(path: str) -> None:
    """What the process does: it solves a small tree of each kind."""
    resolver = open_resolver(path)
    controller = SearchController(resolver.blueprint, SearchConfig(), resolver)
    controller.calibrate()
    warm_up(resolver)
    mark_search(resolver.blueprint.policy.config.num_players)


class WaitingController(SearchController):
    """A controller whose blueprint plays until the search is compiled; hands are never changed in the middle."""

    def __init__(
        self,
        blueprint: BlueprintAgent,
        config: SearchConfig,
        seed: int,
        compilation: SearchCompilation,
        open_own: Callable[[], StreetResolver],
    ) -> None:
        """`open_own` opens the resolver when it can be used: its processes would compile everything once more."""
        super().__init__(blueprint, config, StreetResolver(blueprint), seed)
        self._compilation = compilation
        self._open_own = open_own
        self.waiting = True

    def _solution(self, state: PublicState, until: float) -> StreetSolution | str:
        return "the search is still being compiled" if self.waiting else super()._solution(state, until)

    def _by_design(self, state: PublicState) -> bool:
        return self.waiting or super()._by_design(state)

    def decide(self, observation: Observation) -> Decision:
        """The action; a search begins when it can and the seat has done nothing in its hand yet."""
        if self.waiting and self._compilation.ready and observation.street == 0 and observation.decision == 0:
            self.resolver = self._open_own()
            if self.config.iterations is None:
                calibrate_once(self)
            self.waiting = False
        return super().decide(observation)
