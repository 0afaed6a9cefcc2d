"""Refusals of `train_blueprint`: one sentence on stderr, status 2, nothing written."""

from pathlib import Path

import pytest

from holdem.cli.train_blueprint import merge_settings
from holdem.errors import ConfigError
from tests.cli.runs import Run
from tests.mccfr.runs import LEDUC, run_training


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--game", "leduc"), "--iters N or --time-budget"),
        (("--game", "leduk", "--iters", "10"), "leduc"),
        (("--game", "leduc", "--iters", "0"), "num_iterations is 0"),
        (("--game", "leduc", "--time-budget", "-1"), "time_budget_seconds is -1"),
        (("--game", "leduc", "--iters", "10", "--sampling", "both"), "sampling is 'both'"),
        (("--game", "leduc", "--iters", "10", "--num-players", "3"), "leave --num-players 3 out"),
        (("--iters", "10", "--num-players", "7"), "num_players is 7"),
        (("--game", "leduc", "--iters", "10", "--config", "none.yaml"), "does not exist"),
        (("--game", "leduc", "--iters", "10", "--config", "typo.yaml"), "did you mean discount_interval"),
        (("--game", "leduc", "--iters", "10", "--resume-from", "none"), "does not exist"),
        (("--game", "leduc", "--iters", "10", "--resume-from", "."), "holds no checkpoint"),
        (("--game", "leduc", "--iters", "10", "--memory-limit", "1MB"), "--memory-limit allows 0.00 GB"),
        (("--game", "leduc", "--iters", "10", "--memory-limit", "much"), "is not an amount of memory"),
        (("--game", "leduc", "--game-config", "x.yaml", "--iters", "10"), "cannot be used together"),
        (("--game", "leduc", "--iters", "10", "--log-level", "loud"), "--log-level"),
        (("--iters", "10", "--buckets", "none.pkl"), "holdem buckets build --preset small"),
        (("--iters", "10", "--buckets", "typo.yaml"), "holdem buckets build --preset small"),
    ],
)
def test_refusals(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    (tmp_path / "typo.yaml").write_text("discount_intervall: 10\n")
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    result = run("train", *arguments, "--logdir", "run")
    assert result.status == 2, result.err
    assert said in result.err
    assert len(result.err.strip().splitlines()) == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_an_estimate_trains_nothing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("train", "--game", "leduc", "--estimate", "--num-workers", "2")
    assert result.status == 0, result.err
    game, memory, speed, hours = result.out.splitlines()
    assert game == "Game leduc: 2 players, 36 decision nodes, 936 infosets"
    assert memory.startswith("Memory: about 0.")
    assert "decisions/s in one process" in speed
    assert hours.startswith("100 visits per infoset on average: about ") and hours.endswith("with 2 processes")
    refused = run("train", "--game", "leduc", "--estimate", "--memory-limit", "1MB")
    assert refused.status == 0
    assert "--memory-limit allows 0.00 GB" in refused.out.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_resuming_another_game_says_what_differs(tmp_path: Path) -> None:
    run_training(*LEDUC, "--iters", 100, "--logdir", tmp_path / "one")
    other = ("--game", "kuhn", "--iters", 200, "--logdir", tmp_path / "two", "--resume-from", tmp_path / "one")
    result = run_training(*other)
    assert result.returncode == 2
    assert 'game.variant: was "leduc", is "kuhn"' in result.stderr
    discounts = (*LEDUC, "--iters", 200, "--discount-interval", 77, "--resume-from", tmp_path / "one")
    result = run_training(*discounts, "--logdir", tmp_path / "two")
    assert result.returncode == 2
    assert "discount_interval: was 5000, is 77" in result.stderr
    assert not (tmp_path / "two").exists()


def test_a_flag_wins_over_the_other_budget_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "both.yaml"
    path.write_text("num_iterations: 5\nseed: 3\n")
    settings = merge_settings(path, {"time_budget_seconds": 2.0})
    assert (settings.num_iterations, settings.time_budget_seconds, settings.seed) == (None, 2.0, 3)
    path.write_text("time_budget_seconds: 5\n")
    assert merge_settings(path, {"num_iterations": 7}).time_budget_seconds is None
    both = merge_settings(None, {"num_iterations": 7, "time_budget_seconds": 1.0})
    assert (both.num_iterations, both.time_budget_seconds) == (7, 1.0)


def test_the_file_is_checked_even_where_a_flag_wins(tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text("exploration_epsilon: 2\n")
    with pytest.raises(ConfigError, match="exploration_epsilon"):
        merge_settings(path, {"exploration_epsilon": 0.5})


@pytest.mark.long
def test_the_log_says_which_sampling_is_used(tmp_path: Path) -> None:
    outcome = run_training(*LEDUC, "--iters", 100, "--sampling", "outcome", "--epsilon", 0.4, "--logdir", tmp_path)
    assert outcome.returncode == 0, outcome.stderr
    assert "INFO: Sampling: outcome, exploration_epsilon 0.4" in outcome.stderr


def test_a_blank_argument_of_a_copied_command_is_ignored(tmp_path: Path) -> None:
    """A backslash before a space and a comment, as people paste it, leaves an argument of one space."""
    result = run_training("--game", "kuhn", "--iters", "10", " ", "--logdir", "run", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
