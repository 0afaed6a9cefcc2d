"""Vectors of eight inside compiled code, against NumPy."""

import numpy as np
import numpy.typing as npt

from holdem.realtime.subgame.kernels.lanes import (
    largest8,
    load8,
    max8,
    pick8,
    spread8,
    store8,
    sum8,
    transpose8,
)
from holdem.util.jit import kernel

Float32 = npt.NDArray[np.float32]


@kernel
def _mix(first: Float32, second: Float32, result: Float32) -> None:
    two = spread8(np.float32(2.0))
    for i in range(0, len(first), 8):
        a, b = load8(first, i), load8(second, i)
        store8(result, i, pick8(a, max8(a * two, b) - a / two, a + b))


@kernel
def _reduce(values: Float32) -> tuple[float, float]:
    return sum8(load8(values, 0)), largest8(load8(values, 0))


@kernel
def _turn(source: Float32, width: int, target: Float32, height: int) -> None:
    for i in range(0, height, 8):
        for j in range(0, width, 8):
            transpose8(source, i * width + j, width, target, j * height + i, height)


@kernel
def _copy_shorts(source: npt.NDArray[np.int16], target: npt.NDArray[np.int16], factor: float) -> None:
    for i in range(0, len(source), 8):
        store8(target, i, load8(source, i) * spread8(np.float32(factor)))


def test_arithmetic() -> None:
    random = np.random.default_rng(0)
    first, second = (random.normal(size=64).astype(np.float32) for _ in range(2))
    result = np.zeros(64, dtype=np.float32)
    _mix(first, second, result)
    expected = np.where(first > 0, np.maximum(2 * first, second) - first / 2, first + second)
    assert np.allclose(result, expected, atol=1e-6)
    total, largest = _reduce(first)
    assert np.isclose(total, first[:8].sum(), atol=1e-5)
    assert largest == first[:8].max()


def test_transposes() -> None:
    source = np.random.default_rng(1).normal(size=(16, 24)).astype(np.float32)
    target = np.zeros((24, 16), dtype=np.float32)
    _turn(source.reshape(-1), 24, target.reshape(-1), 16)
    assert np.array_equal(target, source.T)


def test_short_integers_are_rounded_to_the_nearest() -> None:
    source = np.arange(-32_767, 32_768, 1, dtype=np.int16)[:65_528]
    target = np.zeros_like(source)
    _copy_shorts(source, target, 1.0)
    assert np.array_equal(source, target)
    _copy_shorts(source, target, 0.3)
    assert np.array_equal(target, np.rint(source * np.float32(0.3)).astype(np.int16))
