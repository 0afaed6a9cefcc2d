"""When a solve ends, and with which average: exploitability jumps now and then, and a limit must not catch that."""

import time
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from holdem.realtime import SubgameSolver
from holdem.realtime.subgame.best_average import FIRST_LOOK, GROWTH, BestAverage, next_look
from holdem.realtime.subgame.schedules import Schedule
from holdem.realtime.subgame.traversal import Traversals
from tests.realtime.spots import RIVER, TURN, spot

SWINGING: dict[str, Any] = {
    "board": "Qh 5d Qs 7d",
    "pot": 120,
    "effective_stack": 400,
    "range_oop": "22+,A2s+,ATo+,K9s+,KJo+,QTs+,QJo,J9s+,T8s+,97s+,87s,76s,65s",
    "range_ip": "22+,A2s+,ATo+,K9s+,KJo+,QTs+,QJo,J9s+,T8s+,97s+,87s,76s,65s",
    "bet_sizes": {"turn": {"bet": "66%", "raise": "60%"}, "river": {"bet": "66%, a", "raise": "a"}},
}
"""With regrets that always fade its exploitability rose from 0.13 % of the pot to 0.9 %, with one way of rounding."""


class Jumping(Schedule):
    """From iteration 180 on it forgets all regrets and averages, and answers the last strategy: a jump that is sure."""

    def table(self, length: int) -> npt.NDArray[np.float32]:
        factors = super().table(length)
        factors[180:] = 0.0, 0.0, 1.0
        return factors


def every_ten_iterations(most: int, schedule: Schedule) -> list[float]:
    """Exploitability of the average as it is, in chips."""
    solver = SubgameSolver(spot(SWINGING), threads=2).allocate()
    with Traversals(solver.workspace) as traversals:
        seen = []
        for first in range(0, most, 10):
            traversals.iterate(schedule.factors(first, 10))
            seen.append(traversals.exploitability())
    return seen


def test_a_solve_goes_on_as_if_it_had_not_stopped() -> None:
    """Also where it answered with an earlier average in between: what it adds to is the last one."""
    jumping = Jumping()
    stopped = SubgameSolver(spot(SWINGING), threads=2, schedule=jumping)
    for _ in range(19):
        stopped.solve(max_iterations=10)
    assert stopped.exploitability() < 0.5 * every_ten_iterations(190, jumping)[-1]
    stopped.best_average().go_on()  # as the next call of `solve` does
    at_once = SubgameSolver(spot(SWINGING), threads=2, schedule=jumping)
    at_once.solve(max_iterations=190)
    at_once.best_average().go_on()
    assert np.array_equal(stopped.workspace.storage.averages, at_once.workspace.storage.averages)


def test_a_limit_returns_the_best_average_that_was_seen() -> None:
    """One solve without a break, ended by its number of iterations at the worst moment."""
    jumping = Jumping()
    at_once = SubgameSolver(spot(SWINGING), threads=2, schedule=jumping)
    result = at_once.solve(max_iterations=190)
    seen = every_ten_iterations(190, jumping)
    assert max(seen[17:]) > 3 * min(seen)
    # The best look is at most a factor of GROWTH before the best moment; exploitability falls about as 1 / t^1.5.
    assert at_once.exploitability() <= GROWTH**1.5 * 1.1 * min(seen)
    assert result.exploitability == pytest.approx(at_once.exploitability())


def test_the_default_schedule_does_not_swing_there() -> None:
    seen = every_ten_iterations(400, Schedule())
    assert all(after <= 1.1 * before for before, after in pairwise(seen))


def test_looks_are_a_growing_number_of_iterations_apart() -> None:
    assert next_look(0) == FIRST_LOOK
    assert [next_look(n) for n in (20, 100, 1000)] == [FIRST_LOOK, 131, 1301]


def test_what_was_kept_comes_back() -> None:
    solver = SubgameSolver(spot(RIVER))
    solver.solve(max_iterations=5)
    best = BestAverage(solver.workspace)
    good = solver.workspace.storage.averages.copy()
    best.offer(1.0)
    solver.solve(max_iterations=5)
    best.offer(2.0)
    assert not np.array_equal(solver.workspace.storage.averages, good)
    last = solver.workspace.storage.averages.copy()
    best.put_in_place()
    assert np.array_equal(solver.workspace.storage.averages, good)
    assert best.exploitability == 1.0
    best.go_on()
    assert np.array_equal(solver.workspace.storage.averages, last)


@pytest.mark.parametrize("fewest", [2, 7, 30])
def test_after_the_deadline_only_the_least_iterations_are_done(fewest: int) -> None:
    """Iterations of a river so quick that dozens fit into the time between two looks at the clock."""
    solver = SubgameSolver(spot(RIVER)).allocate()
    solver.solve(max_iterations=1)
    result = solver.solve(deadline=time.monotonic(), min_iterations=fewest)
    assert (result.iterations, result.stopped_by) == (fewest, "deadline")


def test_the_last_look_is_within_the_deadline() -> None:
    """A look takes about as long as an iteration, and the time for it is set aside."""
    solver = SubgameSolver(spot(TURN)).allocate()
    solver.solve(max_iterations=FIRST_LOOK)
    seconds = []
    for _ in range(3):
        start = time.thread_time()
        result = solver.solve(deadline=time.monotonic() + 0.3)
        seconds.append(time.thread_time() - start)
        assert result.stopped_by == "deadline"
        assert result.exploitability is not None
    assert min(seconds) < 0.6  # twice the time, of the processor alone: other tests run beside this one
