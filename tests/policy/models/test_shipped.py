"""The models of this repository: whole, small enough, and as their manifests say."""

from pathlib import Path

import pytest

from benchmarks.resumable import policy_digest
from holdem.game.presets import load_preset
from holdem.policy.models import shipped_models, unpack
from holdem.policy.policy import AveragePolicy

MODELS = Path(__file__).parents[3] / "assets" / "models"
GAMES = {
    "headsup": "headsup_100bb",
    "headsup_200bb": "headsup_200bb",
    "threemax": "threemax_100bb",
    "sixmax": "sixmax_100bb",
}
MOST_BYTES = 80_000_000


@pytest.fixture(autouse=True)
def the_repository_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOLDEM_MODELS", str(MODELS))


def test_all_four_are_there_and_small() -> None:
    models = shipped_models()
    assert {model.name: model.game.name for model in models} == GAMES
    assert sum(model.bytes_on_disk for model in models) <= MOST_BYTES
    assert all(model.licence == "MIT" and model.training["commands"] for model in models)


@pytest.mark.parametrize("name", GAMES)
def test_each_unpacks_to_the_policy_of_its_preset_that_was_measured(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDEM_CACHE", str(tmp_path / "cache"))
    [model] = (model for model in shipped_models() if model.name == name)
    policy = AveragePolicy.load(unpack(model))
    assert policy.config == load_preset(GAMES[name])
    assert len(policy.table) == model.packed.entries
    assert model.results["measured"]["policy"] == policy_digest(str(policy.path)), "its results are of another policy"
