"""Parallel runs that tests start, disturb and watch."""

import contextlib
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil

from holdem.mccfr.run.checkpoint import CheckpointInfo, newest_valid
from tests.mccfr.runs import train_command

KUHN = ("--game", "kuhn", "--no-tensorboard", "--seed", "7", "--log-level", "debug")
PATIENCE = 300.0


class ParallelRun:
    """A run of `train_blueprint` in a process of its own; its stderr goes to a file that can be read at any time."""

    def __init__(self, folder: Path, *arguments: object, **options: Any) -> None:
        self.logdir = folder / "run"
        self.errors = folder / "stderr.txt"
        command = train_command(*KUHN, "--logdir", self.logdir, *arguments)
        with self.errors.open("w") as file:
            self.process = subprocess.Popen(
                command, stderr=file, stdout=subprocess.DEVNULL, start_new_session=True, **options
            )
        self.seen: set[int] = set()

    @property
    def log(self) -> str:
        return self.errors.read_text()

    def wait_for(self, pattern: str, count: int = 1) -> float:
        """Seconds until the log has a line so many times."""
        return self.wait_until(lambda: len(re.findall(pattern, self.log)) >= count, f"{count} × {pattern!r}")

    def wait_until(self, true: Callable[[], bool], what: str) -> float:
        start = time.monotonic()
        while not true():
            assert time.monotonic() - start < PATIENCE, f"{what} never came:\n{self.log}"
            assert self.process.poll() is None or true(), f"the run ended without {what}:\n{self.log}"
            time.sleep(0.02)
        return time.monotonic() - start

    def wait_for_workers(self, count: int) -> None:
        self.wait_for("sampler initialized successfully", count)

    def wait_for_checkpoint(self) -> None:
        self.wait_until(lambda: bool(list(self.logdir.glob("checkpoint_*.pkl"))), "a checkpoint")

    def wait_for_iterations(self) -> None:
        """Until the run reports that something was trained."""

        def trained() -> bool:
            try:
                return bool(json.loads((self.logdir / "progress.json").read_text())["iteration"])
            except FileNotFoundError:
                return False

        self.wait_until(trained, "the first iteration")

    def worker_pid(self, index: int) -> int:
        """The process that is worker `index` now."""
        return int(re.findall(rf"Worker {index} started with PID (\d+)", self.log)[-1])

    def all_pids(self) -> set[int]:
        return {int(pid) for pid in re.findall(r"started with PID (\d+)", self.log)}

    def end(self, number: signal.Signals | None = None) -> int:
        """Wait for the end, after a signal if there is one; the exit status."""
        if number is not None:
            self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def checkpoint(self) -> CheckpointInfo:
        return newest_valid(self.logdir)[1]

    def assert_nothing_left(self) -> None:
        """No worker survives its run by more than a few seconds, or those of a machine that is busy."""
        deadline = time.monotonic() + 30.0
        while any(is_running(pid) for pid in self.all_pids()):
            assert time.monotonic() < deadline, "a worker is still there"
            time.sleep(0.05)

    def kill_everything(self) -> None:
        for pid in {self.process.pid, *self.all_pids()}:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait(PATIENCE)


def is_running(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@contextlib.contextmanager
def parallel_run(folder: Path, *arguments: object, **options: Any) -> Iterator[ParallelRun]:
    """A run that is gone when the block ends, whatever it did."""
    run = ParallelRun(folder, *arguments, **options)
    try:
        yield run
    finally:
        run.kill_everything()
