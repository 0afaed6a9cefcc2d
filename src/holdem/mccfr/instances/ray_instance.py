"""An instance on another machine: what runs there, without a word of Ray, so that it can be tested anywhere.

It trains in a folder of its own machine and answers the coordinator's calls: `report` brings progress and whatever was
written since the last call, `take_offer` and `hand_back` are the two halves of a merge.
"""

import shutil
import signal
import socket
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from holdem.abstraction.bucketing import HandBucketing
from holdem.errors import ArtifactError, HoldemError
from holdem.mccfr.instances.exchange import Merged, Offer
from holdem.mccfr.instances.instance import InstanceCompanion, InstanceJob
from holdem.mccfr.instances.progress import InstanceProgress
from holdem.mccfr.run.engine import Engine
from holdem.mccfr.run.lock import LOCK_NAME
from holdem.mccfr.run.start import check_budget
from holdem.types import MCCFRConfig
from holdem.util.arrays import AnyArray
from holdem.util.signals import StopSignals

WAIT_SECONDS = 0.1

Files = dict[str, bytes]


@dataclass(frozen=True)
class Report:
    """What has happened since the last report.

    listing: names of all files; files: new content by name, what was appended where `appended` has the name
    offer: the number of a table that waits to be merged; status: the exit status of an instance that has ended
    """

    progress: InstanceProgress | None
    listing: list[str]
    files: Files
    appended: list[str]
    offer: int | None
    status: int | None
    error: str | None
    host: str


class MemoryMailbox:
    """An instance's end of the exchange, for tables that are fetched and brought by calls from outside."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.number = 0
        self.offer: Offer | None = None
        self.result: Merged | None = None

    def exchange(self, offer: Offer, stopped: Callable[[], bool]) -> Merged | None:
        """Offer a table and wait for the merged one; None if the instance was told to stop meanwhile."""
        with self.changed:
            self.number, self.offer, self.result = self.number + 1, offer, None
            while self.result is None and not stopped():
                self.changed.wait(WAIT_SECONDS)
            self.offer = None
            return self.result

    def hand_back(self, table: AnyArray, last: bool) -> None:
        """The merged table has come."""
        with self.changed:
            self.result = Merged(table, last)
            self.changed.notify_all()


class _RemoteCompanion(InstanceCompanion):
    """Stops when it is told to by a call; no signal reaches a thread."""

    stop_asked = False

    def before_start(self, engine: Engine, stop: StopSignals) -> None:
        self._pass_on(stop)
        super().before_start(engine, stop)

    def after_step(self, engine: Engine, seconds: float, stop: StopSignals) -> None:
        super().after_step(engine, seconds, stop)
        self._pass_on(stop)

    def told_to_stop(self, stop: StopSignals) -> bool:
        self._pass_on(stop)
        return super().told_to_stop(stop)

    def _pass_on(self, stop: StopSignals) -> None:
        if self.stop_asked:
            stop.received = signal.SIGTERM


class RemoteInstance:
    """Trains one job in a thread.

    checkpoint: files to go on from; fetch_buckets: brings the card abstraction if this machine does not have it
    """

    def __init__(self, job: InstanceJob, checkpoint: Files, fetch_buckets: Callable[[], Files] | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="holdem-instance-"))
        self.instance_folder = self.folder / job.spec.name
        self.instance_folder.mkdir()
        self.progress: InstanceProgress | None = None
        self.status: int | None = None
        self.error: str | None = None
        self.mailbox = MemoryMailbox()
        self._sent: dict[str, tuple[int, int]] = {}
        self.job = replace(job, logdir=str(self.folder), resume_from=self._unpack(checkpoint))
        self._fetch_buckets = fetch_buckets
        config = MCCFRConfig.model_validate(job.config)
        mailbox = None if job.merge_seconds is None else self.mailbox
        self.companion = _RemoteCompanion(
            job.spec, check_budget(config), self._publish, mailbox, job.merge_seconds or 0.0, job.joining, job.done
        )
        self._thread = threading.Thread(target=self._train, daemon=True)
        self._thread.start()

    def _unpack(self, checkpoint: Files) -> str | None:
        folder = self.folder / "resumed"
        for name, content in checkpoint.items():
            folder.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)
        return next((str(folder / name) for name in checkpoint if name.endswith(".pkl")), None)

    def _publish(self, progress: InstanceProgress) -> None:
        self.progress = progress

    def _train(self) -> None:
        try:
            job = self.job
            if job.buckets is not None:
                job = replace(job, buckets=self._buckets(Path(job.buckets)))
            self.status = job.train(self.companion)
        except HoldemError as error:
            self._failed(str(error), error.exit_status)
        except BaseException as error:  # a thread has nobody above it: whatever happens must be told
            self._failed(f"{type(error).__name__}: {error}", 1)

    def _failed(self, error: str, status: int) -> None:
        with (self.instance_folder / f"{self.job.spec.name}.log").open("a", encoding="utf-8") as log:
            log.write(f"ERROR: {error}\n")
        self.error, self.status = error, status

    def _buckets(self, path: Path) -> str:
        """The same path where this machine sees it, otherwise a copy."""
        try:
            HandBucketing.load(path)
            return str(path)
        except ArtifactError:
            if self._fetch_buckets is None:
                raise
        folder = self.folder / "buckets"
        folder.mkdir()
        for name, content in self._fetch_buckets().items():
            (folder / name).write_bytes(content)
        return str(folder / path.name)

    def report(self) -> Report:
        """Progress, and what was written since the last report."""
        status = self.status  # before the files: those of an instance that has ended are all there
        listing, files, appended = [], {}, []
        for path in sorted(self.instance_folder.rglob("*")):
            name = path.relative_to(self.instance_folder).as_posix()
            if not path.is_file() or path.name.endswith(".part") or path.name == LOCK_NAME:
                continue
            listing.append(name)
            try:
                content = self._new_content(path, name)
            except OSError:  # it was replaced meanwhile: the next report has it
                continue
            if content is not None:
                files[name] = content
                if _grows(path):
                    appended.append(name)
        offer = self.mailbox.number if self.mailbox.offer is not None else None
        return Report(self.progress, listing, files, appended, offer, status, self.error, socket.gethostname())

    def _new_content(self, path: Path, name: str) -> bytes | None:
        facts = path.stat()
        mark = (facts.st_mtime_ns, facts.st_size)
        before = self._sent.get(name)
        if before == mark:
            return None
        with path.open("rb") as file:
            if _grows(path) and before is not None:
                file.seek(before[1])
            content = file.read()
            self._sent[name] = (mark[0], file.tell())
        return content

    def take_offer(self) -> tuple[dict[str, Any], AnyArray]:
        """The table that waits to be merged, and its facts."""
        offer = self.mailbox.offer
        assert offer is not None, "a table is fetched once after it was reported"
        return offer.facts, offer.table

    def hand_back(self, table: AnyArray, last: bool) -> None:
        """The merged table."""
        self.mailbox.hand_back(table, last)

    def stop(self) -> None:
        """Save and stop."""
        self.companion.stop_asked = True

    def close(self) -> None:
        """Remove what is on this machine."""
        shutil.rmtree(self.folder, ignore_errors=True)


def _grows(path: Path) -> bool:
    """Whether a file is only ever appended to."""
    return path.suffix == ".log" or ".tfevents." in path.name
