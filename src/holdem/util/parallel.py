"""Threads over compiled kernels: split a range into chunks, run them, report progress, stop on Ctrl+C.

Kernels release the interpreter lock, so threads are enough, and the arrays are shared for free.
"""

import os
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from holdem.errors import ConfigError

ALWAYS_ALLOWED, ALLOWED_PER_CORE = 64, 8
"""More workers than the larger of the two allows were not meant: a number that was mistyped."""


def available_cores() -> int:
    """Cores that this process may use: its affinity and its container's quota, not the host's count."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows have no affinity call
        cores = os.cpu_count() or 1
    return max(1, min(cores, _container_quota() or cores))


def workers_for(asked: int) -> int:
    """How many processes or threads to start: as asked, every core for 0, ConfigError for absurdly many."""
    cores = available_cores()
    most = max(ALWAYS_ALLOWED, ALLOWED_PER_CORE * cores)
    if asked > most:
        raise ConfigError(
            f"{asked:,} workers are too many for {cores} cores, where one for each is fastest; ask for at most {most}, "
            "or for 0, which is every core"
        )
    return asked or cores


def _container_quota() -> int | None:
    """Whole cores that a Linux control group grants, if it sets a limit."""
    try:
        with open("/sys/fs/cgroup/cpu.max", encoding="ascii") as file:  # noqa: PTH123
            quota, period = file.read().split()
    except (OSError, ValueError):
        return None
    return None if quota == "max" else max(1, int(quota) // int(period))


def run_chunks(
    work: Callable[[int, int], None],
    total: int,
    chunk: int,
    threads: int = 0,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Call `work(start, stop)` over [0, total) in pieces of `chunk`, on `threads` threads (0: every core).

    `progress` hears the number of finished items after each piece, always from the calling thread.
    An exception, Ctrl+C included, stops the hand-out of new pieces and is raised when the running ones end.
    """
    threads = workers_for(threads)
    starts = iter(range(0, total, chunk))
    with ThreadPoolExecutor(max_workers=threads) as pool:
        running: dict[Future[None], int] = {}

        def submit_next() -> None:
            start = next(starts, None)
            if start is not None:
                stop = min(start + chunk, total)
                running[pool.submit(work, start, stop)] = stop - start

        for _ in range(2 * threads):
            submit_next()
        while running:
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                count = running.pop(future)
                future.result()
                if progress is not None:
                    progress(count)
                submit_next()
