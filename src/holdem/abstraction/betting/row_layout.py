"""Where the row of an infoset lies in a table of regrets: bucket-major within a street and a position.

The entry of action `a` at `node` with `bucket` is `offset[node] + bucket * stride[node] + a`. Each pair of
street and position has one block, and in it all rows of one bucket lie together: a deal fixes the bucket, so
the rows that one traversal visits are neighbours in memory, which nearly doubles the speed of training.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.tree import BettingTree, check_buckets


@dataclass(frozen=True)
class RowLayout:
    """offset: (nodes,) int64, first entry of the node's row of bucket 0, -1 at terminals
    stride: (nodes,) int64, distance between rows of neighbouring buckets, 0 at terminals
    entries: length of the table
    """

    offset: npt.NDArray[np.int64]
    stride: npt.NDArray[np.int64]
    entries: int

    def row_start(self, node: int, bucket: int) -> int:
        """The entry of the node's first action."""
        return int(self.offset[node] + bucket * self.stride[node])


@dataclass(frozen=True)
class RowBlock:
    """The rows of one street and position: `buckets` times the rows of all their nodes, from the entry `start` on.

    nodes: (rows,) in the order of the rows; widths: (rows,) int8, their actions; width: entries of one bucket
    """

    street: int
    position: int
    nodes: npt.NDArray[np.int64]
    widths: npt.NDArray[np.int8]
    width: int
    buckets: int
    start: int

    @property
    def end(self) -> int:
        """The first entry behind it."""
        return self.start + self.width * self.buckets

    def pieces(self, most_entries: int) -> Iterator[tuple[int, int]]:
        """Entries [start, stop) of whole buckets, at most so many unless one bucket has more."""
        step = self.width * max(1, most_entries // max(1, self.width))
        for start in range(self.start, self.end, max(1, step)):
            yield start, min(self.end, start + step)


def row_blocks(tree: BettingTree, buckets_per_street: Sequence[int]) -> Iterator[RowBlock]:
    """The blocks of a table in turn: street by street and position by position."""
    start = 0
    for street, position in np.ndindex(tree.counts.actions.shape):
        nodes = np.flatnonzero((tree.street == street) & (tree.player == position))
        width, buckets = int(tree.counts.actions[street, position]), int(buckets_per_street[street])
        block = RowBlock(street, position, nodes, tree.num_actions[nodes], width, buckets, start)
        yield block
        start = block.end


def layout_rows(tree: BettingTree, buckets_per_street: Sequence[int]) -> RowLayout:
    """Lay out the rows of every decision of a tree, street by street and position by position."""
    buckets = check_buckets(buckets_per_street, tree.config.num_streets)
    offset = np.full(tree.num_nodes, -1, dtype=np.int64)
    stride = np.zeros(tree.num_nodes, dtype=np.int64)
    entries = 0
    for block in row_blocks(tree, buckets.tolist()):
        offset[block.nodes] = block.start + np.cumsum(block.widths, dtype=np.int64) - block.widths
        stride[block.nodes] = block.width
        entries = block.end
    offset.setflags(write=False)
    stride.setflags(write=False)
    return RowLayout(offset, stride, entries)
