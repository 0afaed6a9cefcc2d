"""`python -m benchmarks` explains itself; the measurements are for `make bench`."""

import os
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
PIECES = [path.stem.removeprefix("bench_") for path in (CHECKOUT / "benchmarks").glob("bench_*.py")]


def benchmarks(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *arguments]
    environment = os.environ | {"PYTHONIOENCODING": "utf-8"}
    return subprocess.run(command, cwd=CHECKOUT, env=environment, capture_output=True, encoding="utf-8")


def test_help_lists_every_piece() -> None:
    result = benchmarks("--help")
    assert result.returncode == 0 and not result.stderr
    listed = [line.split()[0] for line in result.stdout.partition("pieces:")[2].splitlines() if line]
    assert len(PIECES) > 10 and sorted(listed) == sorted(PIECES)


def test_a_piece_that_does_not_exist_is_a_mistake_of_the_user() -> None:
    result = benchmarks("trees", "tress")
    assert result.returncode == 2 and not result.stdout
    assert "'tress'; did you mean trees?" in result.stderr
    assert len(result.stderr.splitlines()) == 1
