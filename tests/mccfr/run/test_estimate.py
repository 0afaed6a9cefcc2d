"""Sizes before a run, and the refusal of one that does not fit."""

import pytest

from holdem.errors import ConfigError
from holdem.game import load_preset
from holdem.game.presets import PRESET_BY_PLAYERS
from holdem.mccfr.run.estimate import (
    TrainingSpeed,
    check_memory,
    estimate_training,
    measure_speed,
    parse_bytes,
    time_lines,
)
from holdem.mccfr.training_game import TrainingGame
from holdem.types import MCCFRConfig
from tests.earlier_games import earlier_game


def test_the_heads_up_game() -> None:
    game = earlier_game("headsup_100bb")
    estimate = estimate_training(game, (169, 200, 200, 200), MCCFRConfig())
    assert (estimate.decisions, estimate.nodes) == (34_920, 90_794)
    assert estimate.rows == 6_982_636
    assert estimate.table_bytes == 8 * (estimate.table_bytes // 8)
    outcome = estimate_training(game, (169, 200, 200, 200), MCCFRConfig(sampling="outcome"))
    assert outcome.table_bytes == 2 * estimate.table_bytes


@pytest.mark.parametrize("players", range(2, 7))
def test_default_presets_train_with_two_workers_in_4_gb(players: int) -> None:
    game = load_preset(PRESET_BY_PLAYERS[players])
    assert estimate_training(game, (169, 50, 50, 50), MCCFRConfig(), workers=2).memory_bytes <= 4 * 10**9


def test_a_run_that_does_not_fit_is_refused_with_advice() -> None:
    estimate = estimate_training(load_preset("sixmax_100bb"), (169, 50, 50, 50), MCCFRConfig())
    with pytest.raises(ConfigError, match=r"sixmax_100bb needs about 2\.\d+ GB .* allows 1\.00 GB; use fewer buckets"):
        check_memory(estimate, 10**9, "sixmax_100bb")
    check_memory(estimate, 4 * 10**9, "sixmax_100bb")


def test_hours_to_a_number_of_visits() -> None:
    """A million infosets, a hundred visits each, ten thousand visits a second: ten thousand seconds."""
    speed = TrainingSpeed(iterations=100.0, decisions=10_000.0)
    assert speed.core_hours(1_000_000) == pytest.approx(10_000 / 3600)
    estimate = estimate_training(load_preset("leduc"), (6, 30), MCCFRConfig())
    alone, many = time_lines(speed, estimate, 1)[1], time_lines(speed, estimate, 4)[1]
    assert alone == "100 visits per infoset on average: about 0.0026 core-hours"
    assert many == alone + "; 0.00065 hours with 4 processes"
    slow = TrainingSpeed(iterations=1.0, decisions=1.0)
    assert time_lines(slow, estimate, 1)[1].endswith("about 26 core-hours")


def test_speed_is_measured_in_iterations_and_decisions() -> None:
    """Leduc with external sampling: every iteration visits at least the first decision of each player."""
    speed = measure_speed(MCCFRConfig(), TrainingGame.from_preset("leduc"), seconds=0.05)
    assert speed.decisions > 2 * speed.iterations > 0


@pytest.mark.parametrize(
    ("text", "size"),
    [("4GB", 4 * 10**9), ("500 MB", 5 * 10**8), ("2GiB", 2**31), ("1.5", 15 * 10**8), ("100kb", 10**5)],
)
def test_amounts_of_memory(text: str, size: int) -> None:
    assert parse_bytes(text) == size


@pytest.mark.parametrize("text", ["", "much", "-1GB", "4XB", "infGB"])
def test_not_amounts_of_memory(text: str) -> None:
    with pytest.raises(ConfigError, match="--memory-limit"):
        parse_bytes(text)
