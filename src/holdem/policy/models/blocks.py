"""A table of probabilities in a compressed file, block by block: a block has the rows of one street and position.

Each block begins with how many nodes it has and the number of actions of each. Whoever unpacks it says how many of both
the betting tree has there, so that a small file cannot ask for much.
"""

import struct
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from holdem.policy.models.coding import MOST_ACTIONS, BlockShape, CodingError, decode, encode, kept
from holdem.policy.models.manifest import PackedPolicy
from holdem.policy.models.stream import PackedReader, PackedWriter
from holdem.util.arrays import UInt16

_COUNT = struct.Struct("<I")
BlockSize = tuple[int, int]
"""Nodes of a block, and the actions of them all."""


def write_table(
    file: IO[bytes],
    blocks: Sequence[tuple[npt.NDArray[Any], UInt16]],
    buckets: Sequence[int],
    levels: Sequence[int],
    progress: Callable[[int], None],
) -> tuple[int, str]:
    """Write blocks of (widths, entries), street by street and position by position; size and SHA-256 of the file."""
    writer, positions = PackedWriter(file), len(blocks) // len(buckets)
    for number, (widths, table) in enumerate(blocks):
        street = number // positions
        shape = BlockShape(widths.astype(np.uint8), buckets[street], levels[street])
        writer.write(_COUNT.pack(len(widths)) + shape.widths.tobytes())
        for piece in encode(table, shape):
            writer.write(piece)
        progress(len(table))
    writer.finish()
    return writer.size, writer.sha256


def read_table(
    packed: PackedPolicy, buckets: Sequence[int], sizes: Sequence[BlockSize], progress: Callable[[int], None]
) -> Iterator[UInt16]:
    """The blocks of a table as they follow each other; a CodingError for a file that is not whole.

    sizes: of every block by the betting tree, street by street and position by position
    progress: told how many bytes of the file were read
    """
    positions = len(sizes) // len(buckets)
    with PackedReader(packed.path, packed.size, packed.sha256, progress) as reader:
        for number, size in enumerate(sizes):
            street = number // positions
            yield _read_block(reader, _read_shape(reader, buckets[street], packed.levels[street], size))
        reader.finish()


def _read_shape(reader: PackedReader, buckets: int, levels: int, size: BlockSize) -> BlockShape:
    nodes, actions = size
    if _COUNT.unpack(reader.read(_COUNT.size)) != (nodes,):
        raise CodingError("has other rows than the betting tree of its game: it was altered or damaged")
    shape = BlockShape(np.frombuffer(reader.read(nodes), dtype=np.uint8), buckets, levels)
    if nodes and not 1 <= shape.widths.min() <= shape.widths.max() <= MOST_ACTIONS:
        raise CodingError("has a row without actions or with too many: it was altered or damaged")
    if shape.width != actions:
        raise CodingError("has other actions than the betting tree of its game: it was altered or damaged")
    return shape


def _read_block(reader: PackedReader, shape: BlockShape) -> UInt16:
    block = np.empty((shape.buckets, shape.width), dtype=np.uint16)
    for actions, columns in shape.groups():
        coded = reader.read(len(columns) * kept(actions) * shape.buckets)
        rows = decode(coded, actions, shape.buckets, shape.levels)
        for action in range(actions):
            block[:, columns + action] = rows[:, action].T
    return block.reshape(-1)
