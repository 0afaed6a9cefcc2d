"""Large arrays inside a checked pickle, without a second copy in memory.

A table is written as a list of [start, chunk] of at most CHUNK_BYTES; chunks of zeros are left out, which makes the
file of a table that is mostly untouched small. Reading goes through the file twice: once for where the chunks
belong, once to copy each straight into its table as it comes by.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy.typing as npt

from holdem.util.artifacts import read_pickle, write_pickle

CHUNK_BYTES = 1 << 22

Array = npt.NDArray[Any]


def write_tables(path: Path, kind: str, version: int, content: dict[str, Any], tables: Mapping[str, Array]) -> None:
    """As `write_pickle`, with flat arrays under `tables`."""
    chunks = {name: {"length": len(table), "chunks": _chunks(table)} for name, table in tables.items()}
    write_pickle(path, kind, version, {**content, "tables": chunks})


def _chunks(table: Array) -> list[list[Any]]:
    size = CHUNK_BYTES // table.itemsize
    pieces = ((start, table[start : start + size]) for start in range(0, len(table), size))
    return [[start, piece] for start, piece in pieces if piece.any()]


def read_tables(
    path: Path,
    kind: str,
    newest_version: int,
    way_out: str,
    destinations: Callable[[dict[str, Any]], Mapping[str, Array]] | None = None,
) -> dict[str, Any]:
    """The content without its tables. `destinations`, given the content, says which zeroed arrays to fill by name."""
    numbers: list[int] = []

    def number(_: Array) -> int:
        numbers.append(len(numbers))
        return numbers[-1]

    content = read_pickle(path, kind, newest_version, way_out, number)
    tables = content.pop("tables")
    if destinations is None:
        return content
    places = {ordinal: (name, start) for name, described in tables.items() for start, ordinal in described["chunks"]}
    arrays = destinations({**content, "lengths": {name: described["length"] for name, described in tables.items()}})
    count = 0

    def place(chunk: Array) -> int:
        nonlocal count
        name, start = places[count]
        arrays[name][start : start + len(chunk)] = chunk
        count += 1
        return count

    read_pickle(path, kind, newest_version, way_out, place, check=False)
    return content
