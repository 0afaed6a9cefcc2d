"""A measurement goes on where it ended, and refuses what was measured in another way."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.resumable import Result, measure, policy_digest
from holdem.errors import ArtifactError, ConfigError


@dataclass(frozen=True)
class _Settings:
    times: tuple[int, ...]
    breaks: str = ""


def _work(settings: _Settings, spot: str) -> Result:
    if spot == settings.breaks:
        raise KeyboardInterrupt
    return {"value": sum(settings.times) * int(spot)}


def test_a_measurement_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    out, broken, spots = tmp_path / "out.json", _Settings((1, 2), "2"), ["1", "2", "3"]
    assert measure(_work, broken, spots, out) == {"1": {"value": 3}}
    out.write_text(out.read_text().replace('"value": 3', '"value": 4').replace('"breaks": "2"', '"breaks": ""'))
    whole = measure(_work, _Settings((1, 2)), spots, out)
    assert whole == {"1": {"value": 4}, "2": {"value": 6}, "3": {"value": 9}}  # the first one was not measured again


def test_processes_give_the_same_results() -> None:
    spots = ["1", "2", "3", "4"]
    assert measure(_work, _Settings((5,)), spots, workers=2) == measure(_work, _Settings((5,)), spots)


def test_other_settings_and_other_files_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    measure(_work, _Settings((1,)), ["1"], out)
    with pytest.raises(ConfigError, match="other settings"):
        measure(_work, _Settings((2,)), ["1"], out)
    out.write_text("[]")
    with pytest.raises(ArtifactError, match="holds no measurement"):
        measure(_work, _Settings((1,)), ["1"], out)
    with pytest.raises(ConfigError, match="holds no policy"):
        policy_digest(str(tmp_path))
