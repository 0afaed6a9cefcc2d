"""A setting is written once: its flag, help and check come from the field of its configuration."""

import re
from typing import Any

import pytest
import typer
from pydantic import BaseModel, Field

from holdem.cli.flags import given_settings, takes
from holdem.cli.go_on import settings_flags
from holdem.types import MCCFRConfig, SearchConfig
from tests.cli.runs import Run

CONTRACT = [
    ("--iters", "7", "num_iterations", 7),
    ("--num-iterations", "7", "num_iterations", 7),
    ("--time-budget", "2.5", "time_budget_seconds", 2.5),
    ("--time-budget-seconds", "2.5", "time_budget_seconds", 2.5),
    ("--snapshot-interval", "9", "snapshot_interval_seconds", 9.0),
    ("--snapshot-interval-seconds", "9", "snapshot_interval_seconds", 9.0),
    ("--checkpoint-interval", "12", "checkpoint_interval", 12),
    ("--discount-interval", "0", "discount_interval", 0),
    ("--regret-discount-alpha", "1.5", "regret_discount_alpha", 1.5),
    ("--strategy-discount-beta", "2", "strategy_discount_beta", 2.0),
    ("--epsilon", "0.4", "exploration_epsilon", 0.4),
    ("--exploration-epsilon", "0.4", "exploration_epsilon", 0.4),
    ("--no-enable-pruning", None, "enable_pruning", False),
    ("--enable-pruning", None, "enable_pruning", True),
    ("--pruning-threshold", "-5", "pruning_threshold", -5.0),
    ("--pruning-probability", "0.5", "pruning_probability", 0.5),
    ("--num-workers", "0", "num_workers", 0),
    ("--batch-size", "50", "batch_size", 50),
    ("--num-players", "3", "num_players", 3),
    ("--sampling", "outcome", "sampling", "outcome"),
    ("--seed", "11", "seed", 11),
]
"""Every key of section 2 of the contract and of the shipped files, by each flag that it has."""


def parsed(config: type[MCCFRConfig], *arguments: str) -> dict[str, Any]:
    """What a command with the flags of a configuration gets."""
    got: dict[str, Any] = {}

    @takes(given=given_settings(config))
    def command(*, given: dict[str, Any]) -> None:
        got.update(given)

    app = typer.Typer(add_completion=False)
    app.command()(command)
    app(args=list(arguments), standalone_mode=False)
    return got


@pytest.mark.parametrize(("flag", "text", "key", "value"), CONTRACT)
def test_every_key_has_its_flags(flag: str, text: str | None, key: str, value: object) -> None:
    given = parsed(MCCFRConfig, flag, *([] if text is None else [text]))
    assert given == {key: value}
    assert type(given[key]) is type(value)
    assert getattr(MCCFRConfig(**given), key) == value


def test_no_key_is_without_a_flag() -> None:
    assert {key for _, _, key, _ in CONTRACT} == set(MCCFRConfig.model_fields)


def test_a_new_setting_has_its_flag_at_once() -> None:
    class Mine(MCCFRConfig):
        first_move: float | None = Field(default=None, json_schema_extra={"flag": "--move"})

    assert parsed(Mine, "--move", "3") == parsed(Mine, "--first-move", "3") == {"first_move": 3.0}


def test_flags_that_go_on_are_the_flags_that_are_taken() -> None:
    own = MCCFRConfig(num_iterations=5, exploration_epsilon=0.1, sampling="outcome", enable_pruning=False, seed=4)
    assert MCCFRConfig(**parsed(MCCFRConfig, *settings_flags(own))) == own


@pytest.mark.parametrize(
    ("verb", "keys", "config"),
    [
        ("train", tuple(MCCFRConfig.model_fields), MCCFRConfig),
        *(
            (verb, ("time_budget_ms", "min_iters", "num_workers"), SearchConfig)
            for verb in ("dry-run", "acpc", "review")
        ),
    ],
)
def test_the_help_is_the_text_of_the_field(verb: str, keys: tuple[str, ...], config: type[BaseModel], run: Run) -> None:
    shown = " ".join(run(verb, "--help").out.split())
    for key in keys:
        text = config.model_fields[key].description
        assert text and re.search(rf"--{key.replace('_', '-')} (\S+ ){{0,2}}{re.escape(text)}", shown)


def test_a_flag_is_refused_in_the_words_of_the_file(run: Run, tmp_path: object) -> None:
    result = run("train", "--game", "leduc", "--iters", 5, "--pruning-probability", 2, "--logdir", tmp_path)
    assert result.status == 2
    assert "pruning_probability is 2.0: input should be less than or equal to 1" in result.err
