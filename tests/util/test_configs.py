"""YAML into checked configurations, and sentences about what is wrong."""

from pathlib import Path
from typing import Any

import pytest

from holdem.errors import ConfigError
from holdem.types import GameConfig, MCCFRConfig
from holdem.util.configs import check_config, read_yaml


def test_a_good_file(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text("num_players: 3\nstacks: 5000\nbetting:\n  sizes: {flop: '50%, a'}\n")
    config = check_config(GameConfig, read_yaml(path), path.name)
    assert config.starting_stacks == (5000, 5000, 5000)
    assert config.betting.sizes.flop == ("50%, a",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("num_player: 3", "did you mean num_players"),
        ("betting: {max_raise: 3}", "did you mean max_raises"),
        ("num_players: 7", "num_players is 7"),
        ("num_players: two", "num_players is 'two'"),
        ("stacks: [1, 2, 3]", "stacks has 3 entries for 2 players"),
        ("small_blind: 200", "small_blind 200 is larger"),
        ("ranks: 'AKQ'", "ranks 'AKQ'"),
        ("- a list", "must hold"),
        ("a: [1", "not valid YAML at line"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"game\.yaml") as caught:
        check_config(GameConfig, read_yaml(path), path.name)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="does not exist"):
        read_yaml(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"num_players": 7}, "num_players is 7"),
        ({"num_players": 1}, "num_players is 1"),
        ({"betting": {"max_raise": 1}}, "unknown key 'betting.max_raise'; did you mean max_raises"),
        ({"betting": {"sizes": {"flop": []}}}, "betting.sizes.flop is []"),
        ({"stacks": [5, -1]}, "stacks.1 is -1"),
    ],
)
def test_a_configuration_made_in_python_says_the_same(values: dict[str, Any], said: str) -> None:
    def make_directly() -> GameConfig:
        return GameConfig(**values)

    def make_checked() -> GameConfig:
        return check_config(GameConfig, values)

    for make in (make_directly, make_checked):
        with pytest.raises(ConfigError) as caught:
            make()
        assert str(caught.value).startswith(said)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("key", ["sighted_interval", "sighted_weight"])
def test_settings_of_the_opponent_who_saw_the_board_are_refused_with_the_reason(key: str) -> None:
    with pytest.raises(ConfigError, match=rf"{key} is gone, because it cost more than it gained \(docs/results\.md\)"):
        check_config(MCCFRConfig, {key: 0})
