"""The four forms in which NumPy puts numbers into a pickle, recognised by their shape and never called.

    dtype('i4', False, True) with the state (3, '<', None, None, None, -1, -1, 0)
    _frombuffer(bytes, dtype, shape, 'C' or 'F')          an array in one piece; a transposed one adds its axes
    _reconstruct(ndarray, (0,), b'b') with the state (1, shape, dtype, in Fortran's order, bytes)
    scalar(dtype, bytes)

Each becomes a frozen record, and we make the array ourselves from bytes that we have read, when a plain type of number,
a shape and a count of bytes fit together. Object arrays, structures, dates and strings have no code here.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.util.arrays import AnyArray

ArrayTaker = Callable[[AnyArray], Any]

CODES = ("b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8")
MAX_DIMENSIONS = 16
MAX_LENGTH = 1 << 40


class PlainDataError(ValueError):
    """What a pickle holds that no file of ours does; the message goes into a sentence about the file."""


class Name(Enum):
    """A global that a file may name. It is a word and not the thing."""

    DTYPE = "dtype"
    NDARRAY = "ndarray"
    FROM_BUFFER = "_frombuffer"
    RECONSTRUCT = "_reconstruct"
    SCALAR = "scalar"


_NAMES = {("numpy", "dtype"): Name.DTYPE, ("numpy", "ndarray"): Name.NDARRAY} | {
    (f"numpy.{core}.{module}", name.value): name
    for core in ("core", "_core")
    for module, name in (
        ("numeric", Name.FROM_BUFFER),
        ("multiarray", Name.RECONSTRUCT),
        ("multiarray", Name.SCALAR),
    )
}


@dataclass(frozen=True)
class Unfinished:
    """A type (by its code) or an array (code None) whose state is still to come; `place`: where the memo has it."""

    code: str | None
    place: int | None = None


class Buffer:
    """The bytes of one array. The array takes them along, so that a memo never keeps them."""

    def __init__(self, numbers: npt.NDArray[np.uint8]) -> None:
        self._numbers: npt.NDArray[np.uint8] | None = numbers

    @property
    def taken(self) -> bool:
        """Whether an array has them."""
        return self._numbers is None

    def take(self) -> npt.NDArray[np.uint8]:
        """The bytes, once."""
        if self._numbers is None:
            raise PlainDataError("it uses the bytes of one array for another")
        numbers, self._numbers = self._numbers, None
        return numbers


def find_name(module: Any, name: Any) -> Name:
    """The token of a global."""
    if type(module) is not str or type(name) is not str:
        raise PlainDataError("it names something by a value that is no string")
    found = _NAMES.get((module, name))
    if found is None:
        raise PlainDataError(f"it names {ascii(module[:40])[1:-1]}.{ascii(name[:40])[1:-1]}, which is refused")
    return found


def reduce(function: Any, arguments: Any) -> Any:
    """What a REDUCE stands for: a type without its state, an array or a scalar."""
    if not isinstance(function, Name) or type(arguments) is not tuple:
        raise PlainDataError("it calls something, which is refused")
    match function, arguments:
        case Name.DTYPE, (str(code), int(), int()) if code in CODES:
            return Unfinished(code)
        case Name.DTYPE, (str(code), *_):
            raise PlainDataError(f"it holds an array of type {code[:20]!a}, which is refused")
        case Name.RECONSTRUCT, (Name() as kind, (int(length),), bytes(code)):
            if (kind, length, code) == (Name.NDARRAY, 0, b"b"):
                return Unfinished(None)
        case Name.FROM_BUFFER, (Buffer() | bytes() as data, np.dtype() as dtype, tuple(shape), str(order)):
            return _array(data, dtype, shape, order)
        case Name.FROM_BUFFER, (Buffer() | bytes() as data, np.dtype() as dtype, tuple(shape), str(order), tuple(axes)):
            if order == "K":
                return _transposed(_array(data, dtype, shape, "C"), axes)
        case Name.SCALAR, (np.dtype() as dtype, bytes(data)):
            return _array(data, dtype, (), "C")[()]
    raise PlainDataError(f"it calls {function.value} in a way that is refused")


def finish(unfinished: Unfinished, state: Any) -> Any:
    """What a BUILD makes of a type or an array."""
    match unfinished.code, state:
        case str(code), (int(version), str(order), None, None, None, int(size), int(alignment), int(flags)):
            if (version, size, alignment, flags) == (3, -1, -1, 0) and order in ("<", ">", "|"):
                return np.dtype(order + code)
        case None, (int(version), tuple(shape), np.dtype() as dtype, int(fortran), Buffer() | bytes() as data):
            if version == 1:
                array = _array(data, dtype, shape, "F" if fortran else "C")
                return array.astype(dtype.newbyteorder("="), copy=False)  # as NumPy does for this form
    raise PlainDataError("it sets the state of an array in a way that is refused")


def _array(data: "Buffer | bytes", dtype: "np.dtype[Any]", shape: tuple[Any, ...], order: str) -> AnyArray:
    if order not in ("C", "F"):
        raise PlainDataError("it holds an array in an order that is refused")
    if len(shape) > MAX_DIMENSIONS or not all(type(length) is int and 0 <= length <= MAX_LENGTH for length in shape):
        raise PlainDataError("it holds an array whose shape is refused")
    numbers = data.take() if isinstance(data, Buffer) else np.frombuffer(data, dtype=np.uint8).copy()
    if math.prod(shape) * dtype.itemsize != len(numbers):
        raise PlainDataError(f"it holds an array of {len(numbers):,} bytes whose shape says otherwise")
    return numbers.view(dtype).reshape(shape, order="F" if order == "F" else "C")


def _transposed(array: AnyArray, axes: tuple[Any, ...]) -> AnyArray:
    if not all(type(axis) is int for axis in axes) or sorted(axes) != list(range(array.ndim)):
        raise PlainDataError("it holds an array whose axes are refused")
    return array.transpose(axes)
