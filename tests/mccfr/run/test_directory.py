"""What killed runs leave half written goes at the next start; nothing else does."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from holdem.mccfr.run.directory import RunDirectory
from tests.mccfr.runs import run_training

PLACES = ("", "snapshots/1000", "instance_0", "instance_0/snapshots/7", "progress", "exchange")
KILLED_IN_A_WRITE = """
import os, signal, sys
from pathlib import Path
from holdem.util.artifacts import atomic_write
with atomic_write(Path(sys.argv[1])) as file:
    file.write(b"half of it")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""
NOT_OURS = ("notes.part", ".notes.part", ".checkpoint_5.pkl.UPPER___.part", "run.part.txt")


def killed_in_a_write(path: Path) -> Path:
    """A process really dies in the middle of writing this file; what it leaves."""
    path.parent.mkdir(parents=True, exist_ok=True)
    before = set(path.parent.iterdir())
    process = subprocess.run([sys.executable, "-c", KILLED_IN_A_WRITE, str(path)], check=False)
    assert process.returncode == -signal.SIGKILL
    (left,) = set(path.parent.iterdir()) - before
    assert left.name.endswith(".part")
    return left


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_half_written_files_of_a_killed_run_go_at_the_next_start(tmp_path: Path) -> None:
    left = [killed_in_a_write(tmp_path / place / "checkpoint_1000.pkl") for place in PLACES]
    kept = [tmp_path / name for name in NOT_OURS]
    (tmp_path / ".avg_policy.npy").touch()
    for file in kept:
        file.touch()
    result = run_training("--game", "kuhn", "--iters", 100, "--no-tensorboard", "--logdir", tmp_path)
    assert result.returncode == 0, result.stderr
    assert len(left) == len(PLACES)
    assert sorted(tmp_path.rglob("*.part")) == sorted(file for file in kept if file.suffix == ".part")
    assert all(file.exists() for file in kept)
    assert not list(tmp_path.rglob(".avg_policy.npy"))


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_an_instance_removes_its_own_and_leaves_the_others_alone(tmp_path: Path) -> None:
    own = killed_in_a_write(tmp_path / "progress" / "instance_0_progress.json")
    of_another = killed_in_a_write(tmp_path / "progress" / "instance_1_progress.json")
    in_its_folder = killed_in_a_write(tmp_path / "instance_0" / "summary.json")
    RunDirectory(tmp_path / "instance_0").prepare(keep=True)
    assert not own.exists()
    assert not in_its_folder.exists()
    assert of_another.exists()
