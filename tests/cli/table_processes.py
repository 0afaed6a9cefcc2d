"""Real processes of the table commands, and waiting for what they print."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE_SECONDS = 600.0


def start(module: str, *arguments: object) -> "Process":
    """`python -m holdem.cli.<module>` with these arguments."""
    command = [sys.executable, "-m", f"holdem.cli.{module}", *map(str, arguments)]
    pipe, environment = subprocess.PIPE, {**os.environ, "COLUMNS": "120"}
    return Process(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment))


class Process:
    """A running command whose lines are read as they come."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.lines: list[str] = []
        self.errors: list[str] = []
        self._readers = [
            threading.Thread(target=_read, args=(process.stdout, self.lines), daemon=True),
            threading.Thread(target=_read, args=(process.stderr, self.errors), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def wait_until(self, ready: Callable[[list[str]], bool]) -> None:
        """Wait for output; fails if the process ends or takes too long."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not ready(self.lines):
            assert self.process.poll() is None, f"ended with {self.process.returncode}: {self.errors}"
            assert time.monotonic() < deadline, f"nothing came: {self.lines} {self.errors}"
            time.sleep(0.01)

    def send(self, number: int) -> None:
        self.process.send_signal(number)

    def end(self) -> int:
        """Wait for the end; the exit status."""
        status = self.process.wait(timeout=PATIENCE_SECONDS)
        for reader in self._readers:
            reader.join(timeout=PATIENCE_SECONDS)
        return status

    @property
    def out(self) -> str:
        return "".join(self.lines)

    @property
    def err(self) -> str:
        return "".join(self.errors)


def _read(pipe: object, into: list[str]) -> None:
    for line in pipe:  # type: ignore[attr-defined]
        into.append(line)


def save_profile(folder: Path, text: str) -> Path:
    """A profile file."""
    path = folder / "table.json"
    path.write_text(text, encoding="utf-8")
    return path
