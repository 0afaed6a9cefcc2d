"""A street in groups of hands: the last street of a solve, for all of its cards, with hands exact above it.

For each card the hands of both players fall into groups that both have in common. The opponent's reach is summed up by
group, the street is solved for groups, and what a group is worth is what each of its hands is worth. Payoffs between
groups are two small matrices for each card: how many pairs can meet, and wins less losses of those, both as shares of
all pairs. Closing lines of the street above are lanes: a vector goes through the hands once.
"""

import numpy as np

from holdem.realtime.subgame.kernels.arrays import DealArrays, GroupArrays, MemoryMap, Storage, SubgameArrays
from holdem.realtime.subgame.kernels.lanes import WIDTH, load8, spread8, store8, transpose8
from holdem.realtime.subgame.kernels.terminals import evaluate_all_ins, evaluate_lanes
from holdem.realtime.subgame.kernels.traversal import UPDATE, ascend, descend, set_root
from holdem.util.arrays import Float32, Int16, Int64
from holdem.util.jit import inline_kernel, kernel


@kernel
def _reach_into_columns(
    tree: SubgameArrays, memory: MemoryMap, p: int, work: Float32, columns: Float32, width: int
) -> None:
    """The opponent's reach at the deals of the root street: `columns[hand × width + line]`."""
    others = np.int64(tree.player_hands[1 - p])
    staging = others * width
    for line in range(width):
        at = staging + line * others
        if line < tree.deal_start[1]:
            row = memory.reach_at[0] + tree.row[p, tree.deals[line]] * others
            columns[at : at + others] = work[row : row + others]
        else:
            columns[at : at + others] = np.float32(0.0)
    for h in range(0, others, WIDTH):
        for line in range(0, width, WIDTH):
            transpose8(columns, staging + line * others + h, others, columns, h * width + line, width)


@kernel
def _columns_into_values(
    tree: SubgameArrays, memory: MemoryMap, p: int, work: Float32, columns: Float32, width: int
) -> None:
    """The values of hands at the deals of the root street, from `columns[hand × width + line]`."""
    hands = np.int64(tree.player_hands[p])
    staging = hands * width
    for h in range(0, hands, WIDTH):
        for line in range(0, width, WIDTH):
            transpose8(columns, h * width + line, width, columns, staging + line * hands + h, hands)
    for line in range(tree.deal_start[1]):
        row = memory.values_at[0] + tree.value_row[p, tree.deals[line]] * hands
        work[row : row + hands] = columns[staging + line * hands : staging + (line + 1) * hands]


@kernel
def _evaluate(tree: SubgameArrays, groups: GroupArrays, memory: MemoryMap, card: int, p: int, work: Float32) -> None:
    """Value rows of all folds and showdowns after a card, in units of their payoffs, for every group of p."""
    size = np.int64(tree.player_hands[p])
    showdowns, lanes = np.int64(tree.sizes[p, 1, 1]), np.int64(tree.sizes[p, 1, 2])
    fold_rows = (showdowns + WIDTH - 1) // WIDTH * WIDTH
    rows, values = memory.reach_at[1], memory.values_at[1]
    count = groups.ends.shape[2]
    # A fold may have the lane of a showdown: the same reach, and another choice of p. Rows are padded to eight.
    for lane in range(0, lanes, 4):
        reach = rows + lane * size
        if lane < showdowns:
            _add_shares(work, reach, groups.win[p, card].reshape(-1), count, size, values + lane * size)
        _add_shares(work, reach, groups.meet[p, card].reshape(-1), count, size, values + (fold_rows + lane) * size)


@inline_kernel
def _add_shares(work: Float32, reach: int, shares: Float32, count: int, size: int, target: int) -> None:
    """The opposing groups' reach times their shares, for four lanes, which read the shares once."""
    zero = spread8(np.float32(0.0))
    for b in range(0, size, WIDTH):
        first, second, third, fourth = zero, zero, zero, zero
        for c in range(count):
            share = load8(shares, c * size + b)
            first = first + spread8(work[reach + c]) * share
            second = second + spread8(work[reach + size + c]) * share
            third = third + spread8(work[reach + 2 * size + c]) * share
            fourth = fourth + spread8(work[reach + 3 * size + c]) * share
        store8(work, target + b, first)
        store8(work, target + size + b, second)
        store8(work, target + 2 * size + b, third)
        store8(work, target + 3 * size + b, fourth)


@inline_kernel
def _hands_to_groups(reach: Float32, order: Int16, ends: Int16, width: int, sums: Float32) -> None:
    """Add up columns of hands by group, four at a time: `sums[group × width + line]`."""
    zero = spread8(np.float32(0.0))
    for j in range(0, width, WIDTH):
        start = np.int64(0)
        for g in range(ends.shape[0]):
            end = np.int64(ends[g])
            first, second, third, fourth = zero, zero, zero, zero
            i = start
            while i + 4 <= end:
                first = first + load8(reach, np.int64(order[i]) * width + j)
                second = second + load8(reach, np.int64(order[i + 1]) * width + j)
                third = third + load8(reach, np.int64(order[i + 2]) * width + j)
                fourth = fourth + load8(reach, np.int64(order[i + 3]) * width + j)
                i += 4
            while i < end:
                first = first + load8(reach, np.int64(order[i]) * width + j)
                i += 1
            store8(sums, g * width + j, (first + second) + (third + fourth))
            start = end


@inline_kernel
def _groups_to_hands(
    sums: Float32, places: Int16, hands: int, first: int, last: int, width: int, values: Float32
) -> None:
    """The columns of hands: each is the sum of the columns of its groups over the cards. `places`: (hands, cards)."""
    for j in range(0, width, WIDTH):
        for h in range(hands):
            even, odd = spread8(np.float32(0.0)), spread8(np.float32(0.0))
            for card in range(first, last - 1, 2):
                even = even + load8(sums, np.int64(places[h, card]) * width + j)
                odd = odd + load8(sums, np.int64(places[h, card + 1]) * width + j)
            if (last - first) % 2 == 1:
                even = even + load8(sums, np.int64(places[h, last - 1]) * width + j)
            store8(values, h * width + j, even + odd)


@kernel
def visit_cards(
    tree: SubgameArrays, memory: MemoryMap, work: Float32, grouped: SubgameArrays, grouped_memory: MemoryMap,
    groups: GroupArrays, storage: Storage, grouped_work: Float32, columns: Float32, first: int, last: int, p: int,
    mode: int, factors: Float32,
) -> None:  # fmt: skip
    """Cards `first` to `last` of a grouped street for player p: reach from the deals of `work`, values back into them.

    tree, memory: of the street above, over hands; grouped, grouped_memory: the same tree over groups
    columns: (2, 2 × hands × lines) scratch, padded: reach and values by hand, each with room to be turned
    """
    hands, _others = np.int64(tree.player_hands[p]), np.int64(tree.player_hands[1 - p])
    size = np.int64(grouped.player_hands[p])
    lines = np.int64(tree.deal_start[1])
    width = (lines + WIDTH - 1) // WIDTH * WIDTH
    root = np.int64(grouped.node_start[1])
    reach, values = columns[0].reshape(-1), columns[1].reshape(-1)
    count = np.int64(groups.ends.shape[2])
    sums = np.zeros(count * width, np.float32)
    # Values of groups for all cards; after the groups of each card a row of zeros, for hands that the card blocks.
    found = np.zeros(groups.ends.shape[1] * (count + 1) * width, np.float32)
    _reach_into_columns(tree, memory, p, work, reach, width)
    source = storage.regrets if mode == UPDATE else storage.averages
    for card in range(first, last):
        _hands_to_groups(reach, groups.order[1 - p, card], groups.ends[1 - p, card], width, sums)
        for line in range(lines):
            row = grouped_memory.reach_at[1] + grouped.row[p, root + line] * size
            for g in range(count):
                grouped_work[row + g] = sums[g * width + line]
        board = grouped_memory.board_start[1] + card
        descend(grouped, grouped_memory, 1, board, p, source, grouped_work)
        _evaluate(grouped, groups, grouped_memory, card, p, grouped_work)
        ascend(grouped, grouped_memory, 1, board, p, mode, factors, storage, grouped_work)
        at = card * (count + 1) * width
        for line in range(lines):
            row = grouped_memory.values_at[1] + grouped.value_row[p, root + line] * size
            for g in range(count):
                found[at + g * width + line] = grouped_work[row + g] * groups.chance
    _groups_to_hands(found, groups.places[p], hands, first, last, width, values)
    _columns_into_values(tree, memory, p, work, values, width)


@kernel
def run_with_groups(
    tree: SubgameArrays, deals: DealArrays, memory: MemoryMap, grouped: SubgameArrays, grouped_memory: MemoryMap,
    groups: GroupArrays, players: Int64, mode: int, factors: Float32, storage: Storage, weights: Float32,
    work: Float32, grouped_work: Float32, columns: Float32,
) -> None:  # fmt: skip
    """Whole traversals of a street and the grouped one below it, for each of `players`, once per row of `factors`."""
    source = storage.regrets if mode == UPDATE else storage.averages
    for t in range(factors.shape[0]):
        for p in players:
            set_root(tree, memory, p, weights, work)
            descend(tree, memory, 0, 0, p, source, work)
            evaluate_lanes(tree, deals, memory, 0, 0, p, work)
            evaluate_all_ins(tree, deals, memory, 0, 0, p, work)
            visit_cards(
                tree, memory, work, grouped, grouped_memory, groups, storage, grouped_work, columns, 0,
                groups.ends.shape[1], p, mode, factors[t],
            )  # fmt: skip
            ascend(tree, memory, 0, 0, p, mode, factors[t], storage, work)
