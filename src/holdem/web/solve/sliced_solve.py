"""A solve in slices of a fraction of a second: between them it tells how far it is and hears whether to stop.

Each slice ends with a measured exploitability and with the best average so far (`best_average`), so that a person may
stop at any moment.
"""

import time
from collections.abc import Callable

from holdem.realtime.solve import DEFAULT_TARGET_PERCENT
from holdem.realtime.subgame.groups.lifted import exact_exploitability
from holdem.realtime.subgame.loop import SolveResult
from holdem.realtime.subgame.solution import Solution
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.web.solve.estimate import bytes_of
from holdem.web.solve.messages import LONGEST_SOLVE_SECONDS, Plain

SLICE_SECONDS = 0.3
LEAST_ITERATIONS = 10
"""Of a slice; a measurement costs about one."""
MOST_ITERATIONS = 1_000_000
TELL_SECONDS = 0.5
"""Between two messages of a slice that takes long."""


class SlicedSolve:
    """A solver that has its tables, how long it has worked, and what it says when it stops."""

    def __init__(self, solver: SubgameSolver, most_bytes: int, seconds: float = 0.0, stopped_by: str = "stop") -> None:
        """`seconds` and `stopped_by`: what was spent before and why it ended, of a solve from a file."""
        self.solver, self.most_bytes = solver, most_bytes
        self.seconds = seconds
        self.stopped_by = stopped_by
        self._exploitability: float | None = None
        self._solution: Solution | None = None
        self._exact: tuple[int, float | None] | None = None

    @property
    def percent(self) -> float:
        """Exploitability in per cent of the pot; measured if it is not known, and 0 where rounding leaves it below."""
        if self._exploitability is None:
            self._exploitability = self.solver.exploitability()
        percent = 100.0 * self._exploitability / self.solver.spot.pot
        return 0.0 if percent <= 0 else percent  # NaN stays what it is

    @property
    def solution(self) -> Solution:
        """What can be asked and saved."""
        if self._solution is None:
            result = SolveResult(self.solver.iterations, self.seconds, self._exploitability, self.stopped_by)
            self._solution = Solution(self.solver, result)
        return self._solution

    def run(
        self,
        target: float | None,
        seconds: float | None,
        interrupted: Callable[[], bool],
        send: Callable[[Plain], None],
    ) -> None:
        """Iterate to a target in per cent of the pot, for so many seconds, or until `interrupted` says so."""
        if target is None and seconds is None:
            target = DEFAULT_TARGET_PERCENT
        start, before = time.monotonic(), self.seconds
        deadline = start + (seconds or LONGEST_SOLVE_SECONDS)
        told = start
        self._solution = None
        length = LEAST_ITERATIONS

        def stop() -> bool:
            nonlocal told
            now = time.monotonic()
            if now - told > TELL_SECONDS and self._exploitability is not None:
                told = now
                self.seconds = before + now - start
                send(self._progress())
            return now > deadline or interrupted()

        while True:
            began = time.monotonic()
            result = self.solver.solve(target_percent=target, max_iterations=length, stop=stop)
            self._exploitability = result.exploitability
            now = time.monotonic()
            self.seconds = before + now - start
            if (ended := self._ended(target, now > deadline, interrupted)) is not None:
                self.stopped_by = ended
                return
            told = time.monotonic()
            send(self._progress())
            each = max(1e-6, (told - began) / max(1, result.iterations))
            length = min(max(LEAST_ITERATIONS, int(SLICE_SECONDS / each)), MOST_ITERATIONS)

    def _ended(self, target: float | None, is_late: bool, interrupted: Callable[[], bool]) -> str | None:
        """Why the solve ends after this slice, None if it goes on."""
        if target is not None and self.percent <= target:
            return "target"
        if interrupted():
            return "stop"
        if is_late:
            return "time"
        return "iterations" if self.solver.iterations >= MOST_ITERATIONS else None

    def _progress(self) -> Plain:
        return {
            "type": "progress",
            "iterations": self.solver.iterations,
            "seconds": round(self.seconds, 2),
            "exploitability": round(self.percent, 5),
        }

    @property
    def owes_exact(self) -> bool:
        """Whether nobody has looked yet what groups cost after these iterations."""
        return self.solver.grouping is not None and (self._exact is None or self._exact[0] != self.solver.iterations)

    def measure_exact(self, interrupted: Callable[[], bool]) -> float | None:
        """Exploitability with exact hands in per cent of the pot, None where it does not fit beside the solve.

        It takes seconds where a tree is large, so whoever is `interrupted` gets None and still owes it.
        """
        chips = exact_exploitability(self.solver, self.most_bytes - bytes_of(self.solver), interrupted)
        percent = None if chips is None else round(100.0 * chips / self.solver.spot.pot, 5)
        if percent is not None or not interrupted():
            self._exact = self.solver.iterations, percent
        return percent

    def stopped_message(self) -> Plain:
        """Where the solve stands."""
        solution = self.solution
        return {
            **self._progress(),
            "type": "stopped",
            "by": self.stopped_by,
            "exact_exploitability": None if self._exact is None or self.owes_exact else self._exact[1],
            "ev": [round(value, 4) for value in solution.expected_values],
            "hands": "exact" if self.solver.grouping is None else "groups",
        }
