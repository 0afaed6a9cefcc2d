"""Numbered work (deals, flops) in pieces over long-lived processes: results that do not depend on how many there are.

`make` is called once in every process and returns the function that does a piece, so that an agent is opened once per
process; if that has a `close`, it is called at the end. Pieces grow until one takes about half a second: few messages
for fast work, and a Ctrl+C that is heard soon.
A process that dies loses nothing: the others go on and do its piece again, which comes out the same. It is not replaced
while there are others, since most often memory was short; a piece that two processes died at ends the work.
"""

import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from holdem.errors import HoldemError, RunFailed
from holdem.game.agent import close_agent
from holdem.util.logs import LOGGER
from holdem.util.parallel import workers_for
from holdem.util.processes import PipedProcess

Piece = tuple[int, int]
Work = Callable[[int, int], Any]
MakeWork = Callable[[], Work]
Deliver = Callable[[int, int, Any], None]

PIECE_SECONDS = 0.5
LEAVE_SECONDS = 5.0
"""How long a process may take to leave by itself."""


class Pieces:
    """Hands out [0, total) in pieces whose size follows the time that they take."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.next = 0
        self.size = 1
        self.lost: set[Piece] = set()
        self.again: list[Piece] = []

    def take(self) -> Piece | None:
        """The next piece, or None if there is none."""
        if self.again:
            return self.again.pop()
        if self.next >= self.total:
            return None
        start, self.next = self.next, min(self.next + self.size, self.total)
        return start, self.next

    def took(self, count: int, seconds: float) -> None:
        """A piece of `count` took so long."""
        self.size = max(1, min(2 * self.size, int(count * PIECE_SECONDS / max(seconds, 1e-6))))

    def lose(self, piece: Piece) -> bool:
        """Whoever was at a piece is gone: it is handed out again, unless that happened before."""
        if piece in self.lost:
            return False
        self.lost.add(piece)
        self.again.append(piece)
        return True


def run_pieces(
    make: MakeWork, total: int, num_workers: int, deliver: Deliver, stopped: Callable[[], bool] = lambda: False
) -> None:
    """Do [0, total) and hand `deliver` each piece (start, stop, result), always in this process.

    0 workers are as many as there are cores; one works in this process. When `stopped` turns true no new piece begins.
    `make` and what it returns must be importable, since processes are spawned.
    """
    workers = min(workers_for(num_workers), total)
    pieces = Pieces(total)
    if workers > 1:
        _run_spawned(make, pieces, workers, deliver, stopped)
        return
    work = make()
    try:
        while not stopped() and (piece := pieces.take()) is not None:
            begun = time.monotonic()
            deliver(*piece, work(*piece))
            pieces.took(piece[1] - piece[0], time.monotonic() - begun)
    finally:
        close_agent(work)


class _Worker(PipedProcess):
    """A process, the piece that it is at (None while it waits for one) and since when."""

    def __init__(self, make: MakeWork, number: int) -> None:
        super().__init__(_serve, (make,), f"holdem evaluation {number}")
        self.piece: Piece | None = None
        self.begun = 0.0


def _run_spawned(make: MakeWork, pieces: Pieces, count: int, deliver: Deliver, stopped: Callable[[], bool]) -> None:
    workers: dict[Connection, _Worker] = {}
    try:
        for _ in range(count):
            _start(make, pieces, workers)
        while any(worker.piece for worker in workers.values()):
            for connection in wait(list(workers), timeout=0.1):
                assert isinstance(connection, Connection)
                try:
                    start, stop, result = _receive(connection)
                except (EOFError, OSError):
                    _give_up(workers.pop(connection), pieces)
                    continue
                worker = workers[connection]
                pieces.took(stop - start, time.monotonic() - worker.begun)
                worker.piece = None
                deliver(start, stop, result)
            if not stopped():
                for worker in workers.values():
                    if worker.piece is None:
                        _hand_out(worker, pieces)
                if not workers and pieces.again:
                    _start(make, pieces, workers)
    finally:
        for worker in workers.values():
            # An idle worker reads the end of the pipe and leaves.
            worker.end(0.0 if worker.piece is not None else LEAVE_SECONDS)


def _start(make: MakeWork, pieces: Pieces, workers: dict[Connection, _Worker]) -> None:
    worker = _Worker(make, len(workers))
    workers[worker.connection] = worker
    _hand_out(worker, pieces)


def _hand_out(worker: _Worker, pieces: Pieces) -> None:
    worker.piece = pieces.take()
    if worker.piece is not None:
        worker.begun = time.monotonic()
        with suppress(OSError):  # a worker that is gone is noticed at the other end of the pipe
            worker.connection.send(worker.piece)


def _give_up(worker: _Worker, pieces: Pieces) -> None:
    """A worker has ended: the other workers take over its pieces."""
    ended = worker.end(LEAVE_SECONDS)
    if worker.piece is not None and not pieces.lose(worker.piece):
        raise RunFailed(f"two worker processes died at the same piece of work: {ended}; try fewer --num-workers")
    LOGGER.warning(f"a worker process is gone: {ended}; its pieces are played again")


def _receive(connection: Connection) -> tuple[int, int, Any]:
    start, stop, result, error = connection.recv()
    if isinstance(error, HoldemError):
        raise error
    if error is not None:
        raise RunFailed(f"a worker process failed:\n{error}")
    return start, stop, result


def _serve(connection: Connection, make: MakeWork) -> None:
    """The life of a worker: make the work, do pieces until the pipe is closed, and close what was made."""
    work = None
    with suppress(EOFError, OSError):
        while True:
            start, stop = connection.recv()
            try:
                work = work or make()
                connection.send((start, stop, work(start, stop), None))
            except HoldemError as error:
                connection.send((start, stop, None, error))
            except Exception:
                connection.send((start, stop, None, traceback.format_exc()))
    close_agent(work)
