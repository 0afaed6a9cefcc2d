"""A server in this process with a hand-made policy, and the browser's half of a conversation with it."""

import json
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from websockets.client import ClientProtocol
from websockets.sync.client import ClientConnection, connect
from websockets.uri import parse_uri

from holdem.policy.models import ShippedModel
from holdem.table.history.hand_history import HandHistory, StoredHand, read_history
from holdem.table.person.table import PersonTable, plan_table
from holdem.web.app import make_app
from holdem.web.hosts import own_names
from holdem.web.play.sessions import PlaySessions
from holdem.web.run_folder import RunFolder
from holdem.web.server import address_of, guarded, listen, running
from holdem.web.solve.rooms import SolveRooms
from tests.table.policies import save_jam_or_fold
from tests.waiting import PATIENCE_SECONDS

HOST = "127.0.0.1"

Message = dict[str, Any]

THINKER = """
import os, socket, sys, time
connection = socket.create_connection((sys.argv[-2], int(sys.argv[-1])))
connection.sendall(b"VERSION:2.0.0\\r\\n")
connection.recv(1000)
open(os.path.join(sys.argv[1], str(os.getpid())), "w").close()
time.sleep(50)
"""
"""A bot in another process that thinks for long at its first turn; a file with its number says that it does."""


@dataclass(frozen=True)
class Served:
    """A running server, and the file of its hands."""

    address: str
    sessions: PlaySessions
    history: Path
    runs: Path
    solves: SolveRooms

    @contextmanager
    def page(self, hello: Message | None = None, **options: Any) -> Iterator["Page"]:
        """A play page that is open; `hello` is its first message."""
        address = self.address.replace("http", "ws") + "/play"
        with connect(address, max_queue=None, open_timeout=PATIENCE_SECONDS, **options) as socket:
            yield Page(socket, hello)

    def hands(self, count: int) -> list[StoredHand]:
        """The hands of the file, after everybody has left; there must be so many."""
        for session in self.sessions.dismiss():
            session.thread.join(PATIENCE_SECONDS)  # the server itself waits for two seconds only
        self.sessions.close()
        stored = read_history(self.history)
        assert len(stored) == count
        return stored


def jam_or_fold_table(folder: Path, opponent: str = "always-call") -> PersonTable:
    """A table with a random policy to ask."""
    return plan_table(save_jam_or_fold(folder / "runs" / "jam"), opponent, None, None)


@contextmanager
def served(
    plan: PersonTable,
    folder: Path,
    seed: int = 3,
    runs: Path | None = None,
    *,
    host: str = HOST,
    token: str | None = None,
    allowed: Sequence[str] = (),
    solves: SolveRooms | None = None,
    models: tuple[ShippedModel, ...] = (),
) -> Iterator[Served]:
    """A server on a free port of this machine, guarded as one that listens at `host`."""
    path, runs = folder / "hands.phhs", runs or folder / "runs"
    with HandHistory.open(path) as history:
        sessions = PlaySessions(plan, history, seed)
        listener = listen(HOST, 0)
        solves = solves or SolveRooms()
        app = make_app(sessions, RunFolder(runs, plan.policy, models), solves)
        guard = guarded(app, listener, host, token, own_names(host, allowed))
        with running(guard, listener):
            yield Served(address_of(listener), sessions, path, runs, solves)
        solves.close()
        sessions.close()


class Page:
    """What the script of the play page does, without the page."""

    def __init__(self, socket: ClientConnection, hello: Message | None = None) -> None:
        self.socket = socket
        socket.send(json.dumps({"table": {}} if hello is None else hello))
        self.texts: list[str] = []
        """Everything that came, as it came."""
        self.question = 0

    def next(self) -> Message:
        text = self.socket.recv(timeout=PATIENCE_SECONDS)
        assert isinstance(text, str)
        self.texts.append(text)
        message: Message = json.loads(text)
        self.question = message.get("question", self.question)
        return message

    def until(self, *kinds: str) -> Message:
        """The next message of one of these types."""
        while (message := self.next())["type"] not in kinds:
            pass
        return message

    def say(self, line: str, question: int | None = None) -> None:
        self.socket.send(json.dumps({"question": self.question if question is None else question, "line": line}))

    def play_hand(self, line: str = "c") -> Message:
        """The same answer at every turn until the hand is over."""
        while (message := self.until("turn", "over"))["type"] == "turn":
            self.say(line)
        return message


def open_page(host: str) -> socket.socket:
    """A play page on a plain socket: it sits down, answers nothing, and can be closed in any way."""
    name, port = host.split(":")
    raw = socket.create_connection((name, int(port)), timeout=PATIENCE_SECONDS)
    page = ClientProtocol(parse_uri(f"ws://{host}/play"))
    page.send_request(page.connect())
    raw.sendall(b"".join(page.data_to_send()))
    page.receive_data(raw.recv(1 << 16))
    page.send_text(b'{"table": {}}')
    raw.sendall(b"".join(page.data_to_send()))
    return raw


def read_until(raw: socket.socket, words: bytes) -> None:
    """Read what comes until these words have come."""
    seen = b""
    while words not in seen:
        block = raw.recv(1 << 16)
        assert block, seen
        seen += block
