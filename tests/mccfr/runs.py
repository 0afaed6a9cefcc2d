"""Runs of `train_blueprint` in processes of their own, for the tests that start, stop and kill them."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

from holdem.mccfr.run.checkpoint import FORMAT_VERSION, KIND, read_info
from holdem.util.files.tables import read_tables

LEDUC = ("--game", "leduc", "--no-tensorboard", "--seed", "7")


def train_command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "holdem.cli.train_blueprint", *map(str, arguments)]


def run_training(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run to the end, whatever the end is."""
    command = train_command(*arguments)
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, cwd=cwd)


def table_of(path: Path, entries: int) -> npt.NDArray[np.int32]:
    """The table of a checkpoint of external sampling."""
    assert read_info(path)
    table = np.zeros(2 * entries, dtype=np.int32)
    read_tables(path, KIND, FORMAT_VERSION, "no way out", lambda _: {"table": table})
    return table
