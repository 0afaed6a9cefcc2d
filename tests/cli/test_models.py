"""`holdem models`: the list, everything about one, and names; in a folder where some were packed."""

import json
from pathlib import Path

import pytest
from pytest import approx

from holdem.cards.ranges import CLASS_NAMES
from holdem.cli.completion import models as completed_models
from holdem.cli.model_tables import duration, result_tables, worst_baseline
from holdem.policy.models import pack
from holdem.policy.models.catalogue import model_names
from holdem.policy.policy import AveragePolicy
from holdem.policy.run_names import TRAIN_COMMAND, named_run
from tests.cli.runs import Run, save_toy
from tests.cli.test_completion import ask
from tests.policy.models.test_damaged_models import sealed
from tests.shipped_models import RESULTS, TRAINING, ship


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a model for two seats and one for three, the latter never measured."""
    monkeypatch.chdir(tmp_path)
    ship(tmp_path, "headsup")
    ship(tmp_path, "threemax", "three players", training={}, results={})
    return tmp_path


def test_the_list(run: Run) -> None:
    result = run("models")
    assert result.status == 0
    first, second = (line for line in result.out.splitlines() if "–" in line or "bb/100" in line)
    for words in ("headsup", "jam_or_fold_10bb", "2", "10 bb", "1 h 6 min", "MB", "+51.2 ± 3.0 bb/100 (pot-odds)"):
        assert words in first
    assert "three players" in second and "10 bb" in second
    assert "holdem models show headsup" in result.out


def test_everything_about_one(run: Run) -> None:
    shown = run("models", "show", "headsup").out
    for words in (
        "models/headsup: A random policy of jam_or_fold_10bb",
        "169 / 1 / 1 / 1 buckets",
        "licence MIT",
        "trained: 10 iterations in 1 h 6 min with 2 workers on 2-core Linux server on 2026-11-16",
        *TRAINING["commands"],  # type: ignore[misc]
        "always-call", "+120.0 ± 8.3", "30,000", "+310.0 ± 40.0",
        "litmus: 11 of 12 checks passed; failed: aces are not folded",
        "measured: 2026-11-16, 2-core Linux server; 95 % intervals",
    ):  # fmt: skip
        assert words in shown
    assert run("models", "show", "models/threemax").out.startswith("models/threemax: ")


def test_json_has_all_of_it(run: Run) -> None:
    first, second = json.loads(run("models", "--json").out)["models"]
    assert (first["name"], first["run"], first["seats"], first["stack_blinds"]) == ("headsup", "models/headsup", 2, 10)
    assert first["training"] == TRAINING and first["results"] == RESULTS
    told = json.loads(run("models", "show", "threemax", "--json").out)
    assert [opening["position"] for opening in told.pop("openings")] == ["BTN", "SB"]
    assert told == second


def test_openings_are_those_of_the_policy(run: Run) -> None:
    """The first position's counted here from its 169 rows, the others' as `holdem show` has them."""
    lines = run("models", "show", "threemax").out.splitlines()
    button, small_blind = json.loads(run("models", "show", "threemax", "--json").out)["openings"]
    policy = AveragePolicy.load(named_run(Path("models/threemax")))
    combos = [6 if name[0] == name[1] else 4 if name[2] == "s" else 12 for name in CLASS_NAMES]
    fold, call, raised = (
        sum(combo * policy.rows(0)[0][row][action] for row, combo in enumerate(combos)) / 1326 for action in range(3)
    )
    assert button == {"position": "BTN", "raise": approx(raised), "call": approx(call), "fold": approx(fold)}
    shown = json.loads(run("show", "models/threemax", "BTN fold", "--json").out)["frequencies"]
    expected = {"raise": shown["raise 10bb all-in"], "call": shown["call"], "fold": shown["fold"]}
    assert small_blind == {"position": "SB", **{name: approx(share) for name, share in expected.items()}}
    start = lines.index("when everybody before folded, in % of hands:")
    words = f"    BTN: raises {100 * raised:.1f} %, calls {100 * call:.1f} %, folds {100 * fold:.1f} %"
    assert lines[start + 1] == words
    assert lines[start + 2].startswith("    SB: raises ")
    assert lines[start + 3 :] == ["the grid: holdem show models/threemax"]


def test_heads_up_the_small_blind_opens(run: Run) -> None:
    shown = run("models", "show", "headsup").out
    assert shown.count(": raises ") == 1
    assert "    SB: raises " in shown and "calls" not in shown.partition("    SB: ")[2], "jam or fold has no call"
    [opening] = json.loads(run("models", "show", "headsup", "--json").out)["openings"]
    assert opening["call"] == 0.0
    assert opening["raise"] + opening["fold"] == approx(1.0)


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_a_game_without_hole_pairs_has_no_openings(run: Run, game: str) -> None:
    save_toy(Path("toy"), game)
    pack(Path("toy"), Path("assets/models/toy"), name="toy", title="A toy")
    assert "everybody before" not in run("models", "show", "toy").out
    result = run("models", "show", "toy", "--json")
    assert (result.status, json.loads(result.out)["openings"]) == (0, [])


def test_a_wrong_name_gets_the_nearest(run: Run) -> None:
    wrong = run("models", "show", "hedsup")
    assert (wrong.status, wrong.err) == (2, "error: there is no model 'hedsup'; did you mean headsup?\n")
    assert "the models are: headsup, threemax" in run("models", "show", "entirely/elsewhere").err


def test_a_model_of_a_newer_version_is_named_and_no_other_game_played_in_its_place(run: Run) -> None:
    folder = Path("assets/models/headsup")
    content = json.loads((folder / "model.json").read_text())
    content["format_version"] += 1
    sealed(folder, content)
    ship(Path(), "headsup_200bb", "headsup_100bb")
    listed = run("models")
    assert listed.status == 0
    assert "headsup_200bb" in listed.out
    assert listed.err.startswith("left out: ") and listed.err.count("\n") == 1
    assert "has format version 2, and this program knows up to 1; update holdem" in listed.err
    for words in (("show",), ("dry-run", "--no-search", "--no-ev", "--max-hands", "1")):
        refused = run(*words)
        assert (refused.status, refused.err.count("\n")) == (2, 1)
        assert "headsup/model.json has format version 2" in refused.err
    assert run("models", "show", "threemax").status == 0


def test_models_that_cannot_be_read_are_not_said_to_be_missing(run: Run) -> None:
    for name in ("headsup", "threemax"):
        folder = Path("assets/models") / name
        content = json.loads((folder / "model.json").read_text())
        sealed(folder, {**content, "format_version": content["format_version"] + 1})
    listed = run("models")
    assert (listed.status, listed.err.count("left out: ")) == (0, 2)
    assert listed.out == f"none of the models can be read; train a blueprint with: {TRAIN_COMMAND}\n"


def test_a_package_without_models_says_how_to_train(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (Path("elsewhere")).mkdir()
    monkeypatch.chdir("elsewhere")
    assert "holdem train --time-budget 60" in run("models").out
    assert json.loads(run("models", "--json").out) == {"models": []}


def test_results_of_any_shape_are_shown_as_far_as_they_are_known() -> None:
    for odd in (
        {},
        {"baselines": "many"},
        {"baselines": [3, {"opponent": "x"}]},
        {"lbr": [{}], "matches": [{"note": 1}]},
        {"baselines": [{"opponent": "x", "bb_per_100": 10**400}]},
    ):
        list(result_tables(odd))
        assert worst_baseline(odd) == ""
    assert [duration(seconds) for seconds in (None, True, 0, 59.6, 90_061)] == ["", "", "0 s", "1 min", "1 d 1 h"]


def test_a_terminal_obeys_nothing_that_a_model_says() -> None:
    table = next(result_tables({"matches": [{"opponent": "\x1b]0;title\x07", "bb_per_100": 1.0, "note": "\x9b2J"}]}))
    cells = [str(cell) for column in table.columns for cell in column.cells]
    assert all(cell.isprintable() for cell in cells)
    assert "\\x1b]0;title\\x07" in cells


def test_the_tab_key(folder: Path) -> None:
    assert set(completed_models()) >= {"models/headsup", "models/threemax"}
    for words, expected in (
        (("show", "models/t"), ["models/threemax"]),
        (("play", "--policy", "models/t"), ["models/threemax"]),
        (("match", "search:models/t"), ["search:models/threemax"]),
        (("monitor", "models/"), []),
        (("train", "--resume-from", "models/"), []),
        (("models", "show", "three"), ["threemax"]),
        (("models", "show", "models/three"), ["models/threemax"]),
    ):
        found, imported = ask(folder, "holdem", *words)
        assert found == expected, words
        assert "numba" not in imported


def test_the_tab_key_finds_what_the_catalogue_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # those of the package
    assert completed_models() == sorted(model_names())
