"""Saved solves: the same answers, and a solve that goes on as if it had never stopped."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdem.errors import ArtifactError
from holdem.realtime import solve_subgame
from holdem.realtime.subgame.files import is_saved_solution, load_solution, save_solution
from holdem.realtime.subgame.schedules import ALWAYS, Schedule
from holdem.util.files.tables import write_tables
from tests.realtime.spots import RIVER, TURN


@pytest.mark.parametrize("content", [RIVER, TURN, {**RIVER, "locks": [{"node": "bet 50", "strategy": {"Call": 1}}]}])
def test_a_saved_solve_answers_and_goes_on_as_before(content: dict[str, Any], tmp_path: Path) -> None:
    """So few iterations that no look at the exploitability goes back to an earlier average."""
    solution = solve_subgame(content, max_iterations=9)
    path = tmp_path / "spot.solve"
    save_solution(solution, path)
    assert is_saved_solution(path)
    loaded = load_solution(path)
    assert loaded.to_plain() == solution.to_plain()
    straight = solve_subgame(content, max_iterations=18)
    further = loaded.go_on(max_iterations=9)
    assert further.result.iterations == 18
    assert np.array_equal(further.solver.workspace.storage.averages, straight.solver.workspace.storage.averages)


def test_a_damaged_or_foreign_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "spot.solve"
    save_solution(solve_subgame(RIVER, max_iterations=5), path)
    content = path.read_bytes()
    path.write_bytes(content[:100] + b"x" + content[101:])
    with pytest.raises(ArtifactError, match="does not match its checksum"):
        load_solution(path)
    path.write_text("{}")
    assert not is_saved_solution(path)
    assert not is_saved_solution(tmp_path / "missing")


@pytest.mark.parametrize("result", [[5, -1.0, None, "stop"], [-5, 1.0, None, "stop"]])
def test_a_solve_that_took_less_than_no_time_is_refused(result: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "spot.solve"
    solution = solve_subgame(RIVER, max_iterations=5)
    save_solution(solution, path)
    content = pickle.loads(path.read_bytes())
    tables = {name: getattr(solution.solver.workspace.storage, name) for name in ("regrets", "averages", "scales")}
    kept = {key: content[key] for key in ("spot", "iterations", "compressed", "schedule")}
    write_tables(path, "subgame solve", 1, {**kept, "result": result}, tables)
    with pytest.raises(ArtifactError, match="fewer than no iterations or seconds"):
        load_solution(path)


def test_a_file_from_before_regrets_stopped_fading_keeps_its_schedule(tmp_path: Path) -> None:
    path = tmp_path / "spot.solve"
    solution = solve_subgame(RIVER, max_iterations=5)
    save_solution(solution, path)
    content = pickle.loads(path.read_bytes())
    tables = {name: getattr(solution.solver.workspace.storage, name) for name in ("regrets", "averages", "scales")}
    older = {key: content[key] for key in ("spot", "iterations", "compressed", "result")}
    write_tables(path, "subgame solve", 1, {**older, "schedule": content["schedule"][:4]}, tables)
    assert load_solution(path).solver.schedule == Schedule(fading=ALWAYS)
