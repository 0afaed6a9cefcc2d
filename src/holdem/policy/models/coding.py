"""The probabilities of a table as bytes that compress well, and back: no Numba, block by block.

A probability has `levels` steps, a divisor of the policy's scale, so that a row of steps is a row of the scale again
by one multiplication. Steps are rounded by largest remainder: a row adds up to `levels`. One action of a row
need not be kept, it has what the others leave. A row without training is marked in its first byte: 255, or 254 where a
guess says to fold and 253 where it says to call.

Bytes lie in the order in which neighbours are alike: block by block (a street and a position), in it by the number of
actions, then in pieces of some nodes: action by action, node by node and bucket by bucket. That, and to leave out the
first action, is what LZMA makes the least of.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from holdem.policy.files import GUESS, SCALE
from holdem.util.arrays import UInt8, UInt16

UNTRAINED = 255
GUESSES = {254: 0, 253: 1}
"""The action that is guessed, by its mark."""
MOST_ACTIONS = 127
_BYTES_AT_ONCE = 1 << 21


class CodingError(ValueError):
    """Bytes that are not those of a table, in a few words that follow the name of the file."""


@dataclass(frozen=True)
class BlockShape:
    """The rows of one street and position. widths: (nodes,) uint8, actions of each node in the order of the table."""

    widths: UInt8
    buckets: int
    levels: int

    @property
    def width(self) -> int:
        """Entries of one bucket."""
        return int(self.widths.sum(dtype=np.int64))

    @property
    def entries(self) -> int:
        """Length of the block in the table."""
        return self.width * self.buckets

    def groups(self) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
        """Pieces of nodes with one number of actions: that number, and the column of each node's first action."""
        columns = np.cumsum(self.widths, dtype=np.int64) - self.widths
        for actions in np.unique(self.widths).tolist():
            chosen = columns[self.widths == actions]
            step = max(1, _BYTES_AT_ONCE // (actions * self.buckets))
            for start in range(0, len(chosen), step):
                yield actions, chosen[start : start + step]


def kept(actions: int) -> int:
    """Bytes of a row."""
    return max(1, actions - 1)


def encode(table: UInt16, shape: BlockShape) -> Iterator[bytes]:
    """The bytes of a block of a table, (entries,), in pieces."""
    rows = table.reshape(shape.buckets, shape.width)
    for actions, columns in shape.groups():
        places = columns[:, None] + np.arange(actions)
        steps = rounded(rows[:, places].transpose(1, 2, 0), shape.levels)  # nodes, actions, buckets
        coded = steps[:, -kept(actions) :].astype(np.uint8)
        untrained = steps.sum(axis=1) == 0
        coded[:, 0][untrained] = UNTRAINED
        for mark, action in GUESSES.items():
            if action < actions:
                coded[:, 0][untrained & (rows[:, columns + action].T == GUESS)] = mark
        yield coded.transpose(1, 0, 2).tobytes()


def rounded(rows: UInt16, levels: int) -> npt.NDArray[np.int64]:
    """Steps by largest remainder, the first of equals; rows: (nodes, actions, buckets), zeros and guesses are zeros."""
    totals = rows.sum(axis=1, dtype=np.int64, keepdims=True)
    shares = np.where(totals > GUESS, rows.astype(np.int64) * levels, 0)
    steps, fractions = np.divmod(shares, np.maximum(totals, 1))
    left = np.where(totals > GUESS, levels, 0) - steps.sum(axis=1, keepdims=True)
    order = np.argsort(np.argsort(-fractions, axis=1, kind="stable"), axis=1, kind="stable")
    return np.asarray(steps + (order < left))


def decode(coded: bytes, actions: int, buckets: int, levels: int) -> UInt16:
    """(nodes, actions, buckets) rows of the scale from the bytes of some nodes; CodingError for what is no row."""
    steps = np.frombuffer(coded, dtype=np.uint8).reshape(kept(actions), -1, buckets).transpose(1, 0, 2)
    untrained = steps[:, 0] >= min(GUESSES)
    rows = np.empty((len(steps), actions, buckets), dtype=np.uint16)
    rows[:, -kept(actions) :] = steps
    rows[:, -kept(actions)][untrained] = 0
    sums = rows[:, -kept(actions) :].sum(axis=1, dtype=np.int64)
    if (sums > levels).any() or (sums[untrained] > 0).any():
        raise CodingError(f"has a row of more than {levels} levels: it was altered or damaged")
    if actions > 1:
        rows[:, 0] = np.where(untrained, 0, levels - sums)
    elif (sums[~untrained] < levels).any():
        raise CodingError(f"has a row of fewer than {levels} levels: it was altered or damaged")
    rows *= np.uint16(SCALE // levels)
    for mark, action in GUESSES.items():
        guessed = steps[:, 0] == mark
        if action < actions:
            rows[:, action][guessed] = GUESS
        elif guessed.any():
            raise CodingError("guesses an action that is not there: it was altered or damaged")
    return rows
