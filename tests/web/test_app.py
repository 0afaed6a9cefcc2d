"""Pages and their data over HTTP: whole, from this server alone, and refusals in one sentence."""

import json
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from email.message import Message
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest

from holdem.mccfr.run.state import RunState
from holdem.util.artifacts import write_json
from holdem.web.app import PAGES, STATIC
from tests.table.policies import save_jam_or_fold
from tests.web.pages import Served, jam_or_fold_table, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("web")
    with served(jam_or_fold_table(folder), folder) as running:
        yield running


def get(server: Served, path: str, host: str | None = None) -> tuple[int, Message, str]:
    request = Request(server.address + path, headers={} if host is None else {"Host": host})
    try:
        with urlopen(request) as response:
            return response.status, response.headers, response.read().decode()
    except HTTPError as error:
        return error.code, error.headers, error.read().decode()


@pytest.mark.parametrize("path", PAGES)
def test_pages_and_all_that_they_load_are_here(server: Served, path: str) -> None:
    status, headers, page = get(server, path)
    assert status == 200
    assert headers["Content-Security-Policy"].startswith("default-src 'self'")
    needed = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
    assert len(needed) >= 3
    for address in needed:
        status, _, text = get(server, address)
        assert status == 200
        for module in re.findall(r'from "(\.[^"]+)"', text):
            assert (STATIC / address.removeprefix("/static/")).parent.joinpath(module).is_file()


def test_nothing_is_loaded_from_elsewhere() -> None:
    for file in (path for path in STATIC.rglob("*") if path.is_file()):
        for address in re.findall(r"https?://[^\s\"'`)]+", file.read_text(encoding="utf-8")):
            assert address == "http://www.w3.org/2000/svg", f"{file.name}: {address}"


def test_data_of_the_other_pages(server: Served) -> None:
    _, _, text = get(server, "/data/policies")
    assert json.loads(text)["played"] == "jam"
    status, _, text = get(server, "/data/strategy?policy=jam")
    assert status == 200
    assert len(json.loads(text)["classes"]) == 169
    assert json.loads(get(server, "/data/runs")[2])["runs"] == []


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/data/strategy?policy=../jam", "there is no policy called"),
        ("/data/strategy?policy=jam&line=SB%20dances", "'SB dances' is not in the tree"),
        ("/data/ranges?policy=../jam", "there is no policy called"),
        ("/data/values?policy=jam&line=SB%20fold", "the hand is over"),
        ("/data/compare?policy=jam&with=../jam", "there is no policy called"),
        ("/data/curves?run=jam", "there is no run called"),
    ],
)
def test_refusals_are_sentences(server: Served, path: str, words: str) -> None:
    status, _, text = get(server, path)
    assert status == 400
    assert words in json.loads(text)["error"]


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/app.py", "/docs", "/openapi.json", "/nothing"])
def test_nothing_else_is_served(server: Served, path: str) -> None:
    assert get(server, path)[0] == 404


def test_pages_are_not_given_out_under_another_name(server: Served) -> None:
    assert get(server, "/", host="evil.example")[0] == 403
    assert get(server, "/", host="localhost")[0] == 200


@pytest.mark.parametrize(
    ("path", "expected", "words"),
    [
        ("/data/strategy", 422, "policy: Field required"),
        ("/data/curves?run[]=jam", 422, "run: Field required"),
        ("/data/strategy?policy=jam&line=" + "x" * 2_000, 422, "at most 1000 characters"),
        ("/data/strategy?policy=jam&line=SB%20raise%20" + "9" * 400, 400, "is not"),
        ("/data/strategy?policy=%00", 400, "there is no policy called"),
        ("/data/runs/" + "a" * 5_000, 404, "the pages are /, /solve, /strategy, /review"),
        ("/static/%00", 404, "Not Found"),
    ],
)
def test_garbage_is_answered_with_one_sentence(server: Served, path: str, expected: int, words: str) -> None:
    status, headers, text = get(server, path)
    assert status == expected
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert list(json.loads(text)) == ["error"]
    assert words in json.loads(text)["error"]
    assert len(text) < 400


ODD_NAMES = ["a b", "q'\"uote", "<script>alert(1)<", "ünï😀", "100%25%", "new\nline", "?&=#", os.fsdecode(b"\xff")]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not let such names be")
@pytest.mark.parametrize("name", ODD_NAMES)
def test_folders_with_odd_names(server: Served, name: str) -> None:
    state = RunState(name, "completed", 10, 10, 1.0, 1.0, 10.0, 10.0, last_update=time.time())
    try:
        save_jam_or_fold(server.runs / name)
        write_json(server.runs / name / "progress.json", {**asdict(state), "name": "run"})
        known = json.loads(get(server, "/data/policies")[2])["policies"]
        [listed] = set(known) - {"jam"}
        assert listed == name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        assert [run["name"] for run in json.loads(get(server, "/data/runs")[2])["runs"]] == [listed]
        for path in ("strategy?policy=", "curves?run=", "exploitability?run="):
            assert get(server, f"/data/{path}{quote(listed, safe='')}")[0] == 200
    finally:
        shutil.rmtree(server.runs / name)
