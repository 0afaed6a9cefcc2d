"""The folder of a run: what is in it, and how an old run makes way for a new one."""

import re
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from holdem.errors import ArtifactError
from holdem.mccfr.checkpoint import FINAL_NAME, checkpoints_in

LOG_NAME = "train.log"
SUMMARY_NAME = "summary.json"
BUCKETS_NAME = "buckets.pkl"
TENSORBOARD_NAME = "tensorboard"
SNAPSHOTS_NAME = "snapshots"
PROGRESS_NAME = "progress"
EXCHANGE_NAME = "exchange"
STATE_NAME = "progress.json"
RUN_PATTERNS = (
    "checkpoint_*", "avg_policy*", BUCKETS_NAME, SUMMARY_NAME, LOG_NAME, TENSORBOARD_NAME, SNAPSHOTS_NAME,
    "config.json", "instance_*", PROGRESS_NAME, EXCHANGE_NAME, STATE_NAME,
)  # fmt: skip


@dataclass(frozen=True)
class RunDirectory:
    """Paths of one run."""

    path: Path

    def prepare(self, keep: bool) -> Path | None:
        """Make the folder; unless `keep`, an old run in it moves to `previous_<time>/`, which is returned."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            probe = self.path / ".probe"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise ArtifactError(f"{self.path} cannot be written ({error.strerror}); choose another --logdir") from None
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
        """Remove all but the newest `keep` numbered checkpoints."""
        for path in checkpoints_in(self.path)[keep:]:
            for file in (path, path.with_suffix(".json")):
                with suppress(FileNotFoundError):
                    file.unlink()


def snapshot_folders(run: Path) -> list[Path]:
    """The folders of a run's snapshots, oldest first."""
    found = [path for path in (run / SNAPSHOTS_NAME).glob("*") if re.fullmatch(r"[0-9]{1,18}", path.name)]
    return sorted(found, key=lambda path: int(path.name))
