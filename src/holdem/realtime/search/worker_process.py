"""One resident solver process as its parent sees it: start, wait until ready, ask, end."""

import time

from holdem.realtime.search.worker import FAILED, READY, main
from holdem.util.processes import PipedProcess


class ResolverProcess(PipedProcess):
    """A worker and the pipe to it; it is `ready` some seconds after its start."""

    def __init__(self, index: int, arguments: tuple[object, ...]) -> None:
        super().__init__(main, arguments, f"holdem solver {index}")
        self.index = index
        self.ready = False
        self.trouble = ""
        """Why the worker cannot be used."""
        self._asked: float | None = None
        """When the open request was sent; None if the worker has answered."""

    def wait_until_ready(self, seconds: float) -> bool:
        """Whether the worker has opened what it needs and can be asked."""
        if not self.ready and self.alive:
            message = self.receive(seconds)
            if message is not None:
                self.ready = message == READY
                self.trouble = message[1:].decode(errors="replace") if message[:1] == FAILED else ""
        return self.ready and self.alive

    def is_free(self) -> bool:
        """Whether the worker can be asked now: it is ready and has answered what it was asked before."""
        if not self.wait_until_ready(0.0):
            return False
        if self._asked is not None:
            self.receive(0.0)  # an answer that came too late is of no use any more
        return self.alive and self._asked is None

    @property
    def is_busy(self) -> bool:
        """Whether the worker was asked and has not answered."""
        return self.alive and self._asked is not None

    def silent_for(self) -> float:
        """Seconds since the open request was sent; 0 if there is none."""
        return 0.0 if self._asked is None else time.monotonic() - self._asked

    def send(self, message: bytes) -> bool:
        """Whether the message went out."""
        try:
            self.connection.send_bytes(message)
        except OSError:
            return False
        self._asked = time.monotonic()
        return True

    def receive(self, seconds: float) -> bytes | None:
        """The next message, None if there is none in time or the worker is gone."""
        try:
            if not self.connection.poll(max(0.0, seconds)):
                return None
            message = self.connection.recv_bytes()
        except (EOFError, OSError):
            self.end()
            return None
        self._asked = None
        return message


def wait_all(processes: list[ResolverProcess], seconds: float) -> int:
    """Wait until all workers are ready or the time is over; how many are."""
    end = time.monotonic() + seconds
    return sum(process.wait_until_ready(end - time.monotonic()) for process in processes)
