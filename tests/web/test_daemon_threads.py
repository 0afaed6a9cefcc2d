"""Blocking work of requests: results, errors, a bound, and an end of the process that does not wait for it."""

import asyncio
import subprocess
import sys
import threading

import pytest

from holdem.web.daemon_threads import MOST_AT_ONCE, DaemonThreads
from tests.waiting import PATIENCE_SECONDS

WAITS_FOR_EVER = """
import asyncio, threading
from holdem.web.daemon_threads import DaemonThreads

async def main():
    await asyncio.wait_for(DaemonThreads().run(threading.Event().wait), timeout=0.1)

try:
    asyncio.run(main())
except TimeoutError:
    print("ended")
"""


def test_results_and_errors_arrive() -> None:
    async def both() -> int:
        threads = DaemonThreads()
        with pytest.raises(ZeroDivisionError):
            await threads.run(lambda: 1 // 0)
        return await threads.run(lambda: 6 * 7)

    assert asyncio.run(both()) == 42


def test_only_so_many_at_once() -> None:
    """Each waits until as many are there as may be."""
    running, most, lock, together = 0, 0, threading.Lock(), threading.Barrier(MOST_AT_ONCE)

    def work() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        together.wait(PATIENCE_SECONDS)
        with lock:
            running -= 1

    async def many() -> None:
        threads = DaemonThreads()
        await asyncio.gather(*(threads.run(work) for _ in range(5 * MOST_AT_ONCE)))

    asyncio.run(many())
    assert most == MOST_AT_ONCE


def test_the_end_of_the_process_does_not_wait() -> None:
    """With the threads of the framework this would hang."""
    ended = subprocess.run(
        [sys.executable, "-c", WAITS_FOR_EVER], text=True, capture_output=True, timeout=PATIENCE_SECONDS, check=True
    )
    assert ended.stdout == "ended\n"
