"""Atomic instructions on int64 words that several threads or processes share. All are sequentially consistent: what
one of them wrote before it is there for whoever sees its result.
"""

from collections.abc import Callable
from typing import Any, cast

from numba import types
from numba.extending import intrinsic
from numba.np import arrayobj


def _address(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    data = arrayobj.make_array(array_type)(context, builder, array).data
    return builder.gep(data, [index], inbounds=True)


def _typed_fetch_add(typing_context: Any, words: Any, index: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = _address(context, builder, signature.args[0], args[0], args[1])
        return builder.atomic_rmw("add", address, args[2], "seq_cst")

    return types.int64(words, types.intp, types.int64), generate


def _typed_exchange(typing_context: Any, words: Any, index: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = _address(context, builder, signature.args[0], args[0], args[1])
        return builder.atomic_rmw("xchg", address, args[2], "seq_cst")

    return types.int64(words, types.intp, types.int64), generate


def _typed_compare_exchange(typing_context: Any, words: Any, index: Any, expected: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = _address(context, builder, signature.args[0], args[0], args[1])
        result = builder.cmpxchg(address, args[2], args[3], "seq_cst", "seq_cst")
        return builder.extract_value(result, 0)

    return types.int64(words, types.intp, types.int64, types.int64), generate


def _typed_load(typing_context: Any, words: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(_address(context, builder, signature.args[0], args[0], args[1]), "seq_cst", 8)

    return types.int64(words, types.intp), generate


fetch_add = cast(Callable[..., int], intrinsic(_typed_fetch_add))
"""`fetch_add(words, index, value)`: add, and return what was there before."""
exchange = cast(Callable[..., int], intrinsic(_typed_exchange))
"""`exchange(words, index, value)`: write, and return what was there before."""
compare_exchange = cast(Callable[..., int], intrinsic(_typed_compare_exchange))
"""`compare_exchange(words, index, expected, value)`: write if `expected` is there; returns what was there before."""
load = cast(Callable[..., int], intrinsic(_typed_load))
"""`load(words, index)`: what is there."""
