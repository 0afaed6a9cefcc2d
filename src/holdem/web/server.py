"""The server itself: a listening socket, uvicorn in a thread, and an end that leaves every hand whole."""

import ipaddress
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, EADDRINUSE, EADDRNOTAVAIL

import uvicorn
from fastapi import FastAPI

from holdem.errors import ConfigError

GRACE_SECONDS = 5


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


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches that address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def address_of(listener: socket.socket) -> str:
    """What to type into a browser on this machine."""
    host, port = listener.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def accepted_hosts(host: str) -> list[str]:
    """Names under which pages may be asked for: on loopback its own, so that no other page can pose as this server."""
    return ["127.0.0.1", "localhost", "[::1]", host] if is_loopback(host) else ["*"]


@contextmanager
def running(app: FastAPI, listener: socket.socket) -> Iterator[threading.Thread]:
    """The application in a thread of its own; at the end no page is connected any more."""
    config = uvicorn.Config(
        app, log_level="warning", ws="websockets-sansio", ws_max_size=4096, timeout_graceful_shutdown=GRACE_SECONDS
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="server", daemon=True)
    thread.start()
    try:
        yield thread
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
