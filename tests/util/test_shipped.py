"""Files that come with the package: the repository's own paths, names without folder and ending, files nearby."""

import os
from pathlib import Path

import pytest

from holdem.errors import ConfigError
from holdem.util.shipped import CONFIGS, FOLDERS, GAMES, PROFILES, SPOTS, shipped_root

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("folder", "typed", "found"),
    [
        (PROFILES, "default", "assets/table_profiles/default.json"),
        (PROFILES, "default_profile.json", "assets/table_profiles/default_profile.json"),
        (PROFILES, "assets/table_profiles/default_profile.json", "assets/table_profiles/default_profile.json"),
        (PROFILES, "assets/table_profiles/home_game", "assets/table_profiles/home_game.json"),
        (CONFIGS, "parallel_training", "configs/parallel_training.yaml"),
        (CONFIGS, "configs/multi_instance.yaml", "configs/multi_instance.yaml"),
        (GAMES, "configs/games/leduc.yaml", "configs/games/leduc.yaml"),
        (SPOTS, "subgames", "assets/spots/subgames.json"),
    ],
)
def test_a_path_of_the_repository_or_a_name_is_found_from_anywhere(folder, typed, found) -> None:  # type: ignore[no-untyped-def]
    assert folder.find(Path(typed)) == REPOSITORY / found


@pytest.mark.parametrize("place", ["default.json", "assets/table_profiles/default.json", "default"])
def test_a_file_of_the_working_directory_wins(place: str) -> None:
    own = Path(place)
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text("{}")
    assert PROFILES.find(Path(place)) == own
    if place.endswith("table_profiles/default.json"):
        assert PROFILES.find(Path("default")) == own


def test_a_folder_of_that_name_does_not_hide_a_shipped_file() -> None:
    Path("default").mkdir()
    assert PROFILES.find(Path("default")).suffix == ".json"


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("defualt", "did you mean default?"),
        ("assets/table_profiles/defualt_profile.json", "did you mean default_profile?"),
        ("nowhere/at/all", "name a table profile of yours, or a shipped one: acpc_example, default"),
    ],
)
def test_a_wrong_name_is_refused_with_the_nearest(typed: str, hint: str) -> None:
    with pytest.raises(ConfigError) as refused:
        PROFILES.find(Path(typed))
    assert str(refused.value).startswith(f"{typed} does not exist; ")
    assert hint in str(refused.value)


def test_names_nearby_are_suggested_too() -> None:
    Path("friday.json").write_text("{}")
    with pytest.raises(ConfigError, match=r"did you mean friday\.json\?"):
        PROFILES.find(Path("fridy.json"))


def test_no_way_leads_out_of_the_shipped_folders() -> None:
    outside = os.path.relpath(REPOSITORY / "pyproject.toml", REPOSITORY / "configs")
    with pytest.raises(ConfigError):
        CONFIGS.find(Path(outside))


def test_every_folder_holds_something() -> None:
    assert shipped_root() == REPOSITORY
    for folder in FOLDERS:
        assert folder.files()
