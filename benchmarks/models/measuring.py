"""Runs the steps that are missing, one after another, and says how long the rest will take.

Ctrl+C ends the step that runs in the way its verb ends then; what was finished is kept, and so are deals of local best
response. The same command does the rest.
"""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.models.results_file import ResultsFile
from benchmarks.models.steps import Json, Step
from holdem.errors import RunFailed
from holdem.util.signals import StopSignals
from holdem.util.words import counted, shell_command

POLL_SECONDS = 0.2


@dataclass
class Pace:
    """Seconds a hand by part, as far as steps of it were done."""

    seconds: dict[str, float] = field(default_factory=dict)
    hands: dict[str, int] = field(default_factory=dict)

    def add(self, step: Step, seconds: float) -> None:
        """A step was done in so many seconds."""
        self.seconds[step.part] = self.seconds.get(step.part, 0.0) + seconds
        self.hands[step.part] = self.hands.get(step.part, 0) + max(step.hands, 1)

    def left(self, steps: Sequence[Step]) -> str:
        """What steps will take, in words; empty before anything is known."""
        known = [step for step in steps if step.part in self.seconds]
        if not known:
            return ""
        seconds = sum(max(s.hands, 1) * self.seconds[s.part] / self.hands[s.part] for s in known)
        unknown = dict.fromkeys(step.part for step in steps if step.part not in self.seconds)
        return f"; about {_rough(seconds)} left" + (f", and {', '.join(unknown)}" if unknown else "")


def _rough(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"


def measure(results: ResultsFile, steps: Sequence[Step]) -> int:
    """Do what is missing; the exit status."""
    missing = [step for step in steps if not results.has(step)]
    if len(missing) < len(steps):
        there = counted(len(steps) - len(missing), "step")
        print(f"{there} of {len(steps)} in {results.path} already", file=sys.stderr)
    pace = Pace()
    with StopSignals() as stop:
        for number, step in enumerate(missing):
            played = f", {step.hands:,} hands" if step.hands else ""
            left = pace.left(missing[number:])
            print(f"{number + 1} of {len(missing)}, {step.part}: {step.name}{played}{left}", file=sys.stderr)
            began = time.monotonic()
            found = _run(step, stop)
            if found is not None:
                results.add(step, step.entries(found))
            if stop.received is not None:
                print(f"stopped; the same command goes on from {results.path}", file=sys.stderr)
                break
            pace.add(step, time.monotonic() - began)
    return stop.exit_status


def _run(step: Step, stop: StopSignals) -> Json | None:
    """The JSON of a step; None if it was stopped before it had anything worth keeping."""
    # In a session of its own, so that Ctrl+C comes to it once, from here: a second one would not let it finish.
    command = [sys.executable, "-m", "holdem.cli.main", *step.words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True) as process:
        told = False
        while True:
            try:
                output, _ = process.communicate(timeout=POLL_SECONDS)
                break
            except subprocess.TimeoutExpired:
                if stop.received is not None and not told:
                    process.send_signal(signal.SIGINT)
                    told = True
    if not told and (process.returncode not in step.statuses or not output):
        command_line = shell_command("holdem", *step.words)
        raise RunFailed(f"{command_line} ended with status {process.returncode}; what was finished is kept")
    found = json.loads(output) if output else None
    whole = found is not None and found.get("complete", True)
    return found if whole or step.partial else None
