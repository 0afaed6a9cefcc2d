"""How much memory a run takes: all of its processes together, with the pages that they share counted once.

Linux says for each process what its share of every page is (`Pss`), so the shares of all add up. Elsewhere what a
process has for itself is asked for, and the shared bytes are added once. A process that has just ended counts nothing.
"""

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

LEAST_SECONDS = 1.0
MOST_SHARE = 0.01
"""Measuring walks through all pages, 17 ms for each gigabyte of a process, while workers wait: at most this share."""


def memory_of(processes: Sequence[int], shared_bytes: int) -> int:
    """Bytes that these processes take together; `shared_bytes`: of memory that all of them map."""
    if len(processes) == 1:
        return _ask(processes[0], lambda process: process.memory_info().rss)
    shares = [_proportional_bytes(process) for process in processes]
    if any(shares):
        return sum(shares)
    return shared_bytes + sum(_ask(process, lambda found: _private_bytes(found, shared_bytes)) for process in processes)


def _proportional_bytes(process: int) -> int:
    """The `Pss` of a process; 0 where the system does not say."""
    with suppress(OSError, ValueError, IndexError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def _private_bytes(process: psutil.Process, shared_bytes: int) -> int:
    try:
        return int(process.memory_full_info().uss)
    except psutil.AccessDenied:  # macOS tells this of others to the administrator only
        return max(int(process.memory_info().rss) - shared_bytes, 0)


def _ask(process: int, question: Callable[[psutil.Process], int]) -> int:
    try:
        return int(question(psutil.Process(process)))
    except (psutil.Error, OSError):
        return 0


def own_peak_bytes() -> int:
    """The most that this process alone has taken so far."""
    if sys.platform == "win32":
        return int(psutil.Process().memory_info().peak_wset)
    with suppress(OSError, ValueError, IndexError):
        # Linux: `getrusage` would tell the maximum of the process that started this one, if that was larger.
        for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    import resource

    return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * (1 if sys.platform == "darwin" else 1024)


class MemoryMeter:
    """The memory of processes that come and go; asking often is cheap, because an answer serves for a while.

    processes: numbers of all processes now; shared_bytes: of memory that all of them map
    """

    def __init__(self, processes: Callable[[], Sequence[int]], shared_bytes: int) -> None:
        self.processes, self.shared_bytes = processes, shared_bytes
        self._last, self._highest = 0, 0
        self._again = float("-inf")

    def now(self) -> int:
        """Bytes of all processes, as of a moment ago."""
        return self._last if time.monotonic() < self._again else self._measure()

    def peak(self) -> int:
        """The most that was seen; of this process alone the system knows it exactly."""
        self._measure()
        return max(self._highest, own_peak_bytes())

    def _measure(self) -> int:
        start = time.monotonic()
        self._last = memory_of(self.processes(), self.shared_bytes)
        self._highest = max(self._highest, self._last)
        end = time.monotonic()
        self._again = end + max(LEAST_SECONDS, (end - start) / MOST_SHARE)
        return self._last
