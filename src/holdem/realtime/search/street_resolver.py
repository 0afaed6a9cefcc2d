"""Solves requests in this process: the right solver for the street, run until the deadline."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.buckets import prepare_tables
from holdem.errors import HoldemError
from holdem.realtime.multiway.search import MultiwaySearch
from holdem.realtime.multiway.solver import Continuations
from holdem.realtime.search.blueprint_match import street_root_in
from holdem.realtime.search.budget import examples
from holdem.realtime.search.request import Depth, SolveRequest
from holdem.realtime.search.street_solution import StreetSolution
from holdem.realtime.vector.search import VectorSearch

LOGGER = logging.getLogger(__name__)

MOST_ITERATIONS = 1_000_000
ENOUGH_ITERATIONS = 2_000
"""A vector solve is exact to a hundredth of a per cent long before; more time changes nothing."""


class StreetResolver:
    """Opens nothing and keeps nothing between solves but the blueprint.

    `threads`: of a heads-up solve; `heard` is told the iterations of a sampled solve while it runs.
    """

    def __init__(self, blueprint: BlueprintAgent, threads: int = 1) -> None:
        self.blueprint, self.threads = blueprint, threads
        self.heard: Callable[[int], None] | None = None

    def build(self, request: SolveRequest) -> VectorSearch | MultiwaySearch:
        """The solver of a request, before its first iteration."""
        if request.depth not in (Depth.SAMPLED, Depth.THREE):
            return VectorSearch(request, self.threads)
        root = street_root_in(self.blueprint, request.state)
        continuations = Continuations(self.blueprint, root) if len(request.state.board) < 5 else None
        return MultiwaySearch(request, continuations, request.seed)

    def solve(self, request: SolveRequest) -> StreetSolution:
        """Solve until the request's deadline or iterations."""
        searched = self.searched(request)
        done = time.monotonic()
        solution = searched.search.solution()
        return replace(solution, timing=(*searched.seconds, time.monotonic() - done))

    def searched(self, request: SolveRequest) -> "Searched":
        """The solver of a request after its last iteration, for callers that ask more than the answer."""
        start = time.monotonic()
        search = self.build(request)
        if isinstance(search, VectorSearch):
            search.allocate()
        built = time.monotonic()
        self._run(search, request)
        return Searched(search, (built - start, time.monotonic() - built))

    def _run(self, search: VectorSearch | MultiwaySearch, request: SolveRequest) -> None:
        """Run a search as its request says."""
        if isinstance(search, VectorSearch):
            if request.iterations is not None:
                search.run(request.iterations)
            else:
                search.run(ENOUGH_ITERATIONS, request.deadline, request.min_iterations)
        else:
            search.run(request.min_iterations if request.iterations is None else request.iterations, heard=self.heard)
            if request.iterations is None:
                enough = ENOUGH_ITERATIONS if request.depth is Depth.THREE else MOST_ITERATIONS
                search.run(enough, request.deadline, self.heard)


@dataclass(frozen=True)
class Searched:
    """A solver that has run, and the seconds before its iterations and of them."""

    search: VectorSearch | MultiwaySearch
    seconds: tuple[float, float]


def open_resolver(path: str, tables: bool = True) -> StreetResolver:
    """A resolver with the blueprint of a run.

    tables: whether the bucket tables that its solves need are built where they are not there
    """
    blueprint = BlueprintAgent.open(path)
    if tables and lacks_tables(blueprint):
        prepare_tables(blueprint.buckets)
    return StreetResolver(blueprint)


def lacks_tables(blueprint: BlueprintAgent) -> bool:
    """Whether solves need bucket tables that are not here; those of two players need none."""
    return blueprint.policy.config.num_players > 2 and blueprint.buckets.lacks_tables


def warm_up(resolver: StreetResolver) -> None:
    """Solve a small tree of each kind once, so that everything is compiled."""
    for _, request in examples(resolver.blueprint.policy.config):
        try:
            resolver.solve(request)
        except HoldemError as error:  # what cannot be solved at all is said again when it is asked for
            LOGGER.info("%s", error)
