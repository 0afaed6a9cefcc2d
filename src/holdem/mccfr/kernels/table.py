"""Compiled arithmetic on tables of regrets and strategy sums.

A table is (entries, 2): the regret and the strategy sum of an action side by side, so that a visit that needs both
touches one cache line. Inside kernels it is addressed flat: regret at 2 * entry, sum at 2 * entry + 1.

It is written by one process, or by several at once. The last argument of `add_in_place` says which, by its type and
not by its value: `None` compiles to a plain addition, anything else to an atomic one that loses nothing. So one source
gives both variants, and each is compiled only if it is used.

Integer sums never wrap: a regret stops at a floor, and a row with an entry beyond `HIGHEST_ENTRY` is halved. Increments
stay below `LARGEST_INCREMENT`, which leaves room for 63 processes that add between another's check and its addition.
"""

from collections.abc import Callable
from typing import Any, cast

import llvmlite.ir as ir
import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import intrinsic
from numba.np import arrayobj

from holdem.util.jit import inline_kernel, kernel

HIGHEST_ENTRY = 1 << 30
LARGEST_INCREMENT = 1 << 24


def _address(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    data = arrayobj.make_array(array_type)(context, builder, array).data
    return builder.gep(data, [index], inbounds=True)


def _typed_add(typing_context: Any, table: Any, index: Any, value: Any, shared: Any) -> Any:
    floating = isinstance(table.dtype, types.Float)
    atomic = not isinstance(shared, types.NoneType)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = _address(context, builder, signature.args[0], args[0], args[1])
        if atomic:
            builder.atomic_rmw("fadd" if floating else "add", address, args[2], "monotonic")
        else:
            add = builder.fadd if floating else builder.add
            builder.store(add(builder.load(address), args[2]), address)
        return context.get_dummy_value()

    return types.void(table, types.intp, table.dtype, shared), generate


def _typed_read(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_address(context, builder, signature.args[0], args[0], args[1]))

    return array.dtype(array, types.intp), generate


def _typed_write(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _address(context, builder, signature.args[0], args[0], args[1]))
        return context.get_dummy_value()

    return types.void(array, types.intp, array.dtype), generate


def _typed_replace(typing_context: Any, table: Any, index: Any, expected: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = _address(context, builder, signature.args[0], args[0], args[1])
        result = builder.cmpxchg(address, args[2], args[3], "monotonic", "monotonic")
        return builder.extract_value(result, 1)

    return types.boolean(table, types.intp, table.dtype, table.dtype), generate


def _typed_prefetch(typing_context: Any, table: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = _address(context, builder, signature.args[0], args[0], args[1])
        raw = builder.bitcast(address, ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [raw.type, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", (raw.type,), kind)
        builder.call(function, [raw, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(table, types.intp), generate


# These address a contiguous array of any shape by a flat index. They check nothing, not even for negative indices, and
# do not count references: in a loop of a few nanoseconds both show.
read = cast(Callable[..., Any], intrinsic(_typed_read))
"""`read(array, index)`: the entry at a flat index."""
write = cast(Callable[..., None], intrinsic(_typed_write))
"""`write(array, index, value)`."""
add_in_place = cast(Callable[..., None], intrinsic(_typed_add))
"""`add_in_place(array, index, value, shared)`: atomically unless `shared` is None."""
replace = cast(Callable[..., bool], intrinsic(_typed_replace))
"""`replace(array, index, expected, value)`: write atomically if `expected` is there; returns whether it was."""
prefetch = cast(Callable[..., None], intrinsic(_typed_prefetch))
"""`prefetch(array, index)`: ask for a cache line without waiting for it."""


@inline_kernel
def positive_part(regret: int) -> int:
    """A regret if it is positive, otherwise 0."""
    return max(np.int64(regret), 0)


@kernel
def halve_row(table: npt.NDArray[np.int32], first: int, end: int, shared: object) -> None:
    """Halve the regrets or the sums of a row, every other entry from the flat index `first` on: its strategy stays.

    Whoever halves the entry beyond `HIGHEST_ENTRY` halves the others too; a process that comes too late does nothing.
    """
    full = first
    while full < end and read(table, full) <= HIGHEST_ENTRY:
        full += 2
    if full >= end:
        return
    entry = read(table, full)
    if entry > HIGHEST_ENTRY and replace(table, full, entry, np.int32(entry - (entry >> 1))):
        for other in range(first, end, 2):
            if other != full:
                add_in_place(table, other, np.int32(-(read(table, other) >> 1)), shared)


@kernel
def add_many(table: npt.NDArray[Any], index: int, value: float, count: int, shared: object) -> None:
    """Add `value` to one entry `count` times: what a test of lost updates hammers with."""
    for _ in range(count):
        add_in_place(table, index, value, shared)


@kernel
def halve_integers(table: npt.NDArray[np.int32], regret_halvings: int, sum_halvings: int) -> None:
    """Halve a whole (entries, 2) table towards zero so many times; zeros are only read, never written."""
    for i in range(table.shape[0]):
        regret, total = table[i, 0], table[i, 1]
        if regret > 0:
            table[i, 0] = regret >> regret_halvings
        elif regret < 0:
            table[i, 0] = -(-regret >> regret_halvings)
        if total > 0:
            table[i, 1] = total >> sum_halvings


@kernel
def halve_floats(table: npt.NDArray[np.float64], regret_halvings: int, sum_halvings: int) -> None:
    """Halve a whole (entries, 2) table, exactly."""
    regret_factor, sum_factor = 0.5**regret_halvings, 0.5**sum_halvings
    for i in range(table.shape[0]):
        if table[i, 0] != 0.0:
            table[i, 0] *= regret_factor
        if table[i, 1] != 0.0:
            table[i, 1] *= sum_factor


@kernel
def normalise_rows(
    table: npt.NDArray[Any],
    column: int,
    widths: npt.NDArray[np.int8],
    buckets: int,
    start: int,
    out: npt.NDArray[np.float64],
) -> int:
    """The positive parts of one block of rows as probabilities, uniform where nothing is positive.

    table: (entries, 2), column 0 or 1 of it; out: (entries,). The block begins at `start` and has for each bucket a row
    of each of the widths in turn. Returns where the block ends.
    """
    row = start
    for _ in range(buckets):
        for i in range(widths.shape[0]):
            width = np.int64(widths[i])
            total = 0.0
            for a in range(row, row + width):
                total += max(table[a, column], 0)
            for a in range(row, row + width):
                out[a] = max(table[a, column], 0) / total if total > 0.0 else 1.0 / width
            row += width
    return row


@kernel
def count_touched(table: npt.NDArray[Any], widths: npt.NDArray[np.int8], buckets: int, start: int) -> int:
    """Rows of a block (see `normalise_rows`) in which some entry is not zero."""
    row, touched = start, 0
    for _ in range(buckets):
        for i in range(widths.shape[0]):
            width = np.int64(widths[i])
            for a in range(row, row + width):
                if table[a, 0] != 0 or table[a, 1] != 0:
                    touched += 1
                    break
            row += width
    return touched
