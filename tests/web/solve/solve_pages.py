"""What the script of the Solve page does, without the page."""

import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from websockets.sync.client import ClientConnection, connect

from tests.waiting import PATIENCE_SECONDS
from tests.web.pages import Message

"""Kernels may have to be compiled first."""


class SolvePageScript:
    """Asks with numbers, and reads until the answer with the same number has come."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.numbers = itertools.count(1)
        self.seen: list[Message] = []
        self.welcome = self.next()

    def next(self) -> Message:
        text = self.socket.recv(timeout=PATIENCE_SECONDS)
        message: Message = json.loads(text)
        self.seen.append(message)
        return message

    def until(self, *kinds: str) -> Message:
        """The next message of one of these types; a refusal that was not asked for fails."""
        while (message := self.next())["type"] not in kinds:
            assert message["type"] != "refused", message
        return message

    def say(self, kind: str, **fields: Any) -> int:
        number = next(self.numbers)
        self.socket.send(json.dumps({"type": kind, "request": number, **fields}))
        return number

    def ask(self, kind: str, **fields: Any) -> Message:
        """The answer to a message."""
        number = self.say(kind, **fields)
        while (message := self.next()).get("request") != number:
            pass
        return message

    def solve(self, spot: Message, **fields: Any) -> Message:
        """Start, and wait for the end."""
        assert self.ask("start", spot=spot, **fields)["type"] == "started"
        return self.until("stopped")


@contextmanager
def solve_page(address: str, **options: Any) -> Iterator[SolvePageScript]:
    """A Solve page that is open; its socket answers pings also while nobody reads what a solve says."""
    address = address.replace("http", "ws") + "/solve"
    with connect(address, max_size=None, max_queue=None, open_timeout=PATIENCE_SECONDS, **options) as socket:
        yield SolvePageScript(socket)


def fetch(address: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
    """Status and content of a GET, or of a POST if there is a body."""
    try:
        with urlopen(Request(address, data=body, headers=headers), timeout=PATIENCE_SECONDS) as answer:
            return answer.status, answer.read()
    except HTTPError as error:
        return error.code, error.read()


def sentence_of(content: bytes) -> str:
    """The one sentence of a refusal."""
    found = json.loads(content)
    assert list(found) == ["error"]
    assert "\n" not in found["error"]
    return str(found["error"])
