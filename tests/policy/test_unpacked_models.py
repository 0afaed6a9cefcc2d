"""An unpacked model where a run is expected: its name, and the folder for what people want to keep."""

import shutil
from pathlib import Path

import pytest

from holdem.errors import ArtifactMissing
from holdem.mccfr.run import directory
from holdem.mccfr.run.lock import LOCK_NAME
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


@pytest.mark.parametrize("stray", [".DS_Store", "report.html", "notes.txt", "Thumbs.db"])
def test_a_stray_file_beside_the_hands_is_no_run(unpacked: Path, stray: str) -> None:
    Path("runs/headsup/hands").mkdir(parents=True)
    Path("runs/headsup", stray).touch()
    for typed in (Path("headsup"), Path("runs/headsup"), Path("models/headsup")):
        assert named_run(typed) == unpacked


def test_whatever_training_leaves_is_a_run_and_not_replaced_by_a_model(unpacked: Path) -> None:
    """Each of it alone, as after a kill or a careless hand, whole or half written."""
    files = ["avg_policy.json", "avg_policy.0123456789ab.npy", ".avg_policy.npy", ".avg_policy.json.abcdefgh.part"]
    files += ["checkpoint_100.pkl", "checkpoint_100.json", "checkpoint_final.pkl", ".checkpoint_100.pkl.abcdefgh.part"]
    files += [directory.SUMMARY_NAME, directory.STATE_NAME, directory.LOG_NAME, directory.BUCKETS_NAME, LOCK_NAME]
    files += ["config.json", "leaf_values.json"]
    folders = [directory.SNAPSHOTS_NAME, directory.TENSORBOARD_NAME, directory.PROGRESS_NAME, directory.EXCHANGE_NAME]
    folders += ["instance_0", "checkpoints", "previous_20261119_064200"]
    for number, name in enumerate([*files, *folders]):
        Path("runs/headsup/hands").mkdir(parents=True)
        left = Path("runs/headsup", name)
        left.mkdir() if number >= len(files) else left.touch()
        assert named_model(Path("headsup")) is None, name
        assert named_run(Path("headsup")) == named_run(Path("runs/headsup")) == Path("runs/headsup"), name
        shutil.rmtree("runs/headsup")


def test_a_folder_without_a_model_of_its_name_is_a_folder(unpacked: Path) -> None:
    for folder in (Path("runs/mine/hands"), Path("elsewhere/headsup/hands")):
        folder.mkdir(parents=True)
        assert named_run(folder.parent) == folder.parent
