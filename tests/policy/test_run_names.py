"""The newest run under `runs/`, and the run that a name means."""

import json
import os
from pathlib import Path

import pytest

from holdem.errors import ArtifactMissing
from holdem.game import load_preset
from holdem.policy.files import POLICY, PolicyInfo, write_pair
from holdem.policy.run_names import named_model, named_run
from holdem.policy.trained_runs import find_runs
from holdem.util.arrays import UInt16
from tests.policy.models.made import small_model


def save_run(folder: Path, game: str = "jam_or_fold_10bb", changed: float = 1000.0) -> Path:
    import numpy as np

    pieces: list[UInt16] = [np.zeros(4, np.uint16)]
    manifest = write_pair(folder, PolicyInfo(load_preset(game), (169, 1, 1, 1), 12), 4, pieces)
    os.utime(manifest, (changed, changed))
    return folder


def test_the_newest_hold_em_run_comes_first(tmp_path: Path) -> None:
    save_run(tmp_path / "old", changed=1000.0)
    save_run(tmp_path / "new", changed=3000.0)
    save_run(tmp_path / "toy", game="kuhn", changed=5000.0)
    damaged = save_run(tmp_path / "damaged", changed=7000.0) / "avg_policy.json"
    damaged.write_text(damaged.read_text()[:-20])
    forged = save_run(tmp_path / "forged", changed=9000.0) / "avg_policy.json"
    forged.write_text(json.dumps(POLICY.sealed({**POLICY.read(forged), "iterations": float("inf")})))
    (tmp_path / "mine" / "hands").mkdir(parents=True)  # as after hands with a model
    (tmp_path / "unfinished").mkdir()
    (tmp_path / "unfinished" / "checkpoint_100.pkl").touch()
    found = find_runs(tmp_path)
    assert [run.path.name for run in found.trained] == ["new", "old"]
    assert str(found.trained[0]) == f"{tmp_path / 'new'} (jam_or_fold_10bb, 12 iterations)"
    assert [run.path.name for run in found.of_toys] == ["toy"]
    assert [run.path.name for run in found.unreadable] == ["forged", "damaged"]
    assert "does not describe a policy of this version" in str(found.unreadable[0].error)
    assert "is not JSON: it was cut off or altered" in str(found.unreadable[1].error)
    assert [run.path.name for run in found.unfinished] == ["unfinished"]
    assert find_runs(tmp_path / "nowhere").trained == []


def test_a_run_is_named_by_its_path_or_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save_run(Path("runs/overnight"))
    assert named_run(Path("runs/overnight")) == Path("runs/overnight")
    assert named_run(Path("overnight")) == Path("runs/overnight")
    for typed in ("overnigt", "runs/overnigt", "runs/overnigt/avg_policy.json"):
        with pytest.raises(ArtifactMissing, match=r"does not exist; did you mean runs/overnight\?$"):
            named_run(Path(typed))
    with pytest.raises(ArtifactMissing, match="trained runs: runs/overnight"):
        named_run(Path("elsewhere/entirely/different"))


def test_without_runs_the_command_that_trains_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ArtifactMissing, match="holdem train --time-budget 60"):
        named_run(Path("runs/blueprint"))


def test_a_folder_without_files_is_no_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an empty `models/headsup` of some other program."""
    monkeypatch.chdir(tmp_path)
    small_model(tmp_path)
    Path("models/headsup/more").mkdir(parents=True)
    model = named_model(Path("models/headsup"))
    assert model is not None and model.name == "headsup"
    Path("models/headsup/avg_policy.json").write_text("{}")
    assert named_model(Path("models/headsup")) is None
    assert named_run(Path("models/headsup")) == Path("models/headsup")
