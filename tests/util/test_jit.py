"""Compiled kernels: how often they are compiled, and what is remembered about it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import llvmlite.binding
import numba
import pytest
from numba.core import config as numba_config

from holdem.util import jit
from holdem.util.jit import is_compiled, kernel, mark_compiled, user_cache_folder

CONSTANTS = """
from holdem.util.jit import kernel

@kernel
def sum_of(first, second):
    return first + second

@kernel
def with_constants(number):
    return sum_of(number, 1) + sum_of(2, number) + sum_of(number, number) + sum_of(first=3, second=number)

print(with_constants(10), len(sum_of.signatures))
"""


@kernel
def _sum_of(first: int, second: int) -> int:
    return first + second


def test_constants_are_no_types_of_their_own(tmp_path: Path) -> None:
    """With an empty cache, so that the caller is compiled and asks for what it calls."""
    script = tmp_path / "constants.py"
    script.write_text(CONSTANTS, encoding="utf-8")
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    said = subprocess.run([sys.executable, script], capture_output=True, text=True, env=environment)
    assert said.stdout.split() == [str(11 + 12 + 20 + 13), "1"], said.stderr


def test_what_is_compiled_is_remembered_with_the_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba_config, "CACHE_DIR", str(tmp_path / "new"))
    assert not is_compiled("search of 2")
    mark_compiled("search of 2")
    assert is_compiled("search of 2") and not is_compiled("search of 3")
    monkeypatch.setattr(numba_config, "CACHE_DIR", str(tmp_path / "another version"))
    assert not is_compiled("search of 2")


@pytest.mark.parametrize(
    ("owner", "name", "value"),
    [
        (numba, "__version__", "0.1"),
        (sys, "version_info", (3, 99, 0)),
        (llvmlite.binding, "get_host_cpu_name", lambda: "another"),
        (jit, "kernel_digest", lambda: "another"),
    ],
)
def test_and_with_all_that_numba_looks_at(
    owner: object, name: str, value: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba_config, "CACHE_DIR", str(tmp_path))
    mark_compiled("search of 2")
    try:
        with monkeypatch.context() as changed:
            changed.setattr(owner, name, value)
            jit._compiler.cache_clear()
            assert not is_compiled("search of 2")
    finally:
        jit._compiler.cache_clear()
    assert is_compiled("search of 2")


def test_processes_that_compile_at_once_do_not_mix_up_signatures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process saves its signature between two steps of ours, having read the index before us."""
    ours, theirs = (_cache_file_in(tmp_path, monkeypatch) for _ in range(2))
    write = ours._save_data

    def interrupted(name: str, data: object) -> None:
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(theirs, "_load_index", dict)
            theirs.save("their signature", "their code")
        write(name, data)

    monkeypatch.setattr(ours, "_save_data", interrupted)
    ours.save("our signature", "our code")
    assert theirs.load("their signature") in ("their code", None)  # None: it is compiled once more
    assert ours.load("our signature") == "our code"


def _cache_file_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    cache_file = cast(Any, kernel(cast(Any, _sum_of).py_func))._cache._cache_file
    monkeypatch.setattr(cache_file, "_cache_path", str(folder))
    monkeypatch.setattr(cache_file, "_index_path", str(folder / "index.nbi"))
    return cache_file


def test_the_cache_folder_does_not_move_with_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOLDEM_CACHE", "here")
    assert user_cache_folder() == tmp_path / "here"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have a place of their own")
def test_an_empty_name_of_a_cache_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache went into the working directory."""
    monkeypatch.delenv("HOLDEM_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    assert user_cache_folder() == Path.home() / ".cache" / "holdem"


def test_a_full_disk_costs_the_cache_and_not_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_space(*_: object) -> None:
        raise OSError(28, "No space left on device")

    compiled: Any = kernel(lambda first, second: first - second)
    for name in ("_save_data", "_save_index"):
        monkeypatch.setattr(compiled._cache._cache_file, name, no_space)
    assert compiled(7, 4) == 3


def test_without_any_folder_for_a_cache_kernels_are_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numba.core.caching.CacheImpl._locator_classes", [])
    compiled: Any = kernel(lambda first, second: first * second)
    assert compiled(6, 7) == 42
