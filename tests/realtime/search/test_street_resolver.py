"""Leaf values beside a blueprint: their absence is a plan, and their damage is said, whatever the folder is called."""

from pathlib import Path

import pytest

from holdem.blueprint.agent import BlueprintAgent
from holdem.errors import ArtifactError, ArtifactMissing
from holdem.policy.policy import AveragePolicy
from holdem.realtime.search.street_resolver import leaf_values_of
from tests.realtime.blueprints import ByCards, random_blueprint


def saved_in(folder: Path) -> BlueprintAgent:
    policy = AveragePolicy.load(random_blueprint().policy.save(folder))
    return BlueprintAgent(policy, "saved", ByCards(policy))


def test_nobody_computed_them(tmp_path: Path) -> None:
    assert leaf_values_of(saved_in(tmp_path)) is None


def test_damage_is_not_taken_for_absence(tmp_path: Path) -> None:
    blueprint = saved_in(tmp_path / "missing")
    (tmp_path / "missing" / "leaf_values.json").write_text("{")
    with pytest.raises(ArtifactError, match=r"leaf_values\.json") as refused:
        leaf_values_of(blueprint)
    assert not isinstance(refused.value, ArtifactMissing)
