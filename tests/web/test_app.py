"""Pages and their data over HTTP: whole, from this server alone, and refusals in one sentence."""

import json
import re
from collections.abc import Iterator
from email.message import Message
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from holdem.web.app import PAGES, STATIC
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
        for module in re.findall(r'from "\./([^"]+)"', text):
            assert (STATIC / module).exists()


def test_nothing_is_loaded_from_elsewhere() -> None:
    for file in STATIC.iterdir():
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
    assert get(server, "/", host="evil.example")[0] == 400
    assert get(server, "/", host="localhost")[0] == 200


