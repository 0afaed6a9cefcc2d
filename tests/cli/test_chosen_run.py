"""Which run a verb works with: named, the newest, or none; and the offer to train one, on a real terminal."""

import io
import os
import shutil
from pathlib import Path

import pytest

from tests.cli.runs import Run
from tests.cli.terminal import Terminal
from tests.policy.test_run_names import save_run
from tests.table.policies import save_jam_or_fold


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("verb", [("show",), ("litmus",), ("dry-run", "--no-search", "--max-hands", "1")])
def test_the_newest_run_is_taken_and_said(run: Run, verb: tuple[str, ...]) -> None:
    save_jam_or_fold(Path("runs/mine"))
    save_run(Path("runs/older"), changed=1000.0)
    result = run(*verb)
    assert result.status in (0, 1), result.err  # litmus: 1 for a random strategy
    assert "using runs/mine (jam_or_fold_10bb, " in result.err
    assert "the newest run under runs/" in result.err


@pytest.mark.parametrize("verb", ["play", "serve", "dry-run", "show", "litmus", "eval"])
def test_without_a_run_and_a_terminal_one_sentence_says_what_to_do(run: Run, verb: str) -> None:
    result = run(verb)
    assert result.status == 2
    assert result.err.startswith("error: ")
    assert "train one with: holdem train --time-budget 60 --num-workers 0" in result.err
    assert result.err.count("\n") == 1
    assert not Path("runs").exists()


def test_one_argument_of_show_may_be_the_line(run: Run) -> None:
    save_jam_or_fold(Path("runs/mine"))
    assert "SB raise 10bb all-in" in run("show", "SB raise 10bb").out
    wrong = run("show", "mnie")
    assert wrong.status == 2
    assert "mnie does not exist; did you mean runs/mine?" in wrong.err
    assert run("show", "mine").status == 0


posix = pytest.mark.skipif(shutil.which("sh") is None or os.name == "nt", reason="there is no pseudo-terminal")


def test_a_name_that_no_file_can_have_is_refused(run: Run) -> None:
    save_jam_or_fold(Path("runs/mine"))
    line = "SB raise 10bb, " * 100
    for arguments in (("show", line), ("show", "x" * 5000), ("dry-run", "--policy", "y" * 5000)):
        result = run(*arguments)
        assert result.status == 2
        assert result.err.startswith(("error: ", "using runs/mine"))
    assert run("train", "--config", "z" * 5000).status == 2


def test_a_run_that_is_the_opponent_is_the_blueprint_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    save_jam_or_fold(Path("runs/opponent"))
    save_run(Path("runs/newest"), "headsup_100bb", changed=4e9)
    monkeypatch.setattr("sys.stdin", io.StringIO("f\nq\n"))
    result = run("play", "--opponent", "opponent", "--no-search", "--hands", "1")
    assert result.status == 0, result.err
    assert list(Path("runs/opponent/hands").glob("play_*.phhs"))


@posix
def test_the_offer_can_be_declined() -> None:
    terminal = Terminal("play")
    terminal.until("Train it?")
    assert "headsup_100bb into runs/blueprint" in terminal.shown
    assert "of memory" in terminal.shown
    terminal.type("n\n")
    terminal.until("train later with: holdem train")
    assert terminal.status() == 0
    assert not Path("runs").exists()


@posix
def test_ctrl_c_at_the_question_ends_it() -> None:
    terminal = Terminal("show")
    terminal.until("Train it?")
    terminal.type("\x03")
    assert terminal.status() == 130
    assert not Path("runs").exists()
