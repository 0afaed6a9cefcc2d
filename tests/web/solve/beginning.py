"""A worker that never gets further than its beginning, so that a start can be cancelled on any machine."""

from contextlib import suppress
from multiprocessing.connection import Connection


def main(connection: Connection, place: object) -> None:
    """Hears everything and says nothing, until the page is gone."""
    with suppress(EOFError, OSError):
        while True:
            connection.recv_bytes()
