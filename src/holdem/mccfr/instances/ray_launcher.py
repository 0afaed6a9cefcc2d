"""`--cluster ADDRESS`: the instances of a run as actors of a Ray cluster.

The coordinator stays what it is; here is only how an instance is started and watched on another machine. Whatever an
instance writes there arrives in the coordinator's run directory through Ray's object store, so the machines need no
common disk. When a node dies, its instance is started again on another from the newest checkpoint that arrived.
"""

import importlib
import logging
import os
import socket
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from holdem.abstraction.bucketing import HandBucketing
from holdem.errors import ArtifactError, ConfigError
from holdem.mccfr.instances.exchange import Hub, Merged, Offer
from holdem.mccfr.instances.instance import InstanceJob
from holdem.mccfr.instances.progress import write_progress
from holdem.mccfr.instances.ray_instance import Files, RemoteInstance, Report
from holdem.mccfr.run.checkpoint import newest_valid
from holdem.mccfr.run.directory import RunDirectory
from holdem.mccfr.run.estimate import estimate_training
from holdem.mccfr.run.lock import RunLock
from holdem.mccfr.training_game import buckets_for
from holdem.types import GameConfig, MCCFRConfig
from holdem.util.artifacts import atomic_write
from holdem.util.extras import require
from holdem.util.logs import LOGGER
from holdem.util.words import counted

REPORT_SECONDS = 0.5
CONNECT_SECONDS = 5.0
MOST_RESTARTS = 10
"""An instance that loses more nodes than this has another problem."""


def load_ray() -> Any:
    """The engine, which is an extra."""
    require("ray", "--cluster")
    return importlib.import_module("ray")


class RayLauncher:
    """Starts instances on the nodes of a cluster, spread as evenly as their resources allow."""

    def __init__(self, address: str) -> None:
        self.ray = load_ray()
        _check_reachable(address)
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            self.ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False)
        except Exception as error:  # Ray raises many kinds; the first line of each says enough
            reason = str(error).strip().splitlines()[0].rstrip(".") if str(error).strip() else type(error).__name__
            raise _unreachable(address, reason) from None
        self._handles: list[RayInstance] = []

    @property
    def node_count(self) -> int:
        """Nodes that are alive and have a processor to train with."""
        return sum(bool(node["Alive"] and node["Resources"].get("CPU")) for node in self.ray.nodes())

    def start(self, job: InstanceJob) -> "RayInstance":
        """Start an instance wherever there is room."""
        handle = RayInstance(self.ray, job)
        self._handles.append(handle)
        return handle

    def hub(self, folder: Path) -> Hub:
        """Tables go through the object store; merging needs all instances at once."""
        return RayHub(self.ray, self._handles)

    def close(self) -> None:
        """Leave the cluster; instances that are still there end, and nothing more arrives from them."""
        for handle in self._handles:
            handle.lock.release()
        self.ray.shutdown()


def _check_reachable(address: str) -> None:
    """Ask the address for a connection first: Ray itself would try for minutes."""
    if address in ("auto", "local"):
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not (host and port.isdecimal()):
        raise ConfigError(f"--cluster {address!r} is not an address; write HOST:PORT (192.168.1.10:6379) or auto")
    try:
        socket.create_connection((host, int(port)), timeout=CONNECT_SECONDS).close()
    except OSError as error:
        raise _unreachable(address, error.strerror or str(error)) from None


def _unreachable(address: str, reason: str) -> ConfigError:
    return ConfigError(
        f"the cluster {address} cannot be reached ({reason}); start one with: ray start --head --port=6379"
    )


class RayInstance:
    """One instance on some node; its files are mirrored into the coordinator's run directory."""

    def __init__(self, ray: Any, job: InstanceJob) -> None:
        self.ray, self.job = ray, job
        self.run = Path(job.logdir)
        self.folder = self.run / job.spec.name
        self.lock = RunLock(self.folder, above_is_ours=True)
        self.lock.make()
        self.where, self.placed = "waiting for a node", False
        self.offered: int | None = None
        self._merged_offer = 0
        self._restarts, self._error = 0, ""
        self._buckets: Any = None
        self._begin({} if job.resume_from is None else checkpoint_files(Path(job.resume_from)))

    def _begin(self, checkpoint: Files) -> None:
        """Create the actor; Ray queues it until a node has room."""
        options = {
            "num_cpus": 1,
            "memory": self._memory_bytes(),
            "scheduling_strategy": "SPREAD",
            "max_concurrency": 4,
            "max_restarts": 0,
        }
        worker = self.ray.remote(RayWorker).options(**options)
        self.actor = worker.remote(self.job, checkpoint, self._buckets_to_fetch())
        self._listing: set[str] = set()
        self._asked = time.monotonic()
        self._pending = self.actor.report.remote()

    def _memory_bytes(self) -> int:
        game, config = GameConfig.model_validate(self.job.game), MCCFRConfig.model_validate(self.job.config)
        bucketing = None if self.job.buckets is None else HandBucketing.load(self.job.buckets, tables=False)
        return estimate_training(game, buckets_for(game, bucketing), config).memory_bytes

    def _buckets_to_fetch(self) -> list[Any]:
        """A reference in a list, which Ray does not resolve: only a machine without the file fetches it."""
        if self.job.buckets is None:
            return []
        if self._buckets is None:
            path = Path(self.job.buckets)
            files = {found.name: found.read_bytes() for found in [path, *path.parent.glob(f"{path.stem}.*.npy")]}
            self._buckets = self.ray.put(files)
        return [self._buckets]

    def poll(self) -> int | None:
        """Take in the report that has come; the exit status once the instance has ended and all is here."""
        if self._pending is None:
            if time.monotonic() - self._asked < REPORT_SECONDS:
                return None
            self._asked, self._pending = time.monotonic(), self.actor.report.remote()
        if not self.ray.wait([self._pending], timeout=0)[0]:
            return None
        try:
            report: Report = self.ray.get(self._pending)
        except self.ray.exceptions.RayError as error:
            return self._restart(error)
        self._pending = None
        self._take_in(report)
        if report.status is not None:
            self._error = report.error or ""
            self._close()
        return report.status

    def _take_in(self, report: Report) -> None:
        self.placed, self.where = True, f"node: {report.host}"
        # The files that a manifest names come before it.
        for name in sorted(report.files, key=lambda name: name.endswith(".json")):
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if name in report.appended:
                with path.open("ab") as file:
                    file.write(report.files[name])
            else:
                with atomic_write(path) as file:
                    file.write(report.files[name])
        for name in self._listing - set(report.listing):
            (self.folder / name).unlink(missing_ok=True)
        self._listing = set(report.listing)
        RunDirectory(self.folder).forget_old_checkpoints(self.job.keep)
        if report.progress is not None:
            write_progress(self.run, report.progress)
        newer = report.offer is not None and report.offer > self._merged_offer
        self.offered = report.offer if newer else None

    def _restart(self, error: Exception) -> int | None:
        """Another node takes over from the newest checkpoint that arrived here."""
        reason = type(error).__name__
        self._restarts += 1
        with suppress(self.ray.exceptions.RayError):  # it may only be out of reach: there must not be two of it
            self.ray.kill(self.actor)
        if self._restarts > MOST_RESTARTS:
            self._error = f"lost {counted(self._restarts, 'node')}; the last one: {reason}"
            return 1
        checkpoint: Files = {}
        come_from, done = "the beginning", self.job.done
        try:
            path, info, _ = newest_valid(self.folder)
            checkpoint, come_from, done = checkpoint_files(path), f"iteration {info.iteration:,}", info.iteration
        except ArtifactError:
            if self.job.resume_from is not None:
                checkpoint, come_from = checkpoint_files(Path(self.job.resume_from)), self.job.resume_from
        number = self.job.spec.instance_id
        LOGGER.warning(f"Instance {number} was lost ({reason}); it starts again on another node from {come_from}")
        with (self.folder / f"{self.job.spec.name}.log").open("a", encoding="utf-8") as log:
            log.write(f"WARNING: the node was lost ({reason}); restarted from {come_from}\n")
        self.job = replace(self.job, joining=True, done=done)
        self.placed, self.where, self.offered, self._merged_offer = False, "waiting for a node", None, 0
        self._begin(checkpoint)
        return None

    def take_offer(self) -> Any:
        """A reference to the table that waits."""
        return self.actor.take_offer.remote()

    def hand_back(self, table: Any, last: bool) -> None:
        """Send a merged table, given as a reference."""
        assert self.offered is not None
        self._merged_offer, self.offered = self.offered, None
        self.actor.hand_back.remote(table, last)

    def ask_to_stop(self) -> None:
        """Ask it to save and stop."""
        self.actor.stop.remote()

    def kill(self) -> None:
        """End it now."""
        self.ray.kill(self.actor)

    def failure(self) -> str:
        """What it said."""
        return self._error or "it ended without a word"

    def _close(self) -> None:
        try:
            self.ray.get(self.actor.close.remote(), timeout=CONNECT_SECONDS)
        except self.ray.exceptions.RayError:
            LOGGER.warning(f"Instance {self.job.spec.instance_id} left files behind on its node")
        self.ray.kill(self.actor)


class RayHub:
    """The exchange of tables through the object store."""

    def __init__(self, ray: Any, handles: list[RayInstance]) -> None:
        self.ray, self.handles = ray, handles

    def offers(self, instance_ids: Sequence[int]) -> list[Offer] | None:
        """The offers of these instances once all of them have made one."""
        handles = [handle for handle in self.handles if handle.job.spec.instance_id in instance_ids]
        if any(handle.offered is None for handle in handles):
            return None
        try:
            taken = self.ray.get([handle.take_offer() for handle in handles])
        except self.ray.exceptions.RayError:
            return None  # a node has just died; its instance comes back and offers again
        return [
            Offer(handle.job.spec.instance_id, table=table, **facts)
            for handle, (facts, table) in zip(handles, taken, strict=True)
        ]

    def hand_back(self, merged: Mapping[int, Merged]) -> None:
        """Give each instance its table and forget its offer."""
        references: dict[int, Any] = {}
        for handle in self.handles:
            result = merged.get(handle.job.spec.instance_id)
            if result is not None:
                if id(result.table) not in references:
                    references[id(result.table)] = self.ray.put(result.table)
                handle.hand_back(references[id(result.table)], result.last)


class RayWorker(RemoteInstance):
    """The instance as an actor: it can fetch the card abstraction from the object store."""

    def __init__(self, job: InstanceJob, checkpoint: Files, buckets: list[Any]) -> None:
        def fetch() -> Files:
            files: Files = load_ray().get(buckets[0])
            return files

        super().__init__(job, checkpoint, fetch if buckets else None)


def checkpoint_files(path: Path) -> Files:
    """A checkpoint and what the clock said beside it."""
    clock = path.with_suffix(".json")
    return {found.name: found.read_bytes() for found in (path, clock) if found.exists()}
