"""Which run a verb works with: named, the newest, a shipped model, or none."""

import io
import json
import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from holdem.cli.table_options import open_history, table_size
from holdem.errors import ArtifactError
from holdem.evaluation.baselines import open_baseline
from holdem.game import Game
from holdem.game.play import play_hand
from holdem.table.history.hand_history import HandHistory
from holdem.table.history.observed_hand import ObservedHand, seen_by
from holdem.table.profiles.profiles import TableProfile
from holdem.util.jit import user_cache_folder
from tests.cli.runs import Run, save_toy
from tests.cli.terminal import Terminal
from tests.policy.test_run_names import save_run
from tests.shipped_models import ship
from tests.table.policies import random_policy, save_jam_or_fold

posix = pytest.mark.skipif(shutil.which("sh") is None or os.name == "nt", reason="there is no pseudo-terminal")


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty working directory, and a package that brought no models."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)


@pytest.fixture
def models(empty_folder: None) -> None:
    """Models for two and three seats."""
    ship(Path(), "headsup")
    ship(Path(), "threemax", "three players")


def type_lines(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


@pytest.mark.parametrize("verb", [("show",), ("litmus",), ("dry-run", "--no-search", "--max-hands", "1")])
def test_the_newest_run_is_taken_and_said(run: Run, verb: tuple[str, ...]) -> None:
    save_jam_or_fold(Path("runs/mine"))
    save_run(Path("runs/older"), changed=1000.0)
    result = run(*verb)
    assert result.status in (0, 1), result.err  # litmus: 1 for a random strategy
    assert "using runs/mine (jam_or_fold_10bb, " in result.err
    assert "the newest run under runs/" in result.err


@pytest.mark.parametrize("verb", ["play", "serve", "dry-run", "show", "litmus", "eval"])
def test_without_a_run_and_a_model_one_sentence_says_what_to_do(run: Run, verb: str) -> None:
    result = run(verb)
    assert result.status == 2
    assert result.err.startswith("error: ")
    assert "train one with: holdem train --time-budget 60 --num-workers 0" in result.err
    assert result.err.count("\n") == 1
    assert not Path("runs").exists()


@pytest.mark.parametrize("verb", [("show",), ("litmus",), ("dry-run", "--no-search", "--max-hands", "1")])
def test_without_a_run_the_model_is_taken_and_said(run: Run, verb: tuple[str, ...], models: None) -> None:
    result = run(*verb)
    assert result.status in (0, 1), result.err
    said = "using models/headsup (jam_or_fold_10bb, 10 iterations), since there is no run under runs/"
    assert said in result.err


def newer_format(manifest: Path) -> None:
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "format_version": 99}))


def cut_off(manifest: Path) -> None:
    manifest.write_text(manifest.read_text()[:-20])


@pytest.mark.parametrize(("hurt", "why"), [(newer_format, "format version 99"), (cut_off, "is not JSON")])
def test_a_run_that_cannot_be_read_is_not_replaced(
    run: Run, models: None, hurt: Callable[[Path], None], why: str
) -> None:
    save_jam_or_fold(Path("runs/older"))
    os.utime("runs/older/avg_policy.json", (1e9, 1e9))
    hurt(save_jam_or_fold(Path("runs/mine")))
    for words in (("show",), ("play", "--seats", 3)):
        refused = run(*words)
        assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)
        assert refused.err.startswith("error: runs/mine/avg_policy.json ") and why in refused.err
        assert "write it again with: holdem train --resume-from runs/mine" in refused.err
    os.utime("runs/mine/avg_policy.json", (1e8, 1e8))
    result = run("show")
    assert result.status == 0
    assert "using runs/older (jam_or_fold_10bb, 10 iterations), the newest run under runs/" in result.err
    assert run("play", "--seats", 3).status == 2, "what cannot be read may be for three"


def test_a_run_without_a_policy_yet_is_said(run: Run, models: None) -> None:
    save_toy(Path("runs/leduc"), "leduc")
    assert "using models/headsup (jam_or_fold_10bb, 10 iterations), since no run under runs/ is of hold'em" in (
        run("show").err
    )
    Path("runs/x").mkdir()
    Path("runs/x/checkpoint_100.pkl").touch()
    result = run("show")
    assert result.status == 0
    assert result.err == (
        "using models/headsup (jam_or_fold_10bb, 10 iterations), since runs/x has no average policy yet\n"
    )
    save_jam_or_fold(Path("runs/mine"))
    os.utime("runs/mine/avg_policy.json", (1e9, 1e9))
    os.utime("runs/x", (1e8, 1e8))
    Path("runs/y/instance_0").mkdir(parents=True)
    os.utime("runs/y", (4e9, 4e9))
    said = run("show").err
    assert said.startswith("using runs/mine (")
    assert said.endswith("the newest run under runs/; runs/y has no average policy yet\n")


def test_hands_with_a_model_are_kept_in_the_working_directory(
    run: Run, models: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for verb, words in (("play", ()), ("dry-run", ()), ("autoplay", ("--i-understand-the-tos",))):
        type_lines(monkeypatch, "f\nq\n")
        result = run(verb, "--no-search", "--max-hands", "1", *words)
        assert result.status == 0, result.err
        assert len(list(Path("runs/headsup/hands").glob(f"{verb.replace('-', '_')}_*.phhs"))) == 1
    assert not list(user_cache_folder().rglob("*.phhs"))
    [played] = Path("runs/headsup/hands").glob("play_*.phhs")
    reviewed = run("review", played, "--json", "--no-solver")
    assert reviewed.status == 0, reviewed.err
    assert "using models/headsup" in reviewed.err, "a folder with hands alone is no run"


@pytest.mark.parametrize(("seats", "name"), [(2, "headsup"), (3, "threemax")])
def test_the_model_has_as_many_seats_as_the_table(
    run: Run, models: None, seats: int, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    type_lines(monkeypatch, "f\nq\n")
    result = run("play", "--seats", seats, "--no-search", "--hands", "1")
    assert result.status == 0, result.err
    assert f"using models/{name} (" in result.err
    assert list(Path(f"runs/{name}/hands").glob("play_*.phhs"))
    Path("table.json").write_text(json.dumps({"name": "mine", "seats": seats}))
    assert f"using models/{name} (" in run("dry-run", "--profile", "table.json", "--no-search", "--max-hands", 1).err


def test_a_run_for_the_seats_wins_over_a_newer_one_and_a_model_over_refusing(
    run: Run, models: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_jam_or_fold(Path("runs/two"))
    os.utime("runs/two/avg_policy.json", (4e9, 4e9))
    words = ("play", "--seats", "3", "--no-search", "--hands", "1")
    type_lines(monkeypatch, "f\nq\n")
    assert (
        "using models/threemax (three players, 10 iterations), since no run under runs/ is for 3 seats"
        in run(*words).err
    )
    random_policy("three players").save(Path("runs/three"))
    type_lines(monkeypatch, "f\nq\n")
    result = run(*words)
    assert "using runs/three (three players, 10 iterations), the only run for 3 seats under runs/" in result.err
    assert result.status == 0, result.err


def test_without_a_model_for_the_seats_the_command_that_trains_is_named(run: Run, models: None) -> None:
    result = run("play", "--seats", "4")
    assert result.status == 2
    wanted = "there is no trained run for 4 seats under runs/; train one with: "
    assert f"{wanted}holdem train --time-budget 60 --num-workers 0 --num-players 4, or play a baseline" in result.err


def test_seats_that_contradict_are_refused(run: Run, models: None) -> None:
    refused = run("play", "--seats", "3", "--policy", "models/headsup")
    assert refused.status == 2 and "has 3 seats and the policy was trained for 2" in refused.err
    Path("table.json").write_text(json.dumps({"name": "mine", "seats": 2}))
    refused = run("play", "--seats", "3", "--profile", "table.json")
    assert refused.status == 2 and "mine has 2 seats, and --seats says 3; leave one of them out" in refused.err


def test_a_baseline_at_any_number_of_seats(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    type_lines(monkeypatch, "f\nq\n")
    result = run("play", "--opponent", "always-call", "--seats", "4", "--hands", "1")
    assert result.status == 0, result.err
    assert "bot 3" in result.out


def test_of_two_models_the_one_with_the_nearer_stacks(run: Run) -> None:
    ship(Path(), "headsup")
    ship(Path(), "headsup_200bb", "headsup_100bb")
    for blinds, name in ((12, "headsup"), (90, "headsup_200bb")):
        Path("table.json").write_text(json.dumps({"seats": 2, "stacks": blinds * 100, "big_blind": 100}))
        result = run("dry-run", "--profile", "table.json", "--no-search", "--no-ev", "--max-hands", "1")
        assert f"using models/{name} (" in result.err


@pytest.mark.parametrize(("verb", "limit"), [("dry-run", "--max-hands"), ("play", "--hands")])
def test_stacks_without_a_big_blind_are_counted_in_the_usual_one(
    run: Run, verb: str, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was the first of the models, whatever the stacks: what a profile leaves out is the policy's."""
    ship(Path(), "headsup")
    ship(Path(), "headsup_200bb", "headsup_100bb")
    profile = {"name": "deep", "table": "local", "opponents": ["tight-aggressive"]}
    for chips, name in ((1_200, "headsup"), (9_000, "headsup_200bb")):
        Path("d.json").write_text(json.dumps({**profile, "stacks": [chips]}))
        type_lines(monkeypatch, "q\n")
        assert f"using models/{name} (" in run(verb, "--profile", "d.json", "--no-search", limit, 1).err


def test_stacks_of_a_game_without_blinds_choose_no_model() -> None:
    profile = TableProfile(stacks=(20_000,), big_blind=0)
    assert table_size(profile) == (None, None)


@pytest.mark.parametrize(
    ("stacks", "blinds"), [((4_000, 16_000), 40), ((20_000,), 200), ((300, 10_000, 7_000), 70), ((500, 500), 5)]
)
def test_stacks_that_differ_are_as_deep_as_two_can_play(stacks: tuple[int, ...], blinds: float) -> None:
    assert table_size(TableProfile(stacks=stacks))[1] == blinds


def test_most_hands_of_a_file_choose_the_model(run: Run) -> None:
    """Stacks that are carried on all differ, so pairs of seats and stacks would be counted one by one."""
    ship(Path(), "headsup")
    ship(Path(), "threemax", "three players")
    three, two = Game(random_policy("three players").config), Game(random_policy("jam_or_fold_10bb").config)
    with HandHistory.open(Path("hands.phhs")) as history:
        for number in range(5):
            stacks = (800 + 10 * number, 900, 1_000)
            game, names = (three, ("you", "a", "b")) if number < 3 else (two, ("you", "a"))
            hand = play_hand(game, [open_baseline("always-call")] * len(names), number, stacks=stacks[: len(names)])
            history.append(ObservedHand(number, 0, names, seen_by(hand.records, 0), hand.payoffs))
    result = run("review", "hands.phhs", "--no-solver", "--deals", 20, "--json")
    assert "using models/threemax (" in result.err
    assert json.loads(result.out)["left_out"] == 2


def test_hands_are_reviewed_with_the_policy_that_they_lie_beside(run: Run) -> None:
    ship(Path(), "headsup")
    save_jam_or_fold(Path("runs/older"))
    save_jam_or_fold(Path("runs/newest"), seed=2)
    game = Game(random_policy("jam_or_fold_10bb").config)
    for folder, policy in (("older", "runs/older"), ("headsup", "models/headsup"), ("elsewhere", "runs/newest")):
        hands = Path("runs") / folder / "hands" / "played.phhs"
        with HandHistory.open(hands) as history:
            hand = play_hand(game, [open_baseline("always-call")] * 2, 1)
            history.append(ObservedHand(0, 0, ("you", "bot"), seen_by(hand.records, 0), hand.payoffs))
        result = run("review", hands, "--no-solver", "--deals", 20, "--json")
        assert result.status == 0, result.err
        assert json.loads(result.out)["policy"].endswith(policy)


def test_sessions_of_one_second_write_to_files_of_their_own() -> None:
    """The second one was refused, with the advice to give another file, though nobody had given one."""
    with ExitStack() as stack:
        names = [stack.enter_context(open_history(None, Path("runs/mine"), "play")).path for _ in range(4)]
        assert len(set(names)) == 4
        assert all(name.parent == Path("runs/mine/hands") and name.suffix == ".phhs" for name in names)
        with pytest.raises(ArtifactError, match="being written by another process; give another file"):
            open_history(names[0], Path("runs/mine"), "play")
    open_history(names[0], Path("runs/mine"), "play").close()


def test_hands_are_reviewed_by_the_model_for_their_stacks(run: Run) -> None:
    """Stacks of 90 big blinds and more were reviewed by the model of the shallow game before."""
    ship(Path(), "headsup")
    ship(Path(), "headsup_200bb", "headsup_100bb")
    for policy, name in (("models/headsup", "headsup"), ("models/headsup_200bb", "headsup_200bb")):
        played = run("dry-run", "--policy", policy, "--no-search", "--no-ev", "--max-hands", "2", "--history", "x.phhs")
        assert played.status == 0, played.err
        reviewed = run("review", "x.phhs", "--no-solver", "--json")
        assert reviewed.status == 0, reviewed.err
        assert f"using models/{name} (" in reviewed.err
        Path("x.phhs").unlink()


@pytest.mark.parametrize(
    ("words", "lacks"),
    [
        (("train", "--resume-from", "models/threemax", "--iters", "10"), "no checkpoint to go on from"),
        (("merge", "models/threemax", "--out", "merged"), "no checkpoint to merge"),
        (("monitor", "models/threemax"), "no training to follow"),
        (("compare", "models/threemax"), "no instances to rank"),
    ],
)
def test_what_only_a_run_has_is_said(run: Run, models: None, words: tuple[str, ...], lacks: str) -> None:
    result = run(*words)
    assert result.status == 2
    way_out = "train a run of your own with: holdem train --time-budget 60 --num-workers 0 --num-players 3\n"
    assert result.err == f"error: models/threemax is a shipped model, which has {lacks}; {way_out}"
    Path("runs/threemax/hands").mkdir(parents=True)  # as after hands with it
    assert run(*(word.replace("models/", "runs/") for word in words)).err == result.err


def test_one_argument_of_show_may_be_the_line(run: Run) -> None:
    save_jam_or_fold(Path("runs/mine"))
    assert "SB raise 10bb all-in" in run("show", "SB raise 10bb").out
    wrong = run("show", "mnie")
    assert wrong.status == 2
    assert "mnie does not exist; did you mean runs/mine?" in wrong.err
    assert run("show", "mine").status == 0


def test_a_name_that_no_file_can_have_is_refused(run: Run) -> None:
    save_jam_or_fold(Path("runs/mine"))
    line = "SB raise 10bb, " * 100
    for arguments in (("show", line), ("show", "x" * 5000), ("dry-run", "--policy", "y" * 5000)):
        result = run(*arguments)
        assert result.status == 2
        assert result.err.startswith(("error: ", "using runs/mine"))
    assert run("train", "--config", "z" * 5000).status == 2


NO_NAME = "error: no run was named; name one, such as "


@pytest.mark.parametrize(
    ("words", "start"),
    [
        (
            ("show", "notes.md"),
            "error: notes.md is a file and not a run; name the folder of a run, or its avg_policy.json",
        ),
        (("match", "notes.md", "random"), "error: notes.md is a file and not a run; "),
        (
            ("show", "assets/models"),
            "error: assets/models is no run; it holds models: name one of them, such as models/h",
        ),
        (
            ("show", "mine/hands"),
            "error: mine/hands is no run; name the folder of a run, or a model (holdem models lists",
        ),
        (("show", "empty"), "error: empty/avg_policy.json is missing; a run writes it when it ends"),
        (("show", ""), NO_NAME),
        (("show", "", "SB raise 10bb"), NO_NAME),
        (("play", "--policy", ""), NO_NAME),
        (("play", "--policy="), NO_NAME),
        (("play", "--opponent", ""), NO_NAME),
        (("monitor", ""), NO_NAME),
        (("train", "--iters", 1, "--resume-from", ""), NO_NAME),
        (
            ("match", "search:", "random"),
            "error: no run was named in 'search:'; name one, such as search:models/headsup",
        ),
        (
            ("play", "--opponent", "models/headsu"),
            "error: 'models/headsu' is neither a file nor a baseline; did you mean m",
        ),
        (
            ("dealer", "--game", "models/headsup"),
            "error: models/headsup is a model, and a game is wanted here; did you mean jam_or_fold_10bb, which it was",
        ),
        (
            ("dealer", "--game", "models/threemax"),
            "error: models/threemax is a model, and a game is wanted here; ACPC games",
        ),
    ],
)
def test_what_is_no_run_is_said(run: Run, models: None, words: tuple[str, ...], start: str) -> None:
    Path("notes.md").touch()
    Path("mine/hands").mkdir(parents=True)
    Path("mine/hands/play.phhs").touch()
    Path("empty").mkdir()
    refused = run(*words)
    said = refused.err.splitlines()[-1]
    assert (refused.status, refused.out) == (2, "")
    assert said.startswith(start)
    assert "--resume-from" not in said and ("--logdir" not in said or words[-1] == "empty")


def test_an_opponent_for_other_seats_than_the_policy(run: Run, models: None) -> None:
    for verb in ("play", "serve"):
        refused = run(verb, "--policy", "models/headsup", "--opponent", "models/threemax")
        assert refused.status == 2
        assert refused.err == (
            "error: models/threemax was trained for 3 players, and models/headsup for 2; choose an opponent for 2, or "
            f"leave --policy out: holdem {verb} --seats 3 --opponent models/threemax\n"
        )


def test_a_run_that_is_the_opponent_is_the_blueprint_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    save_jam_or_fold(Path("runs/opponent"))
    save_run(Path("runs/newest"), "headsup_100bb", changed=4e9)
    type_lines(monkeypatch, "f\nq\n")
    result = run("play", "--opponent", "opponent", "--no-search", "--hands", "1")
    assert result.status == 0, result.err
    assert list(Path("runs/opponent/hands").glob("play_*.phhs"))


@posix
def test_a_person_in_an_empty_folder_is_dealt_in(models: None) -> None:
    terminal = Terminal("play", "--seats", "3", "--no-search")
    terminal.until("since there is no run under runs/")
    terminal.until("you are dealt")
    terminal.type("q\n")
    assert terminal.status() == 0
