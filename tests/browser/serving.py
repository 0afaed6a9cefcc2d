"""`holdem serve` as a process of its own."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE_SECONDS = 120
HOLDEM = (sys.executable, "-m", "holdem.cli.main")


@contextmanager
def serving(log: Path, *options: str, folder: Path | None = None) -> Iterator[str]:
    """Its address; what it writes goes to a file."""
    command = [*HOLDEM, "serve", "--port", "0", "--no-open", *options]
    with log.open("wb") as output:
        server = subprocess.Popen(command, cwd=folder, stdout=output, stderr=output)
    try:
        yield _address(server, log)
    finally:
        server.terminate()
        server.wait(PATIENCE_SECONDS)


def _address(server: "subprocess.Popen[bytes]", log: Path) -> str:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        if found := re.search(r"serving at (http://\S+);", log.read_text()):
            return found[1]
        time.sleep(0.1)
    raise AssertionError(log.read_text())
