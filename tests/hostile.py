"""Hostile files: sealed with a right checksum, forged by hand, or damaged at random.

Everything here is written without the code that it attacks: opcodes and trailers are spelt out.
"""

import hashlib
import pickle
import random
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_WATCHED = (
    "pickle.find_class", "os.system", "os.exec", "os.posix_spawn", "os.fork", "subprocess.Popen", "ctypes", "exec"
)  # fmt: skip
_called: list[str] | None = None


def seal(pickled: bytes) -> bytes:
    """A pickle with the trailer of a whole file: anybody can compute a checksum."""
    return pickled + b"HOLDEM01" + hashlib.sha256(pickled).digest()


def opened(sealed: bytes) -> bytes:
    """The pickle before the trailer."""
    return sealed[:-40]


@contextmanager
def nothing_is_called() -> Iterator[None]:
    """Fails if a global is looked up or a program started meanwhile, by what the interpreter itself reports."""
    global _called
    if not hasattr(sys, "_holdem_hook"):
        sys.addaudithook(_note)
        sys._holdem_hook = True  # type: ignore[attr-defined]
    _called = []
    try:
        yield
        found = _called
    finally:
        _called = None
    assert found == []


def _note(event: str, _: object) -> None:
    if _called is not None and event.startswith(_WATCHED):
        _called.append(event)


def text(word: str) -> bytes:
    return b"\x8c" + bytes([len(word.encode())]) + word.encode()


def name(module: str, word: str) -> bytes:
    return text(module) + text(word) + b"\x93"


def tuple_of(*parts: bytes) -> bytes:
    return b"(" + b"".join(parts) + b"t"


def call(function: bytes, *arguments: bytes) -> bytes:
    return function + tuple_of(*arguments) + b"R"


def number(value: int) -> bytes:
    return b"J" + struct.pack("<i", value)


def buffer(data: bytes) -> bytes:
    return b"\x96" + struct.pack("<Q", len(data)) + data


def dtype(code: str = "i4", order: str = "<") -> bytes:
    state = tuple_of(number(3), text(order), b"NNN", number(-1), number(-1), number(0))
    return call(name("numpy", "dtype"), text(code), b"\x89", b"\x88") + state + b"b"


def from_buffer(data: bytes, shape: bytes, kind: bytes | None = None, core: str = "numpy._core") -> bytes:
    return call(name(f"{core}.numeric", "_frombuffer"), buffer(data), kind or dtype(), shape, text("C"))


def document(kind: str, value: bytes) -> bytes:
    """A pickle of `{"kind": kind, "format_version": 1, "value": …}`."""
    items = text("kind") + text(kind) + text("format_version") + b"K\x01" + text("value") + value
    return b"\x80\x05}(" + items + b"u."


def forged_object(kind: str) -> bytes:
    """An object array, a writable view of its pointer, and a pointer that was never an object.

    `_reconstruct(ndarray, (), 'O')` makes the first, `ndarray((), 'u8', that)` the second, SETITEM writes the third.
    """
    make = name("numpy._core.multiarray", "_reconstruct")
    holder = make + tuple_of(name("numpy", "ndarray"), b")", text("O")) + b"R\x94"  # memo 0
    view = call(name("numpy", "ndarray"), b")", text("u8"), b"h\x00")
    written = view + b")" + b"\x8a\x08" + (0x4141414141414141).to_bytes(8, "little") + b"s"
    return seal(document(kind, tuple_of(holder, written)))


def forged_state(kind: str) -> bytes:
    """An array that is given the state of an object array after it was made."""
    array = from_buffer(b"\0" * 8, tuple_of(number(2)))
    state = tuple_of(number(1), tuple_of(number(1)), dtype("O8", "|"), b"\x89", b"](K\x01e")
    return seal(document(kind, array + state + b"b"))


def damaged(data: bytes, rng: random.Random, opcodes: bool = True) -> bytes:
    """A file with flipped bits, other bytes, a piece less, a piece twice, or opcodes that were not there."""
    content = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        place = rng.randrange(len(content) + 1)
        end = min(len(content), place + rng.choice((1, 2, 4, 9, 40)))
        match rng.choice("bfctdo" if opcodes else "bfctd"):
            case "b" if place < len(content):
                content[place] ^= 1 << rng.randrange(8)
            case "f" if place < len(content):
                content[place] = rng.randrange(256)
            case "c":
                del content[place:end]
            case "t" if rng.random() < 0.3:
                del content[place:]
            case "d":
                content[place:place] = content[place:end] * rng.choice((1, 2, 30))
            case "o":
                content[place:place] = b"".join(rng.choice(_OPCODES) for _ in range(rng.randrange(1, 4)))
    return bytes(content)


_OPCODES = [
    *(bytes([code]) for code in b"NKMJGhj()]}.be\x85\x86\x87\x88\x89\x93\x94\x95RbCBuastl02cRiQ\x81\x82\x92\x97\x98"),
    b"h\x00", b"h\x05", b"\x96" + b"\xff" * 8, b"B\xff\xff\xff\x7f", b"\x8b\xff\xff\xff\x7f", b"X\xff\xff\xff\xff",
    b"\x8a\xff", b"cos\nsystem\n", name("os", "system"), name("numpy", "ndarray"), name("numpy", "dtype"),
    name("numpy.core.multiarray", "_reconstruct"), tuple_of(text("true")), b"R", b"h\x00h\x00\x86",
]  # fmt: skip

HOSTILE_VALUES: list[Any] = [
    None, True, -1, 0, 2**62, 2**70, -(2**70), 1e308, float("nan"), float("inf"), "", "x" * 5000, "../x", "/etc/passwd",
    "a\nb", "\x00", [], {}, [[]], [1, 2, 3], {"a": 1}, ["x"] * 3, {"kind": 1}, "O", [10**12], [0], 10**12, [-1],
]  # fmt: skip


def changed_value(content: Any, rng: random.Random, more: list[Any] | None = None) -> Any:
    """The same data with one part replaced by something else, left out or moved."""
    if isinstance(content, dict) and content and rng.random() < 0.85:
        key = rng.choice(list(content))
        if rng.random() < 0.1:
            return {other: value for other, value in content.items() if other != key}
        return {**content, key: changed_value(content[key], rng, more)}
    if isinstance(content, list) and content and rng.random() < 0.7:
        place = rng.randrange(len(content))
        return [*content[:place], changed_value(content[place], rng, more), *content[place + 1 :]]
    return rng.choice(HOSTILE_VALUES + (more or []))


def content_of(path: Path) -> dict[str, Any]:
    """What `pickle.load` finds in a file of ours; only for files that a test has written itself."""
    with path.open("rb") as file:
        content: dict[str, Any] = pickle.load(file)
    return content
