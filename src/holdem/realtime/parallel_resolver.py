"""Several threads or resident processes that solve for one decision.

    with ParallelSubgameResolver.open("runs/blueprint", num_workers=2) as resolver:
        controller = SearchController(resolver.blueprint, config, resolver)

Sampled solves (three to six players) run independently in all workers, each with its own random numbers, and are
averaged; `min_iters` are shared among them. Workers are started once and kept. One that dies or stops is replaced in
the background, and every such fallback is counted. One that is only late is asked again when it has answered. If no
worker answers, the request is solved in this process.

A vector solve (two players) is deterministic, so that solving it twice gives nothing: threads of this process share its
river cards. A blueprint of two players needs no worker, and none is started.
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

from holdem.realtime.search.request import Depth, SolveRequest
from holdem.realtime.search.street_resolver import StreetResolver, open_resolver, warm_up
from holdem.realtime.search.street_solution import Options, StreetSolution
from holdem.realtime.search.worker import SOLVED, OpenResolver, progress_of, unpack
from holdem.realtime.search.worker_process import ResolverProcess, wait_all
from holdem.util.parallel import available_cores, workers_for
from holdem.util.shared_memory import SharedMemory

LOGGER = logging.getLogger(__name__)

SHARED_BYTES = 192 << 20
"""Shared memory for the answers of all workers."""
GRACE_SECONDS = 0.01
"""Seconds that a worker may take after its deadline to hand over its answer."""
PATIENCE_SECONDS = 0.25
"""Seconds without an iteration after the deadline until a worker is no longer waited for."""
_STUCK_SECONDS = 5.0
"""Seconds without an answer until a worker is replaced."""
MOST_RESTARTS = 8


class ParallelSubgameResolver(StreetResolver):
    """A `StreetResolver` with threads and workers; it may be used in its place."""

    def __init__(
        self,
        opening: OpenResolver,
        num_workers: int = 2,
        local: StreetResolver | None = None,
        shared_bytes: int = SHARED_BYTES,
    ) -> None:
        self.num_workers = workers_for(num_workers)
        own = local or opening()
        super().__init__(own.blueprint, threads=min(self.num_workers, available_cores()))
        self.counts: Counter[str] = Counter()
        """Every fallback, by what happened."""
        self._opening = opening
        needed = self.num_workers if own.blueprint.policy.config.num_players > 2 else 0
        self._memory = SharedMemory.create(shared_bytes if needed else 0, "the tables of parallel searches")
        self._region = shared_bytes // self.num_workers // 64 * 64
        self._restarts = 0
        self._workers = [self._start(index) for index in range(needed)]

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
        """Wait until the workers have started; how many have. Two players need none."""
        return wait_all(self._workers, seconds)

    def solve(self, request: SolveRequest) -> StreetSolution:
        """Solve with the workers if the solve is sampled, else with threads."""
        if request.depth is not Depth.SAMPLED:
            return super().solve(request)
        self._replace_lost()
        start = time.monotonic()
        asked = self._ask(request)
        answers = self._answers(asked, request)
        fallbacks = self._fallbacks(len(asked) - len(answers), "a worker was lost")
        if not answers:
            self.counts["solved in this process"] += 1
            solution = super().solve(request)
            return replace(solution, fallbacks=(*fallbacks, "solved in this process"))
        return replace(_mean(answers), timing=_timing(start, answers), fallbacks=fallbacks)

    def _ask(self, request: SolveRequest) -> list[ResolverProcess]:
        """Send a request to all free workers, each with its own random numbers and its share of `min_iterations`."""
        free = [worker for worker in self._workers if worker.is_free()]
        asked = []
        for worker in free:
            share = -(-request.min_iterations // len(free))
            own = replace(request, seed=request.seed + 1 + worker.index, min_iterations=share)
            if worker.send(pickle.dumps(own)):
                asked.append(worker)
            else:
                self._lose(worker, "worker gone before a solve")
        return asked

    def _answers(self, asked: list[ResolverProcess], request: SolveRequest) -> list[StreetSolution]:
        """The answers at the deadline; without any, the first answer of a worker that still iterates.

        In one process, too, the minimum of iterations has priority over the deadline.
        """
        found = [self._answer_of(worker, _time_left(request) + GRACE_SECONDS) for worker in asked]
        answers = [answer for answer in found if answer is not None]
        seen: list[int] = []
        moved = time.monotonic()
        while not answers and time.monotonic() - moved < PATIENCE_SECONDS:
            waiting = [worker for worker in asked if worker.is_busy]
            if not waiting:
                break
            found = [self._answer_of(worker, GRACE_SECONDS) for worker in waiting]
            answers = [answer for answer in found if answer is not None]
            now = [int(progress_of(self._memory, worker.index * self._region)[0]) for worker in waiting]
            if now != seen:
                seen, moved = now, time.monotonic()
        return answers

    def _answer_of(self, worker: ResolverProcess, seconds: float) -> StreetSolution | None:
        message = worker.receive(seconds)
        if message is not None and message[:1] == SOLVED:
            return unpack(message[1:], self._memory, worker.index * self._region)
        if message is not None:
            LOGGER.warning("worker %d could not solve: %s", worker.index, message[1:].decode(errors="replace"))
            self.counts["a worker could not solve"] += 1
        elif not worker.alive:
            self._lose(worker, "it ended")
        return None  # perhaps it is only late; it is not asked again before it has answered

    # Workers come and go

    def _start(self, index: int) -> ResolverProcess:
        arguments = (self._memory, index * self._region, self._region, self._opening, warm_up)
        return ResolverProcess(index, arguments)

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
    values = values.astype(np.float32)
    return StreetSolution(first.line, decisions, values, total, note, ends=first.ends)  # type: ignore[arg-type]


def _known_mean(shares: npt.NDArray[np.float32], values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """(1326, actions): the mean of (answers, 1326, actions) over the answers that know a value, NaN where none does."""
    weights = np.where(np.isnan(values), 0.0, shares[:, None, None])
    total = weights.sum(axis=0)
    return np.asarray((weights * np.nan_to_num(values)).sum(axis=0) / np.where(total > 0.0, total, np.nan))


def _timing(start: float, answers: list[StreetSolution]) -> tuple[float, float, float]:
    """Seconds of the slowest worker; time in the pipes counts as time before the iterations."""
    before, running, after = (max(answer.timing[part] for answer in answers) for part in range(3))
    return max(before, time.monotonic() - start - running - after), running, after
