"""Connections themselves: how many there are, how long one may say nothing, and what waits for one that does not read.

The gate sees whole requests only. Whoever sends half of one, or reads no answer, is dealt with here, token or not.
"""

import asyncio
import logging
import sys
import time
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from holdem.web.hosts import is_loopback

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

REQUEST_SECONDS = 10.0
"""For the head of a request, from the first byte or the last answer on."""
STALLED_SECONDS = 60.0
"""How long a page may take nothing of what waits for it."""
MOST_PONGS = 1 << 20
"""Bytes that may wait for a page which goes on sending pings."""
MOST_ACCEPTED = 100
"""Connections that are accepted in one go, before any of them is looked at."""
LARGEST_MOST = 2_048
SHARE_OF_FILES = 2
"""Every second file that the process may open can be a connection; policies, pipes and histories have the rest."""
SHARE_OF_ADDRESS = 2
ACCEPT_FAILED = "socket.accept() out of system resource"
ACCEPT_AGAIN = "Exception in callback BaseSelectorEventLoop._start_serving"
SELDOM_SECONDS = 60.0


def most_connections() -> int:
    """As many as files may be open, in part; 64 tables and their pages need about a hundred."""
    if sys.platform == "win32":
        return LARGEST_MOST // 4
    import resource

    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return LARGEST_MOST if files == resource.RLIM_INFINITY else min(LARGEST_MOST, files // SHARE_OF_FILES)


MOST = most_connections()
"""At once; one more takes the place of whoever has been silent for longest."""
MOST_OF_ADDRESS = MOST // SHARE_OF_ADDRESS
"""Of one other machine."""


class _Unsent:
    """How long a connection has taken nothing."""

    def __init__(self) -> None:
        self._bytes, self._since = 0, time.monotonic()

    def seconds(self, transport: asyncio.Transport, now: float) -> float:
        """Since when it has taken nothing, as far as was looked."""
        waiting = transport.get_write_buffer_size()
        if waiting == 0 or waiting < self._bytes:
            self._since = now
        self._bytes = waiting
        return now - self._since


class GuardedHttp(H11Protocol):
    """A connection that is here to ask; uvicorn's other parsers are not used."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.silent_since = time.monotonic()
        self._unsent = _Unsent()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """One more; if that is one too many, the one that has asked for nothing for longest goes, perhaps this."""
        super().connection_made(transport)
        others = [one for one in self.connections if not one.transport.is_closing()]
        address = _address(self)
        own = [one for one in others if _address(one) == address]
        crowd = own if len(own) > MOST_OF_ADDRESS and not is_loopback(address) else others
        if crowd is own or len(others) > MOST:
            silent = [one for one in crowd if isinstance(one, GuardedHttp) and one.is_silent]
            min(silent, key=lambda one: one.silent_since, default=self).transport.abort()

    def on_response_complete(self) -> None:
        """From now on the next request is waited for; the rest of a body that nobody wants is no request."""
        self.silent_since = time.monotonic()
        super().on_response_complete()

    @property
    def is_silent(self) -> bool:
        """Whether a request is waited for."""
        answered = self.cycle is None or self.cycle.response_complete
        return answered and self.transport.get_write_buffer_size() == 0

    def is_overdue(self, now: float) -> bool:
        """Whether it neither asks nor reads."""
        silent = self.is_silent and now - self.silent_since > REQUEST_SECONDS
        return self._unsent.seconds(self.transport, now) > STALLED_SECONDS or silent


class GuardedSocket(WebSocketsSansIOProtocol):
    """The websocket of a page."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._unsent = _Unsent()

    def data_received(self, data: bytes) -> None:
        """Pongs are written whether anybody reads them or not: a page that lets them pile up is cut off."""
        before = self.transport.get_write_buffer_size()
        super().data_received(data)
        if self.transport.get_write_buffer_size() > max(before, MOST_PONGS):
            self.transport.abort()

    async def send(self, message: "ASGISendEvent") -> None:
        """A connection that broke off a moment ago is one already: what is written there is only complained about."""
        if message["type"] == "websocket.send" and self.transport.is_closing():
            raise ClientDisconnected
        await super().send(message)

    def is_overdue(self, now: float) -> bool:
        """Whether it does not read."""
        return self._unsent.seconds(self.transport, now) > STALLED_SECONDS


def end_overdue(connections: Collection[object]) -> None:
    """Cut off whoever neither asks nor reads; to be called every second or so."""
    now = time.monotonic()
    for one in list(connections):
        if isinstance(one, GuardedHttp | GuardedSocket) and one.is_overdue(now):
            one.transport.abort()


def _address(connection: Any) -> str:
    return connection.client[0] if connection.client else ""


class SeldomAccept(logging.Filter):
    """When no file can be opened, asyncio says so for each connection that it cannot accept; once a minute will do.

    It also tries again for each of them a second later, and fails at length where the server has ended meanwhile.
    """

    def __init__(self) -> None:
        super().__init__()
        self._said = -SELDOM_SECONDS

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written."""
        words = record.getMessage()
        if words.startswith(ACCEPT_AGAIN):
            return False
        if not words.startswith(ACCEPT_FAILED):
            return True
        if record.created - self._said < SELDOM_SECONDS:
            return False
        self._said = record.created
        return True
