"""The diagnostic test: can this machine start a process, talk to it and share memory with it?"""

import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

from holdem.errors import ConfigError, RunFailed
from holdem.util.logs import LOGGER
from holdem.util.processes import PipedProcess
from holdem.util.shared_memory import SharedMemory

LIMIT_SECONDS = 20.0
DESCRIPTORS_PER_WORKER = 4
SPARE_DESCRIPTORS = 32
"""Files that a run opens besides: checkpoints, logs, TensorBoard, and what starting a process needs for a moment."""
WAY_OUT = "run `holdem doctor` for the whole picture, or train in one process with --num-workers 1"


def announce_and_test() -> None:
    """Run the diagnostic test with the log lines of a parallel run; RunFailed says what is wrong."""
    LOGGER.info("Using multiprocessing context: 'spawn' for cross-platform compatibility")
    LOGGER.info("Running multiprocessing diagnostic test...")
    spawn_test()
    LOGGER.info("✓ Multiprocessing diagnostic test passed")


def spawn_test(target: Callable[[Connection, SharedMemory], None] | None = None) -> float:
    """Let a spawned process double a number in shared memory; returns the seconds that it took."""
    start = time.monotonic()
    try:
        answer = _ask_a_process(target or double_in_place)
    except (OSError, EOFError, MemoryError) as error:
        cause = str(error) or type(error).__name__
        raise RunFailed(f"the multiprocessing diagnostic test failed: {cause}; {WAY_OUT}") from error
    if answer != 42:
        raise RunFailed(f"the multiprocessing diagnostic test failed: 2 × 21 came back as {answer}; {WAY_OUT}")
    return time.monotonic() - start


def double_in_place(connection: Connection, memory: SharedMemory) -> None:
    """What the process of the test runs."""
    numbers = memory.array("int64", (1,))
    numbers[0] *= 2
    connection.send_bytes(b"done")


def _ask_a_process(target: Callable[[Connection, SharedMemory], None]) -> int:
    with SharedMemory.create(8, "the diagnostic test") as memory:
        numbers = memory.array("int64", (1,))
        numbers[0] = 21
        process, answered = PipedProcess(target, (memory,), "holdem diagnostic"), False
        try:
            answered = process.connection.poll(LIMIT_SECONDS)
            with suppress(EOFError):
                answered = answered and process.connection.recv_bytes() == b"done"
        finally:
            # One that has answered leaves by itself, on a busy machine not at once.
            how = process.end(LIMIT_SECONDS if answered else 1.0)
        if not answered or process.exit_code:
            raise OSError(f"a spawned process did not answer ({how})")
        answer = int(numbers[0])
        del numbers  # a view of memory that is about to be closed
        return answer


def check_descriptors(workers: int) -> None:
    """Make sure that this process may open the files that so many workers need."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    needed = _open_descriptors() + DESCRIPTORS_PER_WORKER * workers + SPARE_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return
    if hard == resource.RLIM_INFINITY or hard >= needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
        LOGGER.info(f"The limit of open files was {soft} and is now {needed}, for {workers} workers")
        return
    raise ConfigError(
        f"{workers} workers need about {needed} open files and the limit is {hard}; raise it with `ulimit -n 4096`, or "
        "use a smaller --num-workers"
    )


def _open_descriptors() -> int:
    for folder in ("/proc/self/fd", "/dev/fd"):
        with suppress(OSError):
            return len(list(Path(folder).iterdir()))
    return 64
