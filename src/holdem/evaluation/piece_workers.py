"""Numbered work (deals, flops) in pieces over long-lived processes: results that do not depend on how many there are.

`make` is called once in every process and returns the function that does a piece, so that an agent is opened once per
process. Pieces grow until one takes about half a second: few messages for fast work, and a Ctrl+C that is heard soon.
"""

import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

from holdem.errors import HoldemError, RunFailed
from holdem.util.parallel import available_cores
from holdem.util.spawn import CONTEXT, describe_exit, start_spawned

Work = Callable[[int, int], Any]
MakeWork = Callable[[], Work]
Deliver = Callable[[int, int, Any], None]

PIECE_SECONDS = 0.5


class Pieces:
    """Hands out [0, total) in pieces whose size follows the time that they take."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.next = 0
        self.size = 1

    def take(self) -> tuple[int, int] | None:
        """The next piece, or None if there is none."""
        if self.next >= self.total:
            return None
        start, self.next = self.next, min(self.next + self.size, self.total)
        return start, self.next

    def took(self, count: int, seconds: float) -> None:
        """A piece of `count` took so long."""
        self.size = max(1, min(2 * self.size, int(count * PIECE_SECONDS / max(seconds, 1e-6))))


def run_pieces(
    make: MakeWork, total: int, num_workers: int, deliver: Deliver, stopped: Callable[[], bool] = lambda: False
) -> None:
    """Do [0, total) and hand `deliver` each piece (start, stop, result), always in this process.

    0 workers are as many as there are cores; one works in this process. When `stopped` turns true no new piece begins.
    `make` and what it returns must be importable, since processes are spawned.
    """
    workers = min(num_workers or available_cores(), total)
    pieces = Pieces(total)
    if workers > 1:
        _run_spawned(make, pieces, workers, deliver, stopped)
        return
    work = make()
    while not stopped() and (piece := pieces.take()) is not None:
        begun = time.monotonic()
        deliver(*piece, work(*piece))
        pieces.took(piece[1] - piece[0], time.monotonic() - begun)


def _run_spawned(
    make: MakeWork, pieces: Pieces, workers: int, deliver: Deliver, stopped: Callable[[], bool]
) -> None:
    processes: dict[Connection, SpawnProcess] = {}
    begun: dict[Connection, float] = {}
    try:
        for index in range(workers):
            ours, theirs = CONTEXT.Pipe()
            processes[ours] = start_spawned(_serve, (theirs, make), f"holdem evaluation {index}")
            theirs.close()
            _hand_out(ours, pieces, begun)
        while begun:
            for connection in wait(list(begun), timeout=0.1):
                assert isinstance(connection, Connection)
                start, stop, result = _receive(connection, processes[connection])
                pieces.took(stop - start, time.monotonic() - begun.pop(connection))
                deliver(start, stop, result)
                if not stopped():
                    _hand_out(connection, pieces, begun)
    finally:
        for connection, process in processes.items():
            connection.close()  # an idle worker reads the end of the pipe and leaves
            if connection in begun:
                process.terminate()
            process.join()


def _hand_out(connection: Connection, pieces: Pieces, begun: dict[Connection, float]) -> None:
    piece = pieces.take()
    if piece is not None:
        begun[connection] = time.monotonic()
        with suppress(OSError):  # a worker that is gone is noticed at the other end of the pipe
            connection.send(piece)


def _receive(connection: Connection, process: SpawnProcess) -> tuple[int, int, Any]:
    try:
        start, stop, result, error = connection.recv()
    except (EOFError, OSError):
        process.join(5.0)
        ended = describe_exit(process.exitcode)
        raise RunFailed(f"a worker process is gone: {ended}; try fewer --num-workers") from None
    if isinstance(error, HoldemError):
        raise error
    if error is not None:
        raise RunFailed(f"a worker process failed:\n{error}")
    return start, stop, result


def _serve(connection: Connection, make: MakeWork) -> None:
    """The life of a worker: make the work, then do pieces until the pipe is closed."""
    with suppress(EOFError, OSError):
        work = None
        while True:
            start, stop = connection.recv()
            try:
                work = work or make()
                connection.send((start, stop, work(start, stop), None))
            except HoldemError as error:
                connection.send((start, stop, None, error))
            except Exception:
                connection.send((start, stop, None, traceback.format_exc()))
