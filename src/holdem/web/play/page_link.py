"""One connection of a page: messages that wait to be sent, in the server's loop, and how it ends."""

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass

from fastapi import WebSocket, WebSocketDisconnect

from holdem.web.play.table_view import Message

OVER = 1000
"""Closing with this code is meant: the session is over, or the person leaves. With any other the page comes back."""
SERVER_ENDS = 1012
"""Closing with this code: the page comes back when there is a server again."""
TAKEN_OVER = 4000
"""Closing with this code: another page has the table now."""


@dataclass(frozen=True)
class _End:
    code: int
    last_word: Message | None = None


class PageLink:
    """Carries messages to one websocket; `send` and `close` may be called in any thread."""

    def __init__(self) -> None:
        """In the server's loop."""
        self._loop = asyncio.get_running_loop()
        self._outbox: asyncio.Queue[Message | _End] = asyncio.Queue()

    def send(self, message: Message) -> None:
        """A message for the page."""
        self._put(message)

    def close(self, code: int = OVER) -> None:
        """Nothing follows."""
        self._put(_End(code))

    def cut(self, last_word: Message) -> None:
        """Nothing follows but this message, whatever waits and whoever sends at the same time."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._cut, last_word)

    @property
    def unsent(self) -> int:
        """Messages that wait for the page to read."""
        return self._outbox.qsize()

    async def carry(self, websocket: WebSocket) -> None:
        """Send messages as they come, until the end."""
        with suppress(WebSocketDisconnect, RuntimeError):
            while not isinstance(message := await self._outbox.get(), _End):
                await websocket.send_text(json.dumps(message))
            if message.last_word is not None:
                await websocket.send_text(json.dumps(message.last_word))
            await websocket.close(message.code)

    def _cut(self, last_word: Message) -> None:
        while not self._outbox.empty():
            self._outbox.get_nowait()
        self._outbox.put_nowait(_End(OVER, last_word))

    def _put(self, message: Message | _End) -> None:
        with suppress(RuntimeError):  # the loop is closed: the server is gone, and with it the page
            self._loop.call_soon_threadsafe(self._outbox.put_nowait, message)
