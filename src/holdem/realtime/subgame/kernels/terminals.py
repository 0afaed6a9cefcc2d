"""Values at the ends of a betting tree, all terminals of a board at once.

The opponent's reach at each terminal (a *lane*) is turned from rows over hands into columns, so that one pass over the
hands in order of strength serves every terminal: the sum over weaker hands, and for each card the part of it that
holds the card, are vectors over lanes. What a hand (a, b) beats is the total less the parts with a and with b, since no
weaker hand holds both (Johanson et al. 2011, "Accelerating best response calculation in large extensive games").
"""

import numpy as np

from holdem.realtime.subgame.kernels.arrays import DealArrays, MemoryMap, SubgameArrays
from holdem.realtime.subgame.kernels.lanes import WIDTH, load8, spread8, store8, sum8, transpose8
from holdem.util.arrays import Float32, Int32
from holdem.util.jit import inline_kernel, kernel

NUM_CARDS = 52


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

    Four rows of pairs at once, so that what they share is read once.
    """
    hands, others = np.int64(tree.player_hands[p]), np.int64(tree.player_hands[1 - p])
    chance = deals.all_in_chance[level]
    zero = spread8(np.float32(0.0))
    for k in range(tree.all_in_start[level], tree.all_in_start[level + 1]):
        node = tree.all_ins[k]
        wins = deals.wins[deals.wins_of[board]].reshape(-1)
        reach = memory.reach_at[level] + tree.row[p, node] * others
        values = memory.values_at[level] + tree.value_row[p, node] * hands
        if p == 0:
            for h in range(0, hands, 4):
                first, second, third, fourth = zero, zero, zero, zero
                row = h * others
                for i in range(0, others, WIDTH):
                    weight = load8(work, reach + i)
                    first = first + load8(wins, row + i) * weight
                    second = second + load8(wins, row + others + i) * weight
                    third = third + load8(wins, row + 2 * others + i) * weight
                    fourth = fourth + load8(wins, row + 3 * others + i) * weight
                work[values + h] = chance * sum8(first)
                work[values + h + 1] = chance * sum8(second)
                work[values + h + 2] = chance * sum8(third)
                work[values + h + 3] = chance * sum8(fourth)
        else:
            work[values : values + hands] = np.float32(0.0)
            for h in range(0, others, 4):
                first, second = spread8(-chance * work[reach + h]), spread8(-chance * work[reach + h + 1])
                third, fourth = spread8(-chance * work[reach + h + 2]), spread8(-chance * work[reach + h + 3])
                row = h * hands
                for i in range(0, hands, WIDTH):
                    total = load8(work, values + i)
                    total = total + first * load8(wins, row + i) + second * load8(wins, row + hands + i)
                    total = total + third * load8(wins, row + 2 * hands + i) + fourth * load8(wins, row + 3 * hands + i)
                    store8(work, values + i, total)
