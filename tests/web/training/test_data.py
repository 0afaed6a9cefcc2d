"""The data of the training page: what runs wrote, in the order and with the words that the files have."""

import json
import math
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from holdem.errors import ArtifactError, ConfigError
from holdem.evaluation.compare import exact_evaluator
from holdem.mccfr.instances.progress import InstanceProgress, write_progress
from holdem.mccfr.run.state import RunState
from holdem.mccfr.run.telemetry import TensorBoard
from holdem.policy.policy import AveragePolicy
from holdem.util.artifacts import write_json
from holdem.web.run_folder import RunFolder
from holdem.web.training.data import MOST_POINTS, all_runs, curves_of, exploitability_of
from tests.cli.runs import save_heads_up, save_toy

RUNNING = RunState("run", "running", 118_000, 250_000, 20.0, 0.472, 6_000.0, 3e6, 2, 123)


def save(folder: Path, state: RunState, ago: float = 0.0) -> None:
    write_json(folder / "progress.json", asdict(replace(state, last_update=time.time() - ago)))


def test_runs_with_rates_and_time_to_go_newest_first(tmp_path: Path) -> None:
    save(tmp_path / "old", replace(RUNNING, status="completed", share_done=1.0), ago=900)
    save(tmp_path / "deep" / "live", RUNNING)
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "progress.json").write_text("{", encoding="utf-8")
    live, old = all_runs(RunFolder(tmp_path))
    assert (live["name"], live["ended"], old["name"], old["ended"]) == ("deep/live", False, "old", True)
    assert live["runs"][0]["eta_seconds"] == pytest.approx(22.0)  # 132,000 iterations at 6,000 a second
    assert live["runs"][0]["workers"] == 2
    assert old["runs"][0]["eta_seconds"] is None
    assert all_runs(RunFolder(tmp_path / "nowhere")) == []


@pytest.mark.parametrize(
    "change",
    [
        {"iteration": "abc"},
        {"iteration": 10**400},
        {"seconds": math.inf},
        {"iterations_per_second": math.nan},
        {"last_update": None},
        {"share_done": "x"},
        {"status": ["running"]},
        {"error": 5},
    ],
)
def test_a_state_that_no_run_would_write_hides_no_other_run(tmp_path: Path, change: dict[str, object]) -> None:
    save(tmp_path / "good", RUNNING)
    write_json(tmp_path / "bad" / "progress.json", {**asdict(RUNNING), "last_update": 1.0})
    assert len(all_runs(RunFolder(tmp_path))) == 2
    content = json.dumps({**asdict(RUNNING), "last_update": 1.0, **change})
    (tmp_path / "bad" / "progress.json").write_text(content, encoding="utf-8")
    assert [run["name"] for run in all_runs(RunFolder(tmp_path))] == ["good"]


@pytest.mark.parametrize("content", ["", "{", "null", "[" * 100_000, "\x00"])
def test_files_that_are_not_json_hide_no_other_run(tmp_path: Path, content: str) -> None:
    for name in ("good", "bad", "instances", "policy"):
        save(tmp_path / name, RUNNING)
    (tmp_path / "bad" / "progress.json").write_text(content, encoding="utf-8")
    (tmp_path / "instances" / "progress").mkdir()
    for number in ("0", "²"):
        (tmp_path / "instances" / "progress" / f"instance_{number}_progress.json").write_text(content, encoding="utf-8")
    (tmp_path / "policy" / "avg_policy.json").write_text(content, encoding="utf-8")
    folder = RunFolder(tmp_path)
    assert {run["name"] for run in all_runs(folder)} == {"good", "instances", "policy"}
    assert exploitability_of(folder, "policy")["why_not"]
    with pytest.raises(ArtifactError):
        folder.policy("policy")
    assert curves_of(folder, "instances")


def test_only_figures_of_a_summary_go_to_the_page(tmp_path: Path) -> None:
    save(tmp_path / "run", RUNNING)
    summary = '{"seconds": NaN, "iterations_per_second": "x", "nodes_per_second": 5.0, "secret": 1}'
    (tmp_path / "run" / "summary.json").write_text(summary, encoding="utf-8")
    assert all_runs(RunFolder(tmp_path))[0]["summary"] == {"nodes_per_second": 5.0}


def test_curves_of_files_that_were_cut_or_altered(tmp_path: Path) -> None:
    save(tmp_path / "run", RUNNING)
    board = TensorBoard(tmp_path / "run" / "tensorboard", {})
    for iteration in range(50):
        board.scalars(iteration, {"A": float(iteration)})
    board.close()
    [file] = (tmp_path / "run" / "tensorboard").iterdir()
    whole = file.read_bytes()
    file.unlink()
    altered = whole[:-100] + bytes([whole[-100] ^ 255]) + whole[-99:]
    contents = [b"", b"\xff" * 500, whole[: len(whole) // 2], altered, whole]
    for number, content in enumerate(contents, start=1):
        name = file.parent / f"events.out.tfevents.{number}"
        name.write_bytes(content)
        points = curves_of(RunFolder(tmp_path), "run")[""].get("A", [])
        name.unlink()
        assert points == [[at, float(at)] for at in range(len(points))]
        assert len(points) < 50 or content is whole
    assert len(points) == 50


def test_a_folder_of_runs_that_nobody_can_look_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(tmp_path / "run", RUNNING)

    def refuse(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "is_file", refuse)
    folder = RunFolder(tmp_path, tmp_path / "run" / "avg_policy.json")
    assert (folder.runs(), folder.policies(), folder.played_name) == ({}, {}, None)
    assert RunFolder(tmp_path / "run" / "progress.json").runs() == {}


def test_instances_are_parts_of_their_run(tmp_path: Path) -> None:
    run = tmp_path / "many"
    for number, status in enumerate(("running", "failed")):
        error = "no space left" if status == "failed" else None
        write_progress(run, InstanceProgress(number, 0, 250_000, 118_000, status, error, 47.2))
        save(run / f"instance_{number}", RUNNING)
        board = TensorBoard(run / f"instance_{number}" / "tensorboard", {})
        board.scalars(100, {"Regret/L2Norm": 0.5 + number})
        board.close()
    [found] = all_runs(RunFolder(tmp_path))
    assert [part["name"] for part in found["runs"]] == ["instance_0", "instance_1"]
    assert found["runs"][1]["error"] == "no space left"
    curves = curves_of(RunFolder(tmp_path), "many")
    assert curves == {
        "instance_0": {"Regret/L2Norm": [[100, 0.5]]},
        "instance_1": {"Regret/L2Norm": [[100, 1.5]]},
    }


def test_curves_grow_with_the_run_and_long_ones_are_thinned(tmp_path: Path) -> None:
    save(tmp_path / "run", RUNNING)
    folder = RunFolder(tmp_path)
    assert curves_of(folder, "run") == {"": {}}
    board = TensorBoard(tmp_path / "run" / "tensorboard", {})
    board.scalars(1, {"Training/Utility": 0.25})
    board.close()
    assert curves_of(folder, "run") == {"": {"Training/Utility": [[1, 0.25]]}}
    time.sleep(1.0)  # the files of a run are told apart by the second
    resumed = TensorBoard(tmp_path / "run" / "tensorboard", {})
    for iteration in range(2, 1002):
        resumed.scalars(iteration, {"Training/Utility": float(iteration) if iteration % 2 else math.nan})
    resumed.close()
    points = curves_of(folder, "run")[""]["Training/Utility"]
    assert points[-1] == [1001, 1001.0]
    assert MOST_POINTS / 2 < len(points) <= MOST_POINTS
    assert all(value == iteration for iteration, value in points[1:])  # and what is not a number is not there


def test_exploitability_is_exact_or_not_there(tmp_path: Path) -> None:
    for name in ("kuhn", "hu", "young"):
        save(tmp_path / name, RUNNING)
    save_toy(tmp_path / "kuhn", "kuhn")
    save_toy(tmp_path / "kuhn" / "snapshots" / "5", "kuhn", seed=2)
    save_heads_up(tmp_path / "hu")
    folder = RunFolder(tmp_path)
    found = exploitability_of(folder, "kuhn")
    assert [iterations for iterations, _ in found["points"]] == [5, 10]
    policy = AveragePolicy.load(tmp_path / "kuhn")
    evaluator = exact_evaluator(policy)
    assert evaluator is not None
    assert found["points"][1][1] == pytest.approx(evaluator.exploitability(policy.strategy()))
    assert "holdem lbr" in exploitability_of(folder, "hu")["why_not"]
    assert "no policy in its folder" in exploitability_of(folder, "young")["why_not"]
    with pytest.raises(ConfigError, match="there is no run called"):
        exploitability_of(folder, "../kuhn")
