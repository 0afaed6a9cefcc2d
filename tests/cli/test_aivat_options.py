"""`--aivat` of `holdem match` and `holdem eval`: what it prints, and one sentence where it cannot help."""

import json
from pathlib import Path

import numpy as np
import pytest

from holdem.abstraction.betting.tree import build_tree
from holdem.cli.match import print_match
from holdem.evaluation.baselines import open_baseline
from holdem.evaluation.match.match import MatchResult, MatchSetup
from holdem.game.presets import load_preset
from holdem.policy.policy import AveragePolicy, PolicyInfo
from holdem.types import GameConfig
from tests.cli.runs import Run, make_runner, save_toy


@pytest.fixture
def holdem(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return make_runner(monkeypatch, capsys)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_toy(tmp_path_factory.mktemp("aivat"), "short_rank", ranks="KA", stacks=(300,))


def test_refusals_are_one_sentence(holdem: Run, run: Path) -> None:
    for arguments, words in [
        (("match", "random", "pot-odds", "--aivat"), "strategy is known"),
        (("match", "always-call", "random", "--aivat"), "none plays here"),
        (("match", "random", "random", "random", "--aivat"), "strategy is known"),
        (("match", "random", "always-call", "random", "--aivat"), "none plays here"),
        (("match", run, "random", "--aivat"), "52 cards"),
        (("eval", "--policy", run, "--opponents", "random", "--aivat", "--num-workers", 1), "52 cards"),
    ]:
        result = holdem(*arguments, "--hands", 10)
        assert result.status == 2
        assert words in result.err and result.err.count("\n") == 1


def save_three_players(folder: Path, seed: int) -> Path:
    """Jam or fold with three players, which needs no buckets."""
    betting = {"limps": False, "sizes": {"preflop": "a"}, "max_raises": 1}
    game = {"name": "three jam", "num_players": 3, "stacks": 1_000, "betting": betting}
    tree = build_tree(GameConfig.model_validate(game))
    sums = np.random.default_rng(seed).random(tree.counts.entries((169, 1, 1, 1)))
    AveragePolicy.from_strategy_sums(PolicyInfo(tree.config, (169, 1, 1, 1), 10), sums, tree).save(folder)
    return folder


def test_three_players_have_less_luck(holdem: Run, tmp_path: Path) -> None:
    one, two = save_three_players(tmp_path / "one", 1), save_three_players(tmp_path / "two", 2)
    figures = json.loads(holdem("match", one, two, two, "--hands", 150, "--aivat", "--json").out)
    assert figures["method"] == "duplicate+aivat"
    assert figures["variance_factor"] > 2.0
    assert sum(agent["bb_per_100"] for agent in figures["agents"]) == pytest.approx(0.0, abs=1e-6)
    plain = json.loads(holdem("match", one, two, two, "--hands", 150, "--json").out)
    dealt = [agent["as_dealt"]["bb_per_100"] for agent in figures["agents"]]
    assert dealt == pytest.approx([agent["bb_per_100"] for agent in plain["agents"]])
    said = holdem("match", one, "random", "always-call", "--hands", 30, "--aivat").out
    assert "duplicate+aivat (but for the actions of random, not known)" in said
    arguments = ("--opponents", "always-call,pot-odds", "--hands", 30, "--aivat", "--num-workers", 1, "--no-litmus")
    said = holdem("eval", "--policy", one, *arguments).out
    assert "duplicate+aivat, duplicate+aivat (but for the actions of pot-odds, not known)" in said


def test_the_table_says_what_was_dealt_and_what_was_luck(capsys: pytest.CaptureFixture[str]) -> None:
    """By hand: +300 and -100 chips in two deals of two hands are 50 bb/100, and 20 of it are left."""
    setup = MatchSetup(load_preset("headsup_100bb"), ("one", "two"), lambda spec, config=None: open_baseline(spec))
    chips, corrected = np.array([[300.0, -300.0], [-100.0, 100.0]]), np.array([[50.0, -50.0], [30.0, -30.0]])
    print_match(MatchResult(setup, chips, corrected, "aivat"), 1.0)
    printed = capsys.readouterr().out
    assert "as dealt one won +50.0 ± " in printed
    assert "+30.0 ± " in printed and "zero in the long run" in printed
    print_match(MatchResult(setup, chips), 1.0)
    assert "as dealt" not in capsys.readouterr().out
