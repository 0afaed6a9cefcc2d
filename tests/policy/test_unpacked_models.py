"""An unpacked model where a run is expected: its name, and the folder for what people want to keep."""

from pathlib import Path

import pytest

from holdem.errors import ArtifactMissing
from holdem.policy.models import find_model, unpack
from holdem.policy.run_names import named_model, named_run
from holdem.policy.unpacked_models import model_of, run_name, written_beside
from tests.shipped_models import ship
from tests.table.policies import save_jam_or_fold


@pytest.fixture
def unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOLDEM_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    ship(tmp_path, "headsup")
    model = find_model(Path("models/headsup"))
    assert model is not None
    return unpack(model)


def test_a_model_has_a_name_and_a_folder_under_runs(unpacked: Path) -> None:
    for path in (unpacked, unpacked / "avg_policy.json"):
        model = model_of(path)
        assert model is not None and model.name == "headsup"
        assert run_name(path) == "models/headsup"
        assert written_beside(path) == Path("runs/headsup")


def test_a_run_is_what_it_is(unpacked: Path) -> None:
    lookalike = Path("runs") / unpacked.name
    for run in (save_jam_or_fold(Path("runs/mine")).parent, save_jam_or_fold(lookalike).parent, Path("runs/no-where")):
        assert model_of(run) is None
        assert run_name(run) == str(run)
        assert written_beside(run) == written_beside(run / "avg_policy.json") == run


def test_a_run_with_a_dot_in_its_name_is_no_file(unpacked: Path) -> None:
    assert written_beside(Path("runs/v1.2")) == written_beside(Path("runs/v1.2/avg_policy.json")) == Path("runs/v1.2")


def test_the_folder_of_its_hands_means_the_model_until_something_is_trained_there(unpacked: Path) -> None:
    Path("runs/headsup/hands").mkdir(parents=True)
    for typed in (Path("headsup"), Path("runs/headsup"), Path("runs/headsup").absolute()):
        assert named_run(typed) == unpacked
    with pytest.raises(ArtifactMissing, match=r"did you mean models/headsup\?$"):
        named_run(Path("runs/headsup/avg_policy.json"))
    save_jam_or_fold(Path("runs/headsup"))
    assert named_run(Path("headsup")) == named_run(Path("runs/headsup")) == Path("runs/headsup")
    assert named_model(Path("runs/headsup")) is None


def test_a_folder_without_a_model_of_its_name_is_a_folder(unpacked: Path) -> None:
    for folder in (Path("runs/mine/hands"), Path("elsewhere/headsup/hands")):
        folder.mkdir(parents=True)
        assert named_run(folder.parent) == folder.parent
