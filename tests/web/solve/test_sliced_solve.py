"""What groups cost is measured beside the solve: once after each stop, within its memory, and given up when asked."""

from holdem.realtime.subgame.groups.lifted import exact_bytes, exact_exploitability
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.spot import Spot
from holdem.web.solve.estimate import bytes_of, checked_solver
from holdem.web.solve.sliced_solve import SlicedSolve
from tests.realtime.spots import TURN


def grouped() -> SubgameSolver:
    solver = checked_solver(Spot.from_plain(TURN), "groups", 1)
    solver.solve(max_iterations=20)
    return solver


def test_who_is_interrupted_still_owes_it() -> None:
    solver = grouped()
    solve = SlicedSolve(solver, 1 << 30)
    assert solve.owes_exact
    assert solve.measure_exact(lambda: True) is None
    assert solve.owes_exact
    assert solve.stopped_message()["exact_exploitability"] is None
    percent = solve.measure_exact(lambda: False)
    chips = exact_exploitability(solver)
    assert chips is not None
    assert percent == round(100 * chips / TURN["pot"], 5)
    assert not solve.owes_exact
    assert solve.stopped_message()["exact_exploitability"] == percent
    solver.solve(max_iterations=10)
    assert solve.owes_exact
    assert solve.stopped_message()["exact_exploitability"] is None


def test_solve_and_measurement_together_keep_to_the_memory() -> None:
    solver = grouped()
    both = bytes_of(solver) + exact_bytes(solver)
    assert SlicedSolve(solver, both).measure_exact(lambda: False) is not None
    tight = SlicedSolve(solver, both - 1)
    assert tight.measure_exact(lambda: False) is None
    assert not tight.owes_exact  # it will not fit later either


def test_a_stop_takes_one_iteration_and_a_measurement() -> None:
    solver = checked_solver(Spot.from_plain(TURN), "exact", 1)
    solve = SlicedSolve(solver, 1 << 30)
    solve.run(0.001, None, lambda: True, lambda _: None)
    assert solver.iterations == 1
    assert solve.stopped_message()["by"] == "stop"
    assert solve.percent == 100 * solver.exploitability() / TURN["pot"]
