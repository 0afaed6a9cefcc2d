"""A solve as a file: the spot, where it stands, and its tables, so that it can be asked again or solved further."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.errors import ArtifactError
from holdem.realtime.node_lock import apply_locks
from holdem.realtime.schedules import ALWAYS, Schedule
from holdem.realtime.solution import Solution
from holdem.realtime.solve_loop import SolveResult
from holdem.realtime.spot import Spot
from holdem.realtime.subgame_solver import SubgameSolver
from holdem.util.artifacts import TRAILER_BYTES, TRAILER_MAGIC
from holdem.util.tables import read_tables, write_tables

KIND = "subgame solve"
VERSION = 1
_WAY_OUT = "solve the spot again with: holdem solve SPOT.json --save FILE"


def save_solution(solution: Solution, path: Path) -> None:
    """Write a solve so that `load_solution` gives it back as it is."""
    solver, result, schedule = solution.solver, solution.result, solution.solver.schedule
    content = {
        "spot": solver.spot.to_plain(),
        "iterations": solver.iterations,
        "compressed": solver.compressed,
        "schedule": [schedule.alpha, schedule.negative, schedule.gamma, schedule.restart, schedule.fading],
        "result": [result.iterations, result.seconds, result.exploitability, result.stopped_by],
    }
    write_tables(path, KIND, VERSION, content, _tables(solver))


def _tables(solver: SubgameSolver) -> dict[str, npt.NDArray[Any]]:
    storage = solver.storage
    return {"regrets": storage.regrets, "averages": storage.averages, "scales": storage.scales}


def load_solution(path: Path, threads: int = 1) -> Solution:
    """A saved solve, ready to be asked or solved on."""
    loaded: list[SubgameSolver] = []

    def destinations(content: dict[str, Any]) -> dict[str, npt.NDArray[Any]]:
        alpha, negative, gamma, restart, *fading = content["schedule"]  # older files have no last entry
        solver = SubgameSolver(
            Spot.from_plain(content["spot"]),
            threads=threads,
            schedule=Schedule(alpha, negative, gamma, restart, fading[0] if fading else ALWAYS),
            compressed=content["compressed"],
        ).allocate()
        apply_locks(solver)
        tables = _tables(solver)
        for name, table in tables.items():
            if len(table) != content["lengths"][name]:
                raise ArtifactError(f"{path} was saved by another version of the tree; {_WAY_OUT}")
            table[:] = np.zeros(1, dtype=table.dtype)
        loaded.append(solver)
        return tables

    content = read_tables(path, KIND, VERSION, _WAY_OUT, destinations)
    loaded[0].iterations = content["iterations"]
    return Solution(loaded[0], SolveResult(*content["result"]))


def is_saved_solution(path: Path) -> bool:
    """Whether a file ends as our checked pickles do; a spot in JSON does not."""
    try:
        with path.open("rb") as file:
            file.seek(-TRAILER_BYTES, 2)
            return file.read(len(TRAILER_MAGIC)) == TRAILER_MAGIC
    except OSError:
        return False
