"""The commands that runs print are pasted: split as a shell splits them, and run as they stand."""

import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from holdem.cli.go_on import settings_flags, with_more
from holdem.cli.train_blueprint import default_logdir
from holdem.game import load_preset
from holdem.mccfr.run.checkpoint import newest_valid, read_info
from holdem.types import GameConfig, MCCFRConfig
from holdem.util.words import shell_command
from tests.built_buckets import small_buckets
from tests.mccfr.runs import LEDUC, run_training, train_command
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.long

THREE_PLAYERS = """
variant: kuhn
num_players: 3
stacks: 2
small_blind: 0
big_blind: 0
ante: 1
board_cards: [0]
betting:
  sizes:
    preflop: a
  max_raises: 1
"""
OWN_SETTINGS = """
num_iterations: 4000
discount_interval: 77
regret_discount_alpha: 1.5
sampling: outcome
exploration_epsilon: 0.45
enable_pruning: false
num_workers: 2
batch_size: 50
checkpoint_interval: 1000
seed: 11
"""


def go_on_line(output: str) -> list[str]:
    """The words of the command behind `go on:`."""
    (line,) = re.findall(r"^go on: (.*)$", output, re.MULTILINE)
    words = shlex.split(line)
    assert words[:2] == ["holdem", "train"]
    return words[1:]


def paste(words: list[str], cwd: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "holdem.cli.main", *words]
    result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False, cwd=cwd)
    assert result.returncode == 0, result.stderr
    return result


def test_a_three_player_run_of_ones_own_goes_on(tmp_path: Path) -> None:
    """The folder has a space in its name, and the file of the game is gone when the run goes on."""
    game = tmp_path / "my game.yaml"
    game.write_text(THREE_PLAYERS)
    own = ("--game-config", game, "--iters", 3000, "--no-tensorboard", "--logdir", "my runs/three")
    first = run_training(*own, cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    game.unlink()
    again = paste(go_on_line(first.stdout), tmp_path)
    path, info, _ = newest_valid(tmp_path / "my runs" / "three")
    assert (info.iteration, info.game["num_players"], info.game["name"]) == (6000, 3, "my game")
    assert "Resumed from my runs/three/checkpoint_final.pkl at iteration 3,000" in again.stderr
    # And once more: what the pasted command prints can be pasted as well.
    paste(go_on_line(again.stdout), tmp_path)
    assert read_info(path).iteration == 12_000


def test_a_run_with_settings_of_its_own_goes_on(tmp_path: Path) -> None:
    """All of them come from a YAML file that is gone when the run goes on."""
    settings = tmp_path / "mine.yaml"
    settings.write_text(OWN_SETTINGS)
    first = run_training(*LEDUC[:2], "--config", settings, "--keep", 2, "--logdir", "run", cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    before = read_info(tmp_path / "run" / "checkpoint_final.pkl")
    settings.unlink()
    again = paste(go_on_line(first.stdout), tmp_path)
    after = read_info(tmp_path / "run" / "checkpoint_final.pkl")
    assert (before.iteration, after.iteration) == (4000, 8000)
    assert after.fingerprint == before.fingerprint
    assert after.fingerprint["training"]["exploration_epsilon"] == 0.45
    assert after.seed == before.seed == 11
    assert "INFO: Using 2 worker process(es)" in again.stderr
    assert "INFO: Batch size: 50 iterations" in again.stderr


def test_an_interrupted_run_of_instances_goes_on(tmp_path: Path) -> None:
    run, each = tmp_path / "run", 10_000_000  # for several seconds, so that the signal comes before the end
    arguments = (*LEDUC, "--iters", 2 * each, "--num-instances", 2, "--discount-interval", 777, "--logdir", run)
    process = subprocess.Popen(train_command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while len({path.parent for path in run.glob("instance_*/checkpoint_*.pkl")}) < 2:
        assert process.poll() is None, "it ended by itself"
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 130
    again = paste(go_on_line(output), tmp_path)
    assert "2 of 2 instances completed" in again.stderr
    assert "go on:" not in again.stdout
    finals = [read_info(run / f"instance_{number}" / "checkpoint_final.pkl") for number in range(2)]
    assert [info.iteration for info in finals] == [each, each]
    assert [info.seed for info in finals] == [7, 8]


@pytest.mark.slow
def test_a_merged_run_goes_on(tmp_path: Path) -> None:
    for number in range(2):
        by_hand = ("--instance-id", number, "--instance-range", f"{1000 * number}:{1000 * number + 1000}")
        result = run_training(*LEDUC, *by_hand, "--discount-interval", 100, "--logdir", tmp_path / "grid")
        assert result.returncode == 0, result.stderr
    folders = (str(tmp_path / "grid"), "--out", str(tmp_path / "all of them"))
    merge = [sys.executable, "-m", "holdem.cli.merge", *folders]
    merged = subprocess.run(merge, capture_output=True, text=True, timeout=120, check=True)
    paste(go_on_line(merged.stdout), tmp_path)
    info = read_info(tmp_path / "all of them_longer" / "checkpoint_final.pkl")
    assert (info.iteration, info.fingerprint["training"]["discount_interval"]) == (4000, 100)


@pytest.mark.slow
def test_a_preset_for_three_with_buckets_of_ones_own_goes_on(tmp_path: Path) -> None:
    buckets = small_buckets()
    arguments = ("--num-players", 3, "--buckets", buckets, "--iters", 200, "--no-tensorboard", "--logdir", "run")
    first = run_training(*arguments, cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    words = go_on_line(first.stdout)
    assert words[words.index("--buckets") + 1] == str(buckets)
    paste(words, tmp_path)
    info = read_info(tmp_path / "run" / "checkpoint_final.pkl")
    assert (info.iteration, info.game["name"]) == (400, "threemax_100bb")


def test_resuming_takes_the_game_from_the_checkpoint_and_refuses_another(tmp_path: Path) -> None:
    run = tmp_path / "runs" / "leduc"
    assert run_training(*LEDUC, "--iters", 100, cwd=tmp_path).returncode == 0
    on = ("--resume-from", run, "--iters", 200, "--no-tensorboard")
    other = run_training(*on, "--game", "kuhn", cwd=tmp_path)
    assert other.returncode == 2
    assert 'game.variant: was "leduc", is "kuhn"' in other.stderr
    players = run_training(*on, "--num-players", 3, cwd=tmp_path)
    assert players.returncode == 2
    assert "is a run of leduc for 2 players and num_players is 3; leave it out to go on" in players.stderr
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["leduc"]
    assert run_training(*on, cwd=tmp_path).returncode == 0
    assert newest_valid(run)[1].iteration == 200, "its own folder is where a run of this game goes"


def test_a_run_of_instances_without_checkpoints_does_not_guess_its_game(tmp_path: Path) -> None:
    (tmp_path / "run" / "instance_0").mkdir(parents=True)
    resume = ("--resume-from", "run", "--iters", 100, "--num-instances", 1, "--logdir", "run")
    result = run_training(*resume, cwd=tmp_path)
    assert result.returncode == 2
    assert "run has no whole checkpoint that tells its game; name it with --game or --game-config" in result.stderr


@pytest.mark.parametrize(
    ("game", "folder"),
    [
        (load_preset("headsup_100bb"), "runs/blueprint"),
        (load_preset("headsup_200bb"), "runs/headsup_200bb"),
        (load_preset("threemax_100bb"), "runs/threemax_100bb"),
        (load_preset("kuhn"), "runs/kuhn"),
        (GameConfig(name="my game"), "runs/my_game"),
        (GameConfig(name="headsup_100bb", stacks=(500,)), "runs/headsup_100bb"),
        (GameConfig(name="../../etc"), "runs/_.._etc"),
        (GameConfig(name=".."), "runs/custom"),
        (GameConfig(name=""), "runs/custom"),
    ],
)
def test_every_game_has_a_folder_of_its_own(game: GameConfig, folder: str) -> None:
    assert default_logdir(game) == Path(folder)


def test_without_logdir_leduc_writes_to_its_own_folder(tmp_path: Path) -> None:
    assert run_training(*LEDUC, "--iters", 100, cwd=tmp_path).returncode == 0
    assert newest_valid(tmp_path / "runs" / "leduc")[1].iteration == 100
    assert not (tmp_path / "runs" / "blueprint").exists()


def test_flags_of_settings() -> None:
    assert settings_flags(MCCFRConfig()) == []
    own = MCCFRConfig(time_budget_seconds=7.5, pruning_threshold=-300.0, enable_pruning=False, num_players=3)
    assert settings_flags(own) == ["--time-budget", "7.5", "--no-enable-pruning", "--pruning-threshold", "-300.0"]
    assert with_more(own).time_budget_seconds == 15.0
    assert with_more(own).num_iterations is None


@pytest.mark.skipif(sys.platform == "win32", reason="the shell of POSIX")
def test_a_path_with_spaces_is_one_word() -> None:
    words = ["holdem", "show", "my runs/it's $HOME"]
    assert shlex.split(shell_command(*words)) == words
