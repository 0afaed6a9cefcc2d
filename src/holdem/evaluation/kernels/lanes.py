"""Eight single-precision numbers at a time: rows of (n, 8) arrays as vector registers.

Written as loops over eight numbers they stay scalar, since the compiler must assume that two rows may be the same one.
Spelt out as LLVM vectors, a row is one load, one addition and one store. Rows are not checked.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

LANES = 8
_VECTOR = ir.VectorType(ir.FloatType(), LANES)


def _row(context: Any, builder: Any, array_type: Any, array: Any, row: Any) -> Any:
    """Pointer to a row of a contiguous (n, 8) float32 array."""
    data = context.make_array(array_type)(context, builder, array).data
    start = builder.mul(row, ir.Constant(ir.IntType(64), LANES))
    return builder.bitcast(builder.gep(data, [start]), _VECTOR.as_pointer())


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def _add_row(typing_context: Any, target: Any, i: Any, source: Any, j: Any) -> Any:
    """target[i] += source[j]"""
    signature = types.void(target, types.int64, source, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _row(context, builder, signature.args[0], arguments[0], arguments[1])
        source = _row(context, builder, signature.args[2], arguments[2], arguments[3])
        total = builder.fadd(builder.load(place, align=4), builder.load(source, align=4))
        builder.store(total, place, align=4)
        return context.get_dummy_value()

    return signature, generate


def _rest(subtract: bool) -> Callable[..., Any]:
    def typed(typing_context: Any, target: Any, i: Any, total: Any, parts: Any, j: Any, k: Any) -> Any:
        signature = types.void(target, types.int64, total, parts, types.int64, types.int64)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            place = _row(context, builder, signature.args[0], arguments[0], arguments[1])
            zero = ir.Constant(ir.IntType(64), 0)
            rest = builder.load(_row(context, builder, signature.args[2], arguments[2], zero), align=4)
            for row in arguments[4:]:
                part = builder.load(_row(context, builder, signature.args[3], arguments[3], row), align=4)
                rest = builder.fsub(rest, part)
            combine = builder.fsub if subtract else builder.fadd
            builder.store(combine(builder.load(place, align=4), rest), place, align=4)
            return context.get_dummy_value()

        return signature, generate

    return typed


add_row: Any = _add_row
"""add_row(target, i, source, j): target[i] += source[j]."""
add_rest: Any = intrinsic(_rest(subtract=False))
"""add_rest(target, i, total, parts, j, k): target[i] += total[0] − parts[j] − parts[k]."""
subtract_rest: Any = intrinsic(_rest(subtract=True))
"""subtract_rest(target, i, total, parts, j, k): target[i] −= total[0] − parts[j] − parts[k]."""
