"""Small JSON files that one process writes and another reads: each is a frozen dataclass, or nothing.

Whoever reads may meet a file that is half of something, somebody else's, or made to do harm. So it has to be a regular
file of a bounded size, and each field has to be of its type; numbers are finite and text is text.
"""

from pathlib import Path
from typing import Any, TypeVar

from pydantic import ConfigDict, TypeAdapter

from holdem.util.regular_files import open_regular, read_json

MOST_BYTES = 1 << 20
"""Ours have a few hundred."""
CHECKED = ConfigDict(strict=True, allow_inf_nan=False)
"""The `__pydantic_config__` of a class that is read here."""

Record = TypeVar("Record")
_CHECKERS: dict[type, TypeAdapter[Any]] = {}


def read_small_json(path: Path) -> Any:
    """The content of a small JSON file; an OSError or a ValueError if there is none."""
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path} is larger than {MOST_BYTES:,} bytes")
    return read_json(path)


def read_record(path: Path, kind: type[Record]) -> Record | None:
    """The dataclass that a file describes; None where it describes none."""
    if kind not in _CHECKERS:
        _CHECKERS[kind] = TypeAdapter(kind)
    try:
        with open_regular(path) as file:
            data = file.read(MOST_BYTES)  # what is cut off here is no JSON
        checked: Record = _CHECKERS[kind].validate_json(data)
    except (OSError, ValueError):
        return None
    return checked
