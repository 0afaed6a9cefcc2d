"""One line of the benchmark table, and how a kernel is timed.

Machines are noisy, so each figure stands beside a baseline measured in the same run, and the best of a few
repeats is taken: the least disturbed one.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Measurement:
    """`value` of ours against `baseline`; a ratio below 1 means that ours is smaller (faster, for times)."""

    name: str
    value: float
    unit: str
    baseline_name: str = ""
    baseline: float | None = None
    target: str = ""

    @property
    def ratio(self) -> float | None:
        return None if self.baseline is None else self.value / self.baseline


def best_seconds(function: Callable[[], object], repeats: int = 3) -> float:
    """Shortest wall time of a call, after one call to warm up (compile, fill caches)."""
    function()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)
