"""Eight floats as one value inside compiled code.

Numba does not tell LLVM that two arrays never overlap, so loops over short rows of several arrays are left scalar or
pay for overlap tests on every entry. Here the vectors are spelt out: `load8`, arithmetic, `store8`. LLVM maps them to
one AVX register, or to two registers where a machine has only half that width. Indices are not checked.
"""

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

WIDTH = 8
_VECTOR = ir.VectorType(ir.FloatType(), WIDTH)
_SHORTS = ir.VectorType(ir.IntType(16), WIDTH)
_FAST = ("reassoc", "nnan", "ninf", "nsz", "arcp", "contract")


class Float8(types.Type):
    """The compile-time type of eight float32."""

    def __init__(self) -> None:
        super().__init__(name="Float8")


float8 = Float8()


@register_model(Float8)
class _Float8Model(models.PrimitiveModel):
    def __init__(self, manager: Any, frontend_type: Any) -> None:
        super().__init__(manager, frontend_type, _VECTOR)


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    element = ir.IntType(16) if array_type.dtype == types.int16 else ir.FloatType()
    return builder.gep(data, [index], source_etype=element)


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def _load8(typing_context: Any, array: Any, start: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments)
        if signature.args[0].dtype == types.int16:
            shorts = builder.load(builder.bitcast(pointer, _SHORTS.as_pointer()), align=2, typ=_SHORTS)
            return builder.sitofp(shorts, _VECTOR)
        return builder.load(builder.bitcast(pointer, _VECTOR.as_pointer()), align=4, typ=_VECTOR)

    return float8(array, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def _store8(typing_context: Any, array: Any, start: Any, vector: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments[:2])
        if signature.args[0].dtype == types.int16:
            kind = ir.FunctionType(_VECTOR, [_VECTOR])
            to_nearest = cgutils.get_or_insert_function(builder.module, kind, f"llvm.rint.v{WIDTH}f32")
            shorts = builder.fptosi(builder.call(to_nearest, [arguments[2]]), _SHORTS)
            builder.store(shorts, builder.bitcast(pointer, _SHORTS.as_pointer()), align=2)
        else:
            builder.store(arguments[2], builder.bitcast(pointer, _VECTOR.as_pointer()), align=4)
        return context.get_dummy_value()

    return types.void(array, types.int64, float8), generate


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def _spread8(typing_context: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        single = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), arguments[0], ir.IntType(32)(0))
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
        return builder.shuffle_vector(single, ir.Constant(_VECTOR, ir.Undefined), zeros)

    return float8(types.float32), generate


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def _sum8(typing_context: Any, vector: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.FloatType(), [ir.FloatType(), _VECTOR])
        add_up = cgutils.get_or_insert_function(builder.module, kind, f"llvm.vector.reduce.fadd.v{WIDTH}f32")
        return builder.call(add_up, [ir.Constant(ir.FloatType(), 0.0), arguments[0]], fastmath=_FAST)

    return types.float32(float8), generate


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def _largest8(typing_context: Any, vector: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.FloatType(), [_VECTOR])
        largest = cgutils.get_or_insert_function(builder.module, kind, f"llvm.vector.reduce.fmax.v{WIDTH}f32")
        return builder.call(largest, [arguments[0]], fastmath=_FAST)

    return types.float32(float8), generate


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def _pick8(typing_context: Any, condition: Any, positive: Any, otherwise: Any) -> Any:
    """`positive` in the places where `condition` is above zero, else `otherwise`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        above = builder.fcmp_ordered(">", arguments[0], ir.Constant(_VECTOR, None))
        return builder.select(above, arguments[1], arguments[2])

    return float8(float8, float8, float8), generate


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def _max8(typing_context: Any, first: Any, second: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        above = builder.fcmp_ordered(">", arguments[0], arguments[1], flags=_FAST)
        return builder.select(above, arguments[0], arguments[1])

    return float8(float8, float8), generate


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def _transpose8(
    typing_context: Any, source: Any, start: Any, step: Any, target: Any, target_start: Any, target_step: Any
) -> Any:
    """Copy an 8 × 8 block: target[j * target_step + i] = source[i * step + j]."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source, start, step, target, target_start, target_step = arguments
        rows = []
        for i in range(WIDTH):
            index = builder.add(start, builder.mul(step, ir.IntType(64)(i)))
            pointer = _pointer(context, builder, signature.args[0], source, index)
            rows.append(builder.load(builder.bitcast(pointer, _VECTOR.as_pointer()), align=4, typ=_VECTOR))
        for j, column in enumerate(_transposed(builder, rows)):
            index = builder.add(target_start, builder.mul(target_step, ir.IntType(64)(j)))
            pointer = _pointer(context, builder, signature.args[3], target, index)
            builder.store(column, builder.bitcast(pointer, _VECTOR.as_pointer()), align=4)
        return context.get_dummy_value()

    return types.void(source, types.int64, types.int64, target, types.int64, types.int64), generate


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """Three rounds of interleaving: pairs, quarters within halves, then halves."""

    def mix(first: Any, second: Any, places: list[int]) -> Any:
        mask = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), places)
        return builder.shuffle_vector(first, second, mask)

    low, high = [0, 8, 1, 9, 4, 12, 5, 13], [2, 10, 3, 11, 6, 14, 7, 15]
    pairs = [mix(rows[i], rows[i + 1], places) for i in range(0, 8, 2) for places in (low, high)]
    first, second = [0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]
    fours = [mix(pairs[i + k], pairs[i + 2 + k], places) for i in (0, 4) for k in (0, 1) for places in (first, second)]
    lower, upper = [0, 1, 2, 3, 8, 9, 10, 11], [4, 5, 6, 7, 12, 13, 14, 15]
    return [mix(fours[i], fours[i + 4], places) for places in (lower, upper) for i in range(4)]


def _arithmetic(symbol: Any, name: str) -> None:
    """Teach Numba one operator between two vectors."""

    @infer_global(symbol)  # type: ignore[untyped-decorator, unused-ignore]
    class _Operator(ConcreteTemplate):
        cases = [signature(float8, float8, float8)]  # noqa: RUF012

    @lower_builtin(symbol, float8, float8)  # type: ignore[untyped-decorator, unused-ignore]
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return getattr(builder, name)(*arguments, flags=_FAST)


_arithmetic(operator.add, "fadd")
_arithmetic(operator.sub, "fsub")
_arithmetic(operator.mul, "fmul")
_arithmetic(operator.truediv, "fdiv")

load8: Any = _load8
"""load8(flat array of float32 or int16, start): eight neighbours."""
store8: Any = _store8
"""store8(array, start, vector): into int16 the nearest whole numbers."""
spread8: Any = _spread8
"""spread8(float32): the same number eight times."""
sum8: Any = _sum8
largest8: Any = _largest8
pick8: Any = _pick8
max8: Any = _max8
transpose8: Any = _transpose8
"""transpose8(source, start, step, target, start, step): an 8 × 8 block, rows to columns."""
