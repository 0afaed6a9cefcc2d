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
from holdem.util.arrays import Float32, Int64
from holdem.util.jit import kernel


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
    meet, win = groups.meet[p, card].reshape(-1), groups.win[p, card].reshape(-1)
    rows, values = memory.reach_at[1], memory.values_at[1]
    for lane in range(lanes):
        reach = rows + lane * size
        for b in range(0, size, WIDTH):
            shown, met = spread8(np.float32(0.0)), spread8(np.float32(0.0))
            for c in range(groups.ends.shape[2]):
                weight = spread8(work[reach + c])
                met = met + weight * load8(meet, c * size + b)
                shown = shown + weight * load8(win, c * size + b)
            if lane < showdowns:
                store8(work, values + lane * size + b, shown)
            store8(work, values + (fold_rows + lane) * size + b, met)


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
    sums = np.zeros(size * width, np.float32)
    _reach_into_columns(tree, memory, p, work, reach, width)
    values[: hands * width] = np.float32(0.0)
    source = storage.regrets if mode == UPDATE else storage.averages
    count = groups.ends.shape[2]
    for card in range(first, last):
        # Hands to groups.
        order, ends = groups.order[1 - p, card], groups.ends[1 - p, card]
        for j in range(0, width, WIDTH):
            start = 0
            for g in range(count):
                total = spread8(np.float32(0.0))
                for i in range(start, ends[g]):
                    total = total + load8(reach, np.int64(order[i]) * width + j)
                store8(sums, g * width + j, total)
                start = ends[g]
        for line in range(lines):
            row = grouped_memory.reach_at[1] + grouped.row[p, root + line] * size
            for g in range(count):
                grouped_work[row + g] = sums[g * width + line]
        board = grouped_memory.board_start[1] + card
        descend(grouped, grouped_memory, 1, board, p, source, grouped_work)
        _evaluate(grouped, groups, grouped_memory, card, p, grouped_work)
        ascend(grouped, grouped_memory, 1, board, p, mode, factors, storage, grouped_work)
        # Groups back to hands.
        for line in range(lines):
            row = grouped_memory.values_at[1] + grouped.value_row[p, root + line] * size
            for g in range(count):
                sums[g * width + line] = grouped_work[row + g] * groups.chance
        order, ends = groups.order[p, card], groups.ends[p, card]
        for j in range(0, width, WIDTH):
            start = 0
            for g in range(count):
                value = load8(sums, g * width + j)
                for i in range(start, ends[g]):
                    at = np.int64(order[i]) * width + j
                    store8(values, at, load8(values, at) + value)
                start = ends[g]
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
