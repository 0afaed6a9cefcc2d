"""Whether anybody still waits for what a thread computes.

A page in a browser can go away in the middle of a solve. Whoever started the work says how to find out, and what runs
long in the same thread asks between two steps and then answers with what it has.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class _Asked(threading.local):
    gone: Callable[[], bool] | None = None


_ASKED = _Asked()


@contextmanager
def waited_for(gone: Callable[[], bool]) -> Iterator[None]:
    """Inside, `nobody_waits` of this thread is what `gone` says."""
    before, _ASKED.gone = _ASKED.gone, gone
    try:
        yield
    finally:
        _ASKED.gone = before


def nobody_waits() -> bool:
    """Whether the work of this thread is for nobody any more."""
    return _ASKED.gone is not None and _ASKED.gone()
