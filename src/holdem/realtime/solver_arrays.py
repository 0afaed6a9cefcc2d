"""The arrays that the kernels of a solve work on, apart from the tree and the deals."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Float32 = npt.NDArray[np.float32]
Int64 = npt.NDArray[np.int64]


class Plan(NamedTuple):
    """Where things are: all float32 scratch is one array `work`, all regrets one array, all averages another.

    storage_start: (levels,) first entry of a level's blocks; board_start: (levels + 1,) first board of a level
    scale_start: (levels,) first of a level's scales, one for each board and node
    reach_at, values_at: (levels,) places in `work`; shared_at: (4,) of lanes, columns, per-card sums and a node's rows
    """

    storage_start: Int64
    scale_start: Int64
    board_start: Int64
    reach_at: Int64
    values_at: Int64
    shared_at: Int64


class Storage(NamedTuple):
    """What a solve learns: flat tables over (level, board, node, action, hand).

    regrets, averages: float32 or int16; scales: float32, one per board and node if they are int16, else empty
    locked: float32, as long as the tables and above 0 where a strategy is fixed, or empty
    """

    regrets: Float32
    averages: Float32
    scales: Float32
    locked: Float32
