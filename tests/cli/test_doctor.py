"""`holdem doctor`: every check reports, and a broken machine is a finding with a way out."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from holdem.cli import doctor
from holdem.errors import RunFailed
from tests.cli.runs import make_runner

NAMES = ["python", "numba", "spawn", "cores", "shared memory", "open files", "memory", "disk", "tensorboard"]


def test_a_healthy_machine(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run = make_runner(monkeypatch, capsys)
    result = run("doctor", "--json", "--logdir", tmp_path / "not" / "yet")
    findings = json.loads(result.out)
    assert [finding["name"] for finding in findings] == NAMES
    assert result.status == (0 if all(finding["fine"] for finding in findings) else 1)
    assert all(bool(finding["advice"]) != finding["fine"] for finding in findings)
    assert next(f for f in findings if f["name"] == "spawn")["fine"], result.out
    assert list(tmp_path.iterdir()) == []
    lines = run("doctor", "--logdir", tmp_path).out.splitlines()
    assert lines[0].startswith("✓ python: 3.")


def test_what_is_broken_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken() -> float:
        raise RunFailed("a spawned process did not answer")

    monkeypatch.setattr(doctor, "spawn_test", broken)
    findings = {finding.name: finding for finding in doctor.examine(tmp_path)}
    assert list(findings) == NAMES
    assert not findings["spawn"].fine
    assert "did not answer" in findings["spawn"].found
    assert findings["spawn"].advice


@pytest.mark.parametrize("other", [("--json",), ("--logdir", "runs")])
def test_compiling_takes_no_options_of_the_check(
    other: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    result = make_runner(monkeypatch, capsys)("doctor", "--compile", *other)
    assert result.status == 2
    assert "--compile checks nothing, so it takes neither --json nor --logdir" in result.err


@pytest.mark.slow
def test_everything_is_compiled_at_once(tmp_path: Path) -> None:
    """With an empty cache: afterwards no verb of a user compiles anything."""
    kept = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environment = kept | {"HOLDEM_CACHE": str(tmp_path)}
    doctor = [sys.executable, "-m", "holdem.cli.main", "doctor", "--compile"]
    first, second = (subprocess.run(doctor, capture_output=True, text=True, env=environment) for _ in range(2))
    assert first.returncode == second.returncode == 0, first.stderr
    assert first.stderr.startswith("compiling ") and first.stdout.startswith("compiled ")
    assert second.stdout.startswith("everything is compiled: ") and not second.stderr
    equity = [sys.executable, "-m", "holdem.cli.main", "equity", "AKs", "QQ"]
    assert "compil" not in subprocess.run(equity, capture_output=True, text=True, check=True, env=environment).stderr
