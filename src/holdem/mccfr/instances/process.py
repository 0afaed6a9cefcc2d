"""Instances as processes of this machine.

Each is `python -m holdem.mccfr.instances.instance`, so nothing of the caller's main module is imported again. Its
outputs go to its own log, so that the log says why it ended even where Python had no time to.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from holdem.mccfr.instances.exchange import FileHub, Hub
from holdem.mccfr.instances.instance import InstanceJob


class LocalLauncher:
    """Starts instances here."""

    def start(self, job: InstanceJob) -> "InstanceProcess":
        """Start one; its folder exists."""
        return InstanceProcess(job)

    def hub(self, folder: Path) -> Hub:
        """Tables go through files of this folder; what a coordinator that was killed left there counts no more."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return FileHub(folder)

    def close(self) -> None:
        """Nothing is held."""


class InstanceProcess:
    """One instance; its standard input stays open for as long as it shall run."""

    placed = True

    def __init__(self, job: InstanceJob) -> None:
        self.log = Path(job.logdir) / job.spec.name / f"{job.spec.name}.log"
        with self.log.open("ab") as log:
            # A session of its own: a Ctrl+C in the terminal reaches the coordinator, which then asks each to stop.
            self.process = subprocess.Popen(
                [sys.executable, "-m", "holdem.mccfr.instances.instance"],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=os.name == "posix",
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):  # it has ended already; poll() tells
            self.process.stdin.write(json.dumps(asdict(job)).encode() + b"\n")
            self.process.stdin.flush()

    @property
    def where(self) -> str:
        """Its process number."""
        return f"PID: {self.process.pid}"

    def poll(self) -> int | None:
        """The exit status of an instance that has ended."""
        return self.process.poll()

    def ask_to_stop(self) -> None:
        """Close its input: it saves and stops, on every platform."""
        if self.process.stdin is not None:
            with suppress(OSError):
                self.process.stdin.close()

    def kill(self) -> None:
        """End it now."""
        self.process.kill()
        self.process.wait()

    def failure(self) -> str:
        """The signal that ended it, or the last line of its log."""
        status = self.process.returncode
        if status is not None and status < 0:
            reason = f"ended by signal {signal.Signals(-status).name}"
            with self.log.open("a", encoding="utf-8") as log:
                log.write(f"ERROR: {reason}\n")
            return reason
        lines = self.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return lines[-1].removeprefix("ERROR: ") if lines else f"ended with status {status}"
