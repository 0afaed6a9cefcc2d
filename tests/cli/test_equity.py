"""`holdem equity` as a user types it."""

import io
import json
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout

import pytest

from holdem.cli.main import main


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["holdem", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
    return subprocess.CompletedProcess(arguments, int(ended.value.code or 0), out.getvalue(), err.getvalue())


def test_aces_against_kings() -> None:
    result = run("equity", "AA", "KK")
    assert result.returncode == 0, result.stderr
    assert "81.95 %" in result.stdout
    assert "18.05 %" in result.stdout


def test_module_and_verb_give_the_same_figures() -> None:
    verb = run("equity", "AhKd", "22+", "--board", "Ks7d2c", "--json")
    command = [sys.executable, "-m", "holdem.cli.equity", "AhKd", "22+", "--board", "Ks7d2c", "--json"]
    module = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert json.loads(verb.stdout) == json.loads(module.stdout)
    assert json.loads(verb.stdout)["exact"] is True


def test_samples_have_a_standard_error() -> None:
    figures = json.loads(run("equity", "AA", "KK", "--samples", "10000", "--json").stdout)
    assert figures["exact"] is False
    assert 0 < figures["standard_error"] < 0.005


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("AA", "K9z"), "'K9z'"),
        (("AA", "KK", "--board", "AhAh"), "Ah appears twice"),
        (("AhKd", "AhQs"), "cannot be dealt together"),
        (("AA", "KK", "--samples", "1"), "at least 2"),
        (("AA", "KK", "--samples", "many"), "--samples"),
        ((), "hero"),
    ],
)
def test_a_mistake_is_one_sentence_and_status_2(arguments: tuple[str, ...], said: str) -> None:
    result = run("equity", *arguments)
    assert result.returncode == 2
    assert said in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert result.stdout == ""


def test_help_shows_examples() -> None:
    result = run("equity", "--help")
    assert result.returncode == 0
    assert "holdem equity AA KK" in result.stdout


def test_version() -> None:
    assert run("--version").stdout.startswith("holdem ")


def test_unknown_verb() -> None:
    result = run("equty")
    assert result.returncode == 2
    assert "equity" in result.stderr
