"""Models: packed from a run, found by name, unpacked into the cache, whatever happens on the way."""

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdem.abstraction.betting.tree import build_tree
from holdem.cli.completion import models as completed_models
from holdem.errors import ArtifactError, ArtifactMissing, ConfigError
from holdem.game.presets import load_preset
from holdem.mccfr.run.directory import RunDirectory
from holdem.policy.file_names import BUCKETS_NAME
from holdem.policy.files import PolicyInfo
from holdem.policy.models import find_model, model_for, pack, shipped_models, unpack
from holdem.policy.policy import AveragePolicy
from holdem.policy.run_names import find_run, named_run, nearest_run
from tests.policy.models.made import LEVELS, random_run, short_game, small_model


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working directory with a model for two."""
    root = tmp_path_factory.mktemp("made")
    small_model(root)
    return root


@pytest.fixture
def here(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it to work in, with an empty cache."""
    shutil.copytree(made, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("HOLDEM_CACHE", str(tmp_path / "cache"))
    return tmp_path / "here"


def headsup() -> Any:
    model = find_model(Path("models/headsup"))
    assert model is not None
    return model


def test_a_model_says_what_it_is(here: Path) -> None:
    model = headsup()
    assert str(model) == "models/headsup (short_headsup_100bb, 12,345 iterations)"
    assert (model.title, model.licence, model.packed.levels) == ("A model of nothing", "MIT", LEVELS)
    assert model.bytes_on_disk == sum(file.stat().st_size for file in model.folder.iterdir())
    assert model.training["commands"] == ["holdem train"]
    assert [found.name for found in shipped_models()] == ["headsup"]


def test_an_unpacked_model_is_a_run(here: Path) -> None:
    folder = unpack(headsup())
    assert sorted(path.name.split(".")[0] for path in folder.iterdir()) == ["avg_policy", "avg_policy", "buckets"]
    before, after = AveragePolicy.load("made/headsup"), AveragePolicy.load(folder)
    assert after.info.bucketing is not None and after.info.bucketing.origin is None
    assert after.info.fingerprint == before.info.fingerprint
    for node in np.flatnonzero(after.tree.num_actions).tolist():
        rows, visited = after.rows(node)
        old, old_visited = before.rows(node)
        assert np.array_equal(visited, old_visited)
        steps = LEVELS[after.tree.street[node]]
        assert not visited.any() or np.abs(rows - old)[visited].max() < 1 / steps
        assert (after.table[after.places(node)].sum(axis=1)[visited] == 60_000).all()
    assert (folder / BUCKETS_NAME).read_bytes() == Path("made/headsup", BUCKETS_NAME).read_bytes()


def test_it_is_unpacked_once_and_a_damaged_copy_again(here: Path) -> None:
    folder = unpack(headsup())
    (array,) = folder.glob("*.npy")
    whole, first = array.read_bytes(), array.stat().st_mtime_ns
    assert unpack(headsup()) == folder and array.stat().st_mtime_ns == first
    for path in folder.iterdir():
        content = path.read_bytes()
        path.write_bytes(content[:-2])
        assert unpack(headsup()) == folder
        assert path.read_bytes() == content
        path.unlink()
        assert unpack(headsup()) == folder
        assert path.read_bytes() == content
    assert array.read_bytes() == whole
    assert [path.name for path in folder.parent.iterdir()] == [folder.name], "nothing is left over"


def test_the_same_policy_gives_the_same_bytes(here: Path) -> None:
    again = pack(Path("made/headsup"), Path("again/headsup"), "headsup", "Another title", levels=LEVELS).parent
    assert (again / "policy.xz").read_bytes() == Path("assets/models/headsup/policy.xz").read_bytes()


UNPACK = """
from pathlib import Path
from holdem.policy.models import find_model, unpack
print("begin", flush=True)
print(unpack(find_model(Path("models/headsup"))))
"""


def test_several_processes_unpack_at_once(here: Path) -> None:
    command = [sys.executable, "-c", UNPACK]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    outputs = {process.communicate()[0].split("\n")[1] for process in processes}
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert outputs == {str(unpack(headsup()))}
    assert len(list(Path(outputs.pop()).parent.iterdir())) == 1, "nothing is left over"


def test_a_model_that_differs_in_anything_has_a_folder_of_its_own(here: Path) -> None:
    """One of the working directory may have the name, and even the packed policy, of one that was shipped."""
    first = unpack(headsup())
    rewritten(Path("assets/models/headsup"), iterations=7)
    second = unpack(headsup())
    assert AveragePolicy.load(first).info.iterations == 12_345
    assert AveragePolicy.load(second).info.iterations == 7


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process that shares what is loaded")
def test_kill_9_at_any_moment_leaves_what_can_be_made_again(here: Path) -> None:
    model, moments = headsup(), random.Random(1)
    whole = AveragePolicy.load(unpack(model)).table.tobytes()
    for _ in range(20):
        shutil.rmtree(os.environ["HOLDEM_CACHE"])
        child = os.fork()  # a new process would import for longer than it unpacks
        if child == 0:
            unpack(model)
            os._exit(0)
        time.sleep(0.05 * moments.random())
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        assert AveragePolicy.load(unpack(model)).table.tobytes() == whole


@pytest.mark.skipif(os.name != "posix", reason="Ctrl+C by a signal")
def test_what_a_killed_process_left_goes_after_a_day(here: Path) -> None:
    """Also where nothing is to be unpacked any more."""
    cache = unpack(headsup()).parent
    old, new = cache / f".threemax-{'0' * 12}.forgoten.part", cache / f".threemax-{'0' * 12}.at_work_.part"
    mine = cache / ".something_else.part"
    for workshop in (old, new, mine):
        workshop.mkdir()
        (workshop / "half.npy").write_bytes(b"half")
        os.utime(workshop, (1e9, 1e9))
    new.touch()
    unpack(headsup())
    assert new.exists() and not old.exists()
    assert mine.exists(), "it was not made here"


def test_an_older_packing_goes_a_month_after_it_was_used(here: Path) -> None:
    first = unpack(headsup())
    long_ago = time.time() - 31 * 24 * 3600

    def age(*folders: Path) -> None:
        for path in (path for folder in folders for path in (*folder.iterdir(), folder)):
            os.utime(path, (long_ago, long_ago))

    age(first)
    unpack(headsup())
    assert first.stat().st_mtime > time.time() - 60, "it was used"
    other_name = first.parent / f"headsup_200bb-{'0' * 12}"
    others = [other_name, first.parent / "headsup-experiment", first.parent / f"{first.name}.bak"]
    for folder in others:
        shutil.copytree(first, folder)
    age(*others)
    rewritten(Path("assets/models/headsup"), iterations=7)
    second = unpack(headsup())
    assert first.exists(), "it was used less than a month ago"
    age(first)
    (first / "leaf_values.json").touch()
    os.utime(first, (long_ago, long_ago))
    unpack(headsup())
    assert first.exists(), "somebody wrote into it"
    age(first, second)
    assert unpack(headsup()) == second
    assert {path.name for path in first.parent.iterdir()} == {second.name, *(folder.name for folder in others)}


def test_ctrl_c_leaves_nothing_half(here: Path) -> None:
    small_model(here, "slow", short_game(stack=1_000))
    process = subprocess.Popen(
        [sys.executable, "-c", UNPACK.replace("headsup", "slow")], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    cache = Path(os.environ["HOLDEM_CACHE"]) / "models"
    while not list(cache.glob(".slow-*.part")) and process.poll() is None:
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert not list(cache.glob(".*.part"))
    model = find_model(Path("models/slow"))
    assert model is not None
    assert AveragePolicy.load(unpack(model)).info.iterations == 12_345


def test_listing_models_brings_no_numba(here: Path) -> None:
    code = "import sys; from holdem.policy.models import *; assert shipped_models(); assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


# Names


def test_a_model_is_named_wherever_a_run_is(here: Path) -> None:
    folder = unpack(headsup())
    for typed in ("models/headsup", "models/headsup/avg_policy.json"):
        assert named_run(Path(typed)) == find_run(Path(typed)) == folder
    for typed in ("models/other", "headsup", "models", "x/models/headsup", "models/headsup/x", "models/../headsup"):
        assert find_model(Path(typed)) is None
        assert find_run(Path(typed)) is None


def test_a_path_that_is_there_wins(here: Path) -> None:
    random_run(Path("models/headsup"), short_game())
    assert named_run(Path("models/headsup")) == Path("models/headsup")


def test_the_folder_of_a_model_is_that_model(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path("assets/models/headsup")
    assert named_run(folder) == named_run(folder.absolute()) == unpack(headsup())
    monkeypatch.setenv("HOLDEM_MODELS", str(folder.parent.absolute()))
    monkeypatch.chdir("assets")
    assert named_run(Path("models/headsup")) == unpack(headsup())
    shutil.copytree("models/headsup", "elsewhere/headsup")
    with pytest.raises(ConfigError, match=r"name its parent folder in HOLDEM_MODELS, .* name it models/headsup$"):
        named_run(Path("elsewhere/headsup"))


def test_no_run_is_trained_into_a_model(here: Path) -> None:
    folder = Path("assets/models/headsup")
    before = sorted(folder.iterdir())
    with pytest.raises(ConfigError, match="assets/models/headsup holds a model; name another folder for the run"):
        RunDirectory(folder).prepare(keep=False)
    assert sorted(folder.iterdir()) == before


def test_a_wrong_folder_of_models_is_named(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDEM_MODELS", "nowhere")
    with pytest.raises(ConfigError, match="HOLDEM_MODELS names nowhere, which is no folder"):
        shipped_models()
    assert completed_models() == ["models/headsup"], "the Tab key does not complain"


def test_a_python_without_lzma_says_so_where_a_model_is_unpacked(here: Path) -> None:
    code = """
import sys
sys.modules["_lzma"] = None
import holdem.cli.train_blueprint, holdem.cli.show, holdem.cli.play
from pathlib import Path
from holdem.errors import ConfigError
from holdem.policy.models import find_model, unpack
try:
    unpack(find_model(Path("models/headsup")))
except ConfigError as error:
    print(error)
"""
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert "built without lzma" in told


def test_a_wrong_name_gets_the_nearest(here: Path) -> None:
    for typed in ("models/hedsup", "models/hedsup/avg_policy.json", "hedsup"):
        with pytest.raises(ArtifactMissing, match=r"does not exist; did you mean models/headsup\?$"):
            named_run(Path(typed))
    with pytest.raises(ArtifactMissing, match=r"; models: models/headsup$"):
        named_run(Path("models/entirely_different"))
    random_run(Path("runs/headsup"), short_game())
    assert nearest_run(Path("hedsup")) == str(Path("runs/headsup"))
    assert nearest_run(Path("models/hedsup")) == "models/headsup"


def test_the_usual_models_come_first_and_fit_the_seats(here: Path) -> None:
    for name in ("another", "sixmax", "headsup_200bb"):
        shutil.copytree("assets/models/headsup", f"assets/models/{name}")
        rewritten(Path(f"assets/models/{name}"), name=name)
    assert [model.name for model in shipped_models()] == ["headsup", "headsup_200bb", "sixmax", "another"]
    assert model_for(2) == headsup()
    assert model_for(3) is None
    small_model(here, "three", short_game("threemax_100bb", 300))
    assert str(model_for(3)).startswith("models/three (")


def test_a_usual_name_of_other_seats_is_not_replaced_in_silence(here: Path) -> None:
    shutil.copytree("assets/models/headsup", "assets/models/headsup_200bb")
    rewritten(Path("assets/models/headsup_200bb"), name="headsup_200bb")
    shutil.rmtree("assets/models/headsup")
    small_model(here / "elsewhere", "headsup", short_game("threemax_100bb", 300))
    shutil.copytree("elsewhere/assets/models/headsup", "assets/models/headsup")
    with pytest.raises(ArtifactError, match=r"headsup/model\.json is no model of hold'em for 2 seats.*another name$"):
        model_for(2)
    found = model_for(2, 190.0)
    assert found is not None and found.name == "headsup_200bb"


def test_a_model_of_the_first_format_is_read(here: Path) -> None:
    """It had no guesses, and is the same otherwise."""
    table = AveragePolicy.load(unpack(headsup())).table.tobytes()
    rewritten(Path("assets/models/headsup"), format_version=1, iterations=7)
    policy = AveragePolicy.load(unpack(headsup()))
    assert (policy.info.iterations, policy.table.tobytes()) == (7, table)


def test_nobody_sits_down_to_play_kuhn(here: Path) -> None:
    kuhn = load_preset("kuhn")
    shutil.copytree("assets/models/headsup", "assets/models/kuhn")
    packed = json.loads(Path("assets/models/kuhn/model.json").read_text())["policy"]
    streets = {"buckets_per_street": [3] * kuhn.num_streets, "policy": {**packed, "levels": [240] * kuhn.num_streets}}
    rewritten(Path("assets/models/kuhn"), name="kuhn", game=kuhn.model_dump(mode="json"), **streets)
    assert [model.name for model in shipped_models()] == ["headsup", "kuhn"]
    assert model_for(2, kuhn.stack_blinds) == headsup()


def test_stacks_choose_among_models_and_a_damaged_one_is_not_replaced_in_silence(here: Path) -> None:
    """Of two usual models of two seats each is taken for the stacks that it is for, whatever became of the other."""
    shutil.copytree("assets/models/headsup", "assets/models/headsup_200bb")
    rewritten(Path("assets/models/headsup_200bb"), name="headsup_200bb", title="deep")
    path = Path("assets/models/headsup/model.json")
    whole = path.read_text()
    path.write_text(whole.replace('"format_version": 2', '"format_version": 3'))
    for stacks in (None, 90.0):
        with pytest.raises(ArtifactError, match="format version 3"):
            model_for(2, stacks)
    found = model_for(2, 180.0)
    assert found is not None and found.title == "deep"
    path.write_text(whole)
    path = Path("assets/models/headsup_200bb/model.json")
    path.write_text(path.read_text()[:-20])
    assert model_for(2, 90.0) == model_for(2) == headsup()
    with pytest.raises(ArtifactError):
        model_for(2, 180.0)


# What is wrong with a model


def rewritten(folder: Path, **changes: Any) -> None:
    """Change a manifest and make its checksum right."""
    path = folder / "model.json"
    content = {**json.loads(path.read_text()), **changes}
    content.pop("checksum", None)
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    path.write_text(json.dumps({**content, "checksum": hashlib.sha256(text.encode()).hexdigest()}))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format_version": 3}, "format version 3.*update holdem"),
        ({"kind": "holdem average policy"}, "is not a model; install holdem again"),
        ({"name": "../up"}, "small letters"),
        ({"name": "other"}, "not as its folder"),
        ({"created": "yesterday"}, "yesterday"),
        ({"title": "two\nlines"}, "cannot be printed"),
        ({"game": {"num_players": 99}}, "num_players"),
        ({"buckets_per_street": [169]}, "for each of 4 streets"),
        ({"buckets_per_street": [169, 1 << 28, 1, 1]}, "buckets_per_street"),
        ({"results": {"padding": "x" * (1 << 22)}}, "larger than 4,194,304 bytes"),
        ({"buckets": None}, "without"),
        ({"iterations": -1}, "iterations"),
        ({"policy": {}}, "has no 'file'"),
    ],
)
def test_a_manifest_that_does_not_fit_is_refused(here: Path, changes: dict[str, Any], said: str) -> None:
    rewritten(Path("assets/models/headsup"), **changes)
    with pytest.raises(ArtifactError, match=said):
        find_model(Path("models/headsup"))
    assert shipped_models() == []


@pytest.mark.parametrize("field", ["file", "levels", "entries", "bytes", "sha256", "table_sha256"])
def test_a_packed_file_that_does_not_fit_is_refused(here: Path, field: str) -> None:
    folder = Path("assets/models/headsup")
    stored = json.loads((folder / "model.json").read_text())["policy"]
    wrong = {"file": "../policy.xz", "levels": [7] * 4, "entries": stored["entries"] - 1, "bytes": stored["bytes"] + 1}
    rewritten(folder, policy={**stored, field: wrong.get(field, "0" * 64)})
    with pytest.raises(ArtifactError, match="; install holdem again"):
        unpack(headsup())
    assert not list(Path(os.environ["HOLDEM_CACHE"]).glob("models/*/avg_policy.json"))


@pytest.mark.skipif(os.name != "posix", reason="pipes in a folder")
@pytest.mark.parametrize("name", ["model.json", "policy.xz", "buckets.pkl"])
@pytest.mark.parametrize("instead", ["nothing", "folder", "pipe", "link"])
def test_something_else_in_the_place_of_a_file(here: Path, name: str, instead: str) -> None:
    path = Path("assets/models/headsup") / name
    path.rename("moved")
    match instead:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "link":
            path.symlink_to(here / "moved")
    if (name, instead) == ("model.json", "nothing"):
        assert find_model(Path("models/headsup")) is None
    elif (name, instead) != ("model.json", "link"):
        with pytest.raises(ArtifactError, match="; "):
            unpack(headsup())


def test_a_cache_that_cannot_be_written_is_said(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("file").touch()
    monkeypatch.setenv("HOLDEM_CACHE", str(here / "file"))
    with pytest.raises(ConfigError, match=r"cannot be written .*HOLDEM_CACHE"):
        unpack(headsup())


def test_what_no_manifest_can_say_is_not_packed(here: Path) -> None:
    """Nothing is written: a model that is there stays as it was."""
    config = load_preset("kuhn")
    buckets = (70_000,) * config.num_streets
    tree = build_tree(config)
    info = PolicyInfo(config, buckets, 1)
    table = np.zeros(tree.counts.entries(buckets), np.uint16)
    AveragePolicy(info, table).save("large")
    with pytest.raises(ConfigError, match="kuhn has 70,000 buckets on a street, and a model may have 65,536; "):
        pack(Path("large"), Path("new/large"), "large", "Title")
    for title in ("", "two\nlines", "x" * 201):
        with pytest.raises(ConfigError, match="title"):
            pack(Path("made/headsup"), Path("new/name"), "name", title)
    with pytest.raises(ConfigError, match="the results of a model take"):
        pack(Path("made/headsup"), Path("new/name"), "name", "Title", results={"padding": "x" * (1 << 22)})
    Path("made/headsup/buckets.pkl").unlink()
    with pytest.raises(ArtifactError, match=r"buckets\.pkl"):
        pack(Path("made/headsup"), Path("new/name"), "name", "Title")
    assert not Path("new").exists()


@pytest.mark.parametrize("stopped_at", ["read_table", "_write_buckets"])
def test_a_model_stays_whole_until_the_new_one_is(here: Path, monkeypatch: pytest.MonkeyPatch, stopped_at: str) -> None:
    folder = Path("assets/models/headsup")
    run = random_run(Path("runs/other"), short_game(), seed=2)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(f"holdem.policy.models.packing.{stopped_at}", interrupted)
        pack(run, folder, "headsup", "Another")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert [path.name for path in folder.parent.iterdir()] == ["headsup"]
    assert (pack(run, folder, "headsup", "Another")).exists()
    assert headsup().title == "Another"
    assert AveragePolicy.load(unpack(headsup())).info.iterations == 12_345


def test_a_model_takes_the_place_of_no_run(here: Path) -> None:
    mine, other = random_run(Path("runs/mine"), short_game()), random_run(Path("runs/other"), short_game())
    before = {path.name: path.read_bytes() for path in other.iterdir()}
    with pytest.raises(ConfigError, match="runs/other holds a run; name another folder"):
        pack(mine, other, "other", "Mine")
    assert {path.name: path.read_bytes() for path in other.iterdir()} == before


def test_results_nested_too_deep_are_refused(here: Path) -> None:
    nested: Any = []
    for _ in range(5_000):
        nested = [nested]
    with pytest.raises(ConfigError, match="plain JSON"):
        pack(random_run(Path("runs/mine"), short_game()), Path("mine"), "mine", "Mine", results={"lbr": nested})


@pytest.mark.parametrize(
    ("folder", "name", "levels", "said"),
    [
        ("new/Name", "Name", (240,), "small letters"),
        ("new/other", "name", (240,), "is called so"),
        ("new/name", "name", (255,), "divides 60,000"),
        ("new/name", "name", (240, 60), "one for each of 4 streets"),
    ],
)
def test_what_cannot_be_packed(here: Path, folder: str, name: str, levels: tuple[int, ...], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        pack(Path("made/headsup"), Path(folder), name, "Title", levels=levels)
    assert not Path("new").exists()
