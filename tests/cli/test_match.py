"""`holdem match`: the table, the JSON, and mistakes in one sentence."""

import json
import os
import shutil
import signal
import subprocess
import sys
from multiprocessing import active_children
from pathlib import Path

import pytest

from holdem.evaluation.match.win_rates import confidence
from holdem.util.progress import ProgressBar
from tests.cli.runs import Run, make_runner, save_toy


@pytest.fixture
def holdem(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return make_runner(monkeypatch, capsys)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_toy(tmp_path_factory.mktemp("match"), "short_rank", ranks="KA", stacks=(300,))


def test_a_table_for_people(holdem: Run) -> None:
    result = holdem("match", "random", "always-call", "--hands", 60)
    assert result.status == 0, result.err
    assert "headsup_100bb, 2 seats, seed 0, duplicate" in result.out
    assert "60 hands in 30 duplicate deals" in result.out
    assert "± 1 bb/100 would take about" in result.out
    assert "With three or more players" not in result.out


def test_the_same_figures_for_machines(holdem: Run, tmp_path: Path) -> None:
    arguments = ("match", "random", "always-raise", "pot-odds", "--hands", 30, "--seed", 3, "--interval", 10)
    result = holdem(*arguments, "--json", "--out", tmp_path / "match.json")
    figures = json.loads(result.out)
    assert {**json.loads((tmp_path / "match.json").read_text()), "seconds": 0} == {**figures, "seconds": 0}
    assert (figures["game"], figures["seats"], figures["hands"], figures["deals"]) == ("threemax_100bb", 3, 30, 10)
    assert (figures["method"], figures["complete"]) == ("duplicate", True)
    assert [agent["agent"] for agent in figures["agents"]] == ["random", "always-raise", "pot-odds"]
    assert figures["note"].startswith("With three or more players no figure here proves")
    assert figures["note"] in holdem(*arguments).out
    assert sum(agent["bb_per_100"] for agent in figures["agents"]) == pytest.approx(0.0, abs=1e-9)
    for agent in figures["agents"]:
        low, high = agent["ci95"]
        assert low <= agent["bb_per_100"] <= high
        assert agent["mbb_per_hand"] == pytest.approx(10 * agent["bb_per_100"])
    half = max(agent["ci95"][1] - agent["bb_per_100"] for agent in figures["agents"])
    needed = figures["hands_for_interval"]
    assert needed["bb_per_100"] == 10
    # Ten deals have an interval of 2.25 standard errors to each side, as many as are needed one of 1.96.
    assert needed["hands"] == pytest.approx(30 * (half / 10 * 1.96 / confidence(10)) ** 2, rel=1e-3)


def test_a_blueprint_brings_its_game(holdem: Run, run: Path) -> None:
    figures = json.loads(holdem("match", run, "random", "--hands", 40, "--json").out)
    assert figures["game"] == "short_rank"
    itself = json.loads(holdem("match", run, run / "avg_policy.json", "--hands", 400, "--json").out)
    assert [agent["ci95"] for agent in itself["agents"]] == [[0.0, 0.0]] * 2, "exactly zero against itself"


def test_names_are_not_markup(holdem: Run, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(run, tmp_path / "run [bold] [" / "b]")
    monkeypatch.chdir(tmp_path)
    name = "run [bold] [/b]"
    result = holdem("match", name, "random", "--hands", 4)
    assert result.status == 0, result.err
    assert f" {name} " in result.out
    evaluated = holdem("eval", "--policy", run, "--opponents", name, "--hands", 4, "--num-workers", 1)
    assert f" {name} " in evaluated.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("random",), "1 agents were named; a table has 2 to 6 seats"),
        (("random", "alway-call"), "'alway-call' is neither a file nor a baseline; did you mean always-call?"),
        (("random", "random", "--game", "threemax_100bb"), "3 seats, and 2 agents were named"),
        (("random", "random", "--game", "leduc"), "is leduc, not hold'em"),
        (("random", "random", "--game", "headsup"), "there is no game 'headsup'; did you mean headsup_"),
    ],
)
def test_mistakes(holdem: Run, arguments: tuple[str, ...], sentence: str) -> None:
    result = holdem("match", *arguments)
    assert result.status == 2
    assert sentence in result.err
    assert len(result.err.strip().splitlines()) == 1


def test_a_blueprint_for_another_number_of_players(holdem: Run, run: Path) -> None:
    result = holdem("match", run, "random", "random", "--game", "threemax_100bb")
    assert result.status == 2
    assert "was trained for 2 players, and threemax_100bb has 3 seats" in result.err


WITH_PROGRESS_AT_ONCE = """
from holdem.cli.app import run_command
from holdem.cli.match import command
from holdem.util import progress
progress.PATIENCE_SECONDS = progress.PLAIN_LINE_SECONDS = 0.0
run_command(command)
"""


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_prints_what_there_is() -> None:
    """As a terminal does it: the signal goes to the workers too, and they leave it to their parent."""
    arguments = ["random", "always-call", "--hands", "100000000", "--json", "--num-workers", "2"]
    process = subprocess.Popen(
        [sys.executable, "-c", WITH_PROGRESS_AT_ONCE, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    process.stderr.readline()  # the first line of progress: hands are being played
    os.killpg(process.pid, signal.SIGINT)
    out, error = process.communicate(timeout=300)
    assert process.returncode == 130, error
    figures = json.loads(out)
    assert not figures["complete"]
    assert 0 < figures["hands"] < 100_000_000


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_a_killed_worker_costs_a_warning_and_no_hand(holdem: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("match", "random", "always-call", "--hands", 2_000, "--json")
    alone = json.loads(holdem(*arguments).out)
    killed: list[int] = []
    before = set(active_children())  # what earlier tests have left behind

    def kill(bar: ProgressBar, count: int) -> None:
        if not killed:
            worker = next(process for process in active_children() if process not in before)
            assert worker.pid is not None
            killed.append(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)

    monkeypatch.setattr(ProgressBar, "__call__", kill)
    result = holdem(*arguments, "--num-workers", 2)
    assert killed and result.status == 0
    assert "WARNING: a worker process is gone: ended by signal SIGKILL (9)" in result.err
    figures = json.loads(result.out)
    assert figures["complete"] and figures["hands"] == 2_000
    assert figures["agents"] == alone["agents"]
