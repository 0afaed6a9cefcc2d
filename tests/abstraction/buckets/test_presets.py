"""Abstractions that have names: where they live, how they are named and built."""

from pathlib import Path

import pytest

from holdem.abstraction.bucketing import build_command
from holdem.abstraction.buckets.presets import BUCKET_PRESETS, FILE_NAMES, bucket_preset, default_path, preset_of


@pytest.mark.parametrize("name", BUCKET_PRESETS)
def test_a_preset_is_found_and_built_by_its_name(name: str) -> None:
    assert bucket_preset(name).name == name
    path = default_path(name)
    assert path.name == FILE_NAMES[name]
    assert f"--preset {name} --out" in build_command(path)


def test_a_file_wins_over_a_preset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert preset_of(Path("coarse")) == "coarse"
    assert preset_of(Path("my_buckets.pkl")) is None
    Path("coarse").touch()
    assert preset_of(Path("coarse")) is None


def test_files_have_names_of_their_own() -> None:
    assert len(set(FILE_NAMES.values())) == len(BUCKET_PRESETS)
    assert FILE_NAMES["small"] == "precomputed_buckets.pkl"
    assert FILE_NAMES["mid"] == "buckets_mid.pkl"
