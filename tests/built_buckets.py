"""The preset `small`, built once for a whole test session: its build is killed on the way and then resumed.

Worker processes share the session's folder; the first to need the buckets builds them, the others wait.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

PATIENCE_SECONDS = 1_800


def build_command(path: Path) -> list[str]:
    return [sys.executable, "-m", "holdem.cli.build_buckets", "--preset", "small", "--out", str(path)]


def small_buckets() -> Path:
    """The manifest of the abstraction; its tables lie beside it."""
    folder = Path(os.environ["HOLDEM_TEST_SESSION"]) / "buckets"
    path = folder / "precomputed_buckets.pkl"
    try:
        folder.mkdir()
    except FileExistsError:
        _wait_for(path)
        return path
    _kill_a_build(path)
    tables = {file: file.stat().st_mtime_ns for file in folder.glob("*.river.*.npy")}
    assert len(tables) == 1
    assert not path.exists()
    result = subprocess.run(build_command(path), capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
    assert result.returncode == 0, result.stderr
    assert tables == {file: file.stat().st_mtime_ns for file in folder.glob("*.river.*.npy")}, "the river was rebuilt"
    assert len(list(folder.iterdir())) == 4, "a manifest and three tables, and nothing left over"
    return path


def _kill_a_build(path: Path) -> None:
    """Start a build and end it with SIGKILL when the river is finished."""
    state = path.with_name("precomputed_buckets.building.pkl")
    process = subprocess.Popen(build_command(path), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not state.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    output, _ = process.communicate()
    assert state.exists(), "the river was never finished"
    assert "GB of memory" in output


def _wait_for(path: Path) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not path.exists():
        assert time.monotonic() < deadline, "another test process did not finish the buckets"
        time.sleep(0.2)
