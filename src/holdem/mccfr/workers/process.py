"""One worker as the parent sees it: started, ready, at work or idle, and ended whatever state it is in."""

import enum
import time
from contextlib import suppress

import psutil

from holdem.mccfr.workers.worker import GO, QUIT, WorkerArguments, main
from holdem.util.processes import PipedProcess


class State(enum.Enum):
    """Where a worker is in its life."""

    STARTING = enum.auto()
    IDLE = enum.auto()
    WORKING = enum.auto()


class WorkerProcess(PipedProcess):
    """A worker process and the pipe to it."""

    def __init__(self, arguments: WorkerArguments) -> None:
        super().__init__(main, (arguments,), f"holdem worker {arguments.index}")
        self.index = arguments.index
        self.state = State.STARTING
        self.started = self.last_sign = time.monotonic()
        self._signs: tuple[int, float] = (-1, -1.0)

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

    def died(self) -> str:
        """How a worker ended whose pipe is closed; it has a moment to finish ending."""
        return self.end(seconds=1.0)
