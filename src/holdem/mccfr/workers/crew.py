"""The workers of a run: started together, watched, replaced a bounded number of times, ended without a trace.

A worker fails when its process ends, reports an exception or gives no sign of life for too long. What it held is free
again at once, and others do it. The crew is run from one thread; whatever happens, a wait ends.
"""

import multiprocessing.connection
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from holdem.errors import RunFailed
from holdem.mccfr.schedules.ranges import batch_shares
from holdem.mccfr.workers.control import ControlBlock, heartbeat_word
from holdem.mccfr.workers.process import State, WorkerProcess
from holdem.mccfr.workers.worker import FAILED, IDLE, READY, WorkerArguments
from holdem.util.logs import LOGGER

MOST_REPLACEMENTS = 3
START_PATIENCE_SECONDS = 4.0
"""How long a starting worker may neither beat nor use a processor."""
START_LIMIT_SECONDS = 600.0
"""How long a start may take in all: a machine that compiles everything for the first time is slow."""
LISTEN_SECONDS = 0.25
PARENT_PAUSE_SECONDS = 1.0
"""If this process itself was away for so long (Ctrl+Z, a laptop that slept), silence says nothing about workers."""
QUIT_SECONDS = 2.0


class CrewFailed(RunFailed):
    """Workers failed more often than they are replaced."""


@dataclass(frozen=True)
class CrewOrders:
    """What the crew needs to start a worker. interrupted: whether the run is to end, so that no worker is replaced."""

    workers: int
    batch_size: int
    arguments: WorkerArguments
    interrupted: Callable[[], bool]


class Crew:
    """`workers[i]` is the process that is worker i now, if there is one."""

    def __init__(self, orders: CrewOrders, control: ControlBlock) -> None:
        self.orders, self.control = orders, control
        self.workers: dict[int, WorkerProcess] = {}
        self.replacements = 0
        self._first_iteration = 0
        self._last_look = time.monotonic()

    # Starting

    def start(self, iteration: int) -> None:
        """Start everybody and wait until all are ready."""
        self._last_look = time.monotonic()
        for index in range(self.orders.workers):
            self._start_worker(index, iteration)
        self._wait(lambda: not self._any(State.STARTING), START_PATIENCE_SECONDS)

    def _start_worker(self, index: int, iteration: int) -> None:
        self._first_iteration = iteration
        first, last = self._share(index, iteration)
        LOGGER.debug(f"Spawning worker {index} for iterations {first} to {last}")
        arguments = replace(self.orders.arguments, index=index, heartbeat_word=heartbeat_word(index))
        try:
            worker = WorkerProcess(arguments)
        except (OSError, MemoryError) as error:
            self._failed(index, f"it could not be started: {error}")
            return
        self.workers[index] = worker
        LOGGER.debug(f"Worker {index} started with PID {worker.pid}")
        LOGGER.info(f"Worker {index} starting: iterations {first} to {last}")

    def _share(self, index: int, iteration: int) -> tuple[int, int]:
        """First and last iteration of a worker's share of the batch that begins here."""
        shares = batch_shares(self.orders.batch_size, self.orders.workers)
        first = iteration + sum(shares[:index])
        return first, max(first, first + shares[index] - 1)

    # Working

    def run_step(self, iteration: int, patience: float) -> None:
        """Let the crew do the published step, until it is done or an interrupt leaves no worker."""
        self._first_iteration = iteration
        self._last_look = time.monotonic()  # before anybody's clock starts: a pause from here on is seen
        self._rouse()
        self._wait(self._step_ended, patience)

    def _rouse(self) -> None:
        for worker in self.workers.values():
            if worker.state is State.IDLE:
                worker.go()

    def _step_ended(self) -> bool:
        if self._any(State.WORKING):
            return False
        if bool(self.control.done().all()):
            return True
        return not self._any(State.STARTING) and not self._any(State.IDLE)

    def _any(self, state: State) -> bool:
        return any(worker.state is state for worker in self.workers.values())

    # Watching

    def _wait(self, ended: Callable[[], bool], patience: float) -> None:
        while not ended():
            if self.orders.interrupted() and not self._any(State.WORKING):
                return
            self._listen()
            self._look(patience)

    def _listen(self) -> None:
        connections = {worker.connection: worker for worker in self.workers.values()}
        for connection in multiprocessing.connection.wait(list(connections), LISTEN_SECONDS):
            self._hear(connections[connection])  # type: ignore[index]
        if self.control.any_free():
            self._rouse()

    def _hear(self, worker: WorkerProcess) -> None:
        message = worker.receive()
        if message is None or message[0] == FAILED:
            how = worker.died()
            self._failed(worker.index, how if message is None else message[1].strip())
        elif message[0] == READY:
            LOGGER.info(f"Worker {worker.index} sampler initialized successfully")
            worker.state = State.IDLE
        elif message[0] == IDLE:
            worker.state = State.IDLE

    def _look(self, patience: float) -> None:
        now = time.monotonic()
        paused, self._last_look = now - self._last_look > PARENT_PAUSE_SECONDS, now
        beats = self.control.heartbeats()
        for worker in [*self.workers.values()]:
            silent = worker.silent_for(int(beats[worker.index]), now)
            if paused or worker.state is State.IDLE:
                worker.last_sign = now
                continue
            limit = START_PATIENCE_SECONDS if worker.state is State.STARTING else patience
            too_late = worker.state is State.STARTING and now - worker.started > START_LIMIT_SECONDS
            if silent > limit or too_late:
                pid = worker.pid
                worker.end()
                self._failed(worker.index, f"process {pid} gave no sign of life for {silent:.1f} s and was ended")

    # Failing

    def _failed(self, index: int, error: str) -> None:
        self.workers.pop(index, None)
        self.control.release(index)
        if self.orders.interrupted():
            LOGGER.debug(f"Worker {index} ended early: {error}")
            return
        LOGGER.error(f"Worker {index} failed with error:\n{error}")
        if self.replacements == MOST_REPLACEMENTS:
            self._give_up()
        self.replacements += 1
        LOGGER.warning(f"Worker {index} is replaced ({self.replacements} of at most {MOST_REPLACEMENTS} in a run)")
        self._start_worker(index, self._first_iteration)

    def _give_up(self) -> None:
        workers, present = self.orders.workers, len(self.workers)
        LOGGER.error(f"Only received results from {present}/{workers} workers ({workers - present} missing)")
        LOGGER.error(
            "Training cannot continue reliably. Please check:\n"
            "  1. Worker logs above for specific errors\n"
            "  2. System resources (RAM, CPU)\n"
            "  3. Try reducing --num-workers or --batch-size"
        )
        raise CrewFailed(
            f"a worker failed after {MOST_REPLACEMENTS} replacements; look at the errors above, run `holdem doctor`, "
            "and go on with --resume-from"
        )

    # Ending

    def close(self) -> None:
        """End everybody: at the next piece, and by force after two seconds."""
        self.control.withdraw()
        deadline = time.monotonic() + QUIT_SECONDS
        for worker in self.workers.values():
            worker.ask_to_quit()
        for worker in self.workers.values():
            starting = worker.state is State.STARTING  # it holds nothing, and would not listen yet
            worker.end(0.0 if starting else max(deadline - time.monotonic(), 0.0))
        self.workers.clear()
