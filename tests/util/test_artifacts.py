"""Files that are whole or absent, checksums, and pickles that cannot run code."""

import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem.errors import ArtifactError
from holdem.util.artifacts import array_digest, atomic_write, read_pickle, verify_digest, write_json, write_pickle

CONTENT = {"numbers": np.arange(6).reshape(2, 3), "scalar": np.float32(1.5), "nested": [1, "two", {"three": None}]}


def test_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "a.pkl"
    write_pickle(path, "thing", 1, CONTENT)
    content = read_pickle(path, "thing", 1, "make it")
    assert np.array_equal(content["numbers"], CONTENT["numbers"])  # type: ignore[arg-type]
    assert content["nested"] == CONTENT["nested"]
    with path.open("rb") as file:
        assert pickle.load(file)["kind"] == "thing"


@given(st.integers(0, 2000), st.integers(1, 255))
def test_any_changed_byte_is_noticed(tmp_path_factory: pytest.TempPathFactory, place: int, change: int) -> None:
    path = tmp_path_factory.mktemp("artifacts") / "a.pkl"
    write_pickle(path, "thing", 1, CONTENT)
    data = bytearray(path.read_bytes())
    data[place % len(data)] ^= change
    path.write_bytes(data)
    with pytest.raises(ArtifactError, match="make it"):
        read_pickle(path, "thing", 1, "make it")


@given(st.integers(0, 2000))
def test_any_truncation_is_noticed(tmp_path_factory: pytest.TempPathFactory, length: int) -> None:
    path = tmp_path_factory.mktemp("artifacts") / "a.pkl"
    write_pickle(path, "thing", 1, CONTENT)
    data = path.read_bytes()
    path.write_bytes(data[: length % len(data)])
    with pytest.raises(ArtifactError, match="make it"):
        read_pickle(path, "thing", 1, "make it")


class Evil:
    def __reduce__(self) -> Any:
        return os.system, ("true",)


@pytest.mark.parametrize("bad", [Evil(), np.array([object()]), np.array([{}], dtype=object), Path("x"), {1, 2}.union])
def test_globals_and_object_arrays_are_refused(tmp_path: Path, bad: object) -> None:
    path = tmp_path / "a.pkl"
    write_pickle(path, "thing", 1, {"bad": bad})
    with pytest.raises(ArtifactError, match="refused"):
        read_pickle(path, "thing", 1, "make it")


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_json(path, {"old": True})
    with pytest.raises(RuntimeError), atomic_write(path) as file:
        file.write(b"half of")
        raise RuntimeError
    assert path.read_text() == '{\n  "old": true\n}\n'
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_was_touched_is_verified_again(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    np.save(path, np.arange(1000))
    digest = array_digest(path)
    assert verify_digest(path, digest, array_digest)
    assert verify_digest(path, digest, array_digest)
    before = path.stat().st_mtime_ns
    while path.stat().st_mtime_ns == before:  # the clock of a file system may stand still for some milliseconds
        np.save(path, np.arange(1000)[::-1].copy())
    assert not verify_digest(path, digest, array_digest)
