"""`holdem eval`: a policy or a checkpoint against opponents, a table and the same figures as JSON."""

import json
import shutil
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdem.abstraction.bucketing import Grouping, HandBucketing, content_hash, write_manifest
from holdem.evaluation.baselines import BASELINES
from holdem.evaluation.evaluate import lower_bound
from holdem.evaluation.response.local.match import LocalBestResponseResult
from holdem.game import load_preset
from holdem.mccfr.run.start import RunOptions, train
from holdem.policy.policy import AveragePolicy
from holdem.types import BucketConfig, GameConfig, MCCFRConfig
from tests.cli.runs import Run, make_runner, save_heads_up, save_toy


@pytest.fixture
def holdem(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return make_runner(monkeypatch, capsys)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trained run of a game in which every hand is its own bucket."""
    folder = tmp_path_factory.mktemp("eval") / "run"
    changes = {"ranks": "QKA", "stacks": (300,)}
    game = GameConfig.model_validate({**load_preset("short_rank").model_dump(), **changes})
    train(MCCFRConfig(num_iterations=3_000, seed=1), game, None, RunOptions(folder, tensorboard=False))
    return folder


def test_every_baseline_by_default(holdem: Run, run: Path, tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    result = holdem("eval", "--policy", run / "avg_policy.json", "--hands", 40, "--num-workers", 1, "--out", out)
    assert result.status == 0, result.err
    figures = json.loads(out.read_text())
    assert list(figures["opponents"]) == list(BASELINES)
    for name, figure in figures["opponents"].items():
        assert name in result.out
        assert figure["hands"] == 40
        low, high = figure["ci95"]
        assert low <= figure["bb_per_100"] <= high
        assert figure["method"] == "duplicate"
    assert f"{40 * len(BASELINES)} hands" in result.out
    assert figures["note"] is None


def test_a_checkpoint_is_the_policy_that_it_made(holdem: Run, run: Path) -> None:
    shared = ("--opponents", "random, pot-odds,random", "--hands", 60, "--num-workers", 1, "--json")
    policy = json.loads(holdem("eval", "--policy", run, *shared).out)
    checkpoint = json.loads(holdem("eval", "--checkpoint", run / "checkpoint_final.pkl", *shared).out)
    assert list(policy["opponents"]) == ["random", "pot-odds"]
    assert policy["opponents"] == checkpoint["opponents"]


def test_a_report_does_not_mix_a_checkpoint_with_a_policy_of_later(holdem: Run, run: Path, tmp_path: Path) -> None:
    """The pictures of a run are those of its policy, so an earlier checkpoint is reported without them."""
    shutil.copytree(run, tmp_path / "run")
    shared = ("--opponents", "random", "--hands", 4, "--num-workers", 1, "--report", tmp_path / "page")
    page = tmp_path / "page" / "report.html"
    checkpoint = tmp_path / "run" / "checkpoint_final.pkl"
    assert holdem("eval", "--checkpoint", checkpoint, *shared).status == 0
    assert "3,000" in page.read_text(encoding="utf-8")
    policy = AveragePolicy.load(run)
    replace(policy, info=replace(policy.info, iterations=9_999)).save(tmp_path / "run")
    assert holdem("eval", "--checkpoint", checkpoint, *shared).status == 0
    assert "9,999" not in page.read_text(encoding="utf-8")


def test_another_blueprint_as_opponent(holdem: Run, run: Path) -> None:
    figures = json.loads(
        holdem("eval", "--policy", run, "--opponents", run, "--hands", 500, "--num-workers", 1, "--json").out
    )
    assert figures["opponents"][str(run)]["ci95"] == [0.0, 0.0]


def test_an_opponent_called_blueprint(holdem: Run, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a run of that name, and not the one under evaluation."""
    monkeypatch.chdir(tmp_path)
    shared = ("--hands", 500, "--num-workers", 1, "--lbr-hands", 0, "--no-litmus", "--json")
    result = holdem("eval", "--policy", run, "--opponents", "blueprint", *shared)
    assert result.status == 2
    assert "'blueprint' is neither a file nor a baseline" in result.err
    save_toy(tmp_path / "blueprint", "short_rank", ranks="QKA", stacks=(300,))
    figures = json.loads(holdem("eval", "--policy", run, "--opponents", "blueprint", *shared).out)
    assert figures["opponents"]["blueprint"]["bb_per_100"] != 0


def test_three_players_and_what_cannot_be_proved(holdem: Run, tmp_path: Path) -> None:
    folder = save_toy(tmp_path, "short_rank", num_players=3, ranks="QKA", stacks=(200,), betting={"max_raises": 0})
    result = holdem("eval", "--policy", folder, "--opponents", "random", "--hands", 30, "--num-workers", 1)
    assert result.status == 0, result.err
    assert "With three or more players no figure here proves how strong a strategy is" in result.out
    assert "3 seats, the opponent in all others" in result.out


def test_more_than_matches_heads_up(holdem: Run, tmp_path: Path) -> None:
    """Jam or fold has the whole deck: local best response can be played, and so can some litmus checks."""
    folder = tmp_path / "jam"
    config = MCCFRConfig(num_iterations=20_000, seed=1)
    train(config, load_preset("jam_or_fold_10bb"), None, RunOptions(folder, tensorboard=False))
    shared = ("eval", "--policy", folder, "--opponents", "always-call", "--hands", 20, "--num-workers", 1)
    result = holdem(*shared, "--lbr-hands", 20, "--out", tmp_path / "results.json")
    assert result.status == 0, result.err
    figures = json.loads((tmp_path / "results.json").read_text())
    assert figures["lbr"]["hands"] == 20
    assert "to local best response (20 hands" in result.out
    failed = figures["litmus"]["counts"]["failed"]  # so little training is not sensible yet
    assert f"checks, {failed or 'none'} failed" in result.out
    figures = json.loads(holdem(*shared, "--lbr-hands", 0, "--no-litmus", "--json").out)
    assert figures["lbr"] is None
    assert figures["litmus"] is None


def test_a_stop_during_local_best_response(holdem: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The matches were played to the end; the evaluation was not, and a few hands of local best response say little."""
    config = MCCFRConfig(num_iterations=2_000, seed=1)
    folder = tmp_path / "jam"
    train(config, load_preset("jam_or_fold_10bb"), None, RunOptions(folder, tensorboard=False))

    def interrupted(source: object, config: object, hands: int, *others: Any) -> LocalBestResponseResult | None:
        signal.raise_signal(signal.SIGINT)
        return lower_bound(source, config, 4, 0)  # type: ignore[arg-type]

    monkeypatch.setattr("holdem.cli.eval_blueprint.lower_bound", interrupted)
    shared = ("--opponents", "always-call", "--hands", 20, "--num-workers", 1, "--out", tmp_path / "results.json")
    result = holdem("eval", "--policy", folder, *shared)
    assert result.status == 130
    figures = json.loads((tmp_path / "results.json").read_text())
    assert not figures["complete"]
    assert figures["lbr"]["hands"] == 4
    low, _ = figures["lbr"]["won"]["ci95"]
    assert "to local best response (4 hands" in result.out
    assert ("which proves nothing about it" in result.out) == (low <= 0)


def save_manifest(path: Path) -> Path:
    """The manifest of a card abstraction of somebody else, without its tables."""
    config = BucketConfig()
    groupings = (Grouping("intervals", starts=np.arange(4)),) * 3
    digests = ["00" * 32] * 3
    digest = content_hash(config, groupings, digests)
    write_manifest(path, HandBucketing(config, groupings, digest, {}), digests)
    return path


def test_buckets_that_do_not_belong_to_the_policy(holdem: Run, tmp_path: Path) -> None:
    folder = save_heads_up(tmp_path / "run")
    result = holdem("eval", "--policy", folder, "--buckets", save_manifest(tmp_path / "other.pkl"))
    assert result.status == 2
    assert "other.pkl is not the one that" in result.err
    assert len(result.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "there is no trained run under runs/; train one with: holdem train"),
        (("--policy", "a", "--checkpoint", "b"), "name the blueprint once"),
        (("--policy", "nowhere/avg_policy.json"), "nowhere/avg_policy.json does not exist"),
        (("--checkpoint", "nowhere.pkl"), "nowhere.pkl does not exist"),
        (("--policy", "{run}", "--opponents", "tight-agressive"), "did you mean tight-aggressive?"),
        (("--policy", "{run}", "--opponents", ","), "--opponents names nobody"),
        (("--policy", "{run}", "--buckets", "nowhere.pkl"), "nowhere.pkl"),
        (("--policy", "{run}/checkpoint_final.pkl"), "if it is a checkpoint, write --checkpoint"),
        (("--policy", "{run}", "--game", "sixmax_100bb"), "is a policy for 2 players, and sixmax_100bb has 6"),
    ],
)
def test_mistakes(
    holdem: Run, run: Path, arguments: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = holdem("eval", *(argument.format(run=run) for argument in arguments))
    assert result.status == 2
    assert sentence in result.err
    assert len(result.err.strip().splitlines()) == 1


def test_toy_games_are_refused(holdem: Run, tmp_path: Path) -> None:
    result = holdem("eval", "--policy", save_toy(tmp_path, "leduc"))
    assert result.status == 2
    assert "is of leduc, which is not played at a hold'em table" in result.err
