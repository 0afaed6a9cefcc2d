"""`holdem solve` as people call it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from holdem.cli import solve
from holdem.cli.app import make_app
from holdem.realtime.solve import warm_up
from holdem.realtime.subgame.tree import Node, TreeBuilder
from tests.realtime.spots import REFERENCE_FILE, RIVER


def run(*arguments: str) -> int:
    from holdem.cli.app import _status_of

    app = make_app()
    app.command()(solve.command)
    sys.argv = ["holdem solve", *arguments]
    return _status_of(app)


@pytest.fixture
def river(tmp_path: Path) -> Path:
    path = tmp_path / "river.json"
    path.write_text(json.dumps(RIVER))
    return path


def test_a_reference_spot_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "PR1.json"
    assert run(str(REFERENCE_FILE), "--spot", "PR1", "--target", "0.1", "--out", str(out)) == 0
    figures = json.loads(out.read_text())
    reference = json.loads(REFERENCE_FILE.read_text())["spots"][0]["reference"]
    assert set(reference) | {"iterations", "seconds"} <= set(figures)
    assert figures["exploitability_percent_of_pot"] <= 0.1
    assert figures["ev_oop"] == pytest.approx(reference["ev_oop"], abs=0.3)
    assert set(reference["ev_of_hands_oop"]) <= set(figures["ev_of_hands_oop"])
    printed = capsys.readouterr().out
    assert "exploitability" in printed
    assert "bet 45" in printed


def test_all_spots_of_a_file_with_a_node(river: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = tmp_path / "both.json"
    both.write_text(json.dumps({"spots": [RIVER, {**RIVER, "id": "second"}]}))
    out = tmp_path / "out.json"
    arguments = ("--max-iters", "20", "--node", "bet 50", "--hands", "AK", "--out", str(out))
    assert run(str(both), *arguments) == 0
    spots = json.loads(out.read_text())["spots"]
    assert [spot["id"] for spot in spots] == ["small river", "second"]
    assert spots[0]["iterations"] == 20
    assert spots[0]["node"]["player"] == "ip"
    assert set(spots[0]["node"]["frequencies"]) == {"Fold", "Call", "Raise(125)", "AllIn(250)"}
    assert "AcKd" in capsys.readouterr().out


def test_save_go_on_and_picture(river: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, picture = tmp_path / "river.solve", tmp_path / "river.png"
    assert run(str(river), "--max-iters", "20", "--save", str(saved), "--png", str(picture)) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert run(str(saved)) == 0
    assert "after 20" in capsys.readouterr().out.replace("\n", " ")
    assert run(str(saved), "--max-iters", "30") == 0
    assert "after 50" in capsys.readouterr().out.replace("\n", " ")


def test_a_lock_from_the_command_line(river: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    assert run(str(river), "--max-iters", "50", "--lock", "bet 50: fold 1", "--node", "bet 50", "--out", str(out)) == 0
    assert json.loads(out.read_text())["node"]["frequencies"]["Fold"] == pytest.approx(1.0)


def test_a_saved_solve_goes_on_for_no_time_at_all(river: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The least that a solve does is one iteration."""
    saved = river.with_name("river.solve")
    assert run(str(river), "--max-iters", "20", "--save", str(saved)) == 0
    capsys.readouterr()
    assert run(str(saved), "--time-budget-ms", "0") == 0
    assert "after 21" in capsys.readouterr().out.replace("\n", " ")


def test_a_spot_without_bets_and_with_brackets_in_its_name(river: Path, capsys: pytest.CaptureFixture[str]) -> None:
    river.write_text(json.dumps({**RIVER, "id": "river [/bold]", "bet_sizes": {}, "reference": "none"}))
    assert run(str(river)) == 0
    printed = capsys.readouterr().out
    assert "river [/bold]" in printed
    assert "exploitability 0.0000 %" in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--node", "check, check"), "the hand is over there"),
        (("--node", "bet 51"), "'Bet(51)' is not possible here"),
        (("--hands", "AA, xyz"), "'xyz' is not a hand or range"),
    ],
)
def test_a_wrong_question_is_refused_before_the_solve(
    river: Path, arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(solve, "solve_subgame", lambda *_, **__: pytest.fail("it was solved"))
    assert run(str(river), *arguments) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--out", "--png", "--save"])
def test_a_place_that_cannot_be_written_is_refused_before_the_solve(
    option: str, river: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(solve, "solve_subgame", lambda *_, **__: pytest.fail("it was solved"))
    for place, message in ((river.parent, "is a folder"), (river / "below", "is a file, and a folder is needed")):
        assert run(str(river), option, str(place)) == 2
        assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--spot", "X"), "has no spot 'X'; it has small river"),
        (("--node", "bet 51"), "'Bet(51)' is not possible here"),
        (("--node", "bed 50"), "'bed 50' is neither an action nor a card"),
        (("--lock", "bet 50"), "the lock 'bet 50' is not understood"),
        (("--target", "x"), "Invalid value for '--target'"),
    ],
)
def test_mistakes_are_one_sentence(
    river: Path, arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(str(river), "--max-iters", "2", *arguments) == 2
    assert message in capsys.readouterr().err
    assert run(str(river.with_name("none.json"))) == 2


def test_no_file_is_written_over_another(river: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = river.read_text()
    other = str(river.with_name("other"))
    for arguments, message in (
        (("--out", str(river)), "is what is to be solved"),
        (("--save", str(river.parent / "." / river.name)), "is what is to be solved"),
        (("--out", other, "--save", other), "would write over each other"),
    ):
        assert run(str(river), "--max-iters", "2", *arguments) == 2
        assert message in capsys.readouterr().err
    assert river.read_text() == before
    assert [path.name for path in river.parent.iterdir()] == ["river.json"]
    assert run(str(river), "--max-iters", "2", "--save", other) == 0
    assert run(other, "--max-iters", "3", "--save", other) == 0  # it goes on where it lies
    assert run(other, "--out", other) == 2


def test_another_spot_than_the_saved_one_is_not_there(river: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = str(river.with_name("saved"))
    assert run(str(river), "--max-iters", "2", "--save", saved) == 0
    assert run(saved, "--spot", "small river") == 0
    assert run(saved, "--spot", "PR1") == 2
    assert "is a saved solve of 'small river', not of 'PR1'" in capsys.readouterr().err


def test_bad_spots_leave_status_2_and_nothing_behind(river: Path, capsys: pytest.CaptureFixture[str]) -> None:
    river.write_text(json.dumps({**RIVER, "effective_stack": 0}))
    assert run(str(river), "--out", str(river.with_name("out.json"))) == 2
    assert capsys.readouterr().err.startswith("error: effective_stack is 0")
    assert [path.name for path in river.parent.iterdir()] == ["river.json"]


def test_blank_cells_are_explained(river: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(river), "--max-iters", "2") == 0
    assert "blank: no hand of the class is possible here" in capsys.readouterr().out


def test_the_verb_is_known() -> None:
    call = [sys.executable, "-m", "holdem.cli.main", "solve", "--help"]
    result = subprocess.run(call, capture_output=True, text=True, check=True)
    assert "range" in result.stdout or "spot" in result.stdout


def test_a_node_that_is_asked_for_builds_no_tree_twice(river: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    warm_up()
    built = []
    build = TreeBuilder.build

    def count(builder: TreeBuilder) -> Node:
        built.append(builder)
        return build(builder)

    monkeypatch.setattr(TreeBuilder, "build", count)
    assert run(str(river), "--max-iters", "2", "--node", "bet 50") == 0
    assert len(built) == 1


def test_the_first_solve_says_that_it_compiles(river: Path, tmp_path: Path) -> None:
    """A cache folder that was never used, and an end as soon as the sentence is there."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "holdem.cli.solve", str(river), "--max-iters", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=environment, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        process.kill()
    assert re.fullmatch(r"compiling \d+ kernels for this machine, once for each version: about \d+ s\n", line)


def test_groups_of_a_turn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "PT1.json"
    arguments = ("--spot", "PT1", "--groups", "16", "--max-iters", "100", "--out", str(out))
    assert run(str(REFERENCE_FILE), *arguments) == 0
    figures = json.loads(out.read_text())
    # The reference's EV; sixteen groups and a hundred iterations are within half a per cent of the pot of 120.
    assert figures["ev_oop"] == pytest.approx(60.383, abs=0.6)
    shown = capsys.readouterr().out.replace("\n", " ")
    assert "16 groups of hands on every river" in shown and "with exact hands on all rivers: " in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--spot", "PR1", "--groups", "16"), "groups of hands are for the streets after a flop or a turn"),
        (("--spot", "PT1", "--groups", "16", "--node", "check, check, 5c"), "only the first street can be shown"),
        (("--spot", "PT1", "--groups", "16", "--save", "x.solve"), "a solve with --groups cannot be saved"),
        (("--spot", "PT1", "--groups", "16", "--compressed"), "with 32-bit tables"),
    ],
)
def test_what_groups_cannot_do(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert run(str(REFERENCE_FILE.resolve()), *arguments, "--max-iters", "2") == 2
    assert message in capsys.readouterr().err
