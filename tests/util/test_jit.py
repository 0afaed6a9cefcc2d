"""Compiled kernels: how often they are compiled, and what is remembered about it."""

from pathlib import Path
from typing import Any, cast

import pytest
from numba.core import config as numba_config

from holdem.util.jit import is_compiled, kernel, mark_compiled


@kernel
def _sum_of(first: int, second: int) -> int:
    return first + second


@kernel
def _with_constants(number: int) -> int:
    return _sum_of(number, 1) + _sum_of(2, number) + _sum_of(number, number) + _sum_of(first=3, second=number)


def test_constants_are_no_types_of_their_own() -> None:
    assert _with_constants(10) == 11 + 12 + 20 + 13
    assert len(cast(Any, _sum_of).signatures) <= 1  # none, if the caller came from the cache


def test_what_is_compiled_is_remembered_with_the_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba_config, "CACHE_DIR", str(tmp_path / "new"))
    assert not is_compiled("search of 2")
    mark_compiled("search of 2")
    assert is_compiled("search of 2") and not is_compiled("search of 3")
    monkeypatch.setattr(numba_config, "CACHE_DIR", str(tmp_path / "another version"))
    assert not is_compiled("search of 2")
