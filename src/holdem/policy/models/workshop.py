"""New folders beside the one that is made, so that what is half done stands nowhere, and moving it into place."""

import re
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

DAY_SECONDS = 24 * 3600.0
_WORKSHOP = re.compile(r"\.[a-z0-9_]+(-[0-9a-f]{12})?\..{8}\.part")
"""What is made here and may be cleared away: folders of other names are somebody else's."""


@contextmanager
def workshop(folder: Path) -> Iterator[Path]:
    """A new folder beside another, which is gone afterwards."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}.part")
    try:
        made.mkdir(mode=0o700)  # in here, so that Ctrl+C finds it whenever it comes
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def move(made: Path, folder: Path, last: str) -> None:
    """Every file into place, one of them last: who reads that one finds the others."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(made.iterdir(), key=lambda path: path.name == last):
        path.replace(folder / path.name)


def clear_forgotten(folder: Path) -> None:
    """Workshops of processes that were killed: nobody works for a day."""
    with suppress(OSError):
        for forgotten in folder.glob(".*.part"):
            if _WORKSHOP.fullmatch(forgotten.name) and time.time() - forgotten.stat().st_mtime > DAY_SECONDS:
                shutil.rmtree(forgotten)
