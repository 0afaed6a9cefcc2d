"""Multi-instance runs: real processes, really interrupted and killed; what they write, and how they go on."""

import json
import logging
import os
import re
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from holdem.errors import ConfigError
from holdem.mccfr.instances.exchange import FileHub, FileMailbox, Offer
from holdem.mccfr.instances.instance import InstanceSpec, parse_instance
from holdem.mccfr.instances.plan import memory_of_all, plan_instances
from holdem.mccfr.instances.process import LocalLauncher
from holdem.mccfr.instances.progress import InstanceProgress, progress_block
from holdem.mccfr.run.checkpoint import newest_valid, read_clock, read_info
from holdem.mccfr.run.directory import checkpoints_in
from holdem.mccfr.solver import MCCFRSolver
from holdem.mccfr.training_game import TrainingGame
from holdem.policy.policy import AveragePolicy
from holdem.types import MCCFRConfig
from tests.cli.runs import Run, make_runner
from tests.mccfr.runs import LEDUC, run_training, table_of, train_command
from tests.waiting import PATIENCE_SECONDS

KEYS = [
    "instance_id", "start_iter", "end_iter", "current_iter", "status", "error_msg", "progress_pct", "last_update"
]  # fmt: skip
LEDUC_ENTRIES = TrainingGame.from_preset("leduc").layout.entries


@pytest.fixture
def holdem(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return make_runner(monkeypatch, capsys)


def progress_of(run: Path, number: int) -> dict[str, object]:
    """Whole JSON at any moment: no retry here."""
    content: dict[str, object] = json.loads((run / "progress" / f"instance_{number}_progress.json").read_text())
    assert list(content) == KEYS
    return content


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """200,001 iterations over two instances, in a folder that held an older run."""
    run = tmp_path_factory.mktemp("multi") / "run"
    for name in ("instance_0", "progress"):
        (run / name).mkdir(parents=True)
        (run / name / "old").touch()
    result = run_training(*LEDUC, "--iters", 200_001, "--num-instances", 2, "--logdir", run)
    assert result.returncode == 0, result.stderr
    assert "Overall Progress: 100.0%" in result.stdout
    assert "Instance 0: ✅ 100.0% (iter 100001/100001)" in result.stdout
    return run


def test_what_a_run_leaves(finished: Path) -> None:
    assert progress_of(finished, 0) | {"last_update": 0} == {
        "instance_id": 0,
        "start_iter": 0,
        "end_iter": 100_001,
        "current_iter": 100_001,
        "status": "completed",
        "error_msg": None,
        "progress_pct": 100.0,
        "last_update": 0,
    }
    second = progress_of(finished, 1)
    assert (second["start_iter"], second["end_iter"], second["current_iter"]) == (100_001, 200_001, 200_001)
    for number, iterations in ((0, 100_001), (1, 100_000)):
        folder = finished / f"instance_{number}"
        assert "Training completed" in (folder / f"instance_{number}.log").read_text()
        assert read_info(folder / "checkpoint_final.pkl").iteration == iterations
        assert AveragePolicy.load(folder).info.iterations == iterations
    assert not (finished / "exchange").exists()


@pytest.mark.parametrize("number", [0, 1])
def test_an_instance_is_a_run_with_its_own_seed_and_streams(finished: Path, number: int) -> None:
    """Its table is that of a solver with its seed and streams whose own iterations count from 0."""
    spec = InstanceSpec(number, 100_001 * number, 200_001 if number else 100_001)
    config = spec.settings(MCCFRConfig(seed=7, num_iterations=200_001))
    assert config.seed == 7 + number
    solver = MCCFRSolver(config, TrainingGame.from_preset("leduc"), stream_start=spec.stream_start)
    solver.run(100_000 if number else 100_001)
    saved = table_of(finished / f"instance_{number}" / "checkpoint_final.pkl", LEDUC_ENTRIES)
    np.testing.assert_array_equal(saved, solver.tracker.table.reshape(-1))


def test_an_instance_by_hand_is_the_same(finished: Path, tmp_path: Path, holdem: Run) -> None:
    by_hand = ("--instance-id", 1, "--instance-range", "100001:200001")
    result = holdem("train", *LEDUC, *by_hand, "--logdir", tmp_path)
    assert result.status == 0, result.err
    final = "instance_1/checkpoint_final.pkl"
    assert (tmp_path / final).read_bytes() == (finished / final).read_bytes()
    assert progress_of(tmp_path, 1)["status"] == "completed"


def test_the_seed_divides_a_million_by_three() -> None:
    specs = plan_instances(MCCFRConfig(num_iterations=1_000_000), 3)
    assert [(spec.start_iter, spec.end_iter) for spec in specs] == [
        (0, 333_334),
        (333_334, 666_667),
        (666_667, 1_000_000),
    ]


def test_instances_on_a_time_budget_share_no_stream() -> None:
    specs = plan_instances(MCCFRConfig(time_budget_seconds=10.0), 3)
    assert [spec.end_iter for spec in specs] == [None] * 3
    starts = [spec.stream_start for spec in specs]
    # At a million iterations a second, a stream of 2^40 lasts 12 days; a stream number has room for 2^22 instances.
    assert min(b - a for a, b in pairwise(starts)) >= 1 << 40


def test_few_iterations_are_warned_about(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging.getLogger("holdem"), "propagate", True)
    plan_instances(MCCFRConfig(num_iterations=149_999), 3)
    assert "49,999 iterations an instance are few" in caplog.text
    caplog.clear()
    plan_instances(MCCFRConfig(num_iterations=150_000), 3)
    assert not caplog.text


def test_the_block_of_the_seed() -> None:
    running = [InstanceProgress(0, 0, 250_000, 118_000, "running", None, 47.2)]
    running.append(InstanceProgress(1, 250_000, 500_000, 358_500, "running", None, 43.4))
    running.append(InstanceProgress(2, 0, None, 77, "starting"))
    lines = progress_block(running).splitlines()
    assert lines[0] == lines[-1] == "=" * 60
    assert lines[1] == "Overall Progress: 30.2%"
    assert lines[2] == "-" * 60
    assert lines[3] == "Instance 0: ▶️ 47.2% (iter 118000/250000)"
    assert lines[4] == "Instance 1: ▶️ 43.4% (iter 108500/250000)"
    assert lines[5] == "Instance 2: ⏳ 0.0% (iter 77)"


def test_an_instance_that_goes_on_has_done_what_its_checkpoint_holds() -> None:
    resumed = InstanceProgress.at_start(1, 250_000, 500_000, done=100_000)
    assert resumed.line == "Instance 1: ⏳ 40.0% (iter 100000/250000)"
    assert InstanceProgress.at_start(1, 0, None, done=100_000).line == "Instance 1: ⏳ 0.0% (iter 100000)"


def test_memory_counts_every_instance_and_the_buckets_once() -> None:
    from holdem.game import load_preset
    from holdem.mccfr.run.estimate import BUCKET_TABLE_BYTES, estimate_training

    game = load_preset("headsup_100bb")
    one = estimate_training(game, (169, 50, 50, 50), MCCFRConfig())
    four = memory_of_all(one, 4, game, merging=False)
    assert four.memory_bytes == 4 * (one.memory_bytes - BUCKET_TABLE_BYTES) + BUCKET_TABLE_BYTES


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--num-instances", 2), "Multi-instance mode requires either --iters or --time-budget"),
        (
            ("--num-instances", 2, "--iters", 9, "--num-workers", 4),
            "--num-instances cannot be used with --num-workers: each instance uses one worker",
        ),
        (("--num-instances", 0, "--iters", 9), "--num-instances is 0"),
        (("--num-instances", 4, "--iters", 3), "3 iterations cannot be divided among 4 instances"),
        (("--num-instances", 2, "--iters", 9, "--resume-from", "none"), "none does not exist"),
        (("--num-instances", 2, "--iters", 9, "--resume-from", "."), "holds no instance_0/"),
        (("--num-instances", 2, "--iters", 9, "--memory-limit", "400MB"), "leduc with 2 instances needs about"),
        (("--num-instances", 2, "--iters", 9, "--merge-interval", 0), "--merge-interval is 0"),
        (("--merge-interval", 5, "--iters", 9), "add --num-instances N"),
        (("--instance-range", "0:9"), "--instance-range needs --instance-id K"),
        (("--instance-id", 0, "--instance-range", "9:0"), "'9:0' is not a range; write START:END"),
        (("--instance-id", -1, "--instance-range", "0:9"), "they count from 0"),
        (("--instance-id", 0), "--instance-id needs --instance-range START:END or --time-budget"),
        (("--instance-id", 0, "--instance-range", "0:9", "--iters", 9), "leave --iters out"),
        (("--instance-id", 0, "--instance-range", "0:9", "--num-instances", 2), "leave --num-instances and --cluster"),
        (("--instance-id", 0, "--instance-range", "0:9", "--num-workers", 2), "each instance uses one worker"),
        (("--cluster", "nowhere", "--iters", 9), "'nowhere' is not an address"),
    ],
)
def test_refusals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, holdem: Run, arguments: tuple[object, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if "--cluster" in arguments:
        pytest.importorskip("ray")
    result = holdem("train", "--game", "leduc", *arguments, "--logdir", "run")
    assert result.status == 2
    lines = [line for line in result.err.strip().splitlines() if not line.startswith("WARNING")]
    assert len(lines) == 1
    assert said in lines[0]
    assert list(tmp_path.iterdir()) == []


def test_workers_of_a_yaml_file_are_ignored_with_a_warning(tmp_path: Path, holdem: Run) -> None:
    (tmp_path / "c.yaml").write_text("num_workers: 8\nnum_iterations: 1\n")
    result = holdem("train", "--game", "leduc", "--num-instances", 2, "--config", tmp_path / "c.yaml")
    assert result.status == 2, "one iteration for two instances"
    assert "WARNING: num_workers: 8 of the YAML file is ignored" in result.err


def start(run: Path, *arguments: object) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        train_command(*LEDUC, "--logdir", run, *arguments), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def wait_for_checkpoints(run: Path, process: "subprocess.Popen[str]", instances: int = 2) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not all(list(run.glob(f"instance_{number}/checkpoint_*.pkl")) for number in range(instances)):
        assert process.poll() is None, "the run ended by itself"
        assert time.monotonic() < deadline, "no checkpoint was written"
        for number in range(instances):
            if (run / "progress" / f"instance_{number}_progress.json").exists():
                progress_of(run, number)
        time.sleep(0.005)


def pids_of(run: Path) -> list[int]:
    return [int(pid) for pid in re.findall(r"started \(PID: (\d+)\)", (run / "train.log").read_text())]


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run on a time budget, stopped by Ctrl+C."""
    run = tmp_path_factory.mktemp("interrupted") / "run"
    process = start(run, "--time-budget", 600, "--snapshot-interval", 0.1, "--num-instances", 2)
    wait_for_checkpoints(run, process)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 130
    lines = output.splitlines()
    at = lines.index("Received interrupt signal, shutting down instances...")
    assert lines[at + 1 : at + 3] == [f"Terminating instance {k} (PID: {pid})" for k, pid in enumerate(pids_of(run))]
    assert "Instance 0: ⏸️" in output
    return run


@pytest.mark.long
def test_ctrl_c_leaves_everything_valid(interrupted: Path) -> None:
    for number in range(2):
        progress = progress_of(interrupted, number)
        assert progress["status"] == "interrupted"
        assert progress["end_iter"] is None
        assert 0.0 < float(str(progress["progress_pct"])) < 100.0
        _, info, warnings = newest_valid(interrupted / f"instance_{number}")
        assert info.iteration == progress["current_iter"]
        assert not warnings
        assert AveragePolicy.load(interrupted / f"instance_{number}").info.iterations == info.iteration


@pytest.mark.long
def test_resume_falls_back_and_starts_at_zero(interrupted: Path, tmp_path: Path) -> None:
    """Instance 0 has a damaged newest checkpoint, instance 1 none: its own folder `checkpoints/` is looked into too."""
    old = tmp_path / "old"
    (old / "progress").mkdir(parents=True)
    for source in (interrupted / "progress").iterdir():
        (old / "progress" / source.name).write_bytes(source.read_bytes())
    (old / "instance_0" / "checkpoints").mkdir(parents=True)
    (old / "instance_1").mkdir()
    for path in interrupted.glob("instance_0/checkpoint_*"):
        (old / "instance_0" / "checkpoints" / path.name).write_bytes(path.read_bytes())
    # However many the interruption left, a damaged copy with a higher number is the newest.
    before = checkpoints_in(old / "instance_0")[0]
    newest = before.with_name(f"checkpoint_{read_info(before).iteration + 1}.pkl")
    newest.write_bytes(before.read_bytes()[:-50])
    budget = read_clock(before).seconds + 0.5
    resumed = ("--time-budget", budget, "--num-instances", 2, "--resume-from", old, "--logdir", tmp_path / "new")
    result = run_training(*LEDUC, *resumed)
    assert result.returncode == 0, result.stderr
    assert f"WARNING: Instance 0 passed over: {newest}" in result.stderr
    assert "WARNING: Instance 1 starts at zero" in result.stderr
    assert f"): {read_info(before).iteration:,} are done, in {before}" in result.stderr
    log = (tmp_path / "new" / "instance_0" / "instance_0.log").read_text()
    assert f"Resumed from {before} at iteration {read_info(before).iteration:,}" in log
    assert int(str(progress_of(tmp_path / "new", 0)["current_iter"])) > read_info(before).iteration


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--num-instances", 3, "--iters", 200_001), "has 2 instances and --num-instances is 3"),
        (("--num-instances", 2, "--iters", 300_000), "had 0:100001 and would now have 0:150000"),
        (("--num-instances", 2, "--time-budget", 5), "had 0:100001 and would now have a time budget"),
        (("--num-instances", 2, "--iters", 200_001, "--discount-interval", 9), "discount_interval: was 5000, is 9"),
    ],
)
def test_other_counts_are_refused(
    finished: Path, tmp_path: Path, holdem: Run, arguments: tuple[object, ...], said: str
) -> None:
    result = holdem("train", *LEDUC, *arguments, "--resume-from", finished, "--logdir", tmp_path / "new")
    assert result.status == 2
    assert said in result.err
    assert len(result.err.strip().splitlines()) == 1
    assert not (tmp_path / "new").exists()


@pytest.mark.long
def test_a_killed_instance_leaves_the_other_alone(tmp_path: Path) -> None:
    process = start(tmp_path, "--time-budget", 10, "--snapshot-interval", 0.1, "--num-instances", 2)
    wait_for_checkpoints(tmp_path, process)
    os.kill(pids_of(tmp_path)[1], signal.SIGKILL)
    output, _ = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 1
    assert "ERROR: Instance 1 failed: ended by signal SIGKILL" in output
    assert "ended by signal SIGKILL" in (tmp_path / "instance_1" / "instance_1.log").read_text()
    assert progress_of(tmp_path, 1)["error_msg"] == "ended by signal SIGKILL"
    assert progress_of(tmp_path, 0)["status"] == "completed"
    assert (tmp_path / "instance_0" / "checkpoint_final.pkl").exists()
    assert newest_valid(tmp_path / "instance_1")[1].iteration > 0


@pytest.mark.long
def test_instances_stop_when_their_coordinator_is_killed(tmp_path: Path) -> None:
    process = start(tmp_path, "--time-budget", 600, "--snapshot-interval", 0.1, "--num-instances", 2)
    wait_for_checkpoints(tmp_path, process)
    process.kill()
    process.communicate(timeout=PATIENCE_SECONDS)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not all(progress_of(tmp_path, number)["status"] == "interrupted" for number in range(2)):
        assert time.monotonic() < deadline, "an instance went on"
        time.sleep(0.05)
    for number in range(2):
        saved = newest_valid(tmp_path / f"instance_{number}")[1].iteration
        assert saved == progress_of(tmp_path, number)["current_iter"]


@pytest.mark.long
def test_merging_at_intervals_ends_with_one_table(tmp_path: Path) -> None:
    arguments = ("--iters", 6_000_000, "--num-instances", 2, "--merge-interval", 0.2, "--logdir", tmp_path)
    result = run_training(*LEDUC, *arguments)
    assert result.returncode == 0, result.stderr
    assert result.stderr.count("INFO: Merged 2 tables") >= 2
    first, second = (table_of(tmp_path / f"instance_{k}" / "checkpoint_final.pkl", LEDUC_ENTRIES) for k in range(2))
    np.testing.assert_array_equal(first, second)
    assert not (tmp_path / "exchange").exists()


def test_an_old_run_moves_aside(finished: Path) -> None:
    """Instances, progress files and all; nothing of the old run is in the new one."""
    previous = next(finished.glob("previous_*"))
    old = sorted(path.relative_to(previous).as_posix() for path in previous.rglob("old"))
    assert old == ["instance_0/old", "progress/old"]
    assert list(finished.glob("*/old")) == []


def test_tables_that_a_killed_coordinator_left_are_not_merged(tmp_path: Path) -> None:
    folder = tmp_path / "exchange"
    mailbox = FileMailbox(folder)
    stale = Offer(0, 10, 10, np.ones((3, 2), dtype=np.int32))
    LocalLauncher().hub(folder)
    assert mailbox.exchange(stale, stopped=lambda: True) is None
    assert FileHub(folder).offers([0]) is not None
    hub = LocalLauncher().hub(folder)
    assert hub.offers([0]) is None


def test_ranges_by_hand_are_checked() -> None:
    assert parse_instance(2, "10:30") == InstanceSpec(2, 10, 30)
    with pytest.raises(ConfigError):
        parse_instance(0, "10-30")


def test_the_script_of_the_seed_follows_a_run(finished: Path) -> None:
    script = Path(__file__).parents[3] / "examples" / "monitor_progress.py"
    command = [sys.executable, str(script), str(finished / "progress")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True)
    assert "Instance 1: completed - 100.0% (iter 200001)" in result.stdout
    assert "All instances completed!" in result.stdout
