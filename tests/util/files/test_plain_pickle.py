"""Our reader of pickles beside Python's own on what we write, and against what nobody should write."""

import io
import pickle
import random
import struct
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from holdem.errors import ArtifactError
from holdem.util.artifacts import read_pickle, write_pickle
from holdem.util.files.plain_arrays import CODES, PlainDataError
from holdem.util.files.plain_pickle import load_plain
from tests.hostile import (
    buffer,
    call,
    damaged,
    document,
    dtype,
    forged_object,
    forged_state,
    from_buffer,
    name,
    nothing_is_called,
    number,
    seal,
    text,
    tuple_of,
)


def load(data: bytes) -> Any:
    return load_plain(io.BytesIO(data), len(data))


def equal(one: Any, two: Any) -> bool:
    """Equal in value, and in type all the way down."""
    if type(one) is not type(two):
        return False
    if isinstance(one, np.ndarray | np.generic):
        return bool(one.dtype == two.dtype and one.shape == two.shape and one.tobytes() == two.tobytes())
    if isinstance(one, dict):
        return list(one) == list(two) and all(equal(one[key], two[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(two) and all(map(equal, one, two))
    return bool(one == two)


numbers = st.sampled_from(CODES).flatmap(
    lambda code: arrays.arrays(
        st.sampled_from("<>").map(lambda order: np.dtype(order + code)),
        arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5),
    )
)
views = st.one_of(
    numbers,
    numbers.map(lambda array: array.T),
    numbers.map(np.asfortranarray),
    numbers.map(lambda array: array[::2] if array.ndim else array),
    numbers.map(lambda array: np.moveaxis(array, 0, -1) if array.ndim > 2 else array),
    numbers.filter(lambda array: array.size > 0).map(lambda array: array.reshape(-1)[0]),
)
leaves = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**300), 2**300), st.floats(allow_nan=False), st.text(), views,
    st.text(min_size=256, max_size=300), st.binary(max_size=255),
)  # fmt: skip
documents = st.recursive(
    leaves,
    lambda part: st.one_of(
        st.lists(part, max_size=4), st.dictionaries(st.text(), part, max_size=4), st.lists(part, max_size=5).map(tuple)
    ),
)


@given(documents)
def test_what_python_writes_is_read_as_python_reads_it(content: Any) -> None:
    data = pickle.dumps(content, protocol=5)
    assert equal(load(data), pickle.loads(data))


def test_values_that_are_shared_and_a_memo_of_hundreds() -> None:
    array, strided, row = np.arange(300, dtype=np.uint16), np.arange(9)[::2], [1, "a"]
    content = {str(i): [row, f"text {i}", np.float32(i)] for i in range(400)}
    content |= {"arrays": [array, array, strided, strided], "true": [np.True_, np.True_, np.uint8(1)]}
    data = pickle.dumps(content, protocol=5)
    assert equal(load(data), pickle.loads(data))


def test_read_only_and_large_arrays() -> None:
    array = np.arange(100_000)
    array.setflags(write=False)
    assert equal(load(pickle.dumps([array], protocol=5)), [array])


@pytest.mark.parametrize("core", ["numpy.core", "numpy._core"])
def test_files_of_old_and_new_numpy(core: str) -> None:
    shape = tuple_of(number(2))
    scalar = call(name(f"{core}.multiarray", "scalar"), dtype("f4"), b"C\x04" + struct.pack("<f", 1.5))
    blank = call(name(f"{core}.multiarray", "_reconstruct"), name("numpy", "ndarray"), tuple_of(b"K\x00"), b"C\x01b")
    strided = blank + tuple_of(b"K\x01", shape, dtype(), b"\x89", b"C\x08" + struct.pack("<ii", 3, 4)) + b"b"
    contents = tuple_of(from_buffer(struct.pack("<ii", 1, -2), shape, core=core), scalar, strided)
    found = load(document("thing", contents))["value"]
    assert equal(found, (np.array([1, -2], dtype=np.int32), np.float32(1.5), np.array([3, 4], dtype=np.int32)))


def test_numpy_arrays_for_a_users_own_script(tmp_path: Path) -> None:
    path = tmp_path / "a.pkl"
    write_pickle(path, "thing", 1, {"array": np.arange(6).reshape(2, 3), "number": np.float32(2.5)})
    with path.open("rb") as file:
        content = pickle.load(file)
    assert equal(content["array"], np.array([[0, 1, 2], [3, 4, 5]]))
    assert content["number"] == 2.5


ARRAY = from_buffer(struct.pack("<ii", 1, 2), tuple_of(number(2)))
FROM_BUFFER = name("numpy._core.numeric", "_frombuffer")
FOUR = tuple_of(number(4))
HUGE = b"\x8a\x08" + (10**12).to_bytes(8, "little")

ATTACKS = {
    "a global": name("os", "system") + tuple_of(text("true")) + b"R",
    "an old global": b"cos\nsystem\n" + tuple_of(text("true")) + b"R",
    "a constructor as a value": name("numpy", "ndarray"),
    "an object array": call(name("numpy._core.multiarray", "_reconstruct"), name("numpy", "ndarray"), b")", text("O")),
    "an array over a buffer": call(name("numpy", "ndarray"), b")", text("u8"), ARRAY),
    "items of an array": ARRAY + b"K\x00K\x05s",
    "appending to an array": ARRAY + b"K\x00a",
    "another array's bytes": buffer(b"\0" * 4) + b"\x94" + from_buffer(b"", tuple_of(number(0))).replace(
        buffer(b""), b"h\x00"),
    "bytes twice": b"(" + FROM_BUFFER + tuple_of(
        buffer(b"\0" * 16), dtype(), FOUR, text("C")) + b"\x94R" + FROM_BUFFER + b"h\x00Rt",
    "a shape that is too large": from_buffer(b"\0" * 8, tuple_of(HUGE)),
    "a shape with a huge side of nothing": from_buffer(b"", tuple_of(b"K\x00", HUGE, HUGE, HUGE, HUGE)),
    "a negative shape": from_buffer(b"\0" * 8, tuple_of(number(-2))),
    "a shape of strings": from_buffer(b"\0" * 8, tuple_of(text("2"))),
    "a shape of arrays": from_buffer(b"\0" * 8, tuple_of(ARRAY)),
    "an order of arrays": call(FROM_BUFFER, buffer(b"\0" * 16), dtype(), FOUR, ARRAY),
    **{
        f"type {code}": from_buffer(b"\0" * 8, tuple_of(number(1)), dtype(code, "|"))
        for code in ("O8", "V0", "U0", "S0", "V8", "U2", "S8", "M8", "m8", "c8", "i4,i4", "O")
    },
    "a type without its state": from_buffer(b"\0" * 8, FOUR, call(name("numpy", "dtype"), text("i4"), b"\x89\x88")),
    "a structured type": from_buffer(b"\0" * 8, FOUR, call(name("numpy", "dtype"), text("i4"), b"\x89\x88") + tuple_of(
        number(3), text("<"), b"N", tuple_of(text("f0")), b"}", number(8), number(1), number(16)) + b"b"),
    "an unfinished array": call(name("numpy.core.multiarray", "_reconstruct"), name("numpy", "ndarray"),
                                tuple_of(b"K\x00"), b"C\x01b"),
    "bytes of no array": buffer(b"\0" * 400),
    "a list in itself": b"]\x94h\x00a",
    "a dictionary in itself": b"}\x94" + text("a") + b"h\x00s",
    "keys that are tuples": b"})K\x01s",
    "keys that are numbers": b"}K\x01K\x01s",
    "parts doubled sixty times": b"]" + b"".join(
        b"\x94h" + bytes([i]) + b"h" + bytes([i]) + b"\x86" for i in range(60)),
    "a hundred thousand brackets": b")" + b"\x85" * 100_000,
    "many marks": b"(" * 5000 + b"t" * 5000,
    "a huge number": b"\x8b" + struct.pack("<i", 100_000) + b"\x01" * 100_000,
    "a length beyond the file": b"\x96" + struct.pack("<Q", 2**62),
    "a text beyond the file": b"X" + struct.pack("<I", 2**31) + b"abc",
    "a frame beyond the file": b"\x95" + struct.pack("<Q", 2**62) + b"N",
    "half a surrogate pair": b"\x8c\x03\xed\xa0\x80",
    "a memo that is empty": b"h\x07",
    "nothing on the stack": b"000",
    "a call of a number": b"K\x01)R",
    "persistent": text("x") + b"Q",
    "a new object": name("numpy", "ndarray") + b")\x81",
    "an extension": b"\x82\x01",
    "an outer buffer": b"\x97",
}  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_are_refused_in_one_sentence(tmp_path: Path, attack: str) -> None:
    path = tmp_path / "a.pkl"
    path.write_bytes(seal(document("thing", ATTACKS[attack])))
    start = time.thread_time()
    with nothing_is_called(), pytest.raises(ArtifactError, match=r"; make it$") as refusal:
        read_pickle(path, "thing", 1, "make it")
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 300
    assert time.thread_time() - start < 5.0


@pytest.mark.parametrize("forged", [forged_object("thing"), forged_state("thing")])
def test_forged_objects_are_refused(tmp_path: Path, forged: bytes) -> None:
    (tmp_path / "a.pkl").write_bytes(forged)
    with nothing_is_called(), pytest.raises(ArtifactError, match=r"refused.*; make it$"):
        read_pickle(tmp_path / "a.pkl", "thing", 1, "make it")


def test_the_content_ends_where_the_file_ends() -> None:
    data = pickle.dumps({"a": 1}, protocol=5)
    for other in (data + b"x", data + data, data[:-1], b"", data.replace(b"\x80\x05", b"\x80\x04")):
        with pytest.raises(PlainDataError):
            load(other)


def peak_of_loading(data: bytes) -> int:
    """The most memory that loading, or refusing, takes."""
    tracemalloc.start()
    try:
        load(data)
    except ValueError:
        pass
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return peak


@pytest.mark.parametrize(
    "pattern", [b"}", b"]", b")\x94", b"]\x94", b"K\x01\x85\x94", b"](K\x01e", b"}\x8c\x01aNs", b"\x8c\x01a\x94"]
)
def test_memory_is_bounded_by_the_size_of_the_file(pattern: bytes) -> None:
    # A byte makes at most one empty dictionary: 64 bytes, and its places on the stack, in the memo and in a list.
    data = b"\x80\x05]\x94(" + pattern * (50_000 // len(pattern)) + b"e."
    assert peak_of_loading(data) < 150 * len(data)


def test_arrays_that_are_taken_stay_nowhere() -> None:
    chunk = np.ones(1 << 20, dtype=np.uint8)
    data = pickle.dumps([chunk + i for i in range(24)], protocol=5)
    tracemalloc.start()
    sums = load_plain(io.BytesIO(data), len(data), lambda array: int(array[0]))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sums == list(range(1, 25))
    assert peak < 4 << 20  # of 24 MB: one array at a time


CONTENT = {
    "kind": "thing", "format_version": 1, "list": [1, 2.5, "text", None, True, (1, 2, 3), 2**80],
    "arrays": [np.arange(6, dtype=np.int32).reshape(2, 3), np.arange(9.0)[::2], np.float32(1.5), np.arange(3) > 1],
    "nested": {"a": {"b": [{"c": np.zeros((0, 3))}]}},
}  # fmt: skip


def fuzz(cases: range) -> int:
    """Damage a pickle in so many ways; returns how many were still plain data."""
    data = pickle.dumps(CONTENT, protocol=5)
    whole = 0
    for seed in cases:
        hurt = damaged(data, random.Random(seed))
        with nothing_is_called():
            try:
                assert isinstance(load(hurt), object)
                whole += 1
            except ValueError as error:
                assert "\n" not in str(error), seed
    return whole


def test_random_damage() -> None:
    assert 0 < fuzz(range(600)) < 600


@pytest.mark.slow
def test_much_random_damage() -> None:
    assert 0 < fuzz(range(1000, 11_000)) < 10_000
    data = pickle.dumps(CONTENT, protocol=5)
    assert max(peak_of_loading(damaged(data, random.Random(seed))) for seed in range(20_000, 22_000)) < 1 << 20
