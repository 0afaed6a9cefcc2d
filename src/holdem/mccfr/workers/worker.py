"""What a spawned worker process runs: it says that it is alive, gets ready, and works on steps until told to stop.

Nothing heavy is imported before the first heartbeat, so that the parent can tell a slow start from a dead one, and an
import that fails is reported like any other error. Messages are single bytes with an optional text behind:

    parent → worker   GO: there is a step   QUIT: end
    worker → parent   READY   IDLE: no piece of the step is free   FAILED and the traceback

When the parent is gone its end of the pipe is closed, and the worker ends as well.
"""

import signal
import sys
import threading
import traceback
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from holdem.util.shared_memory import SharedMemory

if TYPE_CHECKING:
    from holdem.mccfr.workers.control import ControlBlock
    from holdem.mccfr.workers.pieces import PieceRunner

GO, QUIT, READY, IDLE, FAILED = b"G", b"Q", b"R", b"I", b"F"
STARTUP_BEAT_SECONDS = 0.1


@dataclass(frozen=True)
class WorkerArguments:
    """All that a worker is given. heartbeat_word: its place in the control block; work: a pickled `Work`."""

    index: int
    control: SharedMemory
    table: SharedMemory
    bucket_tables: tuple[SharedMemory, ...]
    heartbeat_word: int
    work: bytes


def main(connection: Connection, arguments: WorkerArguments) -> None:
    """Entry point of the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches the whole group; the parent decides what it means
    try:
        with _StartupBeat(arguments):
            control, runner = _prepare(arguments)
        connection.send_bytes(READY)
        _serve(arguments.index, connection, control, runner)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        sys.exit(0)  # the parent is gone
    except BaseException:
        _report_failure(connection)
        sys.exit(1)


def _prepare(arguments: WorkerArguments) -> "tuple[ControlBlock, PieceRunner]":
    import pickle

    from holdem.mccfr.workers.control import ControlBlock
    from holdem.mccfr.workers.pieces import PieceRunner

    work = pickle.loads(arguments.work)
    control = ControlBlock(arguments.control, work.workers)
    runner = PieceRunner.open(work, arguments.table, arguments.bucket_tables)
    runner.warm_up()
    control.warm_up()
    runner.count_into(control, arguments.index)
    return control, runner


def _serve(index: int, connection: Connection, control: "ControlBlock", runner: "PieceRunner") -> None:
    while connection.recv_bytes() == GO:
        while (claimed := control.claim(index)) is not None:
            piece, first, last = claimed
            runner.run(first, last)
            control.finish(piece, index)
            control.beat(index)
        connection.send_bytes(IDLE)


def _report_failure(connection: Connection) -> None:
    try:
        connection.send_bytes(FAILED + traceback.format_exc().encode())
    except OSError:
        traceback.print_exc()


class _StartupBeat:
    """Beats from a thread while the process imports and compiles."""

    def __init__(self, arguments: WorkerArguments) -> None:
        self._words = arguments.control.array("int64", (arguments.heartbeat_word + 1,))
        self._word = arguments.heartbeat_word
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        while True:
            self._words[self._word] += 1
            if self._ended.wait(STARTUP_BEAT_SECONDS):
                return

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
