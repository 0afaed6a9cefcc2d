"""Whole runs: what they write, and that killing, stopping and resuming lose nothing."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from holdem.mccfr.run.checkpoint import newest_valid, read_clock, read_info
from holdem.policy.policy import AveragePolicy
from tests.mccfr.runs import LEDUC, run_training, train_command
from tests.waiting import PATIENCE_SECONDS

SUMMARY_KEYS = {
    "iterations",
    "seconds",
    "iterations_per_second",
    "nodes_per_second",
    "workers",
    "peak_memory_bytes",
    "infosets_touched",
    "untrained_rows",
    "exit_reason",
}


def policy_bytes(run: Path) -> tuple[str, bytes]:
    """The manifest and the array of a run's policy."""
    array = next(run.glob("avg_policy.*.npy"))
    return (run / "avg_policy.json").read_text(), array.read_bytes()


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of 1,500,000 iterations that nothing disturbed."""
    run = tmp_path_factory.mktemp("runs") / "whole"
    result = run_training(*LEDUC, "--iters", 1_500_000, "--logdir", run)
    assert result.returncode == 0, result.stderr
    assert "INFO: Starting MCCFR training for 1,500,000 iterations" in result.stderr
    assert "INFO: Sampling: external" in result.stderr
    return run


def test_what_a_run_leaves(finished: Path) -> None:
    summary = json.loads((finished / "summary.json").read_text())
    assert set(summary) == SUMMARY_KEYS
    assert summary["iterations"] == 1_500_000
    assert summary["exit_reason"] == "completed"
    assert summary["infosets_touched"] == 936
    assert read_info(finished / "checkpoint_final.pkl").iteration == 1_500_000
    assert AveragePolicy.load(finished).info.iterations == 1_500_000
    assert (finished / "train.log").stat().st_size > 0


def test_same_seed_same_bytes(finished: Path, tmp_path: Path) -> None:
    run_training(*LEDUC, "--iters", 1_500_000, "--logdir", tmp_path, "--checkpoint-interval", 70_000)
    final = (tmp_path / "checkpoint_final.pkl").read_bytes()
    assert final == (finished / "checkpoint_final.pkl").read_bytes()
    assert policy_bytes(tmp_path) == policy_bytes(finished)


def test_other_seed_other_bytes(finished: Path, tmp_path: Path) -> None:
    run_training(*LEDUC[:-1], 8, "--iters", 1_500_000, "--logdir", tmp_path)
    assert (tmp_path / "checkpoint_final.pkl").read_bytes() != (finished / "checkpoint_final.pkl").read_bytes()


@pytest.mark.long
@pytest.mark.parametrize("delay", [0.0, 0.05, 0.2])
def test_killed_and_resumed_ends_with_the_same_bytes(finished: Path, tmp_path: Path, delay: float) -> None:
    command = train_command(*LEDUC, "--iters", 50_000_000, "--checkpoint-interval", 1000, "--logdir", tmp_path / "cut")
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    wait_until(lambda: list((tmp_path / "cut").glob("checkpoint_*.pkl")), process)
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    process.wait()
    path, info, _ = newest_valid(tmp_path / "cut")
    assert info.iteration % 1000 == 0 and info.iteration > 0
    whole, iterations = finished, 1_500_000
    if info.iteration >= iterations:  # it was killed late, since this process had to wait for a processor
        whole, iterations = tmp_path / "whole", info.iteration + 100_000
        assert run_training(*LEDUC, "--iters", iterations, "--logdir", whole).returncode == 0
    further = ("--iters", iterations, "--logdir", tmp_path / "cut", "--resume-from", tmp_path / "cut")
    result = run_training(*LEDUC, *further)
    assert result.returncode == 0, result.stderr
    assert f"INFO: Resumed from {path} at iteration {info.iteration:,}" in result.stderr
    final = (tmp_path / "cut" / "checkpoint_final.pkl").read_bytes()
    assert final == (whole / "checkpoint_final.pkl").read_bytes()
    assert policy_bytes(tmp_path / "cut") == policy_bytes(whole)


def wait_until(condition: Callable[[], object], process: "subprocess.Popen[bytes] | subprocess.Popen[str]") -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert process.poll() is None, "the run ended by itself"
        assert time.monotonic() < deadline, "what was waited for never came"
        time.sleep(0.01)


@pytest.mark.long
@pytest.mark.parametrize(
    ("number", "status", "reason"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]
)
def test_a_signal_ends_the_run_with_a_checkpoint(tmp_path: Path, number: int, status: int, reason: str) -> None:
    command = train_command(*LEDUC, "--time-budget", 600, "--snapshot-interval", 0.2, "--logdir", tmp_path)
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: list(tmp_path.glob("snapshots/*/avg_policy.json")), process)
    process.send_signal(number)
    process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == status
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["exit_reason"] == reason
    assert newest_valid(tmp_path)[1].iteration == summary["iterations"]
    assert AveragePolicy.load(tmp_path).info.iterations == summary["iterations"]


@pytest.mark.long
def test_a_time_budget_counts_training_across_resumes(tmp_path: Path) -> None:
    first = run_training(*LEDUC, "--time-budget", 4.0, "--logdir", tmp_path / "one")
    assert first.returncode == 0, first.stderr
    assert "INFO: Starting MCCFR training with time budget: 4.0 seconds (0.00 days)" in first.stderr
    before = read_clock(tmp_path / "one" / "checkpoint_final.pkl").seconds
    # A step is 0.2 s, or what the machine makes of it.
    budget = before + 1.0
    run_training(*LEDUC, "--time-budget", budget, "--logdir", tmp_path / "two", "--resume-from", tmp_path / "one")
    seconds = read_clock(tmp_path / "two" / "checkpoint_final.pkl").seconds
    assert before >= 4.0 and budget <= seconds < before + budget, "a clock that began anew would come to both"
    one, two = (json.loads((tmp_path / name / "summary.json").read_text()) for name in ("one", "two"))
    assert two["iterations"] > one["iterations"]


def test_both_budgets_stop_at_the_first(tmp_path: Path) -> None:
    result = run_training(*LEDUC, "--time-budget", 600, "--iters", 1000, "--logdir", tmp_path)
    assert "whichever comes first" in result.stderr
    assert json.loads((tmp_path / "summary.json").read_text())["iterations"] == 1000


@pytest.mark.long
def test_an_old_run_moves_aside(tmp_path: Path) -> None:
    run_training(*LEDUC, "--iters", 1000, "--logdir", tmp_path)
    old = (tmp_path / "checkpoint_final.pkl").read_bytes()
    result = run_training(*LEDUC, "--iters", 2000, "--logdir", tmp_path)
    assert "held a run already" in result.stderr
    previous = next(tmp_path.glob("previous_*"))
    assert (previous / "checkpoint_final.pkl").read_bytes() == old
    assert AveragePolicy.load(previous).info.iterations == 1000
    assert AveragePolicy.load(tmp_path).info.iterations == 2000


@pytest.mark.long
def test_a_damaged_checkpoint_gives_way_to_the_one_before(tmp_path: Path) -> None:
    run_training(*LEDUC, "--iters", 2000, "--logdir", tmp_path)
    sound, newest = tmp_path / "checkpoint_2000.pkl", tmp_path / "checkpoint_3000.pkl"
    (tmp_path / "checkpoint_final.pkl").rename(sound)
    newest.write_bytes(sound.read_bytes()[:-50])
    assert newest_valid(tmp_path)[0] == sound
    result = run_training(*LEDUC, "--iters", 4000, "--logdir", tmp_path / "on", "--resume-from", tmp_path)
    assert result.returncode == 0, result.stderr
    assert f"WARNING: passed over: {newest}" in result.stderr


@pytest.mark.long
def test_three_checkpoints_are_kept(tmp_path: Path) -> None:
    arguments = ("--time-budget", 600, "--iters", 10**9, "--checkpoint-interval", 100, "--logdir", tmp_path)
    process = subprocess.Popen(train_command(*LEDUC, *arguments), stderr=subprocess.PIPE, text=True)
    seen: set[str] = set()

    def four_were_there() -> bool:
        seen.update(numbered(tmp_path))
        return len(seen) > 3

    wait_until(four_were_there, process)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE_SECONDS)
    assert said.count("the interval is stretched") == 1
    assert len(numbered(tmp_path)) == 3


def numbered(run: Path) -> list[str]:
    return [path.name for path in run.glob("checkpoint_*.pkl")]


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_memory_is_that_of_all_processes_with_shared_pages_once(tmp_path: Path) -> None:
    """What each process has for itself is a lower bound of what all take together; a plain sum counts pages twice."""
    arguments = ("--time-budget", 600, "--num-workers", 2, "--logdir", tmp_path / "run")
    process = subprocess.Popen(train_command(*LEDUC[:2], *arguments), stderr=subprocess.DEVNULL)
    try:
        events = tmp_path / "run" / "tensorboard"
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (found := memory_scalars(events)):
            assert time.monotonic() < deadline, "no scalar was written"
            time.sleep(0.2)
        children = psutil.Process(process.pid).children()
        workers = [child for child in children if "spawn_main" in " ".join(child.cmdline())]
        assert len(workers) == 2
        everybody = [psutil.Process(process.pid), *workers]
        alone = sum(one.memory_full_info().uss for one in everybody)
        plain = sum(one.memory_info().rss for one in everybody)
        main = everybody[0].memory_info().rss
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE_SECONDS)
    finally:
        process.kill()
    peak = json.loads((tmp_path / "run" / "summary.json").read_text())["peak_memory_bytes"]
    assert alone <= peak < plain
    assert peak > main
    assert 0.9 * alone < found[-1] < plain


def memory_scalars(events: Path) -> list[float]:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    if not events.is_dir():
        return []
    accumulator = EventAccumulator(str(events))
    accumulator.Reload()
    if "Performance/MemoryBytes" not in accumulator.Tags()["scalars"]:
        return []
    return [scalar.value for scalar in accumulator.Scalars("Performance/MemoryBytes")]


@pytest.mark.long
def test_tensorboard_scalars(tmp_path: Path) -> None:
    result = run_training(*LEDUC[:2], "--time-budget", 11, "--logdir", tmp_path)
    assert result.returncode == 0, result.stderr
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(tmp_path / "tensorboard"))
    events.Reload()
    tags = set(events.Tags()["scalars"])
    assert {
        "Performance/IterationsPerSecond",
        "Performance/NodesPerSecond",
        "Performance/MemoryBytes",
        "Training/Utility",
        "Training/PrunedShare",
        "Training/InfosetsTouched",
        "Regret/L2Norm",
        "Regret/L2NormSlope",
        "Policy/Entropy/preflop",
        "Policy/Entropy/flop",
    } <= tags
    assert events.Tags()["tensors"], "the configuration is there as text"
    # Leduc is worth −0.0856 to the first player; during learning the mean is within a few hundredths of it.
    assert events.Scalars("Training/Utility")[-1].value == pytest.approx(-0.0856, abs=0.03)
    assert events.Scalars("Training/InfosetsTouched")[-1].value == 936
