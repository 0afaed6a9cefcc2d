"""Mistakes at `build_buckets` and `holdem buckets`: one sentence, status 2, nothing written."""

import subprocess
import sys
from pathlib import Path

import pytest

from holdem.util.artifacts import write_pickle


def run(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=cwd)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("holdem.cli.build_buckets", "--preset", "huge"), "small, mid, fine_flop, coarse"),
        (("holdem.cli.build_buckets", "--preset", "small", "--config", "x.yaml"), "cannot be used together"),
        (("holdem.cli.build_buckets", "--config", "none.yaml", "--out", "b.pkl"), "does not exist"),
        (("holdem.cli.build_buckets", "--config", "bad.yaml", "--out", "b.pkl"), "did you mean samples"),
        (("holdem.cli.build_buckets", "--config", "good.yaml"), "needs --out"),
        (("holdem.cli.build_buckets", "--config", "range.yaml", "--out", "b.pkl"), "buckets.flop is 0"),
        (("holdem.cli.build_buckets", "--num-workers", "-1"), "--num-workers"),
        (("holdem.cli.build_buckets", "--out", "good.yaml"), "it would be written over"),
        (("holdem.cli.build_buckets", "--out", "folder"), "is a folder"),
        (("holdem.cli.build_buckets", "--out", "checkpoint.pkl"), "'holdem checkpoint', not"),
        (("holdem.cli.buckets", "show", "checkpoint.pkl"), "name another file"),
        (("holdem.cli.buckets", "show", "none.pkl"), "build it with"),
        (("holdem.cli.buckets", "of", "AhKd", "--buckets", "none.pkl"), "build it with"),
    ],
)
def test_mistakes(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    (tmp_path / "bad.yaml").write_text("sample: 1000")
    (tmp_path / "good.yaml").write_text("seed: 1")
    (tmp_path / "range.yaml").write_text("buckets: {flop: 0}")
    (tmp_path / "folder").mkdir()
    write_pickle(tmp_path / "checkpoint.pkl", "holdem checkpoint", 1, {})
    before = [(path, path.stat().st_mtime_ns) for path in sorted(tmp_path.iterdir())]
    result = run(*arguments, cwd=tmp_path)
    assert result.returncode == 2, result.stderr
    assert said in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert [(path, path.stat().st_mtime_ns) for path in sorted(tmp_path.iterdir())] == before
