"""What tests of verbs share: the command line in this process, and a run directory that can be played."""

from pathlib import Path

import pytest

from tests.cli.runs import Run, make_runner
from tests.table.policies import save_jam_or_fold


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.delenv("COLUMNS", raising=False)  # workers of pytest-xdist have it
    return make_runner(monkeypatch, capsys)


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    """A random policy of jam or fold."""
    return save_jam_or_fold(tmp_path / "run")
