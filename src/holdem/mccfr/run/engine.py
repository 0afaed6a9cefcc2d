"""What the loop of a run works with: an *engine* that advances a table, and a companion that goes along.

The engine of one process is here; `holdem.mccfr.workers.engine` has the one of many.
"""

import time
from typing import Protocol

from holdem.mccfr.sampling.sampler import Statistics
from holdem.mccfr.table.regret_tracker import RegretTracker
from holdem.mccfr.trainer import Trainer
from holdem.util.signals import StopSignals


class Engine(Protocol):
    """Advances a table. Between two calls nobody writes to it."""

    @property
    def iteration(self) -> int:
        """Iterations done so far."""

    @property
    def workers(self) -> int:
        """Processes that train."""

    @property
    def worker_processes(self) -> list[int]:
        """The numbers of the processes that share the table with this one now."""

    @property
    def tracker(self) -> RegretTracker:
        """The table."""

    @property
    def statistics(self) -> Statistics:
        """Counted since the engine was made."""

    def advance(self, last: int, seconds: float) -> None:
        """Run up to iteration `last`, or for about that many seconds if they end first."""


class Companion(Protocol):
    """Goes along with a run: reports it, or brings its table together with those of others."""

    def before_start(self, engine: Engine, stop: StopSignals) -> None:
        """Called once before the first step; here and below the table may be changed, the iteration may not."""

    def after_step(self, engine: Engine, seconds: float, stop: StopSignals) -> None:
        """Called between two steps, with the seconds of training so far."""

    def before_end(self, engine: Engine, reason: str, stop: StopSignals) -> None:
        """Called once before a run that ends for this reason saves its table."""


class SequentialEngine:
    """One solver in this process."""

    def __init__(self, solver: Trainer) -> None:
        self.solver = solver
        self._pace = 200.0

    @property
    def iteration(self) -> int:
        return self.solver.iteration

    @property
    def workers(self) -> int:
        return 1

    @property
    def worker_processes(self) -> list[int]:
        return []

    @property
    def tracker(self) -> RegretTracker:
        return self.solver.tracker

    @property
    def statistics(self) -> Statistics:
        return self.solver.statistics

    def advance(self, last: int, seconds: float) -> None:
        """A share of the seconds at a time, so that a guess of the pace that is off does little harm."""
        start = now = time.perf_counter()
        while self.iteration < last and now - start < seconds:
            wanted = max(1, int(self._pace * min(seconds / 4, seconds - (now - start))))
            before = self.iteration
            self.solver.run(min(wanted, last - before))
            then, now = now, time.perf_counter()
            self._pace = (self.iteration - before) / max(now - then, 1e-6)
