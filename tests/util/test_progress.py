"""The plain progress line of logs."""

import sys
import time

import pytest

from holdem.util.progress import ProgressBar


def test_the_start_does_not_count_as_work(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    with ProgressBar("hands", 1_000) as bar:
        now += 60.0  # everything is loaded and compiled
        bar(10)
        now += 10.0
        bar(100)
        now += 10.0
        bar(100)
    assert capsys.readouterr().err.splitlines() == [
        "hands: 1 %",
        "hands: 11 %, about 89 s left",
        "hands: 21 %, about 79 s left",
    ]


def test_quick_work_says_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 5.0)
    with ProgressBar("hands", 10) as bar:
        bar(10)
    assert capsys.readouterr().err == ""
