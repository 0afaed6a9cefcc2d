"""Tables that only a manifest is left of: found in the cache, built there by one process, refused if they differ."""

import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from holdem.abstraction.bucketing import HandBucketing, content_hash, write_manifest
from holdem.abstraction.buckets.cached_tables import cached_manifest, cached_tables, can_be_built, with_tables
from holdem.errors import ArtifactError
from holdem.types import BucketConfig
from tests.built_buckets import PATIENCE_SECONDS, small_buckets
from tests.manifest_only import manifest_alone, nearly_built

OPEN = """
import sys
from holdem.abstraction.bucketing import HandBucketing
from holdem.abstraction.buckets.cached_tables import with_tables

found = with_tables(HandBucketing.load(sys.argv[1], tables=False))
print(found.path, len(found.tables))
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of this test's own."""
    monkeypatch.setenv("HOLDEM_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def start(manifest: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", OPEN, str(manifest)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_build_goes_on_and_two_processes_share_it(cache: Path, tmp_path: Path) -> None:
    alone = manifest_alone(tmp_path / "buckets.pkl")
    path = cached_manifest(alone)
    assert path.is_relative_to(cache) and cached_tables(alone) is None
    with start(tmp_path / "buckets.pkl") as killed:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not path.with_name(f"{path.stem}.building.pkl").exists():
            assert killed.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        killed.send_signal(signal.SIGKILL)
    rivers = {file: file.stat().st_mtime_ns for file in path.parent.glob("*.river.*.npy")}
    assert len(rivers) == 1 and not path.exists()
    flop = next(small_buckets().parent.glob("*.flop.*.npy")).name.split(".")[2]
    damaged = path.with_name(f"{path.stem}.flop.{flop}.npy")
    damaged.write_bytes(b"what the flop is not")
    with start(tmp_path / "buckets.pkl") as first, start(tmp_path / "buckets.pkl") as second:
        told = [process.communicate(timeout=PATIENCE_SECONDS) for process in (first, second)]
    assert [out for out, _ in told] == [f"{path} 3\n"] * 2
    said = sorted(err.splitlines()[0] for _, err in told)
    assert "are being built by process" in said[0] and "are built once, into" in said[1]
    assert rivers == {file: file.stat().st_mtime_ns for file in path.parent.glob("*.river.*.npy")}, "built once more"
    assert len(list(path.parent.iterdir())) == 4, "a manifest and three tables, and nothing left over"
    built, whole = with_tables(alone), HandBucketing.load(small_buckets())
    assert built.content_hash == whole.content_hash
    assert all(isinstance(table, np.memmap) for table in built.tables)
    assert all(np.array_equal(mine, theirs) for mine, theirs in zip(built.tables, whole.tables, strict=True))


@pytest.mark.long
def test_tables_that_are_here_are_taken(tmp_path: Path) -> None:
    whole = HandBucketing.load(small_buckets())
    assert with_tables(whole) is whole
    assert not cached_manifest(whole).parent.exists()


def test_a_build_is_finished_and_found_again(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    alone = manifest_alone(tmp_path / "buckets.pkl")
    path = nearly_built(alone)
    built = with_tables(alone, quiet=True)
    assert (built.path, len(built.tables)) == (path, 3)
    found = cached_tables(alone)
    assert found is not None and found.path == path
    assert capfd.readouterr() == ("", "")


def test_tables_are_built_by_the_cores_that_are_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not by as many as the machine had where they were built first."""
    alone, built = manifest_alone(tmp_path / "buckets.pkl"), []
    elsewhere = replace(alone, config=alone.config.model_copy(update={"threads": 96}))

    def build(config: BucketConfig, path: Path, threads: int, *_: object) -> HandBucketing:
        built.append(threads)
        return replace(alone, content_hash="")

    monkeypatch.setattr("holdem.abstraction.buckets.cached_tables.build_files", build)
    with pytest.raises(ArtifactError):
        with_tables(elsewhere)
    assert built == [0], "every core"


def test_the_same_buckets_with_tables_and_without(tmp_path: Path) -> None:
    alone = manifest_alone(tmp_path / "buckets.pkl")
    nearly_built(alone)
    built, generator = with_tables(alone), np.random.default_rng(7)
    for cards in (3, 4, 5) * 4:
        *board, low, high = (int(card) for card in generator.permutation(52)[: cards + 2])
        assert np.array_equal(alone.buckets_of_holes(board), built.buckets_of_holes(board))
        assert alone.bucket((low, high), board) == built.bucket((low, high), board)


def test_other_tables_are_refused_and_not_built_again(tmp_path: Path) -> None:
    """As a manifest of another version: the same settings, and tables that are not those of this one."""
    small, digests = manifest_alone(tmp_path / "small.pkl"), ["00" * 32] * 3
    digest = content_hash(small.config, small.groupings, digests)
    write_manifest(tmp_path / "other.pkl", replace(small, content_hash=digest), digests)
    other = HandBucketing.load(tmp_path / "other.pkl", tables=False)
    path = nearly_built(other)
    for _ in range(2):
        with pytest.raises(ArtifactError, match="this version of holdem groups hands in another way") as refused:
            with_tables(other)
        assert other.content_hash[:12] in str(refused.value)
        assert not can_be_built(other) and can_be_built(small)
        assert not path.exists() and not list(path.parent.glob("*.npy"))


def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("HOLDEM_CACHE", str(tmp_path / "file"))
    with pytest.raises(ArtifactError, match=r"cannot be built in .*file.abstraction .*HOLDEM_CACHE"):
        with_tables(manifest_alone(tmp_path / "buckets.pkl"))


def test_a_manifest_is_opened_with_or_without_tables_beside_it(tmp_path: Path) -> None:
    assert HandBucketing.load_found(small_buckets()).tables
    alone = manifest_alone(tmp_path / "buckets.pkl")
    assert HandBucketing.load_found(tmp_path / "buckets.pkl").content_hash == alone.content_hash
    assert not HandBucketing.load_found(tmp_path / "buckets.pkl").tables
