"""When a run saves, with a real table of Leduc: at multiples, at snapshots, within its share of the time."""

from pathlib import Path

import numpy as np
import pytest

from holdem.game.presets import load_preset
from holdem.mccfr.run.checkpoint import read_info
from holdem.mccfr.run.directory import RunDirectory
from holdem.mccfr.run.engine import SequentialEngine
from holdem.mccfr.run.saver import NO_END, RunSaver
from holdem.mccfr.run.spec import Budget, Run
from holdem.mccfr.trainer import Trainer
from holdem.mccfr.training_game import TrainingGame
from holdem.policy.policy import AveragePolicy
from holdem.types import MCCFRConfig

LATE = 1000.0
"""Seconds of training after which a save of a small table is within its share."""


@pytest.fixture
def game() -> TrainingGame:
    return TrainingGame.from_config(load_preset("leduc"), None)


def saver_of(folder: Path, game: TrainingGame, budget: Budget, keep: int = 3) -> tuple[RunSaver, SequentialEngine]:
    config = MCCFRConfig(checkpoint_interval=100, snapshot_interval_seconds=60.0)
    engine = SequentialEngine(Trainer(config, game))
    return RunSaver(Run(config, game, RunDirectory(folder), budget, keep=keep), engine), engine


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_checkpoints_are_at_multiples_of_the_interval(tmp_path: Path, game: TrainingGame) -> None:
    saver, engine = saver_of(tmp_path, game, Budget(1000, None))
    assert saver.next_stop(LATE) == 100
    engine.advance(50, LATE)
    saver.save_if_due(LATE)
    assert names(tmp_path) == []
    engine.advance(saver.next_stop(LATE), LATE)
    saver.save_if_due(LATE)
    assert engine.iteration == saver.last_checkpoint == read_info(tmp_path / "checkpoint_100.pkl").iteration == 100
    assert saver.next_stop(LATE) == 1000, "the next save would cost more than its share"
    assert saver.next_stop(2 * LATE) == 200


def test_the_end_is_saved_once_and_as_what_it_is(tmp_path: Path, game: TrainingGame) -> None:
    saver, engine = saver_of(tmp_path, game, Budget(200, None))
    engine.advance(200, LATE)
    saver.save_if_due(LATE)
    assert names(tmp_path) == [], "the end is saved anyway"
    saver.save_end("completed", LATE)
    assert (tmp_path / "checkpoint_final.pkl").exists()
    saver.save_end("interrupted", LATE)
    assert read_info(tmp_path / "checkpoint_200.pkl").iteration == 200
    assert AveragePolicy.load(tmp_path).info.iterations == 200


def test_a_time_budget_saves_snapshots_by_the_clock(tmp_path: Path, game: TrainingGame) -> None:
    saver, engine = saver_of(tmp_path, game, Budget(None, 10 * LATE))
    assert saver.next_stop(LATE) == NO_END
    engine.advance(100, LATE)
    saver.note_step(0, LATE, LATE + 1.0)
    saver.save_if_due(LATE + 1.0)
    assert names(tmp_path) == [], "a multiple of the interval means nothing to a time budget"
    saver.note_step(0, 1019.0, 1021.0)  # 17 × 60 is in between
    saver.save_if_due(1021.0)
    assert (tmp_path / "checkpoint_100.pkl").exists()
    whole = AveragePolicy.load(tmp_path).table
    assert np.array_equal(AveragePolicy.load(tmp_path / "snapshots" / "100").table, whole)


def test_a_budget_ends_at_whichever_comes_first() -> None:
    both = Budget(10, 5.0)
    assert not both.is_used_up(9, 4.9)
    assert both.is_used_up(10, 0.0) and both.is_used_up(0, 5.0)
    assert not Budget(None, 5.0).is_used_up(1 << 40, 4.9)
    assert both.share_done(5, 1.0) == 0.5
    assert both.share_done(20, 1.0) == 1.0


def test_an_engine_stops_exactly_where_it_is_told(game: TrainingGame) -> None:
    engine = SequentialEngine(Trainer(MCCFRConfig(), game))
    engine.advance(123, LATE)
    assert engine.iteration == engine.statistics.iterations == 123
    whole = Trainer(MCCFRConfig(), game)
    whole.run(123)
    assert np.array_equal(engine.tracker.table, whole.tracker.table), "how iterations are cut into calls is nobody's"
