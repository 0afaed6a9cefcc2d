"""`holdem lbr`: figures for people and machines, Ctrl+C, and mistakes in one sentence."""

import json
import os
import signal
import threading
from pathlib import Path

import pytest

from tests.cli.runs import Run, make_runner, save_toy


@pytest.fixture
def holdem(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return make_runner(monkeypatch, capsys)


def test_the_published_figure_for_people(holdem: Run) -> None:
    result = holdem("lbr", "fold-to-any-bet", "--hands", 20)
    assert result.status == 0, result.err
    assert "fold-to-any-bet loses 750 ± 0 mbb/hand to local best response" in result.out
    assert "headsup_100bb, 20 hands, seed 0; LBR's actions: preflop c, flop c, turn fcpa, river fcpa" in result.out
    assert "lower bound on exploitability" in result.out


def test_the_same_figures_for_machines(holdem: Run, tmp_path: Path) -> None:
    arguments = ("lbr", "always-call", "--actions", "c,c,fc,fcpa", "--hands", 30, "--seed", 3)
    result = holdem(*arguments, "--json", "--out", tmp_path / "lbr.json")
    figures = json.loads(result.out)
    assert json.loads((tmp_path / "lbr.json").read_text()) == figures
    assert (figures["opponent"], figures["hands"], figures["seed"]) == ("always-call", 30, 3)
    assert figures["menus"] == {"preflop": "c", "flop": "c", "turn": "fc", "river": "fcpa"}
    low, high = figures["won"]["ci95"]
    assert low < figures["won"]["mbb_per_hand"] < high
    assert figures["won"]["mbb_per_hand"] > 1000, "whoever never folds pays off every good hand"
    assert "Lisý and Bowling" in figures["method"]


def test_one_deal_has_no_interval(holdem: Run) -> None:
    figures = json.loads(holdem("lbr", "fold-to-any-bet", "--hands", 2, "--json").out, parse_constant=pytest.fail)
    assert figures["won"] == {"mbb_per_hand": 750.0, "ci95": None}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("pot-odds",), "pot-odds does not tell its strategy"),
        (("fold-to-any-bet", "--actions", "fcb"), "'fcb' is not a set of actions"),
        (("fold-to-any-bet", "--streets", "turm"), "'turm' is not a street"),
        (("fold-to-any-bet", "--game", "sixmax_100bb"), "local best response plays heads-up hold'em"),
        (("no-such-run",), "'no-such-run' is neither a file nor a baseline"),
    ],
)
def test_mistakes(holdem: Run, arguments: tuple[str, ...], sentence: str) -> None:
    result = holdem("lbr", *arguments, "--hands", 4)
    assert result.status == 2
    assert sentence in result.err
    assert len(result.err.strip().splitlines()) == 1


def test_a_short_deck_is_refused(holdem: Run, tmp_path: Path) -> None:
    result = holdem("lbr", save_toy(tmp_path, "short_rank", ranks="KA", stacks=(300,)))
    assert result.status == 2
    assert "for toy games use holdem best-response" in result.err


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_prints_what_there_is(holdem: Run) -> None:
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    result = holdem("lbr", "always-call", "--hands", 10_000_000)
    assert result.status == 130
    assert "of 10,000,000 (interrupted)" in result.out


def test_the_help_says_in_one_line_that_it_does_not_fold_before_the_turn(holdem: Run) -> None:
    """The default, and the published one; whoever compares figures must know."""
    said = [line for line in holdem("lbr", "--help").out.splitlines() if "--actions fc,fc,fcpa,fcpa" in line]
    assert len(said) == 1
    assert "Before the turn it calls, never folds" in said[0]


def test_deals_of_the_published_settings_are_not_written_over(holdem: Run, tmp_path: Path) -> None:
    out = tmp_path / "lbr.json"
    assert holdem("lbr", "always-call", "--published", "--hands", "2", "--out", out).status == 0
    before = out.read_bytes()
    refused = holdem("lbr", "always-call", "--hands", "2", "--out", out)
    assert refused.status == 2
    assert "holds deals of holdem lbr --published, and it would be written over" in refused.err
    assert out.read_bytes() == before


def test_a_disk_that_has_filled_up_leaves_the_deals(
    holdem: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, content: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("holdem.cli.output_paths.write_json", full)
    result = holdem("lbr", "always-call", "--hands", "2", "--out", tmp_path / "lbr.json")
    assert result.status == 1
    assert "cannot be written (No space left on device)" in result.err
    assert (tmp_path / "lbr.deals.json").exists()
