"""What is said while kernels are compiled for the first time."""

from pathlib import Path

import pytest
from numba.core import config as numba_config

from holdem.util.jit import first_compilation


def test_a_first_compilation_is_announced_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba_config, "CACHE_DIR", str(tmp_path / "new"))
    told: list[str] = []
    for _ in range(2):
        with first_compilation("the solver", told.append):
            told.append("work")
    assert told == [
        "compiling the solver for this machine, once for each version: about half a minute",
        "work",
        "compiled the solver in 0 s",
        "work",
    ]


def test_one_that_was_interrupted_is_announced_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba_config, "CACHE_DIR", str(tmp_path))
    told: list[str] = []
    with pytest.raises(KeyboardInterrupt), first_compilation("the solver", told.append):
        raise KeyboardInterrupt
    with first_compilation("the solver", told.append):
        pass
    assert [text.split()[0] for text in told] == ["compiling", "compiling", "compiled"]
