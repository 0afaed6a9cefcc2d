"""Reads pickles of plain data without an unpickler: nothing in a file can call anything.

`pickle.Unpickler` hands a file whatever its globals name, and NumPy's constructors alone are enough to forge an object
and run code. This interpreter knows the few opcodes that `Pickler(protocol=5)` writes for dicts, lists, tuples,
strings, numbers and NumPy arrays. A global is a token that means nothing outside the templates of `plain_arrays`. A
file cannot ask for more memory than a multiple of its own size: every length is checked against the bytes that are
left, the numbers of an array are read once and belong to one array, and opcodes, depth and repetitions are counted.
"""

import pickle
import struct
from collections.abc import Callable
from dataclasses import replace
from types import NoneType
from typing import IO, Any

import numpy as np

from holdem.util.files.plain_arrays import ArrayTaker, Buffer, PlainDataError, Unfinished, find_name, finish, reduce

MAX_OPCODES = 1_000_000
"""A table takes 20 for each chunk of 4 MB, so that a checkpoint of 200 GB stays below."""
MAX_DEPTH = 100
MAX_VALUES = 1_000_000
"""Values of the content, each counted as often as it is reached."""
MAX_INTEGER_BYTES = 128

_LEAVES = frozenset({str, int, float, bool, bytes, NoneType, np.ndarray})


def load_plain(file: IO[bytes], size: int, take_array: ArrayTaker | None = None) -> Any:
    """The content of a pickle of `size` bytes from where the file stands, or a PlainDataError.

    `take_array` receives each array as it comes by; what it returns, a plain value, takes the array's place.
    """
    content = _Machine(file, size, take_array).run()
    _check_plain(content)
    return content


class _Machine:
    """The stack, the marks in it and the memo of one pickle."""

    def __init__(self, file: IO[bytes], size: int, take_array: ArrayTaker | None) -> None:
        self.file = file
        self.left = size
        self.take_array = take_array
        self.stack: list[Any] = []
        self.below: list[list[Any]] = []
        """Stacks under the marks."""
        self.memo: list[Any] = []
        self.buffer: Buffer | None = None

    def run(self) -> Any:
        if self.read(2) != b"\x80\x05":
            raise PlainDataError("it is no pickle of protocol 5")
        for _ in range(MAX_OPCODES):
            code = self.read(1)
            if code == b".":
                return self.end()
            handler = _HANDLERS.get(code)
            if handler is None:
                raise PlainDataError(f"it holds the opcode {code!r}, which is refused")
            handler(self)
        raise PlainDataError(f"it has more than {MAX_OPCODES:,} opcodes")

    def end(self) -> Any:
        if self.left or self.below or len(self.stack) != 1:
            raise PlainDataError("it does not end where its content ends")
        return self.stack[0]

    # Bytes

    def expect(self, count: int) -> None:
        if count > self.left:
            raise PlainDataError(f"it announces {count:,} bytes where {self.left:,} are left")
        self.left -= count

    def read(self, count: int) -> bytes:
        self.expect(count)
        data = self.file.read(count)
        if len(data) != count:
            raise PlainDataError("it ends too early")
        return data

    def number(self, layout: struct.Struct) -> Any:
        return layout.unpack(self.read(layout.size))[0]

    def read_buffer(self, layout: struct.Struct) -> None:
        """The numbers of an array, straight into memory of their own; the pickler never has two of them waiting."""
        if self.buffer is not None and not self.buffer.taken:
            raise PlainDataError("it holds bytes that belong to no array")
        size = self.number(layout)
        self.expect(size)
        numbers = np.empty(size, dtype=np.uint8)
        if self.file.readinto(numbers.data) != size:  # type: ignore[attr-defined]
            raise PlainDataError("it ends too early")
        self.buffer = Buffer(numbers)
        self.stack.append(self.buffer)

    # The stack

    def pop(self) -> Any:
        if not self.stack:
            raise PlainDataError("it takes a value that is not there")
        return self.stack.pop()

    def push_tuple(self, count: int) -> None:
        if len(self.stack) < count:
            raise PlainDataError("it takes a value that is not there")
        first = len(self.stack) - count
        self.stack[first:] = [tuple(self.stack[first:])]

    def mark(self) -> None:
        if len(self.below) >= MAX_DEPTH:
            raise PlainDataError(f"it is nested deeper than {MAX_DEPTH}")
        self.below.append(self.stack)
        self.stack = []

    def pop_mark(self) -> list[Any]:
        if not self.below:
            raise PlainDataError("it takes a mark that is not there")
        items, self.stack = self.stack, self.below.pop()
        return items

    def append(self, items: list[Any]) -> None:
        target = self.stack[-1] if self.stack else None
        if type(target) is not list:
            raise PlainDataError("it appends to something that is no list")
        target.extend(items)

    def set_items(self, items: list[Any]) -> None:
        target = self.stack[-1] if self.stack else None
        keys, values = items[::2], items[1::2]
        if type(target) is not dict or len(keys) != len(values):
            raise PlainDataError("it sets items of something that is no dictionary")
        if not all(type(key) is str for key in keys):
            raise PlainDataError("it has a dictionary whose keys are not all strings")
        target.update(zip(keys, values, strict=True))

    # The memo

    def memoize(self) -> None:
        value = self.pop()
        if isinstance(value, Unfinished):
            value = replace(value, place=len(self.memo))
        self.memo.append(value)
        self.stack.append(value)

    def get(self, place: int) -> None:
        if place >= len(self.memo):
            raise PlainDataError("it names a value that has not been there")
        self.stack.append(self.memo[place])

    # Arrays

    def push_name(self) -> None:
        name, module = self.pop(), self.pop()
        self.stack.append(find_name(module, name))

    def reduce(self) -> None:
        arguments, function = self.pop(), self.pop()
        self.stack.append(self.taken(reduce(function, arguments)))

    def build(self) -> None:
        state, unfinished = self.pop(), self.pop()
        if not isinstance(unfinished, Unfinished):
            raise PlainDataError("it sets the state of a value that has none")
        value = self.taken(finish(unfinished, state))
        if unfinished.place is not None:
            self.memo[unfinished.place] = value
        self.stack.append(value)

    def taken(self, value: Any) -> Any:
        return self.take_array(value) if self.take_array and isinstance(value, np.ndarray) else value


def _push(make: Callable[[_Machine], Any]) -> Callable[[_Machine], None]:
    def push(machine: _Machine) -> None:
        value = make(machine)  # first: taking a mark away changes which stack is the upper one
        machine.stack.append(value)

    return push


def _frame(machine: _Machine) -> None:
    """Frames only say how much to read ahead."""
    if machine.number(_UNSIGNED_LONG) > machine.left:
        raise PlainDataError("it has a frame that is longer than the file")


def _text(machine: _Machine, size: int) -> str:
    return machine.read(size).decode("utf-8")


def _integer(machine: _Machine) -> int:
    size = machine.number(_BYTE)
    if size > MAX_INTEGER_BYTES:
        raise PlainDataError(f"it holds a whole number of {size} bytes")
    return int.from_bytes(machine.read(size), "little", signed=True)


_BYTE = struct.Struct("<B")
_UNSIGNED_SHORT = struct.Struct("<H")
_INT = struct.Struct("<i")
_UNSIGNED_INT = struct.Struct("<I")
_UNSIGNED_LONG = struct.Struct("<Q")
_DOUBLE = struct.Struct(">d")

_HANDLERS: dict[bytes, Callable[[_Machine], None]] = {
    pickle.FRAME: _frame,
    pickle.MEMOIZE: _Machine.memoize,
    pickle.BINGET: lambda m: m.get(m.number(_BYTE)),
    pickle.LONG_BINGET: lambda m: m.get(m.number(_UNSIGNED_INT)),
    pickle.NONE: _push(lambda m: None),
    pickle.NEWTRUE: _push(lambda m: True),
    pickle.NEWFALSE: _push(lambda m: False),
    pickle.BININT1: _push(lambda m: m.number(_BYTE)),
    pickle.BININT2: _push(lambda m: m.number(_UNSIGNED_SHORT)),
    pickle.BININT: _push(lambda m: m.number(_INT)),
    pickle.LONG1: _push(_integer),
    pickle.BINFLOAT: _push(lambda m: m.number(_DOUBLE)),
    pickle.SHORT_BINUNICODE: _push(lambda m: _text(m, m.number(_BYTE))),
    pickle.BINUNICODE: _push(lambda m: _text(m, m.number(_UNSIGNED_INT))),
    pickle.SHORT_BINBYTES: _push(lambda m: m.read(m.number(_BYTE))),
    pickle.BINBYTES: lambda m: m.read_buffer(_UNSIGNED_INT),
    pickle.BINBYTES8: lambda m: m.read_buffer(_UNSIGNED_LONG),
    pickle.BYTEARRAY8: lambda m: m.read_buffer(_UNSIGNED_LONG),
    pickle.EMPTY_TUPLE: _push(lambda m: ()),
    pickle.TUPLE1: lambda m: m.push_tuple(1),
    pickle.TUPLE2: lambda m: m.push_tuple(2),
    pickle.TUPLE3: lambda m: m.push_tuple(3),
    pickle.TUPLE: _push(lambda m: tuple(m.pop_mark())),
    pickle.MARK: _Machine.mark,
    pickle.EMPTY_LIST: _push(lambda m: []),
    pickle.APPEND: lambda m: m.append([m.pop()]),
    pickle.APPENDS: lambda m: m.append(m.pop_mark()),
    pickle.EMPTY_DICT: _push(lambda m: {}),
    pickle.SETITEM: lambda m: m.set_items([m.pop(), m.pop()][::-1]),
    pickle.SETITEMS: lambda m: m.set_items(m.pop_mark()),
    pickle.STACK_GLOBAL: _Machine.push_name,
    pickle.REDUCE: _Machine.reduce,
    pickle.BUILD: _Machine.build,
}


def _check_plain(content: Any) -> None:
    """Refuse what is no plain value, and what holds itself or repeats its parts so often that a walk never ends."""
    level, values = [content], 1
    for _ in range(MAX_DEPTH):
        deeper: list[Any] = []
        for value in level:
            parts = value.values() if type(value) is dict else value if type(value) in (list, tuple) else None
            if parts is None and type(value) not in _LEAVES and not isinstance(value, np.generic):
                raise PlainDataError(f"it holds {type(value).__name__}, which is refused")
            values += len(parts or ())
            if values > MAX_VALUES:
                raise PlainDataError(f"it has more than {MAX_VALUES:,} values")
            deeper.extend(parts or ())
        level = deeper
        if not level:
            return
    raise PlainDataError(f"it is nested deeper than {MAX_DEPTH}")
