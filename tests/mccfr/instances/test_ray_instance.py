"""The instance that runs on another machine, without Ray: what it reports, how it stops, merges and goes on."""

import os
import shutil
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdem.errors import ConfigError, FolderInUse
from holdem.game import load_preset
from holdem.mccfr.instances.instance import InstanceJob, InstanceSpec
from holdem.mccfr.instances.ray_instance import RemoteInstance, Report
from holdem.mccfr.instances.ray_launcher import RayLauncher, checkpoint_files
from holdem.mccfr.run.checkpoint import newest_valid, read_info
from holdem.mccfr.run.lock import LOCK_NAME, RunLock
from holdem.types import MCCFRConfig
from tests.mccfr.runs import table_of
from tests.waiting import PATIENCE_SECONDS, wait_for

SPEC = InstanceSpec(1, 1_000, 301_000)


@pytest.fixture(autouse=True)
def _another_machine(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an instance leaves where it runs goes with the test."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("machine")))


def job(**changes: Any) -> InstanceJob:
    config = SPEC.settings(MCCFRConfig(seed=7, num_iterations=301_000, checkpoint_interval=10_000))
    base = InstanceJob(SPEC, config.model_dump(mode="json"), load_preset("leduc").model_dump(mode="json"), "elsewhere")
    return replace(base, tensorboard=False, **changes)


def mirror(instance: RemoteInstance, folder: Path) -> Report:
    """Take in reports until it has ended."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        report = instance.report()
        for name, content in report.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            with (folder / name).open("ab" if name in report.appended else "wb") as file:
                file.write(content)
        if report.status is not None:
            return report
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_everything_arrives(tmp_path: Path) -> None:
    instance = RemoteInstance(job(), {})
    report = mirror(instance, tmp_path)
    assert report.status == 0
    assert report.progress is not None
    assert (report.progress.status, report.progress.current_iter) == ("completed", 301_000)
    assert read_info(tmp_path / "checkpoint_final.pkl").stream_start == 1_000
    log = (tmp_path / "instance_1.log").read_text()
    assert log == (instance.instance_folder / "instance_1.log").read_text(), "nothing twice, nothing missing"
    assert not instance.report().files, "only what is new travels"
    instance.close()
    assert not instance.folder.exists()


def test_it_stops_when_told_and_goes_on_elsewhere(tmp_path: Path) -> None:
    long = job(config={**job().config, "num_iterations": None, "time_budget_seconds": 600.0})
    instance = RemoteInstance(long, {})
    wait_for(lambda: instance.progress is not None and instance.progress.own_iterations > 0)
    instance.stop()
    report = mirror(instance, tmp_path)
    assert report.progress is not None
    assert report.progress.status == "interrupted"
    path, info, _ = newest_valid(tmp_path)
    again = RemoteInstance(job(config={**job().config, "num_iterations": info.iteration + 500}), checkpoint_files(path))
    shutil.rmtree(tmp_path)
    tmp_path.mkdir()
    mirror(again, tmp_path)
    assert f"at iteration {info.iteration:,}" in (tmp_path / "instance_1.log").read_text()
    assert read_info(tmp_path / "checkpoint_final.pkl").iteration == info.iteration + 500


def test_a_merge_by_calls(tmp_path: Path) -> None:
    instance = RemoteInstance(job(merge_seconds=1e9), {})
    wait_for(lambda: instance.report().offer is not None)
    offer = instance.report()
    facts, table = instance.take_offer()
    assert facts == {"iteration": 300_000, "since": 300_000, "joining": False, "finished": True}
    assert offer.offer == 1
    instance.hand_back(table * 0 + 5, last=True)
    mirror(instance, tmp_path)
    assert (table_of(tmp_path / "checkpoint_final.pkl", len(table)) == 5).all()


def test_a_failure_is_told(tmp_path: Path) -> None:
    instance = RemoteInstance(job(buckets=str(tmp_path / "none.pkl")), {})
    report = mirror(instance, tmp_path)
    assert report.status == 2
    assert "none.pkl" in (report.error or "")
    assert "none.pkl" in (tmp_path / "instance_1.log").read_text()


def test_without_ray_the_way_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)  # as Python marks a module that must not be found
    with pytest.raises(ConfigError, match=r"extra 'cluster'; install it with: pip install ray"):
        RayLauncher("auto")


def test_the_lock_of_an_instance_stays_on_its_machine(tmp_path: Path) -> None:
    """The coordinator holds a lock of its own in the folder where the files arrive."""
    long = job(config={**job().config, "num_iterations": None, "time_budget_seconds": 600.0})
    instance = RemoteInstance(long, {})
    lock = instance.instance_folder / LOCK_NAME
    wait_for(lock.exists)
    listings = [instance.report().listing]
    instance.stop()
    while instance.status is None:
        listings.append(instance.report().listing)
    assert instance.progress is not None and instance.progress.status == "interrupted"
    assert LOCK_NAME not in {name for listing in listings for name in listing}
    assert not lock.exists()


class _ClusterWithoutRoom:
    """As much of Ray as an instance sees that waits for a node."""

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments, **options: self

    @property
    def report(self) -> "_ClusterWithoutRoom":
        return self


def test_the_folder_of_an_instance_that_trains_elsewhere_is_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = "holdem.mccfr.instances.ray_launcher.importlib.import_module"
    monkeypatch.setattr(target, lambda name: _ClusterWithoutRoom())
    launcher = RayLauncher("auto")
    launcher.start(job(logdir=str(tmp_path)))
    with pytest.raises(FolderInUse, match=f"process {os.getpid()} since"), RunLock(tmp_path / "instance_1"):
        pass
    with pytest.raises(FolderInUse, match=f"process {os.getpid()} since"), RunLock(tmp_path):
        pass
    launcher.close()
    with RunLock(tmp_path / "instance_1"):
        assert (tmp_path / "instance_1" / LOCK_NAME).exists()
