"""A run's folder belongs to one run: real runs that meet in one folder, and real kills."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from holdem.errors import FolderInUse
from holdem.game import load_preset
from holdem.mccfr.parallel_solver import ParallelMCCFRSolver
from holdem.mccfr.run.checkpoint import newest_valid
from holdem.mccfr.run.lock import LOCK_NAME, RunLock
from holdem.mccfr.solver import MCCFRSolver
from holdem.mccfr.training_game import TrainingGame
from holdem.types import MCCFRConfig
from holdem.util.files import lock as file_lock
from holdem.util.logs import LOGGER
from tests.cli.runs import Result, Run, make_runner
from tests.mccfr.parallel_runs import is_running, parallel_run
from tests.mccfr.runs import LEDUC, run_training, train_command

KUHN = ("--game", "kuhn", "--no-tensorboard")
ENDLESS = ("--time-budget", 600, "--snapshot-interval", 0.2)
PATIENCE = 300.0


@pytest.fixture
def holdem(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return make_runner(monkeypatch, capsys)


def start(*arguments: object) -> "subprocess.Popen[str]":
    command = train_command(*arguments)
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


@contextmanager
def going_on(process: "subprocess.Popen[str]", wanted: Path, pattern: str) -> Iterator[int]:
    """A run that has written what was wanted of it; gone when the block ends."""
    try:
        deadline = time.monotonic() + PATIENCE
        while not list(wanted.glob(pattern)):
            assert process.poll() is None, process.communicate()[1]
            assert time.monotonic() < deadline, f"no {pattern} in {wanted}"
            time.sleep(0.02)
        yield process.pid
    finally:
        end(process)


def end(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.wait()
    assert process.stderr is not None
    process.stderr.close()


def assert_refused(result: Result, process: int, folder: Path) -> None:
    """Status 2 and one sentence with the process."""
    assert result.status == 2, result.out + result.err
    said = [line for line in result.err.strip().splitlines() if not line.startswith("WARNING: ")]
    assert len(said) == 1, result.err
    assert re.match(rf"error: {re.escape(str(folder))} is in use by process {process} since \d{{4}}-", said[0])


@pytest.mark.long
def test_everybody_else_is_refused_and_touches_nothing(tmp_path: Path, holdem: Run) -> None:
    run, other = tmp_path / "run", tmp_path / "other"
    assert run_training(*KUHN, "--iters", 100, "--logdir", other).returncode == 0
    process = start(*KUHN, *ENDLESS, "--logdir", run)
    with going_on(process, run, "checkpoint_*.pkl") as pid:
        plain = (*KUHN, "--iters", 1000, "--logdir", run)
        assert_refused(holdem("train", *plain), pid, run)
        assert_refused(holdem("train", *plain, "--resume-from", run), pid, run)
        assert_refused(holdem("train", *plain, "--resume-from", other), pid, run)
        assert_refused(holdem("train", *plain, "--num-workers", 2), pid, run)
        assert_refused(holdem("train", *plain, "--num-instances", 2), pid, run)
        assert_refused(holdem("merge", other, "--out", run), pid, run)
        solver = MCCFRSolver(MCCFRConfig(num_iterations=100), TrainingGame.from_preset("kuhn"))
        with pytest.raises(FolderInUse, match=f"process {pid} "):
            solver.train(logdir=run, use_tensorboard=False)
        parallel = ParallelMCCFRSolver(MCCFRConfig(num_iterations=100, num_workers=2), game=load_preset("kuhn"))
        with pytest.raises(FolderInUse, match=f"process {pid} "):
            parallel.train(logdir=run, use_tensorboard=False)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 130
    assert not list(run.glob("previous_*"))
    assert not list(run.glob("instance_*"))
    assert (run / "train.log").read_text().count("Starting MCCFR training") == 1
    summary = json.loads((run / "summary.json").read_text())
    assert newest_valid(run)[1].iteration == summary["iterations"] > 100_000
    assert not (run / LOCK_NAME).exists()


@pytest.mark.long
def test_of_several_starts_at_one_instant_one_wins(tmp_path: Path) -> None:
    run = tmp_path / "run"
    processes = [start(*KUHN, *ENDLESS, "--logdir", run) for _ in range(4)]
    try:
        deadline = time.monotonic() + PATIENCE
        while sum(process.poll() is None for process in processes) > 1:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        winner = next(process for process in processes if process.poll() is None)
        for process in processes:
            if process is not winner:
                assert process.returncode == 2
                assert f"{run} is in use by process {winner.pid} since" in process.communicate()[1]
        with going_on(winner, run, "checkpoint_*.pkl"):
            winner.send_signal(signal.SIGINT)
            winner.communicate(timeout=PATIENCE)
            assert winner.returncode == 130
        assert not list(run.glob("previous_*"))
    finally:
        for process in processes:
            end(process)


@pytest.mark.long
def test_a_killed_run_moves_aside_and_leaves_its_lock_behind(tmp_path: Path) -> None:
    run = tmp_path / "run"
    with going_on(start(*KUHN, *ENDLESS, "--logdir", run), run, "checkpoint_*.pkl"):
        pass
    assert (run / LOCK_NAME).exists(), "a killed process cannot tidy up"
    kept = newest_valid(run)[1].iteration
    result = run_training(*KUHN, "--iters", 1000, "--logdir", run)
    assert result.returncode == 0, result.stderr
    previous = next(run.glob("previous_*"))
    assert newest_valid(previous)[1].iteration == kept
    assert newest_valid(run)[1].iteration == 1000
    assert not (previous / LOCK_NAME).exists()
    assert not (run / LOCK_NAME).exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_workers_that_outlive_a_killed_run_do_not_hold_its_folder(tmp_path: Path) -> None:
    with parallel_run(tmp_path, "--time-budget", 600, "--num-workers", 2) as run:
        run.wait_for_workers(2)
        workers = [run.worker_pid(0), run.worker_pid(1)]
        for worker in workers:
            os.kill(worker, signal.SIGSTOP)
        run.end(signal.SIGKILL)
        assert all(is_running(worker) for worker in workers)
        result = run_training(*KUHN, "--iters", 1000, "--logdir", run.logdir)
        assert result.returncode == 0, result.stderr
        assert all(is_running(worker) for worker in workers)


@pytest.mark.long
def test_instances_hold_their_folders(tmp_path: Path, holdem: Run) -> None:
    run, other = tmp_path / "run", tmp_path / "other"
    assert run_training(*KUHN, "--iters", 100, "--logdir", other).returncode == 0
    process = start(*LEDUC, *ENDLESS, "--num-instances", 2, "--logdir", run)
    with going_on(process, run, "instance_1/checkpoint_*.pkl") as pid:
        again = (*LEDUC, *ENDLESS, "--num-instances", 2, "--logdir", run)
        assert_refused(holdem("train", *again), pid, run)
        assert_refused(holdem("train", *again, "--resume-from", run), pid, run)
        assert_refused(holdem("merge", other, "--out", run), pid, run)
        # An instance by hand, and a run in an instance's folder, would write into the coordinator's run.
        assert_refused(holdem("train", *LEDUC, "--instance-id", 5, "--time-budget", 9, "--logdir", run), pid, run)
        assert not (run / "instance_5").exists()
        assert_refused(holdem("train", *LEDUC, "--iters", 9, "--logdir", run / "instance_1"), pid, run)
        instances = psutil.Process(pid).children()
        assert len(instances) == 2
        process.kill()
        process.wait()
        psutil.wait_procs(instances, timeout=PATIENCE)
    result = run_training(*LEDUC, "--iters", 1000, "--logdir", run)
    assert result.returncode == 0, result.stderr
    previous = next(run.glob("previous_*"))
    assert newest_valid(previous / "instance_1")[1].iteration > 0
    assert not list(previous.rglob(LOCK_NAME))


def test_instances_by_hand_share_a_folder_that_nobody_else_gets(tmp_path: Path, holdem: Run) -> None:
    run = tmp_path / "run"
    first = start(*LEDUC, *ENDLESS, "--instance-id", 0, "--logdir", run)
    with going_on(first, run, "instance_0/checkpoint_*.pkl") as pid:
        by_hand = ("--instance-id", 1, "--instance-range", "1000:2000")
        assert holdem("train", *LEDUC, *by_hand, "--logdir", run).status == 0
        zero = ("--instance-id", 0, "--time-budget", 9)
        assert_refused(holdem("train", *LEDUC, *zero, "--logdir", run), pid, run / "instance_0")
        assert_refused(holdem("train", *LEDUC, "--iters", 9, "--logdir", run), pid, run / "instance_0")
        more = ("--iters", 1000, "--num-instances", 2)
        assert_refused(holdem("train", *LEDUC, *more, "--logdir", run), pid, run / "instance_0")
        assert newest_valid(run / "instance_1")[1].iteration == 1000
        assert first.poll() is None


def test_a_file_system_without_locks_gets_one_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answer is given by hand: no such file system can be mounted here."""

    def refuse(descriptor: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(file_lock, "_lock", refuse)
    said: list[str] = []
    monkeypatch.setattr(LOGGER, "warning", said.append)
    (tmp_path / "instance_0").mkdir()
    (tmp_path / "instance_0" / LOCK_NAME).touch()
    with RunLock(tmp_path) as lock:
        lock.make()
    assert said == [
        f"{tmp_path} is on a file system without locks (No locks available): make sure that no other run writes there"
    ]
