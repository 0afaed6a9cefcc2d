"""Values at the ends of a betting tree, all terminals of a board at once.

The opponent's reach at each terminal (a *lane*) is turned from rows over hands into columns, so that one pass over the
hands in order of strength serves every terminal: the sum over weaker hands, and for each card the part of it that
holds the card, are vectors over lanes. What a hand (a, b) beats is the total less the parts with a and with b, since no
weaker hand holds both (Johanson et al. 2011, "Accelerating best response calculation in large extensive games").
"""

import numpy as np

from holdem.realtime.subgame.kernels.arrays import DealArrays, MemoryMap, SubgameArrays
from holdem.realtime.subgame.kernels.lanes import WIDTH, load8, spread8, store8, sum8, transpose8
from holdem.util.arrays import Float32, Int16, Int32
from holdem.util.jit import inline_kernel, kernel

NUM_CARDS = 52
Places = tuple[int, int, int]
"""Of three rows in the scratch memory."""


@inline_kernel
def _add_hand(work: Float32, sums: int, lanes: int, cards: Int32, reach: int) -> None:
    """Add the lanes of one hand to the total and to the sums of its two cards."""
    total, first, second = sums + NUM_CARDS * lanes, sums + cards[0] * lanes, sums + cards[1] * lanes
    for j in range(0, lanes, WIDTH):
        value = load8(work, reach + j)
        store8(work, total + j, load8(work, total + j) + value)
        store8(work, first + j, load8(work, first + j) + value)
        store8(work, second + j, load8(work, second + j) + value)


@inline_kernel
def _sweep_showdowns(
    deals: DealArrays, board: int, p: int, work: Float32, lanes_at: int, lanes: int, sums: int, columns_at: int,
    width: int, showdowns: int,
) -> None:  # fmt: skip
    """From weak to strong: each hand's column gets the reach that it beats, twice, plus the reach that it ties with."""
    order, other_order = deals.order[p, board], deals.order[1 - p, board]
    cards, other_cards, same = deals.cards[p], deals.cards[1 - p], deals.same[p]
    final = board - (deals.groups.shape[0] - deals.ends.shape[1])
    ends, other_ends = deals.ends[p, final], deals.ends[1 - p, final]
    total = sums + NUM_CARDS * lanes
    start = 0
    other_start = 0
    for g in range(deals.groups[board]):
        end, other_end = ends[g], other_ends[g]
        alone = other_start == other_end
        for k in range(start, end):
            h = np.int64(order[k])
            first, second = sums + cards[h, 0] * lanes, sums + cards[h, 1] * lanes
            column = columns_at + h * width
            for j in range(0, showdowns, WIDTH):
                below = load8(work, total + j) - load8(work, first + j) - load8(work, second + j)
                store8(work, column + j, below + below if alone else below)
        if not alone:
            for k in range(other_start, other_end):
                h = np.int64(other_order[k])
                _add_hand(work, sums, lanes, other_cards[h], lanes_at + h * lanes)
            for k in range(start, end):
                h = np.int64(order[k])
                first, second = sums + cards[h, 0] * lanes, sums + cards[h, 1] * lanes
                column = columns_at + h * width
                hand = same[h]
                for j in range(0, showdowns, WIDTH):
                    upto = load8(work, total + j) - load8(work, first + j) - load8(work, second + j)
                    if hand >= 0:
                        upto = upto + load8(work, lanes_at + hand * lanes + j)
                    store8(work, column + j, load8(work, column + j) + upto)
        start, other_start = end, other_end


@inline_kernel
def _finish_columns(
    deals: DealArrays, board: int, p: int, work: Float32, lanes_at: int, lanes: int, sums: int, columns_at: int,
    width: int, showdowns: int, hands: int,
) -> None:  # fmt: skip
    """All opposing reach of each hand, which makes wins less losses of what it beats and ties; 0 for blocked hands."""
    order, cards, same = deals.order[p, board], deals.cards[p], deals.same[p]
    free = deals.free[p, board]
    total = sums + NUM_CARDS * lanes
    for k in range(free):
        h = np.int64(order[k])
        first, second = sums + cards[h, 0] * lanes, sums + cards[h, 1] * lanes
        column = columns_at + h * width
        hand = same[h]
        for j in range(0, lanes, WIDTH):
            every = load8(work, total + j) - load8(work, first + j) - load8(work, second + j)
            if hand >= 0:
                every = every + load8(work, lanes_at + hand * lanes + j)
            store8(work, column + showdowns + j, every)
            if j < showdowns:
                store8(work, column + j, load8(work, column + j) - every)
    for k in range(free, hands):
        column = columns_at + np.int64(order[k]) * width
        work[column : column + width] = np.float32(0.0)


@kernel
def evaluate_lanes(
    tree: SubgameArrays, deals: DealArrays, memory: MemoryMap, level: int, board: int, p: int, work: Float32
) -> None:
    """Value rows of all folds and showdowns of a board, in units of their payoffs, for every hand of p.

    For a showdown the opposing reach that the hand beats less what beats it, for a fold all of it; hands that share a
    card are left out.
    """
    hands, others = np.int64(tree.player_hands[p]), np.int64(tree.player_hands[1 - p])
    showdowns = (np.int64(tree.sizes[p, level, 1]) + WIDTH - 1) // WIDTH * WIDTH
    lanes = (np.int64(tree.sizes[p, level, 2]) + WIDTH - 1) // WIDTH * WIDTH
    if lanes == 0:
        return
    lanes_at, columns_at, sums = memory.shared_at[0], memory.shared_at[1], memory.shared_at[2]
    width = showdowns + lanes
    rows_at, values_at = memory.reach_at[level], memory.values_at[level]
    for h in range(0, others, WIDTH):
        for lane in range(0, lanes, WIDTH):
            transpose8(work, rows_at + lane * others + h, others, work, lanes_at + h * lanes + lane, lanes)
    work[sums : sums + (NUM_CARDS + 1) * lanes] = np.float32(0.0)
    if showdowns > 0:
        _sweep_showdowns(deals, board, p, work, lanes_at, lanes, sums, columns_at, width, showdowns)
    else:
        for k in range(deals.free[1 - p, board]):
            h = np.int64(deals.order[1 - p, board, k])
            _add_hand(work, sums, lanes, deals.cards[1 - p, h], lanes_at + h * lanes)
    _finish_columns(deals, board, p, work, lanes_at, lanes, sums, columns_at, width, showdowns, hands)
    for h in range(0, hands, WIDTH):
        for column in range(0, width, WIDTH):
            transpose8(work, columns_at + h * width + column, width, work, values_at + column * hands + h, hands)


@kernel
def evaluate_all_ins(
    tree: SubgameArrays, deals: DealArrays, memory: MemoryMap, level: int, board: int, p: int, work: Float32
) -> None:
    """Values where both are all-in before the last street: wins less losses of each pair times the opposing reach.

    The pairs are read once for three such nodes; a chunk with fewer does the last one again.
    """
    hands, others = np.int64(tree.player_hands[p]), np.int64(tree.player_hands[1 - p])
    rows, value_rows = tree.row[p], tree.value_row[p]
    last = tree.all_in_start[level + 1] - 1
    for k in range(tree.all_in_start[level], last + 1, 3):
        wins = deals.wins[deals.wins_of[board]].reshape(-1)
        nodes = tree.all_ins[k], tree.all_ins[min(k + 1, last)], tree.all_ins[min(k + 2, last)]
        reach_at, values_at = memory.reach_at[level], memory.values_at[level]
        reach = (
            reach_at + rows[nodes[0]] * others, reach_at + rows[nodes[1]] * others, reach_at + rows[nodes[2]] * others
        )  # fmt: skip
        values = (
            values_at + value_rows[nodes[0]] * hands, values_at + value_rows[nodes[1]] * hands,
            values_at + value_rows[nodes[2]] * hands,
        )  # fmt: skip
        if p == 0:
            _all_ins_of_first(work, wins, hands, others, reach, values, deals.all_in_chance[level])
        else:
            _all_ins_of_second(work, wins, hands, others, reach, values, deals.all_in_chance[level])


@inline_kernel
def _all_ins_of_first(
    work: Float32, wins: Int16, hands: int, others: int, reach: Places, values: Places, chance: float
) -> None:
    """Player 0's values at three nodes, two of his hands at a time."""
    zero = spread8(np.float32(0.0))
    for h in range(0, hands, 2):
        first, second, third, fourth, fifth, sixth = zero, zero, zero, zero, zero, zero
        row = h * others
        for i in range(0, others, WIDTH):
            one, other = load8(wins, row + i), load8(wins, row + others + i)
            weight = load8(work, reach[0] + i)
            first, second = first + one * weight, second + other * weight
            weight = load8(work, reach[1] + i)
            third, fourth = third + one * weight, fourth + other * weight
            weight = load8(work, reach[2] + i)
            fifth, sixth = fifth + one * weight, sixth + other * weight
        work[values[0] + h], work[values[0] + h + 1] = chance * sum8(first), chance * sum8(second)
        work[values[1] + h], work[values[1] + h + 1] = chance * sum8(third), chance * sum8(fourth)
        work[values[2] + h], work[values[2] + h + 1] = chance * sum8(fifth), chance * sum8(sixth)


@inline_kernel
def _all_ins_of_second(
    work: Float32, wins: Int16, hands: int, others: int, reach: Places, values: Places, chance: float
) -> None:
    """Player 1's values at three nodes, two hands of player 0 at a time; what one wins the other loses."""
    for n in range(3):
        work[values[n] : values[n] + hands] = np.float32(0.0)
    for h in range(0, others, 2):
        row = h * hands
        first, second = spread8(-chance * work[reach[0] + h]), spread8(-chance * work[reach[0] + h + 1])
        third, fourth = spread8(-chance * work[reach[1] + h]), spread8(-chance * work[reach[1] + h + 1])
        fifth, sixth = spread8(-chance * work[reach[2] + h]), spread8(-chance * work[reach[2] + h + 1])
        for i in range(0, hands, WIDTH):
            one, other = load8(wins, row + i), load8(wins, row + hands + i)
            if values[1] != values[0]:
                store8(work, values[0] + i, load8(work, values[0] + i) + first * one + second * other)
            if values[2] != values[1]:
                store8(work, values[1] + i, load8(work, values[1] + i) + third * one + fourth * other)
            store8(work, values[2] + i, load8(work, values[2] + i) + fifth * one + sixth * other)
