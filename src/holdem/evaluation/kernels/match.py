"""Compiled duplicate hands of blueprints in one betting tree: sampled actions down the tree, then the payoffs.

A draw belongs to (seed, deal, position, number of that position's decision), whoever sits there, as in the rules
engine: the same strategy in the same place does the same again.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from holdem.abstraction.kernels.payoffs import payoffs_into
from holdem.policy.kernels.played import played_total, played_weight, row_total
from holdem.util.arrays import Int64
from holdem.util.jit import inline_kernel, kernel
from holdem.util.kernels.random_numbers import split_mix

MAX_SEATS = 6


class WalkedTree(NamedTuple):
    """The arrays of a `BettingTree` that a walk reads; num_passive: the first so many actions do not raise."""

    player: npt.NDArray[np.int8]
    street: npt.NDArray[np.int8]
    num_actions: npt.NDArray[np.int8]
    num_passive: npt.NDArray[np.int8]
    first_child: npt.NDArray[np.int32]
    folded: npt.NDArray[np.uint8]
    chips_in: npt.NDArray[np.int32]


@inline_kernel
def draw_of(seed: int, deal: int, position: int, decision: int) -> float:
    """The number in [0, 1) of a decision."""
    key = split_mix(split_mix(np.uint64(seed)) ^ np.uint64(deal))
    bits = split_mix(key ^ np.uint64(position * 65_536 + decision + 1))
    return np.float64(bits >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def chosen_action(table: npt.NDArray[np.uint16], start: int, count: int, passive: int, draw: float) -> int:
    """The action that a draw stands for; a row of zeros takes any of its first `passive` actions."""
    total = row_total(table, start, count)
    left = draw * played_total(passive, total)
    last = 0
    for a in range(count):
        weight = played_weight(table, start, a, passive, total)
        left -= weight
        if left < 0.0:
            return a
        if weight > 0.0:
            last = a
    return last  # rounding left a crumb beyond the last one


@kernel
def play_deals(
    tree: WalkedTree,
    tables: tuple[npt.NDArray[np.uint16], ...],
    offsets: tuple[Int64, ...],
    rows: Int64,
    rows_of: Int64,
    strengths: Int64,
    seed: int,
    first: int,
    out: npt.NDArray[np.float64],
) -> None:
    """Add the chips that each agent wins over all rotations of deals from `first` on to `out: (deals, agents)`.

    tables, offsets: of MAX_SEATS policies, one per agent and then any; rows: (dealers, deals, slots) buckets times
    strides; rows_of: (agents,) whose rows an agent reads; strengths: (deals, players)
    """
    deals, players = strengths.shape
    decisions = np.zeros(MAX_SEATS, dtype=np.int64)
    won = np.zeros(players)
    for i in range(deals):
        for shift in range(players):
            decisions[:] = 0
            node = 0
            while tree.num_actions[node] > 0:
                position = int(tree.player[node])
                agent = (position + shift) % players
                slot = int(tree.street[node]) * players + position
                start = offsets[agent][node] + rows[rows_of[agent], i, slot]
                draw = draw_of(seed, first + i, position, decisions[position])
                decisions[position] += 1
                count, passive = int(tree.num_actions[node]), int(tree.num_passive[node])
                node = int(tree.first_child[node]) + chosen_action(tables[agent], start, count, passive, draw)
            payoffs_into(tree.chips_in[node], int(tree.folded[node]), strengths[i], won)
            for position in range(players):
                out[i, (position + shift) % players] += won[position]
