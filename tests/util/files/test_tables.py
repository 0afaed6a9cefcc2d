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
