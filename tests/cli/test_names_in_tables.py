"""Names of folders, players and games are printed as they are: nothing in them is markup, a colour or an emoji."""

import shutil
import time
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console, RenderableType

from holdem.cli.litmus import _print as print_report
from holdem.cli.monitor import make_table as monitor_table
from holdem.cli.play_screen import PlayScreen
from holdem.evaluation.litmus.litmus import LitmusReport
from holdem.game import Game, load_preset, observe
from holdem.mccfr.instances.instance import InstanceSpec, file_companion, train_instance
from holdem.mccfr.run.start import RunOptions
from holdem.mccfr.run.state import RunState
from holdem.types import MCCFRConfig
from tests.built_buckets import small_buckets
from tests.cli.runs import Run
from tests.cli.test_play import type_in

NAME = "[red]x [bold] :car:"
PATH = "[red]x [/b] :car:"


def shown(renderable: RenderableType) -> str:
    console = Console(file=StringIO(), width=200)
    console.print(renderable)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


@pytest.mark.long
def test_compare(run: Run, tmp_path: Path) -> None:
    config = MCCFRConfig(seed=7, num_iterations=100)
    companion = file_companion(InstanceSpec(0, 0, 100), config, tmp_path)
    train_instance(config, load_preset("kuhn"), None, companion, RunOptions(tmp_path, tensorboard=False))
    (tmp_path / "instance_0").rename(tmp_path / NAME)
    result = run("compare", tmp_path / NAME)
    assert result.status == 0, result.err
    assert [line for line in result.out.splitlines() if f"│ {NAME} " in line]


def test_monitor() -> None:
    state = RunState(NAME, "failed", 1, 2, 1.0, 0.5, 1.0, 1.0, 1, 1, "[/x] broke", time.time())
    text = shown(monitor_table(Path(PATH), [state]))
    assert f"{PATH}: " in text
    assert f" {NAME} " in text and "failed ([/x] broke)" in text


@pytest.mark.long
def test_buckets(run: Run, tmp_path: Path) -> None:
    path = tmp_path / PATH / "buckets.pkl"
    path.parent.mkdir(parents=True)
    shutil.copyfile(small_buckets(), path)
    result = run("buckets", "show", path, "--street", "flop")
    assert result.status == 0, result.err
    assert result.out.startswith(f"{path}: 169 / 50")


def test_players_at_a_table() -> None:
    hand = Game.from_preset("headsup_100bb").new_hand(1)
    screen = PlayScreen(Console(file=StringIO()))
    screen._names, screen._seat = (NAME, NAME), hand.actor or 0
    assert f" {NAME} " in shown(screen.seats(observe(hand)))


@pytest.mark.long
def test_the_history_of_a_session(run: Run, policy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    history = tmp_path / PATH / "hands.phhs"
    type_in(monkeypatch, "f", "q")
    result = run("play", "--policy", policy, "--opponent", "always-call", "--seed", 3, "--history", history)
    assert result.status == 0, result.err
    assert f"holdem review '{history}'\n" in result.out


def test_the_game_of_litmus_checks(capsys: pytest.CaptureFixture[str]) -> None:
    print_report(LitmusReport(game=NAME, iterations=5, results=()))
    assert capsys.readouterr().out.startswith(f"{NAME}, 5 iterations\n")
