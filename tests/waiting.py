"""Waiting for what comes about elsewhere, for as long as a busy machine may need."""

import time
from collections.abc import Callable

PATIENCE_SECONDS = 300.0


def wait_for(found: Callable[[], object]) -> None:
    """Until something has come about."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not found():
        assert time.monotonic() < deadline, "what was waited for never came"
        time.sleep(0.01)
