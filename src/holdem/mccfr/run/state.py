"""Where a run stands, for whoever watches from another process: `progress.json` in its folder, written once a second.

`read_states` takes a run directory of either kind: one run, or the instances of a multi-instance run.
"""

import os
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from holdem.errors import ArtifactError
from holdem.mccfr.instances.progress import ENDED, read_all_progress
from holdem.mccfr.run.directory import STATE_NAME
from holdem.util.artifacts import write_json
from holdem.util.files.records import read_record

REPORT_SECONDS = 1.0
SILENT_SECONDS = 60.0
"""Seconds without a report after which a run has stopped silently, or is saving a very large table."""

_ENDED_AS = {"terminated": "interrupted"}


@dataclass(frozen=True)
class RunState:
    """One look at a run. `name` is `instance_0` or the folder's name; rates are those of the last seconds."""

    name: str
    status: str
    iteration: int
    iterations: int | None
    seconds: float
    share_done: float
    iterations_per_second: float
    nodes_per_second: float
    workers: int = 1
    process: int | None = None
    error: str | None = None
    last_update: float = 0.0

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self.status in ENDED

    @property
    def silent(self) -> bool:
        """Whether a report is overdue."""
        return not self.ended and time.time() - self.last_update > SILENT_SECONDS

    @property
    def eta_seconds(self) -> float | None:
        """Seconds of training to go, as far as its pace tells."""
        if self.ended or self.share_done <= 0.0:
            return None
        if self.iterations is not None and self.iterations_per_second > 0:
            by_pace = (self.iterations - self.iteration) / self.iterations_per_second
            return min(by_pace, self.seconds * (1.0 / self.share_done - 1.0)) if self.seconds else by_pace
        return self.seconds * (1.0 / self.share_done - 1.0)


class RunReporter:
    """Writes the state of one run into its folder; a disk that is full does not end the run."""

    def __init__(self, folder: Path, iterations: int | None, workers: int) -> None:
        self.path = folder / STATE_NAME
        self.state = RunState(folder.name, "starting", 0, iterations, 0.0, 0.0, 0.0, 0.0, workers, os.getpid())
        self._written = float("-inf")
        self._marks: list[tuple[float, int, int]] = []

    def update(self, iteration: int, seconds: float, nodes: int, share: float) -> None:
        """Note where the run stands, and write it once a second."""
        now = time.monotonic()
        if now - self._written < REPORT_SECONDS:
            return
        self._marks = [*self._marks[-9:], (seconds, iteration, nodes)]
        (then, first, first_nodes), (last, _, _) = self._marks[0], self._marks[-1]
        elapsed = last - then
        rates = ((iteration - first) / elapsed, (nodes - first_nodes) / elapsed) if elapsed > 0 else (0.0, 0.0)
        self.state = replace(
            self.state,
            status="running",
            iteration=iteration,
            seconds=round(seconds, 3),
            share_done=round(share, 6),
            iterations_per_second=round(rates[0], 1),
            nodes_per_second=round(rates[1], 1),
        )
        self._written = now
        self._write()

    def end(self, reason: str, iteration: int, seconds: float, share: float) -> None:
        """Say how it ended."""
        status = _ENDED_AS.get(reason, reason)
        done = 1.0 if status == "completed" else round(share, 6)
        self.state = replace(self.state, status=status, iteration=iteration, seconds=round(seconds, 3), share_done=done)
        self._write()

    def _write(self) -> None:
        try:
            write_json(self.path, asdict(replace(self.state, last_update=time.time())))
        except OSError:
            return  # saving the run itself says what is wrong with the disk


def read_state(folder: Path) -> RunState | None:
    """The last readable report of the run in a folder; None if there is none."""
    return read_record(folder / STATE_NAME, RunState)


def read_states(run: Path) -> list[RunState]:
    """The state of a run, or of each of its instances."""
    instances = read_all_progress(run)
    states = []
    for progress in instances:
        name = f"instance_{progress.instance_id}"
        own = read_state(run / name) or RunState(name, "starting", 0, None, 0.0, 0.0, 0.0, 0.0)
        states.append(
            replace(
                own,
                name=name,
                status=progress.status,
                iteration=max(own.iteration, progress.own_iterations),
                iterations=None if progress.end_iter is None else progress.end_iter - progress.start_iter,
                share_done=max(own.share_done, progress.progress_pct / 100.0),
                error=progress.error_msg,
                last_update=max(own.last_update, progress.last_update),
            )
        )
    if states:
        return states
    single = read_state(run)
    if single is None:
        raise ArtifactError(f"{run} holds no run that says how far it is; name the --logdir of a run")
    return [single]


def overall(states: list[RunState]) -> float:
    """Mean progress."""
    return sum(state.share_done for state in states) / len(states)


def plain_states(run: Path, states: list[RunState]) -> dict[str, Any]:
    """States as JSON data, for programs and for pages."""
    looks = [
        {**asdict(state), "eta_seconds": state.eta_seconds, "silent": state.silent, "ended": state.ended}
        for state in states
    ]
    return {"run": str(run), "share_done": overall(states), "ended": all(s.ended for s in states), "runs": looks}
