"""`holdem equity` as a user types it."""

import json
import subprocess
import sys

import pytest

from tests.cli.runs import Run


def test_aces_against_kings(run: Run) -> None:
    result = run("equity", "AA", "KK")
    assert result.status == 0, result.err
    assert "81.95 %" in result.out
    assert "18.05 %" in result.out


def test_module_and_verb_give_the_same_figures(run: Run) -> None:
    verb = run("equity", "AhKd", "22+", "--board", "Ks7d2c", "--json")
    command = [sys.executable, "-m", "holdem.cli.equity", "AhKd", "22+", "--board", "Ks7d2c", "--json"]
    module = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert json.loads(verb.out) == json.loads(module.stdout)
    assert json.loads(verb.out)["exact"] is True


def test_samples_have_a_standard_error(run: Run) -> None:
    figures = json.loads(run("equity", "AA", "KK", "--samples", "10000", "--json").out)
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
def test_a_mistake_is_one_sentence_and_status_2(run: Run, arguments: tuple[str, ...], said: str) -> None:
    result = run("equity", *arguments)
    assert result.status == 2
    assert said in result.err
    assert len(result.err.strip().splitlines()) == 1
    assert result.out == ""


def test_help_shows_examples(run: Run) -> None:
    result = run("equity", "--help")
    assert result.status == 0
    assert "holdem equity AA KK" in result.out


def test_version(run: Run) -> None:
    assert run("--version").out.startswith("holdem ")


def test_unknown_verb(run: Run) -> None:
    result = run("equty")
    assert result.status == 2
    assert "equity" in result.err


def test_whole_classes_before_the_flop_need_no_compiled_code() -> None:
    call = [sys.executable, "-X", "importtime", "-m", "holdem.cli.main", "equity", "AA", "KK", "--json"]
    result = subprocess.run(call, capture_output=True, text=True, check=True)
    assert json.loads(result.stdout)["deals"] == 36 * 1_712_304
    assert "numba" not in result.stderr
