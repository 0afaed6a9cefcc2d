"""Many processes on one table: the parent plans steps, workers claim their pieces and add in place.

A step is some iterations [a, b) with no halving of the table inside. When all of its pieces are done nobody writes to
the table: that is when the loop saves, and when the table is halved. So the iterations done are always exactly [0, b),
in whatever order and by whomever, and a run can be resumed with any number of workers.

Serial, while workers wait: planning and publishing a step and waking them, the last pieces of a step (about a
millisecond each), what the loop does between steps, and about 20 halvings in a day.
"""

import pickle
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.mccfr.dealers import Bucketing
from holdem.mccfr.sampling.sampler import Statistics
from holdem.mccfr.table.regret_tracker import RegretTracker
from holdem.mccfr.trainer import TABLE_DTYPES, Trainer
from holdem.mccfr.training_game import TrainingGame
from holdem.mccfr.workers.control import ControlBlock, block_bytes
from holdem.mccfr.workers.crew import Crew, CrewFailed, CrewOrders
from holdem.mccfr.workers.halvings import Halvings
from holdem.mccfr.workers.pieces import PieceRunner, Work, send_buckets
from holdem.mccfr.workers.step_plan import cut_step
from holdem.mccfr.workers.worker import WorkerArguments
from holdem.types import MCCFRConfig
from holdem.util.logs import LOGGER
from holdem.util.shared_memory import SharedMemory

FIRST_PACE = 200.0
FIRST_STEPS = 4
"""So many steps are short, until the pace is known."""
SHORTEST_STEP_SECONDS = 0.005
LEAST_PATIENCE_SECONDS = 3.0
PIECES_OF_PATIENCE = 50.0
"""A worker may take so many times as long for a piece as the pace says before it counts as stuck."""
BATCH_LINE_SECONDS = 10.0


class ParallelEngine:
    """`with ParallelEngine(...) as engine:` starts the workers; leaving it ends them.

    solver: holds the shared table and the iteration to go on from; it does not train itself
    A failure at the start is raised by the first `advance`, so that whoever trains saves as after any other failure.
    """

    def __init__(self, solver: Trainer, orders: CrewOrders, control: ControlBlock) -> None:
        self.solver, self.orders, self.control = solver, orders, control
        self.crew = Crew(orders, control)
        self.iterations_by_worker = np.zeros(orders.workers, dtype=np.int64)
        self._start = solver.iteration
        self._pace, self._steps = FIRST_PACE * orders.workers, 0
        self._halvings = Halvings(solver)
        self._last_batch_line = -BATCH_LINE_SECONDS
        self._failure: CrewFailed | None = None

    @property
    def iteration(self) -> int:
        return self.solver.iteration

    @property
    def workers(self) -> int:
        return self.orders.workers

    @property
    def worker_processes(self) -> list[int]:
        return [worker.pid for worker in self.crew.workers.values()]

    @property
    def tracker(self) -> RegretTracker:
        return self.solver.tracker

    @property
    def statistics(self) -> Statistics:
        game = self.solver.game
        return self.control.total_statistics(game.num_players, game.unit, self.iteration - self._start)

    def __enter__(self) -> "ParallelEngine":
        self._log_batch()
        self._warm_up()
        try:
            if not self.orders.interrupted():
                self.crew.start(self.iteration)
        except CrewFailed as error:
            self._failure = error
        except BaseException:
            self.crew.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.crew.close()
        if not self.iterations_by_worker.any():
            return
        infosets = self.tracker.infosets_touched()
        for worker, iterations in enumerate(self.iterations_by_worker.tolist()):
            LOGGER.info(f"Worker {worker} completed: {iterations} iterations, {infosets} infosets")

    def advance(self, last: int, seconds: float) -> None:
        """Run up to iteration `last`, or for about that many seconds; all workers rest when it returns."""
        if self._failure is not None:
            raise self._failure
        start = time.perf_counter()
        left = seconds
        while self.iteration < last and not self.orders.interrupted():
            self._halvings.halve_if_due()
            wanted = left / 4 if self._steps < FIRST_STEPS else left
            self._step(min(last, self._halvings.next_before(self.iteration + max(1, int(self._pace * wanted)))))
            left = seconds - (time.perf_counter() - start)
            if left < SHORTEST_STEP_SECONDS:
                return

    def _warm_up(self) -> None:
        """Compile once what all workers will find in the cache, and what this process runs between steps."""
        PieceRunner(self.solver).warm_up()
        self.control.warm_up()
        cut_step(0, 1, 1, 1, 1.0, np.zeros(2, dtype=np.int64))

    def _step(self, stop: int) -> None:
        first, workers, started = self.iteration, self.workers, time.perf_counter()
        pace = self._pace / workers
        pieces = cut_step(first, stop, self.orders.batch_size, workers, pace, self.control.bounds)
        self.control.publish(pieces)
        self._log_batch()
        bounds = self.control.bounds[: pieces + 1]
        longest = float(np.diff(bounds).max()) / pace
        try:
            self.crew.run_step(first, max(LEAST_PATIENCE_SECONDS, PIECES_OF_PATIENCE * longest))
        except CrewFailed as error:
            self._failure = error
            self.crew.close()
            self._take_stock()
            raise
        self._take_stock()
        if self.iteration == bounds[-1]:
            self._pace = (self.iteration - first) / (time.perf_counter() - started)
            self._steps += 1

    def _take_stock(self) -> None:
        """Fill the gaps that failed workers left below the last piece that is done, and count."""
        pieces, done = self.control.pieces, self.control.done()
        self.iterations_by_worker += self.control.done_by_worker()
        known = int(np.flatnonzero(done).max()) + 1 if done.any() else int(self._halvings.just_done)
        if not done[:known].all():
            runner = PieceRunner(self.solver)
            for piece in np.flatnonzero(~done[:known]).tolist():
                runner.run(int(self.control.bounds[piece]), int(self.control.bounds[piece + 1]))
        if pieces:
            self.solver.iteration = int(self.control.bounds[known])

    def _log_batch(self) -> None:
        now = time.monotonic()
        if now - self._last_batch_line >= BATCH_LINE_SECONDS:
            self._last_batch_line = now
            each = self.orders.batch_size // self.workers
            LOGGER.debug(f"Starting batch: {self.workers} workers, {each} iterations each")


@contextmanager
def open_parallel_engine(
    config: MCCFRConfig,
    game: TrainingGame,
    bucketing: Bucketing | None,
    workers: int,
    make_solver: Callable[[npt.NDArray[Any]], Trainer],
    interrupted: Callable[[], bool],
    stream_start: int = 0,
) -> Iterator[ParallelEngine]:
    """Shared memory, workers and engine of a run; all of them are gone when the block ends.

    make_solver: gets the shared table, zeroed, and returns a solver on it, at the iteration to go on from
    """
    dtype, entries = np.dtype(TABLE_DTYPES[config.sampling]), game.layout.entries
    with ExitStack() as stack:
        table = stack.enter_context(SharedMemory.create(2 * entries * dtype.itemsize, "the table"))
        block = stack.enter_context(SharedMemory.create(block_bytes(workers), "the control block"))
        buckets, copies = send_buckets(bucketing)
        for copy in copies:
            stack.enter_context(copy)
        solver = make_solver(table.array(dtype, (entries, 2)))
        work = Work(config, game.config, buckets, workers, stream_start)
        arguments = WorkerArguments(0, block, table, copies, 0, pickle.dumps(work))
        orders = CrewOrders(workers, config.batch_size, arguments, interrupted)
        yield stack.enter_context(ParallelEngine(solver, orders, ControlBlock(block, workers)))
