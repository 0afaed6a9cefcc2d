"""A policy beside which only the manifest of its buckets lies: matches, AIVAT and training do as with tables."""

import logging
from pathlib import Path

import numpy as np
import pytest

from holdem.abstraction.bucketing import HandBucketing
from holdem.abstraction.buckets.cached_tables import cached_manifest, differs_mark
from holdem.blueprint import buckets as policy_buckets
from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.buckets import matching_bucketing, tabled_bucketing
from holdem.evaluation.aivat.holdem_cards import HoldemCards
from holdem.evaluation.baselines import BASELINES, open_baseline
from holdem.evaluation.match.match import MatchResult, MatchSetup, play_match
from holdem.evaluation.response.sampled.response import SampledBestResponse
from holdem.game.agent import Agent
from holdem.mccfr.training_game import TrainingGame
from holdem.policy.policy import AveragePolicy
from holdem.types import GameConfig
from holdem.util.logs import LOGGER
from tests.built_buckets import small_buckets
from tests.evaluation.blueprints import holdem_config
from tests.manifest_only import nearly_built, save_travelled

TABLES = "with tables: "


@pytest.fixture
def policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AveragePolicy:
    """A policy that travelled: nothing says where the tables were, and the cache is empty."""
    monkeypatch.setattr(policy_buckets, "default_path", lambda preset: tmp_path / "nothing.pkl")
    monkeypatch.setenv("HOLDEM_CACHE", str(tmp_path / "cache"))
    return AveragePolicy.load(save_travelled(tmp_path / "run"))


def open_either(spec: str, config: GameConfig | None = None) -> Agent:
    if spec in BASELINES:
        return open_baseline(spec)
    bucketing = HandBucketing.load(small_buckets()) if spec.startswith(TABLES) else None
    return BlueprintAgent.open(spec.removeprefix(TABLES), bucketing=bucketing)


def played(*specs: str, hands: int) -> MatchResult:
    return play_match(MatchSetup(holdem_config(2), specs, open_either, seed=3), hands)


def alone(policy: AveragePolicy) -> HandBucketing:
    found = matching_bucketing(policy)
    assert found is not None and not found.tables
    return found


def test_blueprints_play_the_same_match(policy: AveragePolicy) -> None:
    path = nearly_built(alone(policy))
    run = str(policy.path)
    rebuilt, whole = (played(spec, f"{TABLES}{run}", hands=4_000) for spec in (run, TABLES + run))
    assert rebuilt.compiled and whole.compiled
    assert np.array_equal(rebuilt.chips, whole.chips)
    found = matching_bucketing(policy)
    assert found is not None and (found.path, len(found.tables)) == (path, 3)


def test_tables_that_cannot_be_built_only_take_longer(
    policy: AveragePolicy, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(LOGGER, "propagate", True)
    mark = differs_mark(alone(policy))
    mark.parent.mkdir(parents=True)
    mark.touch()
    run = str(policy.path)
    with caplog.at_level(logging.WARNING):
        computed = played(run, "always-call", hands=60)
    assert "buckets are computed hand by hand" in caplog.text and "in another way" in caplog.text
    assert np.array_equal(computed.chips, played(TABLES + run, "always-call", hands=60).chips)


def test_everything_that_needs_tables_finds_them(policy: AveragePolicy) -> None:
    manifest, whole = alone(policy), HandBucketing.load(small_buckets())
    nearly_built(manifest)
    game = TrainingGame.from_config(policy.config, manifest)  # as a best response that learns
    rows, strengths = np.empty((2, 50, 8), dtype=np.int64), np.empty((2, 50, 2), dtype=np.int64)
    for number, dealt in enumerate((game, TrainingGame.from_config(policy.config, whole))):
        dealt.dealer.deal(5, 0, rows[number], strengths[number])
    assert np.array_equal(rows[0], rows[1]) and np.array_equal(strengths[0], strengths[1])
    for found in (HoldemCards(policy).bucketing, HoldemCards(policy, manifest).bucketing, tabled_bucketing(policy)):
        assert found is not None and found.path == cached_manifest(manifest)
    board = (3, 17, 40)
    holes = SampledBestResponse.of_policy(policy).buckets_of_holes(board)
    assert np.array_equal(holes, whole.buckets_of_holes(board))
