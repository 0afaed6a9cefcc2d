"""The loop of a solve: when it reads the clock, when it measures its exploitability, when it ends."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from holdem.realtime.subgame.best_average import FIRST_LOOK, BestAverage, next_look
from holdem.realtime.subgame.schedules import Schedule
from holdem.realtime.subgame.traversal import Traversals

CHECK_STEP = 10
"""The least number of iterations between two measurements of the exploitability."""
SLOW_SECONDS = 0.01
"""An iteration that takes longer than this is cut short when the deadline comes."""
LOOK_SECONDS = 0.004
"""A run of iterations inside compiled code lasts about this long before the clock is read again."""
LONGEST_RUN = 1000


@dataclass(frozen=True)
class SolveResult:
    """How a solve ended."""

    iterations: int
    seconds: float
    exploitability: float | None
    """Chips, if it was measured: (best response of oop + best response of ip − pot) / 2."""
    stopped_by: str
    """`target`, `deadline`, `iterations` or `interrupt`."""


@dataclass(frozen=True)
class SolveLimits:
    """What ends a solve; `deadline` is a time of `time.monotonic`, which `min_iterations` has priority over.

    `stop` is asked between runs of iterations.
    """

    target_percent: float | None = None
    deadline: float | None = None
    max_iterations: int | None = None
    min_iterations: int = 1
    stop: Callable[[], bool] = lambda: False

    @property
    def may_cut_short(self) -> bool:
        """Whether the solve may end at a bad moment; a target ends it at a good one."""
        return self.deadline is not None or self.max_iterations is not None


class SolveLoop:
    """One call of `solve`: runs of iterations until a limit is reached."""

    def __init__(
        self,
        traversals: Traversals,
        schedule: Schedule,
        limits: SolveLimits,
        best: BestAverage | None,
        pot: int,
        expected_seconds: float,
        progress: Callable[[int, float], None] | None,
    ) -> None:
        self.traversals, self.schedule, self.limits, self.best = traversals, schedule, limits, best
        self.pot, self.expected_seconds, self.progress = pot, expected_seconds, progress
        self.workspace = traversals.workspace
        self.start = time.monotonic()
        self.done = 0
        self.next_check: int | None = None
        self.check_seconds = 0.0
        self.exploitability: float | None = None
        if limits.target_percent is not None:
            self.next_check = CHECK_STEP
        elif self.best is not None:
            self.next_check = next_look(self.workspace.iterations) - self.workspace.iterations
        self.seconds_each = 0.0

    def run(self) -> SolveResult:
        """Iterate to the end, and end with the best average that was seen."""
        stopped_by = self._iterate_to_the_end()
        self._settle()
        return SolveResult(self.done, time.monotonic() - self.start, self.exploitability, stopped_by)

    def _iterate_to_the_end(self) -> str:
        while True:
            if self.done == self.limits.max_iterations:
                return "iterations"
            if self._too_late() or not self._iterate(self._run_length()):
                return "deadline"
            if self._target_reached():
                return "target"
            if self.limits.stop():
                return "interrupt"

    def _settle(self) -> None:
        """Go back to the average that was kept if the last one is worse."""
        if self.best is None or self.workspace.iterations < FIRST_LOOK:
            return
        exploitability = self._look() if self.exploitability is None else self.exploitability
        self.best.offer(exploitability)
        if exploitability > self.best.exploitability:
            self.best.put_in_place()
            self.exploitability = self.best.exploitability

    def _look(self) -> float:
        """The exploitability now, in chips."""
        before = time.monotonic()
        with self.traversals.halting_at(None):
            self.exploitability = self.traversals.exploitability()
        self.check_seconds = time.monotonic() - before
        return self.exploitability

    def _seconds_left(self) -> float | None:
        """Time to the deadline, less the last measurement; None without a deadline or before `min_iterations`."""
        if self.limits.deadline is None or self.done < self.limits.min_iterations:
            return None
        return self.limits.deadline - self.check_seconds - time.monotonic()

    def _too_late(self) -> bool:
        left = self._seconds_left()
        return left is not None and (left <= 0 or left < self.seconds_each)

    def _run_length(self) -> int:
        """Iterations until the clock, a check or the end is due."""
        if self.seconds_each == 0.0:
            return 1
        count = max(1, min(LONGEST_RUN, int(LOOK_SECONDS / self.seconds_each)))
        if self.limits.max_iterations is not None:
            count = min(count, self.limits.max_iterations - self.done)
        if self.next_check is not None:
            count = min(count, self.next_check - self.done)
        left = self._seconds_left()
        if left is not None:
            return min(count, max(1, int(left / self.seconds_each)))
        if self.limits.deadline is not None:  # it may have come already: not one iteration more than must be done
            return min(count, self.limits.min_iterations - self.done)
        return count

    def _iterate(self, count: int) -> bool:
        """Do so many iterations; false if the deadline cut them short."""
        before = time.monotonic()
        slow = max(self.seconds_each, self.expected_seconds) > SLOW_SECONDS and self._seconds_left() is not None
        self.exploitability = None
        deadline = self.limits.deadline
        with self.traversals.halting_at(deadline - self.check_seconds if slow and deadline is not None else None):
            self.traversals.iterate(self.schedule.factors(self.workspace.iterations, count))
        if self.traversals.halted:
            return False
        self.seconds_each = (time.monotonic() - before) / count
        self.done += count
        self.workspace.iterations += count
        return True

    def _target_reached(self) -> bool:
        """Measure the exploitability when it is due; whether the target is reached."""
        if self.next_check is None or self.done < self.next_check:
            return False
        exploitability = self._look()
        total, target = self.workspace.iterations, self.limits.target_percent
        self.next_check = self.done + next_look(total) - total
        if self.best is not None:
            self.best.offer(exploitability)
        if target is None:
            return False
        percent = 100.0 * exploitability / self.pot
        if self.progress is not None:
            self.progress(total, percent)
        step = next_step(total, percent, target)
        self.next_check = self.done + step if self.best is None else min(self.next_check, self.done + step)
        return percent <= target


def next_step(iterations: int, percent: float, target: float) -> int:
    """Iterations to the next check: two thirds of the way that is expected, at a decay of 1 / t^1.5."""
    # Rounding can leave an exploitability of nothing a little below zero.
    expected = iterations * ((max(0.0, percent) / target) ** (2.0 / 3.0) - 1.0) if target > 0 else iterations
    return max(CHECK_STEP, min(iterations, int(expected * 2.0 / 3.0)))
