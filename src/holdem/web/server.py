"""The server itself: a listening socket, uvicorn in a thread, and an end that leaves every hand whole."""

import ipaddress
import logging
import secrets
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, EADDRINUSE, EADDRNOTAVAIL
from urllib.parse import urlencode

import uvicorn
from starlette.types import ASGIApp

from holdem.errors import ConfigError
from holdem.web.connections import MOST_ACCEPTED, GuardedHttp, GuardedSocket, SeldomAccept, end_overdue
from holdem.web.gate import TOKEN, Gate
from holdem.web.hosts import is_loopback

GRACE_SECONDS = 1
"""How long the end waits for pages to say goodbye."""
SHORTEST_TOKEN = 8
LARGEST_MESSAGE = 65_536
"""Bytes that a page may send at once; rooms bound what they take themselves."""
LOOK_SECONDS = 1
"""Between looks at connections that say nothing."""
SELDOM_ACCEPT = SeldomAccept()


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; ConfigError with the way out where there is none to be had."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address[:2], family=family)
    except socket.gaierror:
        raise ConfigError(f"--host {host} is not an address of any machine; 127.0.0.1 is this one") from None
    except OSError as error:
        raise ConfigError(_why_not(error, host, port)) from None


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == EADDRINUSE:
        return f"port {port} of {host} is in use; give another one, as in --port {port + 1 if port < 65535 else 8001}"
    if error.errno == EADDRNOTAVAIL:
        return f"--host {host} is not an address of this machine; use 127.0.0.1, or 0.0.0.0 for all that it has"
    if error.errno == EACCES:
        return f"port {port} is not yours to open; give one above 1023, as in --port 8000"
    return f"{host} port {port} cannot be opened ({error.strerror}); give another --host or --port"


def address_of(listener: socket.socket) -> str:
    """What to type into a browser on this machine."""
    host, port = listener.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def link_of(address: str, token: str | None) -> str:
    """An address with the token that it needs."""
    return address if token is None else f"{address}/?{urlencode({TOKEN: token})}"


def chosen_token(host: str, token: str | None) -> str | None:
    """The user's token, or a random one where others than this machine reach the port."""
    if token is not None and len(token) < SHORTEST_TOKEN:
        raise ConfigError(f"--token has {len(token)} letters; give {SHORTEST_TOKEN} or more, or leave it out")
    if token is None and not is_loopback(host):
        return secrets.token_urlsafe(24)
    return token


def guarded(app: ASGIApp, listener: socket.socket, host: str, token: str | None, names: frozenset[str]) -> Gate:
    """An application as whoever reaches `host` may ask for it, by one of its `names`."""
    # Browsers send the cookies of a machine to all its ports, so each has its own.
    cookie = f"holdem_token_{listener.getsockname()[1]}"
    return Gate(app, names, any_address=not is_loopback(host), token=token, cookie=cookie)


def _is_news(record: logging.LogRecord) -> bool:
    """Uvicorn calls a websocket that was refused with a sentence an error of the application, which it is not."""
    return "without completing handshake" not in record.getMessage()


@contextmanager
def running(app: ASGIApp, listener: socket.socket) -> Iterator[threading.Thread]:
    """The application in a thread of its own; at the end no page is connected any more."""

    async def look() -> None:
        end_overdue(server.server_state.connections)

    config = uvicorn.Config(
        app,
        log_level="warning",
        http=GuardedHttp,
        ws=GuardedSocket,
        backlog=MOST_ACCEPTED,
        callback_notify=look,
        timeout_notify=LOOK_SECONDS,
        ws_max_size=LARGEST_MESSAGE,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    logging.getLogger("uvicorn.error").addFilter(_is_news)
    logging.getLogger("asyncio").addFilter(SELDOM_ACCEPT)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="server", daemon=True)
    thread.start()
    try:
        yield thread
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
