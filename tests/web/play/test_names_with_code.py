"""A page names agents of the server's lists only: `python:`, `process:` and paths are refused, and start nothing."""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests.waiting import PATIENCE_SECONDS
from tests.web.pages import Page, jam_or_fold_table, served


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names that leave a file behind wherever they are opened as an agent, and paths of things that exist."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    marker = folder / "started"
    (folder / "marking.py").write_text(f"open({str(marker)!r}, 'w').close()\nclass Agent: pass\n", encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    program = f"process:{sys.executable} {folder / 'marking.py'}"
    return ["python:marking:Agent", program, str(folder), "../elsewhere", str(folder / "marking.py"), "search:../jam"]


def answer(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address, timeout=60) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_links_name_runs_of_the_list_and_nothing_else(tmp_path: Path, names: list[str]) -> None:
    with served(jam_or_fold_table(tmp_path), tmp_path) as server:
        for route in ("strategy?policy=", "curves?run=", "exploitability?run="):
            for name in names:
                status, text = answer(f"{server.address}/data/{route}{urllib.parse.quote(name, safe='')}")
                assert status == 400, (route, name)
                assert "there is no " in json.loads(text)["error"]
        for name in names:  # neither does the page of the table take an opponent, by whatever name
            status, _ = answer(f"{server.address}/?opponent={urllib.parse.quote(name, safe='')}")
            assert status == 200
    assert not (tmp_path / "elsewhere" / "started").exists()


def test_the_table_takes_lines_of_play_and_no_names(tmp_path: Path, names: list[str]) -> None:
    with served(jam_or_fold_table(tmp_path), tmp_path) as server:
        with server.page() as page:
            page.until("turn")
            for name in names:
                page.say(name)
                assert page.until("told", "turn", "over")["type"] != "over", name
            for key in ("opponent", "agent", "policy", "profile", "opponents"):
                for name in names:
                    page.socket.send(json.dumps({"question": page.question, "line": "?", key: name}))
                    page.until("told", "turn")
            page.say("c")
            assert page.play_hand()["type"] == "over"
        for name in names:
            query = urllib.parse.urlencode({"opponent": name, "agent": name, "profile": name})
            address = f"{server.address.replace('http', 'ws')}/play?{query}"
            with connect(address, open_timeout=PATIENCE_SECONDS) as raw:
                assert Page(raw).until("turn")
    assert not (tmp_path / "elsewhere" / "started").exists()


def test_the_options_of_a_table_take_names_of_the_lists(tmp_path: Path, names: list[str]) -> None:
    plan = jam_or_fold_table(tmp_path)
    more = [
        str(plan.policy),
        str(tmp_path / "runs" / "jam"),
        "search:jam",
        "search+root=unsafe:jam",
        "jam/../jam",
        "./jam",
    ]
    with served(plan, tmp_path) as server:
        for name in (*names, *more):
            for options in ({"policy": name}, {"opponents": [name]}, {"opponents": [name + " with search"]}):
                with server.page({"table": options}) as page:
                    message = page.next()
                    assert message["type"] == "told", (options, message)
                    assert message["text"].startswith("there is no "), message
        assert server.sessions.running == 0
        with server.page({"table": {"policy": "jam", "opponents": ["jam"]}}) as page:
            assert page.until("table")
    assert not (tmp_path / "elsewhere" / "started").exists()
