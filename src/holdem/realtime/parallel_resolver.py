"""Several resident processes that solve for one decision.

    with ParallelSubgameResolver.open("runs/blueprint", num_workers=2) as resolver:
        controller = SearchController(resolver.blueprint, config, resolver.tables, resolver)

Sampled solves (three to six players) run independently in all workers, each with its own random numbers, and are
averaged. A vector solve is deterministic: the river cards of a turn are shared out, and streets without cards to come
are solved in this process. Workers are started once and kept; one that dies or keeps still is replaced in the
background, its part of the decision is done here in the time that is left, and every such fallback is counted. One that
is only late is asked again when it has answered.
"""

import logging
import pickle
import time
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType

import numpy as np
import numpy.typing as npt

from holdem.errors import HoldemError
from holdem.mccfr.shared_table import SharedMemory
from holdem.realtime.process_crew import ProcessCrew
from holdem.realtime.resolver_process import ResolverProcess, wait_all
from holdem.realtime.resolver_worker import BUILT, SOLVED, OpenResolver, table_views, unpack
from holdem.realtime.solve_request import Depth, SolveRequest
from holdem.realtime.street_resolver import Searched, StreetResolver, open_resolver, run, warm_up
from holdem.realtime.street_solution import Options, StreetSolution
from holdem.realtime.vector_search import VectorSearch
from holdem.util.parallel import workers_for

LOGGER = logging.getLogger(__name__)

SHARED_BYTES = 192 << 20
"""Shared memory: room for the tables of a turn with whole ranges; a larger tree is solved in this process."""
GRACE_SECONDS = 0.01
"""After its deadline a worker may take this long to hand its answer over."""
WORTH_SHARING_SECONDS = 0.1
"""With less time a turn is not shared out: building it in every worker would take most of it."""
_STUCK_SECONDS = 5.0
"""A worker that has not answered for so long after a decision is replaced."""
MOST_RESTARTS = 8


class ParallelSubgameResolver(StreetResolver):
    """A `StreetResolver` with helpers; it may be used in its place."""

    def __init__(
        self,
        opening: OpenResolver,
        num_workers: int = 2,
        local: StreetResolver | None = None,
        shared_bytes: int = SHARED_BYTES,
    ) -> None:
        self.num_workers = workers_for(num_workers)
        own = local or opening()
        super().__init__(own.blueprint, own.tables)
        self.counts: Counter[str] = Counter()
        """Every fallback, by what happened."""
        self._opening = opening
        self._memory = SharedMemory.create(shared_bytes, "the tables of parallel searches")
        self._region = shared_bytes // self.num_workers // 64 * 64
        self._restarts = 0
        self._workers = [self._start(index) for index in range(self.num_workers)]

    @classmethod
    def open(cls, path: Path | str, num_workers: int = 2) -> "ParallelSubgameResolver":
        """Workers that solve with the blueprint of a run."""
        return cls(partial(open_resolver, str(path)), num_workers)

    def __enter__(self) -> "ParallelSubgameResolver":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the workers and give the shared memory back."""
        for worker in self._workers:
            worker.end()
        self._workers = []
        self._memory.close()

    @property
    def pids(self) -> list[int]:
        """Of the workers; 0 for one that has ended."""
        return [worker.pid for worker in self._workers]

    def wait_until_ready(self, seconds: float = 120.0) -> int:
        """Wait until the workers have started; how many have."""
        return wait_all(self._workers, seconds)

    def solve(self, request: SolveRequest) -> StreetSolution:
        """Solve with the help of the workers, or alone where they cannot help."""
        self._replace_lost()
        return self._solve_sampled(request) if request.depth is Depth.SAMPLED else super().solve(request)

    def searched(self, request: SolveRequest) -> Searched:
        """As in the base class; a street with cards to come is shared out."""
        if request.depth is Depth.END and len(request.state.board) < 5:
            return self._search_split(request)
        return super().searched(request)

    # Sampled solves: everybody for himself, then the mean

    def _solve_sampled(self, request: SolveRequest) -> StreetSolution:
        start = time.monotonic()
        asked = []
        for worker in self._ready_workers():
            own = replace(request, seed=request.seed + 1 + worker.index)
            if worker.send(pickle.dumps(("sampled", own))):
                asked.append(worker)
            else:
                self._lose(worker, "worker gone before a solve")
        answers = []
        for worker in asked:
            answer = self._answer_of(worker, request)
            if answer is not None:
                answers.append(answer)
        fallbacks = self._fallbacks(len(asked) - len(answers), "a worker was lost")
        if not answers:
            if _time_left(request) <= 0.0:
                raise HoldemError("no worker answered in time")
            self.counts["solved in this process"] += 1
            solution = super().solve(request)
            return replace(solution, fallbacks=(*fallbacks, "solved in this process"))
        return replace(_mean(answers), timing=_timing(start, answers), fallbacks=fallbacks)

    def _answer_of(self, worker: ResolverProcess, request: SolveRequest) -> StreetSolution | None:
        message = worker.receive(_time_left(request) + GRACE_SECONDS)
        if message is not None and message[:1] == SOLVED:
            return unpack(message[1:], self._memory, worker.index * self._region)
        if message is not None:
            LOGGER.warning("worker %d could not solve: %s", worker.index, message[1:].decode(errors="replace"))
            self.counts["a worker could not solve"] += 1
            return None
        if not worker.alive:
            self._lose(worker, "it ended")
        return None  # perhaps it is only late; it is not asked again before it has answered

    # Vector solves: the cards to come are shared out

    def _search_split(self, request: SolveRequest) -> Searched:
        start = time.monotonic()
        asked: list[ResolverProcess] = []
        if _time_left(request) > WORTH_SHARING_SECONDS:
            message = pickle.dumps(("vector", request))
            asked = [worker for worker in self._ready_workers() if worker.send(message)]
        search = self.build(request)
        assert isinstance(search, VectorSearch)
        search.allocate()
        helpers = [worker if self._has_built(worker, request) else None for worker in asked]
        lost = helpers.count(None)
        if len(helpers) - lost < self.num_workers or not self._fits(search):
            return self._searched(search, request, start, ("solved in this process",))
        tables = table_views(self._memory, search, self.num_workers)
        search.move_tables(*tables)
        deadline = request.deadline if request.iterations is None else None
        crew = ProcessCrew(search, tables, list(helpers), deadline)
        search.solver.make_crew = crew
        searched = self._searched(search, request, start)
        return replace(searched, fallbacks=self._fallbacks(crew.lost, "a worker was lost"))

    def _has_built(self, worker: ResolverProcess, request: SolveRequest) -> bool:
        """Whether a worker is ready to visit its share."""
        return worker.receive(_time_left(request) / 3) == BUILT

    def _searched(
        self, search: VectorSearch, request: SolveRequest, start: float, fallbacks: tuple[str, ...] = ()
    ) -> Searched:
        self.counts.update(fallbacks)
        built = time.monotonic()
        run(search, request)
        return Searched(search, (built - start, time.monotonic() - built), fallbacks)

    def _fits(self, search: VectorSearch) -> bool:
        entries, floats = search.table_sizes
        return 4 * (2 * entries + (self.num_workers + 1) * floats) <= self._memory.size

    # Workers come and go

    def _start(self, index: int) -> ResolverProcess:
        arguments = (self._memory, index, self.num_workers, self._region, self._opening, warm_up)
        return ResolverProcess.start(index, arguments)

    def _ready_workers(self) -> list[ResolverProcess]:
        return [worker for worker in self._workers if worker.is_free()]

    def _lose(self, worker: ResolverProcess, what: str) -> None:
        how = worker.end()
        LOGGER.warning("solver %d is given up (%s): %s", worker.index, what, how)

    def _replace_lost(self) -> None:
        for place, worker in enumerate(self._workers):
            if worker.silent_for() > _STUCK_SECONDS:
                self._lose(worker, f"no answer for {_STUCK_SECONDS:g} s")
            if not worker.alive and self._restarts < MOST_RESTARTS:
                self._restarts += 1
                self.counts["workers restarted"] += 1
                self._workers[place] = self._start(place)

    def _fallbacks(self, count: int, what: str) -> tuple[str, ...]:
        self.counts[what] += count
        return (what,) * count


def _time_left(request: SolveRequest) -> float:
    """Seconds until the deadline of a request; a quarter of an hour where it has none."""
    if request.deadline is None or request.iterations is not None:
        return 900.0
    return request.deadline - time.monotonic()


def _mean(answers: list[StreetSolution]) -> StreetSolution:
    """The mean of independent solutions, by their iterations."""
    if len(answers) == 1:
        return answers[0]
    shares = np.array([answer.iterations for answer in answers], dtype=np.float32)
    shares /= shares.sum()
    first = answers[0]
    decisions: dict[object, Options] = {}
    for line, (actions, _) in first.decisions.items():
        policies = np.stack([answer.decisions[line][1] for answer in answers])
        decisions[line] = actions, np.einsum("a,ahk->hk", shares, policies).astype(np.float32)
    values = _known_mean(shares, np.stack([answer.action_values for answer in answers]))
    total = sum(answer.iterations for answer in answers)
    note = f"{first.note}; mean of {len(answers)} solves"
    return StreetSolution(first.line, decisions, values.astype(np.float32), total, note)  # type: ignore[arg-type]


def _known_mean(shares: npt.NDArray[np.float32], values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """(1326, actions): the mean of (answers, 1326, actions) over the answers that know a value, NaN where none does."""
    weights = np.where(np.isnan(values), 0.0, shares[:, None, None])
    total = weights.sum(axis=0)
    return np.asarray((weights * np.nan_to_num(values)).sum(axis=0) / np.where(total > 0.0, total, np.nan))


def _timing(start: float, answers: list[StreetSolution]) -> tuple[float, float, float]:
    """Seconds by the slowest worker; what the pipes took counts as before."""
    before, running, after = (max(answer.timing[part] for answer in answers) for part in range(3))
    return max(before, time.monotonic() - start - running - after), running, after
