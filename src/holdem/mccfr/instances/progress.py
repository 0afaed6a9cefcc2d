"""Where each instance of a run stands: one small JSON file each, always whole, and the block that shows them all.

`progress/instance_0_progress.json` is written by the instance and read by anybody: the coordinator, `holdem monitor`, a
user's own script.
"""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from holdem.mccfr.run.directory import PROGRESS_NAME
from holdem.util.artifacts import write_json
from holdem.util.files.records import read_record

SYMBOLS = {"starting": "⏳", "running": "▶️", "completed": "✅", "failed": "❌", "interrupted": "⏸️"}
ENDED = ("completed", "failed", "interrupted")

_WIDTH = 60


@dataclass(frozen=True)
class InstanceProgress:
    """The content of a progress file. `end_iter` is None where only a time budget ends the instance."""

    instance_id: int
    start_iter: int
    end_iter: int | None
    current_iter: int
    status: str = "starting"
    error_msg: str | None = None
    progress_pct: float = 0.0
    last_update: float = 0.0

    @classmethod
    def at_start(cls, instance_id: int, start_iter: int, end_iter: int | None, done: int = 0) -> "InstanceProgress":
        """Of an instance that has done nothing yet but the iterations of the checkpoint that it goes on from."""
        share = 0.0 if end_iter is None else 100.0 * done / (end_iter - start_iter)
        return cls(instance_id, start_iter, end_iter, start_iter + done, progress_pct=share)

    @property
    def own_iterations(self) -> int:
        """Iterations done, counted from the start of the range."""
        return self.current_iter - self.start_iter

    @property
    def line(self) -> str:
        """`Instance 0: ▶️ 47.2% (iter 118000/250000)`."""
        end = "" if self.end_iter is None else f"/{self.end_iter - self.start_iter}"
        done = f"{self.progress_pct:.1f}% (iter {self.own_iterations}{end})"
        return f"Instance {self.instance_id}: {SYMBOLS[self.status]} {done}"


def progress_path(run: Path, instance_id: int) -> Path:
    """The progress file of an instance."""
    return run / PROGRESS_NAME / f"instance_{instance_id}_progress.json"


def write_progress(run: Path, progress: InstanceProgress) -> None:
    """Replace an instance's progress file in one step, stamped with the time."""
    stamped = replace(progress, last_update=time.time(), progress_pct=round(progress.progress_pct, 2))
    write_json(progress_path(run, progress.instance_id), asdict(stamped))


def read_progress(run: Path, instance_id: int) -> InstanceProgress | None:
    """The last readable report of an instance; None if there is none."""
    found = read_record(progress_path(run, instance_id), InstanceProgress)
    return found if found is not None and found.instance_id == instance_id else None


def read_all_progress(run: Path) -> list[InstanceProgress]:
    """Every instance of a run by its number."""
    names = (path.name.split("_")[1] for path in (run / PROGRESS_NAME).glob("instance_*_progress.json"))
    numbers = sorted(int(name) for name in names if name.isdecimal())
    return [found for number in numbers if (found := read_progress(run, number)) is not None]


def overall_percentage(all_progress: Sequence[InstanceProgress]) -> float:
    """The mean over the instances."""
    return sum(progress.progress_pct for progress in all_progress) / max(len(all_progress), 1)


def progress_block(all_progress: Sequence[InstanceProgress]) -> str:
    """What is shown every 30 seconds."""
    double, single = "=" * _WIDTH, "-" * _WIDTH
    lines = [progress.line for progress in all_progress]
    overall = f"Overall Progress: {overall_percentage(all_progress):.1f}%"
    return "\n".join([double, overall, single, *lines, double])
