"""Search that begins when it is compiled: until then the blueprint plays, so that nobody waits for the compiler.

A process of its own fills the cache, since compiling in a thread would hold up the table; then a thread of this process
loads what lies there. Costs are measured when an agent begins to search, with its own resolver. Whoever measures a
strategy opens a `SearchAgent` as usual, which compiles first.
"""

import atexit
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection

from holdem.blueprint.agent import BlueprintAgent
from holdem.errors import HoldemError, RunFailed
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
from holdem.util.processes import PipedProcess, end_with_parent

END_SECONDS = 10.0
"""For the compiler to end after its last word."""
_RUNNING: "dict[str, SearchCompilation]" = {}
_STARTING = threading.Lock()
_CLOSING = threading.Event()
atexit.register(_CLOSING.set)  # later than that of multiprocessing, which ends children, so it is called before


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

    def __init__(self, path: str, blueprint: BlueprintAgent) -> None:
        self.ready = False
        self._blueprint = blueprint
        self._players = blueprint.policy.config.num_players
        self._process = PipedProcess(compile_search, (path,), "search compiler")
        COMPILATIONS.say("the blueprint plays until the search is compiled, once for each version: about a minute")
        threading.Thread(target=self._follow, name="search compiler", daemon=True).start()

    @classmethod
    def of(cls, path: str, blueprint: BlueprintAgent) -> "SearchCompilation":
        """The one that is going on, or a new one."""
        purpose = _purpose(blueprint.policy.config.num_players)
        with _STARTING:
            if purpose not in _RUNNING:
                _RUNNING[purpose] = cls(path, blueprint)
            return _RUNNING[purpose]

    def _follow(self) -> None:
        start = time.monotonic()
        try:
            self._wait()
            warm_up(StreetResolver(self._blueprint))
            mark_search(self._players)
            self.ready = True
            COMPILATIONS.say(f"searching from the next hand on: compiled in {time.monotonic() - start:.0f} s")
        except Exception as error:
            if not _CLOSING.is_set():
                unexpected = None if isinstance(error, HoldemError) else error
                LOGGER.warning(
                    "the search could not be compiled (%s), so the blueprint plays on", error, exc_info=unexpected
                )
        finally:
            with _STARTING:
                _RUNNING.pop(_purpose(self._players), None)  # a later table may try again

    def _wait(self) -> None:
        """Until the process has ended; RunFailed if it did not come to its end."""
        with suppress(EOFError, OSError):
            self._process.connection.recv_bytes()
        if _CLOSING.is_set():
            raise RunFailed("this process ends")  # multiprocessing is ending its children, and this one with them
        how = self._process.end(END_SECONDS)
        if self._process.exit_code != 0:
            raise RunFailed(how)


def compile_search(connection: Connection, path: str) -> None:
    """What the process does: it solves a small tree of each kind."""
    end_with_parent(connection)
    resolver = open_resolver(path)
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
