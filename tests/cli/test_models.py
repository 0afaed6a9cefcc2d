"""`holdem models`: the list, everything about one, and names; in a folder where some were packed."""

import json
import shlex
from pathlib import Path

import pytest
from pytest import approx

from holdem.cards.ranges import CLASS_NAMES
from holdem.cli.completion import models as completed_models
from holdem.cli.model_tables import duration, result_tables, worst_baseline
from holdem.errors import ConfigError
from holdem.policy.models import pack
from holdem.policy.models.catalogue import model_names
from holdem.policy.policy import AveragePolicy
from holdem.policy.run_names import TRAIN_COMMAND, named_run
from tests.cli.runs import Run, save_toy
from tests.cli.test_completion import ask
from tests.policy.models.test_damaged_models import sealed
from tests.shipped_models import RESULTS, TRAINING, ship
from tests.table.policies import save_jam_or_fold


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
        "    holdem models pack RUN assets/models/headsup --title 'A random policy of jam_or_fold_10bb' --levels 240\n",
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
    shows = ["    holdem show models/threemax", '    holdem show models/threemax "BTN fold"']
    assert lines[start + 3 :] == ["the hands of each:", *shows]
    assert "SB" in run(*shlex.split(shows[1])[1:]).out
    picture = Path("docs/pictures/models/threemax.png")
    picture.parent.mkdir(parents=True)
    picture.touch()
    assert run("models", "show", "threemax").out.splitlines()[-1] == f"a picture of them: {picture.absolute()}"


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
    assert "has format version 3, and this program knows up to 2; update holdem" in listed.err
    for words in (("show",), ("dry-run", "--no-search", "--no-ev", "--max-hands", "1")):
        refused = run(*words)
        assert (refused.status, refused.err.count("\n")) == (2, 1)
        assert "headsup/model.json has format version 3" in refused.err
    assert run("models", "show", "threemax").status == 0


def test_models_that_cannot_be_read_are_not_said_to_be_missing(run: Run) -> None:
    for name in ("headsup", "threemax"):
        folder = Path("assets/models") / name
        content = json.loads((folder / "model.json").read_text())
        sealed(folder, {**content, "format_version": content["format_version"] + 1})
    listed = run("models")
    assert (listed.status, listed.err.count("left out: ")) == (0, 2)
    assert listed.out == f"none of the models can be read; train a blueprint with: {TRAIN_COMMAND}\n"


def test_a_folder_that_no_model_can_be_called_is_no_model(run: Run, folder: Path) -> None:
    """Its name is told to nobody: a terminal would obey it."""
    for name in ("\x1b]0;pwn\x07x", "Headsup", "head sup"):
        (folder / "assets" / "models" / name).mkdir()
        (folder / "assets" / "models" / name / "model.json").write_text("{}")
    result = run("models")
    assert (result.status, result.err) == (0, "")
    assert "pwn" not in result.out + run("models", "show", "other").err
    assert model_names() == ["models/headsup", "models/threemax"] == completed_models()


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999"])
def test_what_is_no_number_of_json_is_refused(run: Run, number: str) -> None:
    """Every JSON reader takes what --json prints."""
    folder = Path("assets/models/headsup")
    text = (folder / "model.json").read_text().replace("120.04", number)
    sealed(folder, json.loads(text))
    listed = run("models", "--json")
    assert [model["name"] for model in json.loads(listed.out, parse_constant=pytest.fail)["models"]] == ["threemax"]
    assert "is no number that JSON has" in listed.err and listed.err.count("\n") == 1
    with pytest.raises(ConfigError, match="plain JSON"):
        ship(Path(), "other", results={"lbr": [float(number)]})
    assert not Path("assets/models/other").exists()


# Packing


def packed(run: Run, *words: object) -> tuple[int, str]:
    result = run("models", "pack", *words, "--title", "A minute")
    return result.status, result.err


def test_a_run_is_packed_and_played_and_says_how_to_pack_it_again(run: Run) -> None:
    trained = run("train", "--game", "jam_or_fold_10bb", "--iters", 20, "--logdir", "runs/mine", "--no-tensorboard")
    assert trained.status == 0, trained.err
    Path("measured.json").write_text(json.dumps(RESULTS))
    words = ("runs/mine/avg_policy.json", "assets/models/mine", "--title", "A minute's", "--levels", "2,4,4,4")
    result = run("models", "pack", *words, "--results", "measured.json")
    assert result.status == 0, result.err
    assert result.out.splitlines()[0].startswith("wrote assets/models/mine (")
    assert result.out.splitlines()[1] == "play it: holdem play --policy models/mine"
    told = json.loads(run("models", "show", "mine", "--json").out)
    summary = json.loads(Path("runs/mine/summary.json").read_text())
    assert told["training"] == {"seconds": summary["seconds"], "workers": 1}
    assert (told["title"], told["levels"], told["results"]) == ("A minute's", [2, 4, 4, 4], RESULTS)
    digest = told["policy_sha256"]
    [again] = (line for line in run("models", "show", "mine").out.splitlines() if "holdem models pack" in line)
    again = again.replace(" RUN ", " runs/mine ")
    assert run(*shlex.split(again)[1:]).status == 2
    assert run(*shlex.split(again)[1:], "--force").status == 0
    told = json.loads(run("models", "show", "mine", "--json").out)
    assert (told["title"], told["levels"], told["policy_sha256"]) == ("A minute's", [2, 4, 4, 4], digest)


def test_a_summary_of_another_policy_is_not_carried(run: Run) -> None:
    save_jam_or_fold(Path("runs/mine"))
    Path("runs/mine/summary.json").write_text(json.dumps({"iterations": 11, "seconds": 60.0, "workers": 2}))
    assert packed(run, "mine", "assets/models/mine") == (0, "")
    assert json.loads(run("models", "show", "mine", "--json").out)["training"] == {}


def test_what_cannot_be_packed_is_one_sentence(run: Run) -> None:
    save_jam_or_fold(Path("runs/mine"))
    Path("list.json").write_text("[]")
    Path("nan.json").write_text('{"lbr": NaN}')
    before = {path: path.read_bytes() for path in Path("assets").rglob("*.*")}
    for words, said in (
        (("runs/mine", "assets/models/headsup"), "holds a model; name another folder, or replace it with --force"),
        (("runs/mnie", "assets/models/mine"), "did you mean runs/mine?"),
        (("runs/mine", "assets/models/Mine"), "small letters"),
        (("runs/mine", "assets/models/mine", "--levels", "many"), "--levels 'many' is no number"),
        (("runs/mine", "assets/models/mine", "--levels", "7"), "has 7 levels; a number of levels divides 60,000"),
        (("runs/mine", "assets/models/mine", "--levels", "2,4"), "one for each of 4 streets"),
        (("runs/mine", "assets/models/mine", "--results", "none.json"), "none.json cannot be read"),
        (("runs/mine", "assets/models/mine", "--results", "list.json"), "list.json holds no JSON object"),
        (("runs/mine", "assets/models/mine", "--results", "nan.json"), "nan is no number that JSON has"),
        (("runs/mine", "list.json/mine"), "list.json is a file, and a folder is needed there"),
    ):
        status, sentence = packed(run, *words)
        assert (status, sentence.count("\n")) == (2, 1), sentence
        assert sentence.startswith("error: ") and said in sentence
    assert before == {path: path.read_bytes() for path in Path("assets").rglob("*.*")}


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
        (("models", "pack", ""), []),
    ):
        found, imported = ask(folder, "holdem", *words)
        assert found == expected, words
        assert "numba" not in imported


def test_the_tab_key_finds_what_the_catalogue_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # those of the package
    assert completed_models() == sorted(model_names())
