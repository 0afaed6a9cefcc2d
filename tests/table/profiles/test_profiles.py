"""Profiles: the files that come with the project, defaults from the policy, and one sentence for every mistake."""

import json
from pathlib import Path
from typing import Any

import pytest

import holdem
from holdem.errors import ConfigError
from holdem.game.presets import load_preset
from holdem.table.profiles.profiles import (
    TableProfile,
    differences,
    game_of,
    load_profile,
    opponents_by_seat,
    stacks_by_seat,
)

SHIPPED = Path(holdem.__file__).parents[2] / "assets" / "table_profiles"
ACPC = {"port": 18791}


def save(folder: Path, content: Any) -> Path:
    path = folder / "table.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.json")), ids=lambda path: path.name)
def test_shipped_profiles_are_valid_and_say_what_they_are(path: Path) -> None:
    profile = load_profile(path)
    assert profile.description


@pytest.mark.parametrize("preset", ["headsup_100bb", "threemax_100bb", "sixmax_100bb"])
@pytest.mark.parametrize("name", ["default_profile.json", "default.json"])
def test_default_profiles_take_the_policys_seats_blinds_and_stacks(preset: str, name: str) -> None:
    profile, trained = load_profile(SHIPPED / name), load_preset(preset)
    assert profile.table == "local"
    assert game_of(profile, trained) == trained
    assert stacks_by_seat(profile, trained) is None
    assert len(opponents_by_seat(profile, trained.num_players)) == trained.num_players - 1
    assert differences(game_of(profile, trained), trained) == []


def test_a_profile_changes_the_rules_that_it_names() -> None:
    trained = load_preset("headsup_100bb")
    profile = TableProfile(small_blind=1, big_blind=2, ante=1, stacks=(100, 300))
    game = game_of(profile, trained)
    assert (game.small_blind, game.big_blind, game.ante) == (1, 2, 1)
    assert stacks_by_seat(profile, game) == (100, 300)
    assert game.betting == trained.betting
    assert differences(game, trained, (100, 300)) == [
        "ante 0.5 bb (trained: 0 bb)",
        "stacks 50/150 bb (trained: 100/100 bb)",
    ]


def test_the_same_game_with_other_chips_is_the_same() -> None:
    trained = load_preset("headsup_100bb")
    chips = {"small_blind": 1, "big_blind": 2, "stacks": (200,)}
    assert differences(game_of(TableProfile.model_validate(chips), trained), trained) == []
    for other in ({"small_blind": 2}, {"stacks": (150,)}, {"ante": 1}):
        [found] = differences(game_of(TableProfile.model_validate({**chips, **other}), trained), trained)
        assert found.startswith(next(iter(other)))


def test_opponents_sit_clockwise_from_the_hero() -> None:
    profile = TableProfile(seats=4, hero_seat=2, opponents=("a", "b", "c"))
    assert opponents_by_seat(profile, 4) == {3: "a", 0: "b", 1: "c"}


def test_a_game_file_is_looked_for_beside_the_profile(tmp_path: Path) -> None:
    (tmp_path / "my.game").write_text("", encoding="utf-8")
    beside = load_profile(save(tmp_path, {"table": "acpc", "acpc": {**ACPC, "game": "my.game"}}))
    named = load_profile(save(tmp_path, {"table": "acpc", "acpc": {**ACPC, "game": "holdem.nolimit.3p"}}))
    assert beside.acpc is not None
    assert named.acpc is not None
    assert beside.acpc.game == str(tmp_path / "my.game")
    assert named.acpc.game == "holdem.nolimit.3p"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"oponents": ["random"]}, "unknown key 'oponents'; did you mean opponents?"),
        ({"table": "acpc", "acpc": {**ACPC, "hots": "x"}}, "did you mean host?"),
        ({"table": "casino"}, "table is 'casino'"),
        ({"table": "acpc"}, "needs the key acpc"),
        ({"acpc": ACPC}, "does not use the key acpc"),
        ({"table": "acpc", "acpc": {"port": 0}}, "acpc.port is 0"),
        ({"seats": 2, "hero_seat": 2}, "seats count from 0"),
        ({"seats": 6, "opponents": ["random", "random"]}, "2 opponents for 5 other seats"),
        ({"seats": 3, "stacks": [100, 200]}, "2 stacks for 3 seats"),
        ({"stacks": 0}, "greater than or equal to 1"),
        ({"seats": 7}, "seats is 7"),
        ({"pace_seconds": -1}, "pace_seconds is -1"),
        ({"max_hands": 0}, "max_hands is 0"),
        ({"between_hands": "keep"}, "between_hands is 'keep'"),
        ("[1]", "one JSON object, not a list"),
        ("{", "not valid JSON at line 1"),
    ],
)
def test_mistakes_are_one_sentence(tmp_path: Path, content: Any, words: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load_profile(save(tmp_path, content))
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_mistyped_file_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"did you mean .*default_profile\.json\?"):
        load_profile(SHIPPED / "defalt_profile.json")


def test_seats_other_than_the_policys_are_refused() -> None:
    with pytest.raises(ConfigError, match="6 seats and the policy was trained for 2"):
        game_of(TableProfile(seats=6), load_preset("headsup_100bb"))
    with pytest.raises(ConfigError, match="3 opponents for 1 other seats"):
        game_of(TableProfile(opponents=("a", "b", "c")), load_preset("headsup_100bb"))
