"""Pages that go away for good: their places are free when nobody waits for them any more, however they went."""

import os
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from holdem.game.presets import load_preset
from holdem.table.person.table import PersonTable
from holdem.table.profiles.profiles import TableProfile
from tests.waiting import wait_for
from tests.web.pages import THINKER, Served, open_page, read_until, served

AT_ONCE_SECONDS = 30.0
"""Less than what the bot of these tests thinks, or their table rests."""
REST_SECONDS = 60.0


def leave_politely(raw: socket.socket) -> None:
    raw.sendall(b"\x88\x80\x00\x00\x00\x00")  # a close frame without a reason, masked with zeros


def hang_up(raw: socket.socket) -> None:
    raw.close()


def reset(raw: socket.socket) -> None:
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raw.close()


WAYS = [leave_politely, hang_up, reset]
Leave = Callable[[socket.socket], None]


def soon(found: Callable[[], bool]) -> bool:
    """Whether something becomes true at once."""
    deadline = time.monotonic() + AT_ONCE_SECONDS
    while not found() and time.monotonic() < deadline:
        time.sleep(0.01)
    return found()


@pytest.fixture(autouse=True)
def nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The minute in which a page may come back is over at once."""
    monkeypatch.setattr("holdem.web.play.page_socket.WAIT_SECONDS", 0.0)


@contextmanager
def table(folder: Path, opponent: str, **profile: object) -> Iterator[Served]:
    content = TableProfile.model_validate({"opponents": (opponent,), **profile})
    with served(PersonTable(content, load_preset("headsup_100bb"), None, None), folder) as running:
        yield running


@pytest.mark.parametrize("leave", WAYS)
def test_at_a_persons_turn(tmp_path: Path, leave: Leave) -> None:
    with table(tmp_path, "always-call") as server:
        raw = open_page(server.address.removeprefix("http://"))
        read_until(raw, b'"turn"')
        assert server.sessions.seated == 1
        leave(raw)
        assert soon(lambda: server.sessions.seated == server.sessions.running == 0)
        raw.close()
        server.hands(1)


@pytest.mark.skipif(sys.platform == "win32", reason="signal 0 asks for a process on POSIX only")
@pytest.mark.parametrize("leave", WAYS)
def test_while_the_bot_thinks(tmp_path: Path, leave: Leave, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdem.web.play.sessions.MOST_SESSIONS", 1)
    thinking = tmp_path / "thinking"
    thinking.mkdir()
    (tmp_path / "thinker.py").write_text(THINKER, encoding="utf-8")
    with table(tmp_path, f"process:{sys.executable} {tmp_path / 'thinker.py'} {thinking}") as server:
        raw = open_page(server.address.removeprefix("http://"))
        wait_for(lambda: any(thinking.iterdir()))
        with server.page() as late:
            assert "tables are taken" in late.until("told")["text"]
        leave(raw)
        assert soon(lambda: server.sessions.seated == 0)
        with server.page() as next_page:
            assert next_page.until("table", "told")["type"] == "table"
        raw.close()
        assert soon(lambda: server.sessions.running == 0)
        [first, *_] = thinking.iterdir()
        with pytest.raises(ProcessLookupError):  # the bot's program was ended too
            os.kill(int(first.name), 0)
        assert all(stored.hand.is_over for stored in server.hands(2))


def test_during_a_pause_of_the_table(tmp_path: Path) -> None:
    with table(tmp_path, "always-call", pace_seconds=REST_SECONDS) as server:
        raw = open_page(server.address.removeprefix("http://"))
        read_until(raw, b'"Call"')  # the bot has called, and the table rests
        reset(raw)
        assert soon(lambda: server.sessions.running == 0)
        server.hands(1)


@pytest.mark.long
def test_pages_that_come_and_go_do_not_pile_up(tmp_path: Path) -> None:
    with table(tmp_path, "always-call", pace_seconds=REST_SECONDS) as server:
        for _ in range(50):
            raw = open_page(server.address.removeprefix("http://"))
            raw.recv(1)
            reset(raw)
        assert soon(lambda: server.sessions.running == 0)
        with server.page() as page_after:
            assert page_after.until("table", "told")["type"] == "table"
