"""Several threads in one traversal, inside compiled code: they share out the boards after the root street and meet.

The first thread walks the root street, everybody visits its boards, the first one adds up what they are worth and walks
back. Leaving compiled code for each of these steps would cost as much as a step of a turn takes. Threads wait for each
other by looking at a counter; a wait that gets long gives the core to somebody else each time it looks.
"""

import sys
from collections.abc import Callable
from typing import cast

import numpy as np
import numpy.typing as npt
from numba import types

from holdem.realtime.subgame.kernels.arrays import DealArrays, MemoryMap, Storage, SubgameArrays
from holdem.realtime.subgame.kernels.terminals import evaluate_all_ins, evaluate_lanes
from holdem.realtime.subgame.kernels.traversal import (
    UPDATE,
    ascend,
    clear_deals,
    descend,
    hand_back,
    hand_down,
    set_root,
    visit,
)
from holdem.util.arrays import Float32, Int64
from holdem.util.jit import kernel
from holdem.util.kernels.atomic import fetch_add, load

ARRIVED, HALTED, NUM_SIGNS = 0, 1, 2
"""Of the signs that threads share: how often somebody arrived at a meeting, and whether the first thread went home."""
_PATIENT_LOOKS = 2_000

_YIELD = "SwitchToThread" if sys.platform == "win32" else "sched_yield"
_let_others_run = cast(Callable[[], int], types.ExternalFunction(_YIELD, types.int32()))


@kernel
def meet(signs: Int64, meetings: int, threads: int) -> None:
    """Wait until all threads have come to their meeting with this number, from 1 on."""
    fetch_add(signs, ARRIVED, 1)
    looks = 0
    while load(signs, ARRIVED) < meetings * threads:
        looks += 1
        if looks > _PATIENT_LOOKS:
            _let_others_run()


@kernel
def run_together(
    thread: int, threads: int, signs: Int64, tree: SubgameArrays, deals: DealArrays, memory: MemoryMap, players: Int64,
    mode: int, factors: Float32, storage: Storage, weights: Float32, works: Float32, halt: npt.NDArray[np.uint8],
) -> None:  # fmt: skip
    """What thread number `thread` does in a traversal for each of `players`, once per row of factors.

    signs: (NUM_SIGNS,) int64 zeros that all threads of a call share; works: (threads, floats). Boards are shared out as
    `kernels.run` with a step does it. If somebody sets `halt`, all leave before the root street is walked back.
    """
    work = works[thread]
    meetings = 0
    for t in range(factors.shape[0]):
        for p in players:
            if thread == 0:
                set_root(tree, memory, p, weights, work)
                descend(tree, memory, 0, 0, p, storage.regrets if mode == UPDATE else storage.averages, work)
                evaluate_lanes(tree, deals, memory, 0, 0, p, work)
                evaluate_all_ins(tree, deals, memory, 0, 0, p, work)
            meetings += 1
            meet(signs, meetings, threads)
            if load(signs, HALTED):
                return
            clear_deals(tree, memory, 0, p, work)
            for board in range(deals.children[0] + thread, deals.children[1], threads):
                hand_down(tree, memory, 0, p, works[0], work)
                visit(tree, deals, memory, 1, board, p, mode, factors[t], storage, work, halt)
                hand_back(tree, deals, memory, 0, board, p, work)
            meetings += 1
            meet(signs, meetings, threads)
            if thread == 0:
                # Only now is it certain that nobody was cut short; the others wait at the next meeting, if any.
                if halt[0]:
                    fetch_add(signs, HALTED, 1)
                    fetch_add(signs, ARRIVED, 1)
                    return
                add_up(tree, memory, p, works)
                ascend(tree, memory, 0, 0, p, mode, factors[t], storage, work)


@kernel
def add_up(tree: SubgameArrays, memory: MemoryMap, p: int, works: Float32) -> None:
    """Add what the other threads' boards are worth to the values at the deals of the root street."""
    hands = np.int64(tree.player_hands[p])
    for k in range(tree.deal_start[0], tree.deal_start[1]):
        start = memory.values_at[0] + tree.value_row[p, tree.deals[k]] * hands
        for thread in range(1, works.shape[0]):
            for i in range(start, start + hands):
                works[0, i] += works[thread, i]
