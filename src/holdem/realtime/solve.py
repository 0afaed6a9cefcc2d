"""`solve_subgame`: a spot in, a solution out; what `holdem solve` calls."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from holdem.realtime.subgame.groups.street import StreetGroups
from holdem.realtime.subgame.nodes.lock import apply_locks
from holdem.realtime.subgame.plan import check_before_building
from holdem.realtime.subgame.schedules import Schedule
from holdem.realtime.subgame.solution import Solution
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.spot import Spot
from holdem.util.compiling import COMPILATIONS, GROUPS, SHORT_TABLES, THREADS

DEFAULT_TARGET_PERCENT = 0.5
RIVERS_TO_BET_ON = 2
"""Of a flop with groups: drawn below each turn."""
_warm: set[tuple[bool, bool, bool]] = set()


def warm_up(compressed: bool = False, groups: int | None = None, threads: int = 1) -> None:
    """Compile the kernels that such a solve needs, or load them from the cache, before a clock runs."""
    asked = compressed, groups is not None, threads > 1
    if asked in _warm:
        return
    for part, wanted in zip((SHORT_TABLES, GROUPS, THREADS), asked, strict=True):
        if wanted:
            COMPILATIONS.expect(part)
    _solve_tiny_spots(compressed, StreetGroups(2, rivers=1) if groups else None, 2 if threads > 1 else 1)
    COMPILATIONS.finished()
    _warm.add(asked)


def _solve_tiny_spots(compressed: bool, grouping: StreetGroups | None, threads: int) -> None:
    sizes = {"bet": "100%", "raise": "a"}
    tiny = {"board": "2c2d2h3c", "pot": 2, "effective_stack": 4, "range_oop": "AA", "range_ip": "KK",
            "bet_sizes": {"turn": sizes, "river": sizes}}  # fmt: skip
    flop = {**tiny, "board": "2c2d2h"}
    for content in (tiny, flop) if grouping is not None else (tiny,):
        at = Spot.from_plain(content)
        solver = SubgameSolver(at, threads=threads, compressed=compressed, grouping=grouping).allocate()
        solver.solve(max_iterations=1)
        solver.exploitability()


def build_solver(
    spot: Spot,
    threads: int = 1,
    compressed: bool = False,
    schedule: Schedule | None = None,
    memory_limit_bytes: int | None = None,
    groups: int | None = None,
) -> SubgameSolver:
    """The solver of a spot before anything is allocated; a spot that cannot fit into memory is refused at once."""
    if groups is None:  # groups make the tables of the rivers so small that the limit of nodes is enough
        check_before_building(spot, compressed, memory_limit_bytes)
    grouping = None if groups is None else StreetGroups(groups, rivers=RIVERS_TO_BET_ON)
    return SubgameSolver(spot, threads=threads, schedule=schedule, compressed=compressed, grouping=grouping)


def solve_subgame(
    spot: Spot | Mapping[str, Any] | SubgameSolver,
    *,
    target_percent: float | None = None,
    time_budget_ms: float | None = None,
    max_iterations: int | None = None,
    min_iterations: int = 0,
    threads: int = 1,
    compressed: bool = False,
    groups: int | None = None,
    schedule: Schedule | None = None,
    memory_limit_bytes: int | None = None,
    stop: Callable[[], bool] = lambda: False,
    progress: Callable[[int, float], None] | None = None,
) -> Solution:
    """Solve a spot, or what `build_solver` made of it, until a target (per cent of the pot), a time budget or a number
    of iterations.

    With none of the three the target is half a per cent. The time budget counts from the call on, building the tree
    included and compiling kernels not.

        solution = solve_subgame({"board": "Ah9c4d7s2h", "pot": 90, "effective_stack": 300, "range_oop": "22+",
                                  "range_ip": "random", "bet_sizes": {"river": {"bet": "50%, a", "raise": "a"}}})
        print(solution.exploitability_percent, solution.expected_values)
    """
    warm_up(compressed, groups, spot.threads if isinstance(spot, SubgameSolver) else threads)
    start = time.monotonic()
    if target_percent is None and time_budget_ms is None and max_iterations is None:
        target_percent = DEFAULT_TARGET_PERCENT
    if isinstance(spot, SubgameSolver):
        solver = spot
    else:
        spot = spot if isinstance(spot, Spot) else Spot.from_plain(spot)
        solver = build_solver(spot, threads, compressed, schedule, memory_limit_bytes, groups)
    solver.allocate(memory_limit_bytes)
    apply_locks(solver)
    result = solver.solve(
        target_percent=target_percent,
        deadline=None if time_budget_ms is None else start + time_budget_ms / 1000.0,
        max_iterations=max_iterations,
        min_iterations=min_iterations,
        stop=stop,
        progress=progress,
    )
    return Solution(solver, result)
