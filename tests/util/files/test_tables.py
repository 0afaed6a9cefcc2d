"""Large arrays in a pickle: exact, with chunks of zeros left out, filled in place."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem.errors import ArtifactError
from holdem.util.artifacts import write_pickle
from holdem.util.files import tables
from holdem.util.files.tables import read_tables, write_tables


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(-5, 5)), max_size=12), st.integers(1, 30))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, entries: list[tuple[int, int]], chunk: int) -> None:
    path = tmp_path_factory.mktemp("tables") / "t.pkl"
    one, two = np.zeros(100, dtype=np.int32), np.linspace(0, 1, 7)
    for place, value in entries:
        one[place] = value
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "CHUNK_BYTES", 8 * chunk)
        write_tables(path, "thing", 1, {"note": "kept"}, {"one": one, "two": two})
    filled: dict[str, npt.NDArray[Any]] = {"one": np.zeros_like(one), "two": np.zeros_like(two)}
    content = read_tables(path, "thing", 1, "make it", lambda found: filled)
    assert content["note"] == "kept"
    assert np.array_equal(filled["one"], one)
    assert np.array_equal(filled["two"], two)
    assert read_tables(path, "thing", 1, "make it")["note"] == "kept"


def test_zeros_take_no_room(tmp_path: Path) -> None:
    write_tables(tmp_path / "t.pkl", "thing", 1, {}, {"one": np.zeros(50_000_000, dtype=np.int32)})
    assert (tmp_path / "t.pkl").stat().st_size < 1000


@given(st.integers(0, 2**32), st.sampled_from([0.02, 0.2, 0.39, 0.5, 0.9]), st.sampled_from([np.int32, np.float64]))
def test_untouched_rows_take_no_room(
    tmp_path_factory: pytest.TempPathFactory, seed: int, share: float, dtype: npt.DTypeLike
) -> None:
    """Blocks of eight numbers, a share of them touched: nothing but these and one bit a block is written."""
    rng = np.random.default_rng(seed)
    path = tmp_path_factory.mktemp("tables") / "t.pkl"
    table = (rng.integers(-9, 9, (4_000, 8)) * (rng.random((4_000, 1)) < share)).astype(dtype).reshape(-1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "CHUNK_BYTES", 64 * 1024)
        write_tables(path, "thing", 1, {}, {"one": table})
        filled = np.zeros_like(table)
        read_tables(path, "thing", 1, "make it", lambda found: {"one": filled})
    assert np.array_equal(filled, table)
    touched = np.count_nonzero(table.reshape(-1, 8).any(axis=1))
    if share < 0.4:  # the last chunk may be whole, and each has some hundred bytes of description
        assert path.stat().st_size < touched * 8 * table.itemsize + 500 + 64 * 1024 + 40 * 300


def forged(path: Path, chunk: list[Any]) -> str:
    """What reading says about a file with this chunk."""
    write_pickle(path, "thing", 1, {"tables": {"one": {"length": 128, "chunks": [chunk]}}})
    with pytest.raises(ArtifactError) as refused:
        read_tables(path, "thing", 1, "make it", lambda found: {"one": np.zeros(128, dtype=np.int32)})
    return str(refused.value)


def test_blocks_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    path, eight = tmp_path / "t.pkl", np.arange(8, dtype=np.int32)
    assert "not as many" in forged(path, [0, eight, np.array([3], dtype=np.uint8)])
    assert "not bits" in forged(path, [0, eight, np.array([1.0])])
    assert "belong" in forged(path, [0, eight, np.zeros(3, dtype=np.uint8) + np.array([1, 0, 0], dtype=np.uint8)])
    assert "not as many" in forged(path, [0, eight[:0], np.zeros(1 << 20, dtype=np.uint8)])


def test_a_script_finds_the_numbers(tmp_path: Path) -> None:
    write_tables(tmp_path / "t.pkl", "thing", 1, {}, {"one": np.arange(5)})
    with (tmp_path / "t.pkl").open("rb") as file:
        start, chunk = pickle.load(file)["tables"]["one"]["chunks"][0]
    assert (start, chunk.tolist()) == (0, [0, 1, 2, 3, 4])


def test_damage_is_noticed_before_anything_is_filled(tmp_path: Path) -> None:
    path = tmp_path / "t.pkl"
    write_tables(path, "thing", 1, {}, {"one": np.arange(1, 100_001)})
    data = bytearray(path.read_bytes())
    data[400_000] ^= 1
    path.write_bytes(data)
    filled = np.zeros(100_000, dtype=np.int64)
    with pytest.raises(ArtifactError, match="altered"):
        read_tables(path, "thing", 1, "make it", lambda found: {"one": filled})
    assert not filled.any()
