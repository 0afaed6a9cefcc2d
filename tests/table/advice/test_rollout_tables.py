"""Bucket tables that are built while somebody plays: nobody waits, and what actions are worth is said afterwards."""

import logging
from pathlib import Path

import pytest

from holdem.abstraction.bucketing import HandBucketing
from holdem.abstraction.buckets.cached_tables import cached_manifest, differs_mark
from holdem.blueprint import buckets as policy_buckets
from holdem.game.agent import observe
from holdem.game.game import Game
from holdem.table.advice import rollout_tables
from holdem.table.advice.open_advisor import open_bot
from holdem.util.files.lock import FileLock
from holdem.util.logs import LOGGER
from tests.manifest_only import nearly_built, save_travelled
from tests.waiting import wait_for


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run with the manifest of its buckets, and an empty cache."""
    monkeypatch.setattr(policy_buckets, "default_path", lambda preset: tmp_path / "nothing.pkl")
    monkeypatch.setenv("HOLDEM_CACHE", str(tmp_path / "cache"))
    return save_travelled(tmp_path / "run")


def test_nobody_waits_for_tables(run: Path) -> None:
    alone = HandBucketing.load(run / "buckets.pkl", tables=False)
    path = nearly_built(alone)
    lock = FileLock(path.with_suffix(".lock"))
    assert lock.acquire()  # as another process that builds the same
    with open_bot(run, deals=50, may_wait=True) as (blueprint, advisor):
        seen = observe(Game(blueprint.policy.config).new_hand(4))
        assert blueprint.buckets.lacks_tables
        assert advisor.recommend(seen).worth is None
        lock.release()
        wait_for(lambda: not rollout_tables._RUNNING)
        assert not blueprint.buckets.lacks_tables
        assert blueprint.buckets.bucketing is not None and blueprint.buckets.bucketing.path == cached_manifest(alone)
        assert advisor.recommend(seen).worth is not None
    with open_bot(run, deals=50) as (_, advisor):
        assert advisor.recommend(seen).worth is not None


def test_a_failure_is_one_sentence(
    run: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(LOGGER, "propagate", True)
    alone = HandBucketing.load(run / "buckets.pkl", tables=False)
    path = nearly_built(alone)
    lock = FileLock(path.with_suffix(".lock"))
    assert lock.acquire()
    with caplog.at_level(logging.WARNING), open_bot(run, deals=50, may_wait=True) as (blueprint, advisor):
        differs_mark(alone).touch()  # another process has found out meanwhile
        lock.release()
        wait_for(lambda: not rollout_tables._RUNNING)
        assert blueprint.buckets.lacks_tables
        assert advisor.recommend(observe(Game(blueprint.policy.config).new_hand(4))).worth is None
    assert "what actions are worth is not computed: the bucket tables of" in caplog.text
    assert "Traceback" not in capfd.readouterr().err
