"""`holdem monitor`: rates, time to go, and what it says of runs that ended or fell silent."""

import json
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from holdem.cli.monitor import line_of, make_table
from holdem.mccfr.instances.progress import InstanceProgress, write_progress
from holdem.mccfr.run.state import RunReporter, RunState, read_states
from holdem.util.artifacts import write_json
from tests.cli.runs import Run, make_runner

RUNNING = RunState("run", "running", 118_000, 250_000, 20.0, 0.472, 6_000.0, 3e6, 1, 123, None, time.time())


@pytest.fixture
def holdem(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return make_runner(monkeypatch, capsys)


def save(folder: Path, state: RunState) -> None:
    write_json(folder / "progress.json", asdict(replace(state, last_update=time.time())))


def two_instances(run: Path) -> None:
    write_progress(run, InstanceProgress(0, 0, 250_000, 118_000, "running", None, 47.2))
    save(run / "instance_0", RUNNING)
    write_progress(run, InstanceProgress(1, 250_000, 500_000, 260_000, "failed", "no space left", 4.0))


def test_a_line_has_rates_and_the_time_to_go(tmp_path: Path, holdem: Run) -> None:
    save(tmp_path, RUNNING)
    result = holdem("monitor", tmp_path, "--once")
    assert result.status == 0
    # 132,000 iterations at 6,000 a second are 22 s.
    assert result.out.splitlines() == [
        "run: running, 47.2 %, iteration 118,000 / 250,000, 6,000 it/s, 3.00 M nodes/s, trained 0:00:20, ETA 0:00:22",
        "overall: 47.2 %",
    ]


def test_instances_and_what_failed(tmp_path: Path, holdem: Run) -> None:
    two_instances(tmp_path)
    lines = holdem("monitor", tmp_path, "--once").out.splitlines()
    assert lines[0].startswith("instance_0: running, 47.2 %, iteration 118,000 / 250,000, 6,000 it/s")
    assert lines[1].startswith("instance_1: failed (no space left), 4.0 %, iteration 10,000 / 250,000")
    assert lines[2] == "overall: 25.6 %"
    assert holdem("monitor", tmp_path / "progress", "--once").out.splitlines() == lines


def test_json(tmp_path: Path, holdem: Run) -> None:
    two_instances(tmp_path)
    content = json.loads(holdem("monitor", tmp_path, "--json").out)
    assert content["ended"] is False
    assert [run["name"] for run in content["runs"]] == ["instance_0", "instance_1"]
    assert content["runs"][0]["eta_seconds"] == pytest.approx(22.0)
    assert content["runs"][1]["eta_seconds"] is None


def test_it_ends_with_the_run(tmp_path: Path, holdem: Run) -> None:
    save(tmp_path, replace(RUNNING, status="completed", share_done=1.0))
    assert "completed, 100.0 %" in holdem("monitor", tmp_path).out


def test_a_run_that_says_nothing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = replace(RUNNING, last_update=time.time() - 100)
    monkeypatch.setattr(time, "time", lambda: silent.last_update + 100)  # however late this process comes to it
    assert "running, silent for 0:01:40" in line_of(silent)
    table = make_table(Path("run"), [RUNNING, silent])
    assert table.row_count == 2


def test_a_time_budget_is_counted_in_seconds() -> None:
    state = replace(RUNNING, iterations=None, seconds=30.0, share_done=0.25)
    assert state.eta_seconds == pytest.approx(90.0)


def test_a_folder_without_a_run_is_refused(tmp_path: Path, holdem: Run) -> None:
    result = holdem("monitor", tmp_path)
    assert result.status == 2
    assert "holds no run" in result.err


def test_a_run_reports_its_recent_rate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("holdem.mccfr.run.state.time.monotonic", lambda: clock[0])
    reporter = RunReporter(tmp_path, 1000, 1)
    for step in range(3):
        reporter.update(100 * step, 2.0 * step, 5000 * step, 0.1 * step)
        clock[0] += 1.5
    (state,) = read_states(tmp_path)
    assert (state.iterations_per_second, state.nodes_per_second) == (50.0, 2500.0)
    reporter.end("terminated", 250, 5.0, 0.25)
    (state,) = read_states(tmp_path)
    assert (state.status, state.ended, state.iteration) == ("interrupted", True, 250)
