"""What the compiled solver for three to six players reads and writes: arrays by name, with their shapes."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from holdem.util.arrays import Float32, Int64, UInt8

HANDS = 1326
DECISION, FOLD_WIN, SHOWDOWN, LEAF = 0, 1, 2, 3
FOLD, CALL, RAISE = 0, 1, 2
CONTINUATIONS = 4
BIAS = 5.0
MAX_ACTIONS = 12
MAX_LEVELS = 11
"""Places of a hand among at most five others: below, equal to or between them."""


class Tree(NamedTuple):
    """The street. Arrays by node, as in `BettingTree`; besides:

    kind: `LEAF` where the next street would begin
    entry: (nodes,) int64, first row of a node's actions in `regrets` and `sums`; of a leaf's continuations
    on_line: (nodes,) int8, the action really taken here, -1 off the line
    locked_row: (nodes,) int64, first row of a locked strategy in `locked`, -1 where the node is solved
    continued: (nodes,) int64, the blueprint's node at a leaf, -1 if it has none
    """

    player: npt.NDArray[np.int8]
    kind: npt.NDArray[np.int8]
    num_actions: npt.NDArray[np.int8]
    first_child: npt.NDArray[np.int32]
    chips_in: npt.NDArray[np.int32]
    folded: UInt8
    entry: Int64
    on_line: npt.NDArray[np.int8]
    locked_row: Int64
    continued: Int64
    stacks: Int64


class Blueprint(NamedTuple):
    """The blueprint's tree and table, for playing a hand out; arrays of one element where there is none.

    num_passive: (nodes,) the first so many actions do not raise
    """

    player: npt.NDArray[np.int8]
    street: npt.NDArray[np.int8]
    kind: npt.NDArray[np.int8]
    num_actions: npt.NDArray[np.int8]
    num_passive: npt.NDArray[np.int8]
    first_child: npt.NDArray[np.int32]
    action: npt.NDArray[np.int8]
    chips_in: npt.NDArray[np.int32]
    folded: UInt8
    offset: Int64
    stride: Int64
    table: npt.NDArray[np.uint16]


class SampledDeal(NamedTuple):
    """What an iteration and a traversal draw; all is scratch.

    board: (5,) uint8; strengths: (1326,) int16, -1 where a hand shares a card with the board
    buckets: (2, 1326) int32 of the next street and the one after it, those of this board numbered from 0
    bucket_of: (2, 1326) int32, the blueprint's bucket of each number
    holes: (players,) int64; level: (1326,) int8, place among the others' strengths; valid: (1326,) float32, 0 or 1
    level_strengths: (MAX_LEVELS,) int64, a strength of each level; sizes: (3,) of levels and buckets
    """

    board: UInt8
    strengths: npt.NDArray[np.int16]
    buckets: npt.NDArray[np.int32]
    bucket_of: npt.NDArray[np.int32]
    holes: Int64
    level: npt.NDArray[np.int8]
    valid: Float32
    level_strengths: Int64
    sizes: Int64


class Tables(NamedTuple):
    """What is learnt, and scratch.

    regrets, sums: (rows, 1326) float32; locked: (rows, 1326) float32, locked strategies
    values: (depth, 1326) float32 of the node at each depth; shares: (depth, MAX_ACTIONS, 1326) float32
    action_values: (MAX_ACTIONS, 1326) float32 sums at the decision asked about, and their count (1326,)
    """

    regrets: Float32
    sums: Float32
    locked: Float32
    values: Float32
    shares: Float32
    action_values: Float32
    action_counts: Float32
