"""Opens `.npy` files of plain numbers, mapped or read, by a header parser of our own.

NumPy parses the header as a Python expression: a flipped bit there can raise an error of the tokenizer, and the shape
need not fit the file. Here the header has to be, letter by letter, what NumPy writes for an array of numbers, and
header and numbers together make exactly the file.
"""

import math
import re
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath
from typing import IO, Any, Literal

import numpy as np

from holdem.util.arrays import AnyArray
from holdem.util.files.plain_arrays import CODES, MAX_DIMENSIONS, MAX_LENGTH
from holdem.util.files.regular import open_regular

MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    rb"\{'descr': '([<>|])([a-z]\d)', 'fortran_order': (True|False), "
    rb"'shape': \(((?:\d{1,15}, ?)*(?:\d{1,15})?)\), \} *\n"
)


class NpyError(ValueError):
    """What is wrong with an `.npy` file, in a few words that follow its name."""


@dataclass(frozen=True)
class NpyHeader:
    """What a header says, and where the numbers begin."""

    dtype: "np.dtype[Any]"
    shape: tuple[int, ...]
    order: Literal["C", "F"]
    offset: int

    @property
    def size(self) -> int:
        """Bytes of the numbers."""
        return math.prod(self.shape) * self.dtype.itemsize


def named_beside(manifest: Path, name: object) -> Path:
    """The file that a manifest names: beside it, and neither a path elsewhere nor a link to elsewhere."""
    if not isinstance(name, str) or not _is_bare(name):
        raise NpyError(f"names the file {str(name)[:60]!r}, which is not the name of a file beside it")
    path = manifest.with_name(name)
    if path.is_symlink():
        raise NpyError(f"names the file {name!r}, which is a link to elsewhere")
    return path


def _is_bare(name: str) -> bool:
    """Whether a name is a file's and no path, on any system."""
    return PureWindowsPath(name).name == name not in ("", "..") and name.isprintable() and len(name) <= 200


def map_array(path: Path) -> AnyArray:
    """The array of a file, mapped and read-only."""
    with open_regular(path) as file:
        header = read_header(file)
        if not header.size:
            return np.empty(header.shape, header.dtype)
        return np.memmap(file, header.dtype, "r", header.offset, header.shape, header.order)


def load_array(path: Path) -> AnyArray:
    """The array of a file, in memory."""
    with open_regular(path) as file:
        header = read_header(file)
        numbers = np.empty(header.size, dtype=np.uint8)
        if file.readinto(numbers.data) != header.size:  # type: ignore[attr-defined]
            raise NpyError("was cut off while it was read")
    return numbers.view(header.dtype).reshape(header.shape, order=header.order)


def read_header(file: IO[bytes]) -> NpyHeader:
    """The header of an open file, checked against the file's size; the file then stands at the numbers."""
    start = file.read(len(MAGIC) + 2)
    length = int.from_bytes(start[len(MAGIC) :], "little")
    text = file.read(length)
    match = _HEADER.fullmatch(text)
    if not start.startswith(MAGIC) or len(start) != len(MAGIC) + 2 or len(text) != length or match is None:
        raise NpyError("does not begin as an array of numbers does: it was cut off or altered")
    code, shape = match[2].decode(), tuple(int(part) for part in match[4].split(b",") if part.strip())
    if code not in CODES or len(shape) > MAX_DIMENSIONS or max(shape, default=0) > MAX_LENGTH:
        raise NpyError(f"holds {code} of shape {shape}, which is refused")
    order: Literal["C", "F"] = "F" if match[3] == b"True" else "C"
    header = NpyHeader(np.dtype(match[1].decode() + code), shape, order, len(start) + length)
    size = file.seek(0, 2)
    file.seek(header.offset)
    if size != header.offset + header.size:
        raise NpyError(f"has {size:,} bytes, not {header.offset + header.size:,}: it was cut off or altered")
    return header
