"""Small JSON files that one process writes and another reads: each is a frozen dataclass, or nothing.

Whoever reads may meet a file that is half of something, somebody else's, or made to do harm. So it has to be a regular
file of a bounded size, and each field has to be of its type.
"""

from pathlib import Path
from typing import Any, TypeVar

from holdem.util.files.fields import checked_fields
from holdem.util.files.regular import read_json

MOST_BYTES = 1 << 20
"""Ours have a few hundred."""

Record = TypeVar("Record")


def read_small_json(path: Path) -> Any:
    """The content of a small JSON file; an OSError or a ValueError if there is none."""
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path} is larger than {MOST_BYTES:,} bytes")
    return read_json(path)


def read_record(path: Path, kind: type[Record]) -> Record | None:
    """The dataclass that a file describes; None where it describes none."""
    try:
        return checked_fields(kind, read_small_json(path))
    except (OSError, ValueError):
        return None
