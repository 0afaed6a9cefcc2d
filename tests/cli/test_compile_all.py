"""`holdem doctor --compile`: what counts as done, and where it goes."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from holdem.cli.compile_all import _run_all
from holdem.cli.compile_jobs import JOBS, TRAINING, CompileJob, prepare
from holdem.errors import RunFailed

LITMUS, EQUITY = (next(job for job in JOBS if job.job == name) for name in ("litmus", "equity"))


def run_all(jobs: Sequence[CompileJob], folder: Path) -> None:
    _run_all(jobs, folder, 1, lambda: None)


@pytest.mark.long
def test_only_litmus_may_end_with_status_one(tmp_path: Path) -> None:
    """Python gives a crash the same status; a litmus of a few iterations really ends with it."""
    assert [job.job for job in JOBS if 1 in job.good] == ["litmus"]
    prepare(tmp_path)
    run_all([TRAINING, LITMUS], tmp_path)
    with pytest.raises(RunFailed, match="holdem litmus run failed while compiling: "):
        run_all([replace(LITMUS, good=(0,))], tmp_path)


def test_jobs_use_our_cache_folder_in_their_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOLDEM_CACHE", "cache")
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    run_all([EQUITY], folder)
    assert list((tmp_path / "cache").rglob("*.nbi")) and not list(folder.rglob("*.nbi"))


@pytest.mark.long
def test_a_marker_without_kernels_is_not_believed(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    mark = "from holdem.util.jit import mark_compiled; mark_compiled('everything')"
    subprocess.run([sys.executable, "-c", mark], check=True, env=environment)
    command = [sys.executable, "-m", "holdem.cli.main", "doctor", "--compile"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("compiling ")
        process.send_signal(signal.SIGINT)
        process.stderr.read()
