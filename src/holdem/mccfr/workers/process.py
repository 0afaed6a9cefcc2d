"""One worker as the parent sees it: started, ready, at work or idle, and ended whatever state it is in."""

import enum
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

import psutil

from holdem.mccfr.workers.worker import GO, QUIT, WorkerArguments, main
from holdem.util.spawn import CONTEXT, describe_exit, start_spawned


class State(enum.Enum):
    """Where a worker is in its life."""

    STARTING = enum.auto()
    IDLE = enum.auto()
    WORKING = enum.auto()
    GONE = enum.auto()


class WorkerProcess:
    """A worker process and the pipe to it."""

    def __init__(self, index: int, process: SpawnProcess, connection: Connection) -> None:
        self.index, self.connection = index, connection
        self.state = State.STARTING
        self.started = self.last_sign = time.monotonic()
        self._process = process
        self._signs: tuple[int, float] = (-1, -1.0)

    @classmethod
    def start(cls, arguments: WorkerArguments) -> "WorkerProcess":
        """Start a worker with one end of a new pipe."""
        ours, theirs = CONTEXT.Pipe()
        try:
            process = start_spawned(main, (theirs, arguments), f"holdem worker {arguments.index}")
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()  # the parent's copy: when the worker's own is closed, the parent reads the end of the pipe
        return cls(arguments.index, process, ours)

    @property
    def pid(self) -> int:
        return self._process.pid or 0

    def go(self) -> None:
        """There is a step."""
        self.state, self.last_sign = State.WORKING, time.monotonic()
        with suppress(OSError):  # a worker that is gone is noticed at the other end of the pipe
            self.connection.send_bytes(GO)

    def receive(self) -> tuple[bytes, str] | None:
        """The next message and its text; None if the worker is gone."""
        try:
            message = self.connection.recv_bytes()
        except (EOFError, OSError):
            return None
        return message[:1], message[1:].decode(errors="replace")

    def silent_for(self, heartbeat: int, now: float) -> float:
        """Seconds since the last sign of life. While a worker starts, the use of a processor is one as well."""
        signs = (heartbeat, self._cpu_seconds() if self.state is State.STARTING else 0.0)
        if signs != self._signs:
            self._signs, self.last_sign = signs, now
        return now - self.last_sign

    def _cpu_seconds(self) -> float:
        try:
            times = psutil.Process(self.pid).cpu_times()
        except psutil.Error:
            return 0.0
        return float(times.user + times.system)

    def ask_to_quit(self) -> None:
        """It ends by itself when it is done with its piece."""
        with suppress(OSError):
            self.connection.send_bytes(QUIT)

    def end(self, seconds: float = 0.0) -> str:
        """Wait so long for it to end, and end it if it has not; says how it ended."""
        self._process.join(seconds)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        how = describe_exit(self._process.exitcode)
        self.state = State.GONE
        self.connection.close()
        self._process.close()
        return how

    def died(self) -> str:
        """How a worker ended whose pipe is closed; it has a moment to finish ending."""
        return self.end(seconds=1.0)
