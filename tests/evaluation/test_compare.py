"""`holdem compare`: exact where it can be, matches with honest intervals where it cannot."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from holdem.evaluation.compare import Contender, compare_run, open_contenders, play_all
from holdem.game import load_preset
from holdem.mccfr.instances.instance import InstanceSpec, file_companion, train_instance
from holdem.mccfr.run.start import RunOptions
from holdem.policy.policy import AveragePolicy
from holdem.types import GameConfig, MCCFRConfig
from tests.cli.runs import Run, make_runner


@pytest.fixture
def holdem(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return make_runner(monkeypatch, capsys)


def train_by_hand(folder: Path, game: GameConfig, lengths: tuple[int, ...]) -> Path:
    start = 0
    for number, length in enumerate(lengths):
        spec = InstanceSpec(number, start, start + length)
        config = spec.settings(MCCFRConfig(seed=7, num_iterations=sum(lengths)))
        train_instance(config, game, None, file_companion(spec, config, folder), RunOptions(folder, tensorboard=False))
        start += length
    return folder


@pytest.fixture(scope="module")
def leduc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train_by_hand(tmp_path_factory.mktemp("compare"), load_preset("leduc"), (2_000, 60_000))


@pytest.fixture(scope="module")
def short_rank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three streets, which nobody solves exactly here: one instance has hardly been trained."""
    changes = {"board_cards": (0, 3, 4), "ranks": "JQKA", "stacks": (300,)}
    game = GameConfig.model_validate({**load_preset("short_rank").model_dump(), **changes})
    return train_by_hand(tmp_path_factory.mktemp("compare"), game, (1, 50_000))


def test_exploitability_ranks_where_it_can_be_computed(leduc: Path, holdem: Run) -> None:
    content = json.loads(holdem("compare", leduc, "--json").out)
    assert content["ranked_by"] == "exploitability"
    assert content["best"] == "instance_1"
    long, short = content["ranking"]
    assert long["exploitability"] < short["exploitability"]
    assert long["iterations"] == 60_000
    assert 0.0 < long["entropy_bits"]["preflop"] < 1.6, "at most the logarithm of three actions"
    table = holdem("compare", leduc).out
    assert "best: instance_1, exploitability" in table


def test_matches_rank_elsewhere(short_rank: Path) -> None:
    comparison = compare_run(short_rank, deals=500)
    assert comparison.ranked_by == "match"
    assert comparison.best == "instance_1", "50,000 iterations beat one"
    first, second = comparison.ranking
    assert first.won_mbb == pytest.approx(-(second.won_mbb or 0.0)), "heads-up is a zero-sum game"
    assert comparison.lead == pytest.approx(2 * (first.won_mbb or 0.0))
    assert (comparison.lead or 0.0) > (comparison.lead_interval or 0.0), "and by more than chance"


def test_a_match_against_oneself_is_exactly_zero(short_rank: Path) -> None:
    contender = open_contenders(short_rank)[1]
    twin = Contender("twin", contender.part, contender.policy, contender.figures)
    assert not play_all([contender, twin], 30, seed=1).any()


def test_every_deal_is_zero_sum_and_the_same_again(short_rank: Path) -> None:
    contenders = open_contenders(short_rank)
    won = play_all([*contenders, replace(contenders[0], name="again")], 20, seed=3)
    np.testing.assert_allclose(won.sum(axis=0), 0.0, atol=1e-9)
    np.testing.assert_array_equal(won, play_all([*contenders, replace(contenders[0], name="again")], 20, seed=3))


def test_without_a_match_it_says_so(short_rank: Path, holdem: Run) -> None:
    result = holdem("compare", short_rank, "--deals", 0)
    assert result.status == 0, result.err
    assert "no match was played" in result.out


def test_a_contender_plays_the_policy_that_its_run_saved(short_rank: Path) -> None:
    contender = open_contenders(short_rank)[1]
    saved = AveragePolicy.load(short_rank / "instance_1")
    np.testing.assert_array_equal(contender.policy.table, saved.table)
