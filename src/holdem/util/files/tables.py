"""Large arrays inside a checked pickle, without a second copy in memory.

A table is written as a list of chunks of at most CHUNK_BYTES, and what was never touched takes no room: chunks of
zeros are left out; one that has many zeros is [start, numbers, blocks], where bit i of `blocks` says whether the i-th
block of BLOCK numbers is among `numbers` or all zeros; any other is [start, numbers]. Reading goes through the file
twice: once for where the chunks belong, once to copy each straight into its table as it comes by.
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
BLOCK = 8
"""Four entries of a table of regrets and sums: about a row."""
SPARSE_SHARE = 0.5
"""A chunk is written without its blocks of zeros if at most this share is left, which is copied for it."""


def write_tables(path: Path, kind: str, version: int, content: dict[str, Any], tables: Mapping[str, AnyArray]) -> None:
    """As `write_pickle`, with flat arrays under `tables`."""
    chunks = {name: {"length": len(table), "chunks": _chunks(table)} for name, table in tables.items()}
    write_pickle(path, kind, version, {**content, "tables": chunks})


def _chunks(table: AnyArray) -> list[list[Any]]:
    size = CHUNK_BYTES // table.itemsize
    return [
        [start, *_packed(table[start : start + size])]
        for start in range(0, len(table), size)
        if table[start : start + size].any()
    ]


def _packed(chunk: AnyArray) -> list[AnyArray]:
    """The numbers of a chunk; if many blocks are zeros, those that are not and the bits that say where they belong."""
    if len(chunk) % (8 * BLOCK):  # the bits fill whole bytes
        return [chunk]
    blocks = chunk.reshape(-1, BLOCK)
    kept = np.asarray(blocks.any(axis=1))
    if np.count_nonzero(kept) > SPARSE_SHARE * len(kept):
        return [chunk]
    return [blocks[kept].reshape(-1), np.packbits(kept)]


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
    places = {
        parts[-1]: (name, start, len(parts) == 2)
        for name, table in tables.items()
        for start, *parts in table.chunks
        if parts[-1] == parts[0] + len(parts) - 1
    }
    arrays = destinations({**content, "lengths": {name: table.length for name, table in tables.items()}})
    count, numbers_before = 0, np.zeros(0)

    def place(array: AnyArray) -> int:
        nonlocal count, numbers_before
        if count in places:
            name, start, sparse = places[count]
            chunk = _unpacked(numbers_before, array) if sparse else array
            _copy(chunk, arrays.get(name), start)
        elif count + 1 not in places or not places[count + 1][2]:
            raise PlainDataError("it holds an array that belongs to no table")
        numbers_before = array
        count += 1
        return count

    read_pickle(path, kind, newest_version, way_out, place, check=False)
    return content


@dataclass(frozen=True)
class _Table:
    """A table as the file describes it; chunks: [start, number of the array in the file], or of two that follow."""

    length: Count
    chunks: list[Annotated[list[Count], Field(min_length=2, max_length=3)]]


def _described(tables: Any) -> Iterable[tuple[str, Any]]:
    if not isinstance(tables, dict):
        raise FieldError("has no tables")
    return tables.items()


def _unpacked(numbers: AnyArray, blocks: AnyArray) -> AnyArray:
    """The chunk that `_packed` made these of; at most as many numbers as a chunk has."""
    if blocks.ndim != 1 or blocks.dtype != np.uint8 or numbers.ndim != 1:
        raise PlainDataError("it holds a chunk of numbers whose blocks are not bits")
    kept = np.unpackbits(blocks).astype(bool)
    if np.count_nonzero(kept) * BLOCK != len(numbers) or len(kept) * BLOCK * numbers.itemsize > CHUNK_BYTES:
        raise PlainDataError("it holds a chunk of numbers that are not as many as its blocks say")
    chunk = np.zeros((len(kept), BLOCK), dtype=numbers.dtype)
    chunk[kept] = numbers.reshape(-1, BLOCK)
    return chunk.reshape(-1)


def _copy(chunk: AnyArray, table: AnyArray | None, start: int) -> None:
    """Put a chunk into its place; a chunk of other numbers, or one that does not fit, is refused and never cast."""
    if table is None:
        raise PlainDataError("it holds an array that belongs to no table")
    if chunk.ndim != 1 or not np.can_cast(chunk.dtype, table.dtype, "equiv") or start + len(chunk) > len(table):
        raise PlainDataError(f"it holds {chunk.dtype} of shape {chunk.shape} where {table.dtype} of a table belong")
    table[start : start + len(chunk)] = chunk
