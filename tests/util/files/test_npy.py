"""Arrays in files: opened as NumPy wrote them, or refused in a few words; and names in manifests."""

import io
import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from holdem.util.files.npy import load_array, map_array, named_beside, read_header
from holdem.util.files.plain_arrays import CODES
from tests.hostile import damaged

numbers = st.sampled_from(CODES).flatmap(
    lambda code: arrays.arrays(code, arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5))
)


@given(st.one_of(numbers, numbers.map(np.asfortranarray), numbers.map(lambda array: array.astype(">f4"))))
def test_what_numpy_saves(tmp_path_factory: pytest.TempPathFactory, array: np.ndarray[Any, Any]) -> None:
    path = tmp_path_factory.mktemp("npy") / "a.npy"
    np.save(path, array)
    for found in (map_array(path), load_array(path)):
        assert (found.dtype, found.shape) == (array.dtype, array.shape)
        assert found.tobytes() == array.tobytes()


def test_a_mapped_array_knows_its_file_and_cannot_be_written(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(5))
    array = map_array(tmp_path / "a.npy")
    assert isinstance(array, np.memmap)
    assert array.filename == str(tmp_path / "a.npy")
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


def file_with(header: str, numbers: bytes = b"\0" * 16) -> bytes:
    """A file of version 1 with this header, padded as NumPy pads it."""
    padded = header.encode() + b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded + numbers


GOOD = "{'descr': '<i4', 'fortran_order': False, 'shape': (4,), }"
BAD_HEADERS = {
    "nested parentheses": "(" * 5000,
    "an open bracket": GOOD.replace("(4,)", "(4,"),
    "an object": GOOD.replace("<i4", "|O"),
    "no bytes a number": GOOD.replace("<i4", "|V0"),
    "text": GOOD.replace("<i4", "<U1"),
    "dates": GOOD.replace("<i4", "<M8"),
    "a structure": GOOD.replace("'<i4'", "[('a', '<i4')]"),
    "a huge shape": GOOD.replace("(4,)", "(1000000000000,)"),
    "a shape of thirty digits": GOOD.replace("4", "1" * 30, 2),
    "nothing by much": GOOD.replace("(4,)", "(0, 99999999999999)"),
    "many sides": GOOD.replace("(4,)", "(" + "1, " * 40 + "4,)"),
    "a negative side": GOOD.replace("(4,)", "(-4,)"),
    "fewer numbers": GOOD.replace("(4,)", "(3,)"),
    "an expression": GOOD.replace("(4,)", "(2+2,)"),
    "a call": GOOD.replace("(4,)", "(__import__('os').getpid(),)"),
    "another key": GOOD.replace("shape", "shapf"),
    "one more key": GOOD.replace("(4,)", "(4,), 'x': 1"),
    "nothing": "",
}


def test_the_header_that_the_bad_ones_come_from(tmp_path: Path) -> None:
    (tmp_path / "a.npy").write_bytes(file_with(GOOD))
    assert np.array_equal(np.load(tmp_path / "a.npy"), map_array(tmp_path / "a.npy"))


@pytest.mark.parametrize("case", BAD_HEADERS)
def test_bad_headers(tmp_path: Path, case: str) -> None:
    (tmp_path / "a.npy").write_bytes(file_with(BAD_HEADERS[case]))
    for open_array in (map_array, load_array):
        with pytest.raises(ValueError, match=r"^(does not begin|holds|has) ") as refusal:
            open_array(tmp_path / "a.npy")
        assert "\n" not in str(refusal.value)
        assert len(str(refusal.value)) < 700


def test_every_flipped_bit_of_a_header() -> None:
    """Refused, or another reading of the same bytes: `<i4` and `>i4` differ in a bit."""
    whole = file_with(GOOD)
    for bit in range(8 * (len(whole) - 16)):
        hurt = bytearray(whole)
        hurt[bit // 8] ^= 1 << bit % 8
        try:
            assert read_header(io.BytesIO(hurt)).size == 16
        except ValueError as error:
            assert "\n" not in str(error)


def fuzz(path: Path, cases: range) -> None:
    whole = file_with(GOOD)
    for seed in cases:
        path.unlink(missing_ok=True)
        path.write_bytes(damaged(whole, random.Random(seed), opcodes=False))
        for open_array in (map_array, load_array):
            try:
                assert open_array(path).nbytes <= path.stat().st_size
            except ValueError as error:
                assert "\n" not in str(error), seed


def test_random_damage(tmp_path: Path) -> None:
    fuzz(tmp_path / "a.npy", range(400))


@pytest.mark.slow
def test_much_random_damage(tmp_path: Path) -> None:
    fuzz(tmp_path / "a.npy", range(1000, 11_000))


@pytest.mark.parametrize(
    "name", ["../x.npy", "/etc/passwd", "a/b.npy", "a\\b.npy", "C:x.npy", "C:\\x.npy", "", ".", "..", "a\nb", "a\0",
             "a\ud800", 5, None, ["x.npy"]],
)  # fmt: skip
def test_a_manifest_names_files_beside_it(tmp_path: Path, name: object) -> None:
    with pytest.raises(ValueError, match="names the file") as refusal:
        named_beside(tmp_path / "manifest.json", name)
    assert str(refusal.value).isprintable()
    assert named_beside(tmp_path / "manifest.json", "x.npy") == tmp_path / "x.npy"


@pytest.mark.skipif(os.name != "posix", reason="links and pipes in a folder")
def test_links_pipes_and_devices_are_not_opened(tmp_path: Path) -> None:
    np.save(tmp_path / "elsewhere.npy", np.arange(4))
    (tmp_path / "link.npy").symlink_to(tmp_path / "elsewhere.npy")
    with pytest.raises(ValueError, match="link to elsewhere"):
        named_beside(tmp_path / "manifest.json", "link.npy")
    os.mkfifo(tmp_path / "pipe.npy")  # nobody will ever write to it: opening it the usual way never ends
    for path in (tmp_path / "pipe.npy", Path(os.devnull)):
        with pytest.raises(OSError, match="is no regular file"):
            map_array(path)
    with pytest.raises(IsADirectoryError):
        map_array(tmp_path)
