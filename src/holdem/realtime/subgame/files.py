"""A solve as a file: the spot, where it stands, and its tables, so that it can be asked again or solved further."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import Field

from holdem.errors import ArtifactError, CardError, ConfigError
from holdem.realtime.subgame.loop import SolveResult
from holdem.realtime.subgame.nodes.lock import apply_locks, check_locks
from holdem.realtime.subgame.schedules import ALWAYS, Schedule
from holdem.realtime.subgame.solution import Solution
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.spot import Spot
from holdem.util.artifacts import TRAILER_BYTES, TRAILER_MAGIC, plain_word
from holdem.util.files.fields import FieldError, JsonObject, Record, checked_fields
from holdem.util.files.regular import open_regular
from holdem.util.files.tables import read_tables, write_tables

KIND = "subgame solve"
VERSION = 1
MOST_ITERATIONS = 1 << 24
"""The factors of all iterations so far are in one table."""
_WAY_OUT = "solve the spot again, with --save"


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
    storage = solver.workspace.storage
    return {"regrets": storage.regrets, "averages": storage.averages, "scales": storage.scales}


@dataclass(frozen=True)
class _StoredSolve:
    """The fields of a file beside its tables; schedule and result are the fields of their classes in order."""

    spot: JsonObject
    iterations: Annotated[int, Field(ge=0, le=MOST_ITERATIONS)]
    compressed: bool
    schedule: Annotated[list[Any], Field(min_length=4, max_length=5)]
    result: Annotated[list[Any], Field(min_length=4, max_length=4)]


def load_solution(
    path: Path,
    threads: int = 1,
    memory_limit_bytes: int | None = None,
    check_spot: Callable[[Spot], None] = lambda spot: None,
    before_tables: Callable[[SubgameSolver], None] = lambda solver: None,
) -> Solution:
    """A saved solve, ready to be asked or solved on; the limit is by default the memory that is free now.

    Whoever has limits of his own refuses with a ConfigError: `check_spot` is called before the tree is built, and
    `before_tables` when the file is known to be whole and to fit, before its tables are allocated.
    """
    loaded: list[Solution] = []

    def destinations(content: dict[str, Any]) -> dict[str, npt.NDArray[Any]]:
        with _naming(path):
            spot, stored, schedule, result = _described(content)
        check_spot(spot)
        with _naming(path):
            solver = SubgameSolver(spot, threads=threads, schedule=schedule, compressed=stored.compressed)
            solver.estimate().check(memory_limit_bytes)
            check_locks(solver)  # what is wrong with a lock is a sentence of its own
            if content["lengths"] != solver.table_lengths:
                raise ArtifactError(f"{path} was saved by another version of the tree; {_WAY_OUT}")
        before_tables(solver)
        with _naming(path):
            solver.allocate(memory_limit_bytes)
            apply_locks(solver)
        solver.workspace.iterations = stored.iterations
        loaded.append(Solution(solver, result))
        tables = _tables(solver)
        for table in tables.values():
            table[:] = np.zeros(1, dtype=table.dtype)
        return tables

    read_tables(path, KIND, VERSION, _WAY_OUT, destinations)
    if not all(map(_is_finite, _tables(loaded[0].solver).values())):
        raise ArtifactError(f"{path} holds numbers that no solve can have; {_WAY_OUT}")
    return loaded[0]


def _is_finite(table: npt.NDArray[Any]) -> bool:
    """Whether a table has neither NaN nor infinity, of which the least and the greatest number tell without a copy."""
    return not len(table) or bool(np.isfinite(table.min()) and np.isfinite(table.max()))


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Inside, whatever is wrong with a file is said with its name."""
    try:
        yield
    except (ValueError, CardError, ConfigError) as error:
        raise ArtifactError(f"{path} {plain_word(error, 300)}; {_WAY_OUT}") from None
    except MemoryError:
        raise ArtifactError(f"{path} is of a spot that does not fit into memory; {_WAY_OUT}") from None


def _described(content: dict[str, Any]) -> tuple[Spot, _StoredSolve, Schedule, SolveResult]:
    """What a file describes."""
    stored = checked_fields(_StoredSolve, content)
    older = [ALWAYS] * (len(fields(Schedule)) - len(stored.schedule))  # files from before `fading`
    schedule = _in_order(Schedule, [*stored.schedule, *older])
    result = _in_order(SolveResult, stored.result)
    if result.iterations < 0 or result.seconds < 0:
        raise FieldError("was solved in fewer than no iterations or seconds")
    try:
        spot = Spot.from_plain(stored.spot)
    except (CardError, ConfigError) as error:
        raise FieldError(f"holds no spot ({error})") from None
    return spot, stored, schedule, result


def _in_order(kind: type[Record], values: list[Any]) -> Record:
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    return checked_fields(kind, dict(zip(names, values, strict=True)))


def is_saved_solution(path: Path) -> bool:
    """Whether a file ends as our checked pickles do; a spot in JSON does not."""
    try:
        with open_regular(path) as file:
            file.seek(-TRAILER_BYTES, 2)
            return file.read(len(TRAILER_MAGIC)) == TRAILER_MAGIC
    except OSError:
        return False
