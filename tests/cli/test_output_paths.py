"""A place that cannot be written to is refused in one sentence, before anything is computed."""

import os
from pathlib import Path

import pytest

from holdem.cli.output_paths import writable_file, writable_folder
from holdem.errors import ConfigError
from tests.cli.runs import Run, make_runner


@pytest.fixture
def holdem(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return make_runner(monkeypatch, capsys)


@pytest.fixture
def occupied(tmp_path: Path) -> Path:
    path = tmp_path / "occupied"
    path.write_text("mine")
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ("eval", "--policy", "nowhere", "--out", "{folder}"),
        ("eval", "--policy", "nowhere", "--out", "{file}/results.json"),
        ("eval", "--policy", "nowhere", "--report", "{file}"),
        ("match", "random", "random", "--out", "{folder}"),
        ("lbr", "random", "--out", "{folder}"),
        ("best-response", "nowhere", "--out", "{folder}"),
        ("litmus", "nowhere", "--out", "{folder}"),
        ("report", "nowhere", "--out", "{file}"),
        ("export", "nowhere", "--out", "{folder}"),
    ],
)
def test_refused_before_anything_else(holdem: Run, occupied: Path, arguments: tuple[str, ...]) -> None:
    result = holdem(*(argument.format(folder=occupied.parent, file=occupied) for argument in arguments))
    assert result.status == 2
    assert result.err.startswith(f"error: {occupied.parent}")
    assert len(result.err.strip().splitlines()) == 1
    assert occupied.read_text() == "mine"


def test_what_is_there_or_can_be_made(occupied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert writable_file(None) is None
    assert writable_folder(None) is None
    for path in (occupied, occupied.parent / "new.json", occupied.parent / "new" / "deep" / "new.json"):
        assert writable_file(path) == path
    for path in (occupied.parent, occupied.parent / "new" / "deep"):
        assert writable_folder(path) == path
    monkeypatch.chdir(occupied.parent)
    assert writable_file(Path("new.json")) == Path("new.json")
    assert writable_folder(Path("new/deep")) == Path("new/deep")


def test_a_device_is_not_replaced() -> None:
    with pytest.raises(ConfigError, match="is not a plain file"):
        writable_file(Path(os.devnull))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything is writable for root")
def test_a_folder_without_the_right_to_write(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(ConfigError, match="nothing can be written into"):
        writable_file(tmp_path / "results.json")
