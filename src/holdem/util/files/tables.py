"""Large arrays inside a checked pickle, without a second copy in memory.

A table is written as a list of [start, chunk] of at most CHUNK_BYTES; chunks of zeros are left out, which makes the
file of a table that is mostly untouched small. Reading goes through the file twice: once for where the chunks
belong, once to copy each straight into its table as it comes by.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from holdem.errors import ArtifactError
from holdem.util.arrays import AnyArray
from holdem.util.artifacts import read_pickle, write_pickle
from holdem.util.files.fields import Count, FieldError, checked_fields
from holdem.util.files.plain_arrays import PlainDataError

CHUNK_BYTES = 1 << 22


def write_tables(path: Path, kind: str, version: int, content: dict[str, Any], tables: Mapping[str, AnyArray]) -> None:
    """As `write_pickle`, with flat arrays under `tables`."""
    chunks = {name: {"length": len(table), "chunks": _chunks(table)} for name, table in tables.items()}
    write_pickle(path, kind, version, {**content, "tables": chunks})


def _chunks(table: AnyArray) -> list[list[Any]]:
    size = CHUNK_BYTES // table.itemsize
    pieces = ((start, table[start : start + size]) for start in range(0, len(table), size))
    return [[start, piece] for start, piece in pieces if piece.any()]


def read_tables(
    path: Path,
    kind: str,
    newest_version: int,
    way_out: str,
    destinations: Callable[[dict[str, Any]], Mapping[str, AnyArray]] | None = None,
) -> dict[str, Any]:
    """The content without its tables. `destinations`, given the content, says which zeroed arrays to fill by name."""
    numbers: list[int] = []

    def number(_: AnyArray) -> int:
        numbers.append(len(numbers))
        return numbers[-1]

    content = read_pickle(path, kind, newest_version, way_out, number)
    try:
        tables = {name: checked_fields(_Table, table) for name, table in _described(content.pop("tables", None))}
    except FieldError as error:
        raise ArtifactError(f"{path} {error}; {way_out}") from None
    if destinations is None:
        return content
    places = {ordinal: (name, start) for name, table in tables.items() for start, ordinal in table.chunks}
    arrays = destinations({**content, "lengths": {name: table.length for name, table in tables.items()}})
    count = 0

    def place(chunk: AnyArray) -> int:
        nonlocal count
        name, start = places.get(count, ("", 0))
        _copy(chunk, arrays.get(name), start)
        count += 1
        return count

    read_pickle(path, kind, newest_version, way_out, place, check=False)
    return content


@dataclass(frozen=True)
class _Table:
    """A table as the file describes it; chunks: [start, number of the array in the file]."""

    length: Count
    chunks: list[Annotated[list[Count], Field(min_length=2, max_length=2)]]


def _described(tables: Any) -> Iterable[tuple[str, Any]]:
    if not isinstance(tables, dict):
        raise FieldError("has no tables")
    return tables.items()


def _copy(chunk: AnyArray, table: AnyArray | None, start: int) -> None:
    """Put a chunk into its place; a chunk of other numbers, or one that does not fit, is refused and never cast."""
    if table is None:
        raise PlainDataError("it holds an array that belongs to no table")
    if chunk.ndim != 1 or not np.can_cast(chunk.dtype, table.dtype, "equiv") or start + len(chunk) > len(table):
        raise PlainDataError(f"it holds {chunk.dtype} of shape {chunk.shape} where {table.dtype} of a table belong")
    table[start : start + len(chunk)] = chunk
