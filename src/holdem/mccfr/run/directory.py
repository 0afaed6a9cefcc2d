"""The folder of a run: what is in it, and how an old run makes way for a new one.

Whoever writes into it holds it first (`run_lock`).
"""

import re
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from holdem.errors import ConfigError
from holdem.policy.file_names import MODEL_MANIFEST_NAME, RUN_PATTERNS

FINAL_NAME = "checkpoint_final.pkl"
LOG_NAME = "train.log"
SUMMARY_NAME = "summary.json"
BUCKETS_NAME = "buckets.pkl"
TENSORBOARD_NAME = "tensorboard"
SNAPSHOTS_NAME = "snapshots"
PROGRESS_NAME = "progress"
EXCHANGE_NAME = "exchange"
STATE_NAME = "progress.json"

_CHECKPOINT = re.compile(r"checkpoint_(\d+)\.pkl$")
_INSTANCE = re.compile(r"instance_(\d+)$")
_PART = re.compile(r"\..+\.[a-z0-9_]{8}\.part$")
"""A file that `util.artifacts.atomic_write` had not finished."""
_UNNAMED_POLICY = ".avg_policy.npy"
"""The array of a policy that had not got its name yet."""


def checkpoint_name(iteration: int) -> str:
    """`checkpoint_10000.pkl`."""
    return f"checkpoint_{iteration}.pkl"


def checkpoints_in(folder: Path) -> list[Path]:
    """Numbered checkpoints of a run, newest first; they may lie in `checkpoints/` too."""
    found = [path for place in (folder, folder / "checkpoints") for path in place.glob("checkpoint_*.pkl")]
    numbered = [(int(match.group(1)), path) for path in found if (match := _CHECKPOINT.search(path.name))]
    return [path for _, path in sorted(numbered, reverse=True)]


@dataclass(frozen=True)
class RunDirectory:
    """Paths of one run."""

    path: Path

    def prepare(self, keep: bool) -> Path | None:
        """Clear away what killed runs left half written; unless `keep`, an old run moves to `previous_<time>/`, which
        is returned. A folder with a model is no place for a run.
        """
        if (self.path / MODEL_MANIFEST_NAME).exists():
            raise ConfigError(f"{self.path} holds a model; name another folder for the run")
        self.remove_leftovers()
        old = sorted({entry for pattern in RUN_PATTERNS for entry in self.path.glob(pattern)})
        if keep or not old:
            return None
        previous = self.path / time.strftime("previous_%Y%m%d_%H%M%S")
        number = 1
        while previous.exists():
            number += 1
            previous = self.path / time.strftime(f"previous_%Y%m%d_%H%M%S_{number}")
        previous.mkdir()
        for entry in old:
            entry.rename(previous / entry.name)
        return previous

    def remove_leftovers(self) -> None:
        """Remove files that were never finished: no other process writes here now, so they stay unfinished."""
        runs = [self.path, *instance_folders(self.path).values()]
        places = [*runs, self.path / PROGRESS_NAME, self.path / EXCHANGE_NAME]
        places += [snapshot for run in runs for snapshot in snapshot_folders(run)]
        files = [file for place in places for file in place.glob(".*")]
        if is_instance_folder(self.path):  # the other instances are writing there
            files += (self.path.parent / PROGRESS_NAME).glob(f".{self.path.name}_progress.json.*")
        for file in files:
            if _PART.match(file.name) or file.name == _UNNAMED_POLICY:
                with suppress(OSError):
                    file.unlink()

    @property
    def final_checkpoint(self) -> Path:
        return self.path / FINAL_NAME

    @property
    def buckets(self) -> Path:
        return self.path / BUCKETS_NAME

    @property
    def summary(self) -> Path:
        return self.path / SUMMARY_NAME

    @property
    def log(self) -> Path:
        return self.path / LOG_NAME

    @property
    def tensorboard(self) -> Path:
        return self.path / TENSORBOARD_NAME

    def snapshot(self, iteration: int) -> Path:
        """Folder of the policy of a snapshot."""
        return self.path / SNAPSHOTS_NAME / str(iteration)

    def forget_old_checkpoints(self, keep: int) -> None:
        """Remove all but the newest `keep` numbered checkpoints; what the clock said at a snapshot stays."""
        snapshots = {checkpoint_name(int(folder.name)) for folder in snapshot_folders(self.path)}
        for path in checkpoints_in(self.path)[keep:]:
            for file in (path,) if path.name in snapshots else (path, path.with_suffix(".json")):
                with suppress(FileNotFoundError):
                    file.unlink()


def snapshot_folders(run: Path) -> list[Path]:
    """The folders of a run's snapshots, oldest first."""
    found = [path for path in (run / SNAPSHOTS_NAME).glob("*") if re.fullmatch(r"[0-9]{1,18}", path.name)]
    return sorted(found, key=lambda path: int(path.name))


def instance_folders(run: Path) -> dict[int, Path]:
    """The `instance_N` folders of a run by number."""
    folders = [path for path in run.glob("instance_*") if path.is_dir()]
    return dict(sorted((int(match.group(1)), path) for path in folders if (match := _INSTANCE.match(path.name))))


def is_instance_folder(folder: Path) -> bool:
    """Whether a folder has the name of an instance of the run above it."""
    return _INSTANCE.match(folder.name) is not None
