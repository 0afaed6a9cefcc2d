"""Where the row of an infoset lies in a table of regrets: bucket-major within a street and a position.

The entry of action `a` at `node` with `bucket` is `offset[node] + bucket * stride[node] + a`. Each pair of
street and position has one block, and in it all rows of one bucket lie together: a deal fixes the bucket, so
the rows that one traversal visits are neighbours in memory, which nearly doubles the speed of training.
"""

from collections.abc import Sequence
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


def layout_rows(tree: BettingTree, buckets_per_street: Sequence[int]) -> RowLayout:
    """Lay out the rows of every decision of a tree, street by street and position by position."""
    buckets = check_buckets(buckets_per_street, tree.config.num_streets)
    offset = np.full(tree.num_nodes, -1, dtype=np.int64)
    stride = np.zeros(tree.num_nodes, dtype=np.int64)
    start = 0
    for street, position in np.ndindex(tree.counts.actions.shape):
        nodes = np.flatnonzero((tree.street == street) & (tree.player == position))
        ends = np.cumsum(tree.num_actions[nodes], dtype=np.int64)
        width = int(tree.counts.actions[street, position])
        offset[nodes] = start + ends - tree.num_actions[nodes]
        stride[nodes] = width
        start += width * int(buckets[street])
    offset.setflags(write=False)
    stride.setflags(write=False)
    return RowLayout(offset, stride, start)
