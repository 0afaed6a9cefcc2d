"""Folders of runs with files that nobody should have put there: each hides itself and nothing else, and nobody waits.

Each case damages one file of a run; then every route is asked, with a time limit, beside a run that is whole.
"""

import json
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from shutil import copytree, rmtree
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import urlopen

import pytest

from holdem.mccfr.instances.progress import InstanceProgress, write_progress
from holdem.mccfr.run.state import RunState
from holdem.mccfr.run.telemetry import TensorBoard
from holdem.util.artifacts import write_json
from tests.table.policies import save_jam_or_fold
from tests.web.pages import Served, jam_or_fold_table, served

LIMIT_SECONDS = 60.0
"""A pipe and a device without an end are waited for as long as anybody reads them."""
STATE = asdict(RunState("run", "running", 118_000, 250_000, 20.0, 0.472, 6_000.0, 3e6, 2, 123))
posix = pytest.mark.skipif(sys.platform == "win32", reason="no such files there")

INSTANCE = "progress/instance_0_progress.json"
ARRAY = "the array of its policy"

Damage = Callable[[Path], object]


def save_run(folder: Path) -> Path:
    """A run with everything that pages read: state, summary, log, policy, a snapshot and curves."""
    save_jam_or_fold(folder)
    save_jam_or_fold(folder / "snapshots" / "5")
    write_json(folder / "progress.json", {**STATE, "last_update": time.time()})
    write_json(folder / "summary.json", {"seconds": 20.0})
    (folder / "train.log").write_text("INFO: Snapshot at iteration 5 after 3 s of training\n", encoding="utf-8")
    board = TensorBoard(folder / "tensorboard", {})
    board.scalars(1, {"A": 1.0})
    board.close()
    return folder


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("web")
    plan = jam_or_fold_table(folder)
    save_run(folder / "runs" / "good")
    with served(plan, folder) as running:
        yield running


def get(server: Served, path: str) -> tuple[int, dict[str, object]]:
    """An answer in time; it must be JSON as browsers read it."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    try:
        with urlopen(server.address + path, timeout=LIMIT_SECONDS) as response:
            status, text = response.status, response.read()
    except HTTPError as error:
        status, text = error.code, error.read()
    return status, json.loads(text, parse_constant=refuse)


def names_of(server: Served) -> tuple[list[str], list[str]]:
    """The runs and the policies that pages list."""
    status, runs = get(server, "/data/runs")
    assert status == 200
    status, policies = get(server, "/data/policies")
    assert status == 200
    return [run["name"] for run in runs["runs"]], list(policies["policies"])  # type: ignore[attr-defined,call-overload]


def ask_everything(server: Served, name: str) -> None:
    """Every route, about this run; a sentence is an answer, a failure of the server is none."""
    written = quote(name, safe="")
    for path in ("strategy?policy={}", "curves?run={}", "exploitability?run={}", "strategy?policy={}/snapshots/5"):
        status, content = get(server, f"/data/{path.format(written)}")
        assert status in (200, 400), content
        assert status == 200 or list(content) == ["error"]


@pytest.fixture
def bad(server: Served) -> Iterator[Path]:
    folder = server.runs / "bad"
    copytree(server.runs / "good", folder)
    yield folder
    rmtree(folder)


def with_state(**changes: object) -> bytes:
    return json.dumps({**STATE, "last_update": 1.0, **changes}).encode()


WRONG: list[object] = [{}, "x", [1], True]
CONTENTS = {
    "half a pair": with_state(error="\ud800"),
    "half a pair in a name": with_state(name="\udcff"),
    "half a pair as a status": with_state(status="\udfff"),
    "not a number": with_state(seconds=float("nan")),
    "no process": with_state(process=float("nan")),
    "infinite": with_state(nodes_per_second=float("inf")),
    "nearly infinite": with_state(seconds=1e308, share_done=1e-300, iterations=None),
    "thousands of digits": with_state().replace(b"118000", b"9" * 5_000),
    "not UTF-8": with_state().replace(b'"run"', b'"\xff"'),
    "UTF-16": with_state().decode().encode("utf-16"),
    "deep": b"[" * 1_000_000,
    "a list": b"[]",
    "a number": b"1e999",
    "empty": b"",
    **{f"{key} is {value!r}": with_state(**{key: value}) for key in STATE for value in WRONG},
}
FITTING = {"name is 'x'", "status is 'x'", "error is 'x'"}
"""These are of the right type."""


@pytest.mark.parametrize("file", ["progress.json", "summary.json", "avg_policy.json", INSTANCE])
def test_content_that_no_run_would_write(server: Served, bad: Path, file: str) -> None:
    """All at once, each in a run of its own."""
    copies = {}
    for number, (what, content) in enumerate(CONTENTS.items()):
        copies[f"copy{number}"] = what
        copytree(bad, server.runs / f"copy{number}")
        path = server.runs / f"copy{number}" / file
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    try:
        runs, policies = names_of(server)
        assert "good" in runs and {"good", "good/snapshots/5"} <= set(policies)
        hidden = {what for name, what in copies.items() if name not in runs}
        assert hidden == (set(CONTENTS) - FITTING if file == "progress.json" else set())
        for name in (*list(copies)[::5], "good"):
            ask_everything(server, name)
    finally:
        for name in copies:
            rmtree(server.runs / name)


def a_pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    path.unlink(missing_ok=True)
    here = Path.cwd()
    os.chdir(path.parent)  # the names of sockets are short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path.name)
    os.chdir(here)


def a_link(target: str) -> Damage:
    def damage(path: Path) -> None:
        path.unlink(missing_ok=True)
        path.symlink_to(target.replace("SELF", path.name))

    return damage


def a_folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


def a_giant(path: Path) -> None:
    """Four gigabytes of nothing, which take no place on the disk."""
    path.unlink(missing_ok=True)
    with path.open("wb") as file:
        file.truncate(1 << 32)


DAMAGES: dict[str, Damage] = {
    "a pipe": a_pipe,
    "a socket": a_socket,
    "a device without an end": a_link("/dev/zero"),
    "a link to itself": a_link("SELF"),
    "a link to nothing": a_link("nothing"),
    "a folder": a_folder,
    "a giant": a_giant,
}
FILES = ["progress.json", "summary.json", "train.log", "avg_policy.json", "snapshots/5/avg_policy.json",
         INSTANCE, "tensorboard/events.out.tfevents.1", ARRAY]  # fmt: skip


@posix
@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_what_is_no_file_is_not_opened(server: Served, bad: Path, file: str, damage: Damage) -> None:
    path = next(bad.glob("avg_policy.*.npy")) if file == ARRAY else bad / file
    path.parent.mkdir(exist_ok=True)
    start = time.monotonic()
    damage(path)
    runs, policies = names_of(server)
    assert "good" in runs and "good" in policies
    assert ("bad" in runs) == (file != "progress.json")
    ask_everything(server, "bad")
    if file.startswith("tensorboard"):  # the other file of that folder still has its curve
        assert get(server, "/data/curves?run=bad")[1] == {"": {"A": [[1, 1.0]]}}
    ask_everything(server, "good")
    assert time.monotonic() - start < LIMIT_SECONDS


@posix
def test_a_bad_instance_hides_no_other(server: Served, bad: Path) -> None:
    for number in range(3):
        write_progress(bad, InstanceProgress(number, 0, 10, 5, "running", progress_pct=50.0))
    (bad / "progress" / "instance_1_progress.json").write_bytes(b'{"instance_id": "../../x"}')
    a_pipe(bad / "progress" / "instance_7_progress.json")
    [run] = [run for run in get(server, "/data/runs")[1]["runs"] if run["name"] == "bad"]  # type: ignore[attr-defined]
    assert [state["name"] for state in run["runs"]] == ["instance_0", "instance_2"]


@posix
def test_links_that_lead_back_are_followed_once(server: Served, bad: Path) -> None:
    (bad / "up").symlink_to("..")
    (bad / "here").symlink_to(".")
    (bad / "other").symlink_to(server.runs / "good")
    assert set(names_of(server)[1]) >= {"good", "bad", "bad/other"}
    assert not [name for name in names_of(server)[1] if "up" in name or "here" in name]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not let such names be")
def test_two_names_that_look_the_same_are_two(server: Served) -> None:
    names = [os.fsdecode(b"twin\xfe"), os.fsdecode(b"twin\xff")]
    for name in names:
        save_run(server.runs / name)
    runs, policies = names_of(server)
    twins = [name for name in runs if name.startswith("twin")]
    assert len(twins) == len(set(twins)) == 2
    assert set(twins) <= set(policies)
    for name in twins:
        ask_everything(server, name)
    for name in names:
        rmtree(server.runs / name)


@posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="nothing is denied to root")
@pytest.mark.parametrize("file", [".", *FILES[:5]])
def test_what_may_not_be_read_hides_itself(server: Served, bad: Path, file: str) -> None:
    (bad / file).chmod(0)
    try:
        assert "good" in names_of(server)[0]
        ask_everything(server, "good")
    finally:
        (bad / file).chmod(0o700)
