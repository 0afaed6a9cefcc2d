"""Games by name and by file."""

from pathlib import Path

import pytest

import holdem
from holdem.errors import ConfigError
from holdem.game import Game, load_game, load_preset, preset_names


def test_every_preset_loads_and_is_called_by_its_name() -> None:
    names = preset_names()
    assert {"headsup_100bb", "sixmax_100bb", "kuhn", "leduc"} <= set(names)
    for name in names:
        assert load_preset(name).name == name


@pytest.mark.parametrize(
    ("name", "seats"),
    [
        ("headsup_100bb", 2),
        ("threemax_100bb", 3),
        ("fourmax_100bb", 4),
        ("fivemax_100bb", 5),
        ("sixmax_100bb", 6),
    ],
)
def test_presets_deal_hands(name: str, seats: int) -> None:
    hand = Game.from_preset(name).new_hand(1)
    assert hand.num_seats == seats
    assert set(hand.starting_stacks) == {100 * hand.config.big_blind}


def test_an_unknown_name_names_the_nearest_and_the_list() -> None:
    with pytest.raises(ConfigError, match=r"no game 'headsup_100'; did you mean headsup_100bb\? known games: .*leduc"):
        load_preset("headsup_100")


def test_a_file_is_named_after_itself(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("num_players: 3\nante: 10\n", encoding="utf-8")
    config = load_game(path)
    assert (config.name, config.num_players, config.ante) == ("mine", 3, 10)
    assert load_game(str(path)) == config


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("num_player: 3", r"mine.yaml: unknown key 'num_player'; did you mean num_players\?"),
        ("num_players: 7", "mine.yaml: num_players is 7"),
        ("num_players: 1", "mine.yaml: num_players is 1"),
        ("stacks: 0", "mine.yaml: stacks must be positive"),
        ("- 1", "must hold `key: value` lines"),
    ],
)
def test_a_bad_file_is_refused_in_one_sentence(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        load_game(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"mine.yaml does not exist"):
        load_game(tmp_path / "mine.yaml")


def test_an_installed_package_carries_its_presets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site-packages" / "holdem"
    games = package / "shipped" / "configs" / "games"
    games.mkdir(parents=True)
    (games / "mine.yaml").write_text("num_players: 3\n", encoding="utf-8")
    monkeypatch.setattr(holdem, "__file__", str(package / "__init__.py"))
    assert preset_names() == ["mine"]
    assert load_preset("mine").num_players == 3
