"""Start a process that imports `holdem` and nothing of the user's, talk to it, and end it whatever state it is in.

`multiprocessing` with the method `spawn` imports the parent's main module again in every child. A script without an
`if __name__ == "__main__"` guard would then start itself over and over, a script read from standard input or a notebook
cell cannot be imported at all, and the imports of a command line would slow every worker down. So the main module is
out of sight while a child is started. Only contexts are used, never `set_start_method`.
"""

import atexit
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from types import ModuleType
from typing import Any

from holdem.errors import HoldemError, RunFailed

CONTEXT = multiprocessing.get_context("spawn")
_STARTING = threading.Lock()
"""Two threads that start processes at once would put each other's stand-in back as the main module."""
EXIT_CODE_SECONDS = 5.0
CLOSING = threading.Event()
"""Set when this process ends, and its children with it."""
atexit.register(CLOSING.set)  # later than that of multiprocessing, which ends children, so it is called before


def start_spawned(target: Callable[..., object], arguments: tuple[Any, ...], name: str) -> SpawnProcess:
    """Start `target(*arguments)`, a function of an importable module, in a process that ends with this one at the
    latest. Ctrl+C does not reach it: the parent decides what happens then.
    """
    process = CONTEXT.Process(target=target, args=arguments, name=name, daemon=True)
    with _STARTING, _main_out_of_sight(), _interrupts_held_back():
        process.start()
    return process


@contextmanager
def _main_out_of_sight() -> Iterator[None]:
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """The child inherits the mask and keeps it; the parent gets a Ctrl+C of this moment right afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # its start lets Ctrl+C through again, so it must not be between mask and child
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent(connection: Connection) -> None:
    """The first call of a process that does not listen to its pipe: it ends when the parent closes it or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches the whole group; the parent decides what it means
    threading.Thread(target=_end_at_end_of_pipe, args=(connection,), name="parent", daemon=True).start()


def _end_at_end_of_pipe(connection: Connection) -> None:
    with suppress(EOFError, OSError):
        connection.recv_bytes()
    os._exit(1)


@contextmanager
def telling_errors(connection: Connection) -> Iterator[None]:
    """Inside, a sentence for users ends the process with status 1, and goes to the parent instead of the screen."""
    try:
        yield
    except HoldemError as error:
        with suppress(OSError):
            connection.send_bytes(str(error).encode())
        raise SystemExit(1) from None


def describe_exit(exit_code: int | None) -> str:
    """How a process ended, for people."""
    if exit_code is None:
        return "it is still running"
    if exit_code >= 0:
        return f"it ended with status {exit_code} before it could say why; what it printed is above"
    name = signal.Signals(-exit_code).name if -exit_code in set(signal.Signals) else str(-exit_code)
    hint = "; if nobody sent it, the system ran out of memory" if name == "SIGKILL" else ""
    return f"ended by signal {name} ({-exit_code}){hint}"


class PipedProcess:
    """A spawned process and our end of a pipe to it; `target` gets the other end, and then the arguments."""

    def __init__(self, target: Callable[..., object], arguments: tuple[Any, ...], name: str) -> None:
        self.connection, theirs = CONTEXT.Pipe()
        self.exit_code: int | None = None
        """Known when it was ended; negative for a signal."""
        try:
            self._process: SpawnProcess | None = start_spawned(target, (theirs, *arguments), name)
        except BaseException:
            self.connection.close()
            raise
        finally:
            theirs.close()  # this process's copy: when the child's own is closed too, we read the end of the pipe

    @property
    def pid(self) -> int:
        """Of the process; 0 when it was ended."""
        return 0 if self._process is None else self._process.pid or 0

    @property
    def alive(self) -> bool:
        """Whether it was not ended; it may be gone all the same, which the pipe tells."""
        return self._process is not None

    def kill(self) -> None:
        """End the process at once, whatever it does; whoever reads our end of the pipe reads its end then."""
        if self._process is not None:
            self._process.kill()

    def wait(self, seconds: float) -> None:
        """Until it has ended, with so long after its last word; RunFailed with that word if it did not end well."""
        said = b""
        with suppress(EOFError, OSError):
            said = self.connection.recv_bytes()
        if CLOSING.is_set():
            raise RunFailed("this process ends")  # multiprocessing is ending its children, and this one with them
        how = self.end(seconds)
        if self.exit_code != 0:
            raise RunFailed(said.decode() or how)

    def end(self, seconds: float = 0.0) -> str:
        """Close the pipe, wait so long for the process to end by itself, then end it; says how it ended."""
        process, self._process = self._process, None
        if process is None:
            return "it had ended before"
        with suppress(OSError):
            self.connection.close()
        process.join(seconds)
        if process.is_alive():
            process.kill()  # also a stopped process ends at once
            process.join()
        self.exit_code = _exit_code(process)
        if self.exit_code is not None:
            process.close()
        return describe_exit(self.exit_code)


def _exit_code(process: SpawnProcess) -> int | None:
    """Of a process that has ended. A thread that starts another process at this moment may be the one that takes the
    code from the system; it is there a moment later.
    """
    deadline = time.monotonic() + EXIT_CODE_SECONDS
    while (code := process.exitcode) is None and time.monotonic() < deadline:
        time.sleep(0.001)
    return code
