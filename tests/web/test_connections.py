"""Connections that ask for nothing, read nothing or are too many, over real sockets and without a token."""

import select
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.request import urlopen

import pytest
from starlette.types import Receive, Scope, Send

from holdem.web import connections
from holdem.web.server import address_of, listen, running
from tests.waiting import PATIENCE_SECONDS
from tests.web.pages import Served, jam_or_fold_table, open_page, read_until, served
from tests.web.test_serve_command import serving

TOKEN = "secretsecret"
HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: "
REFUSED = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
PING = b"\x89\xfd" + bytes(4) + b"x" * 125


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("web")
    with served(jam_or_fold_table(folder), folder, host="0.0.0.0", token=TOKEN) as running:
        yield running


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("local")
    with served(jam_or_fold_table(folder), folder) as running:
        yield running


def port_of(server: Served) -> tuple[str, int]:
    name, port = server.address.removeprefix("http://").split(":")
    return name, int(port)


def connected(server: Served, sent: bytes = HALF, source: str = "127.0.0.1") -> socket.socket:
    raw = socket.create_connection(port_of(server), timeout=PATIENCE_SECONDS, source_address=(source, 0))
    raw.sendall(sent)
    return raw


def is_cut_off(raw: socket.socket, seconds: float = PATIENCE_SECONDS) -> bool:
    """Whether the server ends a connection, after whatever it says."""
    end = time.monotonic() + seconds
    while select.select([raw], [], [], max(0.0, end - time.monotonic()))[0]:
        try:
            if not raw.recv(1 << 16):
                return True
        except ConnectionError:
            return True
    return False


def answers(server: Served) -> bool:
    with urlopen(f"{server.address}/data/table?token={TOKEN}", timeout=PATIENCE_SECONDS) as answer:
        return bool(answer.status == 200)


@pytest.mark.long
@pytest.mark.parametrize("sent", [b"", HALF, REFUSED + HALF])
def test_half_a_request_is_not_waited_for(server: Served, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    with connected(server, sent) as raw:
        monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.5)  # not before all of it was sent
        assert is_cut_off(raw)


def test_the_rest_of_a_body_that_was_refused_is_no_request(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    with connected(server, b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n") as raw:
        read_until(raw, b"needs the token")
        monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.5)
        end = time.monotonic() + PATIENCE_SECONDS
        with pytest.raises(ConnectionError):  # byte by byte, which once kept it alive for ever
            while time.monotonic() < end:
                raw.sendall(b"x")
                time.sleep(0.05)


def test_a_page_that_waits_for_its_answer_is_not_silent(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    head = f"POST /data/range?token={TOKEN} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 14\r\n"
    with connected(server, f"{head}Expect: 100-continue\r\n\r\n".encode()) as raw:
        read_until(raw, b"100 Continue")  # from now on the body is waited for
        monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.5)
        time.sleep(2.5)  # longer than two looks
        raw.sendall(b'{"text": "AA"}')
        read_until(raw, b"AhAd")


def test_whoever_reads_no_answers_is_cut_off(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "STALLED_SECONDS", 0.5)
    with socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.connect(port_of(server))
        raw.settimeout(PATIENCE_SECONDS)
        with pytest.raises(ConnectionError):
            for _ in range(100_000):
                raw.sendall(REFUSED * 100)


def test_one_too_many_takes_the_place_of_the_most_silent(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST", 20)
    monkeypatch.setattr(connections, "REQUEST_SECONDS", PATIENCE_SECONDS)  # no other reason to be cut off
    with ExitStack() as stack:
        silent = [stack.enter_context(connected(server)) for _ in range(60)]
        assert answers(server)
        assert all(is_cut_off(raw) for raw in silent[:40])
        assert not any(is_cut_off(raw, 0.0) for raw in silent[-15:])


def test_pages_keep_their_places(local: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST", 10)
    with ExitStack() as stack:
        pages = [stack.enter_context(local.page()) for _ in range(9)]
        silent = [stack.enter_context(connected(local)) for _ in range(40)]
        assert is_cut_off(silent[0])
        for page in pages:
            assert page.play_hand()["type"] == "over"


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS has one address of its own, 127.0.0.1")
def test_another_machine_has_a_share(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST", 40)
    monkeypatch.setattr(connections, "REQUEST_SECONDS", PATIENCE_SECONDS)  # no other reason to be cut off
    monkeypatch.setattr(connections, "MOST_OF_ADDRESS", 5)
    monkeypatch.setattr(connections, "is_loopback", lambda address: address == "127.0.0.1")
    with ExitStack() as stack:
        near = [stack.enter_context(connected(server)) for _ in range(10)]
        far = [stack.enter_context(connected(server, source="127.0.0.2")) for _ in range(12)]
        assert all(is_cut_off(raw) for raw in far[:7])
        assert not any(is_cut_off(raw, 0.0) for raw in far[7:] + near)
        assert answers(server)


def test_pings_that_nobody_reads_do_not_pile_up(local: Served) -> None:
    with open_page(local.address.removeprefix("http://")) as raw:
        raw.settimeout(PATIENCE_SECONDS)
        with pytest.raises(ConnectionError):
            for _ in range(400):  # 100 MB, where 1 MB and what the system holds may wait
                raw.sendall(PING * 2_000)
    assert answers(local)


def test_a_page_that_broke_off_is_not_written_to(caplog: pytest.LogCaptureFixture) -> None:
    """It goes while the loop stands still, and then many things are said to it at once."""
    stands_still, gone, ended = threading.Event(), threading.Event(), threading.Event()

    async def talkative(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            return
        try:
            await send({"type": "websocket.accept"})
            await receive()
            await receive()
            stands_still.set()
            assert gone.wait(PATIENCE_SECONDS)
            for _ in range(100):
                await send({"type": "websocket.send", "text": "x" * 100})
        finally:
            ended.set()

    listener = listen("127.0.0.1", 0)
    with running(talkative, listener):
        raw = open_page(address_of(listener).removeprefix("http://"))
        assert stands_still.wait(PATIENCE_SECONDS)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raw.close()
        gone.set()
        assert ended.wait(PATIENCE_SECONDS)
    assert "socket.send()" not in caplog.text
    assert not caplog.records


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="the bound of another process is changed")
def test_the_log_stays_short_when_no_file_can_be_opened(tmp_path: Path) -> None:
    import resource

    with serving(tmp_path) as (process, host), ExitStack() as stack:
        name, port = host.split(":")
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (60, 60))
        for _ in range(130):  # some are accepted, the others wait in line
            stack.enter_context(socket.create_connection((name, int(port)), timeout=PATIENCE_SECONDS)).sendall(HALF)
        time.sleep(2.0)  # it tries again after a second
        stack.pop_all().close()
        with urlopen(f"http://{host}/data/table", timeout=PATIENCE_SECONDS) as answer:
            assert answer.status == 200
        process.send_signal(signal.SIGINT)
        output = process.communicate(timeout=PATIENCE_SECONDS)[0]
        assert output.count("out of system resource") == 1
        assert len(output) < 5_000


def test_the_bound_leaves_files_for_the_rest() -> None:
    assert 100 <= connections.MOST <= connections.LARGEST_MOST
    assert connections.MOST_OF_ADDRESS <= connections.MOST
