"""Lines over TCP: a line that comes in pieces is put together, several in one packet come out one by one."""

import socket
import time
from contextlib import suppress

from holdem.errors import RunFailed
from holdem.table.acpc.protocol import MAX_LINE_BYTES

_BLOCK = 65_536


class LineSocket:
    """One connection, read and written by lines; waiting is bounded."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connection = connection
        self._buffer = bytearray()
        self._ended = False

    def read_line(self, seconds: float | None) -> str | None:
        """The next line without its end; None when the other side is gone; TimeoutError after `seconds`.

        A line longer than the protocol allows is cut there, so that garbage cannot fill the memory.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        while True:
            end = self._buffer.find(b"\n")
            if end >= 0 or len(self._buffer) > MAX_LINE_BYTES:
                size = min(end if end >= 0 else MAX_LINE_BYTES, MAX_LINE_BYTES)
                line = bytes(self._buffer[:size])
                del self._buffer[: size + (size == end)]
                return line.decode("ascii", errors="backslashreplace").rstrip("\r")
            if self._ended:
                return None
            left = None if deadline is None else max(0.001, deadline - time.monotonic())
            self._connection.settimeout(left)
            self._receive(deadline)

    def _receive(self, deadline: float | None) -> None:
        try:
            block = self._connection.recv(_BLOCK)
        except TimeoutError:
            if deadline is not None and time.monotonic() >= deadline:
                raise
            return
        except OSError:  # the other side was killed
            block = b""
        self._ended = not block
        self._buffer += block

    def send_line(self, text: str, seconds: float | None = 30.0) -> None:
        """Send one line; OSError if the other side is gone or does not take it in time."""
        self._connection.settimeout(seconds)
        self._connection.sendall(text.encode("ascii", errors="replace") + b"\r\n")

    def close(self) -> None:
        """Say goodbye; what the other side sends from now on is lost."""
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._connection.close()


def connect(host: str, port: int, seconds: float = 10.0) -> LineSocket:
    """A connection to a dealer; a refusal is tried again until `seconds` are over, for a dealer that is starting."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return LineSocket(socket.create_connection((host, port), timeout=max(0.05, deadline - time.monotonic())))
        except OSError as error:
            if not isinstance(error, ConnectionRefusedError) or time.monotonic() + 0.1 >= deadline:
                reason = error.strerror or str(error) or type(error).__name__
                raise RunFailed(
                    f"no dealer answers at {host}:{port} ({reason}); start one with `holdem dealer`, and give each "
                    "player its own port"
                ) from None
        time.sleep(0.1)
