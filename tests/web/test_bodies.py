"""Bodies that are too slow or break off, over real sockets: refused in a sentence, and nobody else waits for them."""

import json
import select
import socket
import time
from collections.abc import Iterator

import pytest

from holdem.web import bodies
from holdem.web.review import brought_files
from holdem.web.solve import uploads
from tests.waiting import PATIENCE_SECONDS, wait_for
from tests.web.pages import Served, jam_or_fold_table, read_until, served
from tests.web.solve.solve_pages import fetch, sentence_of

PATHS = ["/data/solve/upload", "/data/histories?name=a.phhs", "/data/range"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("web")
    with served(jam_or_fold_table(folder), folder) as running:
        yield running


def begun(server: Served, path: str, length: int = 100_000) -> socket.socket:
    """A request whose body has begun."""
    host = server.address.removeprefix("http://")
    name, port = host.split(":")
    raw = socket.create_connection((name, int(port)), timeout=PATIENCE_SECONDS)
    raw.sendall(f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\nx".encode())
    return raw


@pytest.mark.parametrize("path", PATHS)
def test_a_body_that_does_not_come(server: Served, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "GRACE_SECONDS", 0.5)
    with begun(server, path) as raw:
        read_until(raw, b"comes too slowly")


def test_a_body_below_the_least_rate(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "GRACE_SECONDS", 0.5)
    monkeypatch.setattr(bodies, "LEAST_RATE", 1_000)
    end = time.monotonic() + PATIENCE_SECONDS
    with begun(server, PATHS[0]) as raw:
        while not select.select([raw], [], [], 0.1)[0] and time.monotonic() < end:
            raw.sendall(b"x" * 10)
        read_until(raw, b"comes too slowly")


def test_slow_files_give_their_places_back(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "GRACE_SECONDS", 2 * PATIENCE_SECONDS)
    slow = [begun(server, PATHS[0]) for _ in range(uploads.MOST_AT_ONCE)]
    wait_for(lambda: "being uploaded" in sentence_of(fetch(server.address + PATHS[0], b"abc")[1]))
    monkeypatch.setattr(bodies, "GRACE_SECONDS", 0.0)  # which is looked at with each piece that comes
    for raw in slow:
        raw.sendall(b"x")
        read_until(raw, b"comes too slowly")
        raw.close()
    monkeypatch.undo()
    assert "no whole saved solve" in sentence_of(fetch(server.address + PATHS[0], b"abc")[1])


@pytest.mark.parametrize("path", PATHS)
def test_a_body_that_breaks_off_is_no_news(server: Served, path: str, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(uploads.MOST_AT_ONCE + brought_files.MOST_AT_ONCE):
        begun(server, path).close()
    wait_for(lambda: "being" not in sentence_of(fetch(server.address + path, b"abc")[1]))
    assert fetch(server.address + path, b"abc")[0] == 400
    assert not caplog.records


def test_a_length_that_is_too_large_is_not_read(server: Served) -> None:
    for path in PATHS:
        with begun(server, path, 1 << 40) as raw:
            read_until(raw, b"the range is too long" if path == "/data/range" else b"is larger than")


def test_a_long_text_is_not_repeated(server: Served) -> None:
    for text in ("A" * 99_000, "AA:" + "9" * 99_000, "AKs" + "+" * 99_000):
        status, content = fetch(server.address + "/data/range", json.dumps({"text": text}).encode())
        assert status == 400
        assert len(sentence_of(content)) < 200
