"""What is said while kernels are compiled for the first time, by real commands with a cache of their own."""

import importlib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from holdem.util.compiling import Compilations, kernel_times

EQUITY = [sys.executable, "-m", "holdem.cli.main", "equity", "AhKh", "QdQc", "--board", "Ks7d2c"]
SOLVE = [sys.executable, "-m", "holdem.cli.main", "solve", "--spot", "PR1", "--target", "5"]
"""Compiles for many seconds, so that a signal comes in time however busy the machine is."""


def with_cache(folder: Path) -> dict[str, str]:
    """The environment of a command that finds nothing compiled."""
    kept = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    return kept | {"HOLDEM_CACHE": str(folder)}


@pytest.mark.long
def test_a_first_compilation_is_announced_once(tmp_path: Path) -> None:
    first = subprocess.run(EQUITY, capture_output=True, text=True, check=True, env=with_cache(tmp_path))
    lines = first.stderr.splitlines()
    assert (
        found := re.fullmatch(r"compiling (\d+) kernels for this machine, once for each version: about \d+ s", lines[0])
    )
    # Not every equity needs all kernels of the verb, so the end need not be told; the list is about right all the same.
    compiled = {path.name.partition("-")[0] for path in tmp_path.rglob("*.nbi")}
    assert 0.5 <= len(compiled) / int(found[1]) <= 1.5
    second = subprocess.run(EQUITY, capture_output=True, text=True, check=True, env=with_cache(tmp_path))
    assert "compil" not in second.stderr
    assert second.stdout == first.stdout


@pytest.mark.long
def test_an_interrupted_compilation_leaves_a_cache_that_works(tmp_path: Path) -> None:
    with subprocess.Popen(SOLVE, stderr=subprocess.PIPE, text=True, env=with_cache(tmp_path)) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("compiling")
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        assert process.wait() == 130 and "Traceback" not in said
    subprocess.run(SOLVE, check=True, capture_output=True, env=with_cache(tmp_path))


@pytest.mark.parametrize("name", kernel_times())
def test_the_table_lists_kernels_that_there_are(name: str) -> None:
    """After a kernel was renamed: `python -m benchmarks.bench_compile` writes the table again."""
    module, _, kernel = name.rpartition(".")
    assert hasattr(getattr(importlib.import_module(f"holdem.{module}"), kernel), "py_func")


def test_others_may_hear_what_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    heard = list[str]()
    compilations = Compilations()
    compilations.announce("serve")
    with compilations.heard_by(heard.append):
        compilations.say("compiling")
    compilations.say("something else")
    assert heard == ["compiling"]
    assert capsys.readouterr().err == "compiling\nsomething else\n"
