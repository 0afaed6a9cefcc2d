"""A server in this process with a hand-made policy, and the browser's half of a conversation with it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from holdem.table.hand_history import HandHistory, StoredHand, read_history
from holdem.table.person_table import PersonTable, plan_table
from holdem.web.app import make_app
from holdem.web.play_sessions import PlaySessions
from holdem.web.run_folder import RunFolder
from holdem.web.server import accepted_hosts, address_of, listen, running
from tests.table.policies import save_jam_or_fold

HOST = "127.0.0.1"
PATIENCE_SECONDS = 60.0

Message = dict[str, Any]


@dataclass(frozen=True)
class Served:
    """A running server, and the file of its hands."""

    address: str
    sessions: PlaySessions
    history: Path
    runs: Path

    @contextmanager
    def page(self, **options: Any) -> Iterator["Page"]:
        """A play page that is open."""
        with connect(self.address.replace("http", "ws") + "/play", **options) as socket:
            yield Page(socket)

    def hands(self, count: int) -> list[StoredHand]:
        """The hands of the file, after everybody has left; there must be so many."""
        self.sessions.close()
        stored = read_history(self.history)
        assert len(stored) == count
        return stored


def jam_or_fold_table(folder: Path, opponent: str = "always-call") -> PersonTable:
    """A table with a random policy to ask."""
    return plan_table("serve", save_jam_or_fold(folder / "runs" / "jam"), opponent, None, None)


@contextmanager
def served(plan: PersonTable, folder: Path, seed: int = 3, runs: Path | None = None) -> Iterator[Served]:
    """A server on a free port of this machine."""
    path, runs = folder / "hands.phhs", runs or folder / "runs"
    with HandHistory.open(path) as history:
        sessions = PlaySessions(plan, history, seed)
        app = make_app(sessions, RunFolder(runs, plan.policy), accepted_hosts(HOST))
        listener = listen(HOST, 0)
        with running(app, listener):
            yield Served(address_of(listener), sessions, path, runs)
        sessions.close()


class Page:
    """What the script of the play page does, without the page."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
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
