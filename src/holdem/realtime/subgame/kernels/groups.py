"""A street in groups of hands: the last street of a solve, for all of its cards, with hands exact above it.

For each card the hands of both players fall into groups that both have in common. The opponent's reach is summed up by
group, the street is solved for groups, and what a group is worth is what each of its hands is worth. Payoffs between
groups are two small matrices for each card: how many pairs can meet, and wins less losses of those, both as shares of
all pairs. Closing lines of the street above are lanes: a vector goes through the hands once.
"""

import numpy as np

from holdem.realtime.subgame.kernels.arrays import (
    CheckDowns,
    DealArrays,
    GroupArrays,
    MemoryMap,
    Storage,
    SubgameArrays,
)
from holdem.realtime.subgame.kernels.lanes import WIDTH, load8, spread8, store8, transpose8
from holdem.realtime.subgame.kernels.terminals import evaluate_all_ins, evaluate_lanes
from holdem.realtime.subgame.kernels.together import ARRIVED, HALTED, add_up, meet
from holdem.realtime.subgame.kernels.traversal import (
    UPDATE,
    ascend,
    clear_deals,
    descend,
    hand_back,
    hand_down,
    set_root,
)
from holdem.util.arrays import Float32, Int16, Int32, Int64, UInt8
from holdem.util.jit import inline_kernel, kernel
from holdem.util.kernels.atomic import fetch_add, load


@kernel
def _reach_into_columns(
    tree: SubgameArrays, memory: MemoryMap, level: int, nodes: Int32, p: int, work: Float32, columns: Float32,
    width: int,
) -> None:  # fmt: skip
    """The opponent's reach at some nodes of a level: `columns[hand × width + node]`."""
    others = np.int64(tree.player_hands[1 - p])
    staging = others * width
    for line in range(width):
        at = staging + line * others
        if line < len(nodes):
            row = memory.reach_at[level] + tree.row[p, nodes[line]] * others
            for i in range(0, others, WIDTH):
                store8(columns, at + i, load8(work, row + i))
        else:
            columns[at : at + others] = np.float32(0.0)
    for h in range(0, others, WIDTH):
        for line in range(0, width, WIDTH):
            transpose8(columns, staging + line * others + h, others, columns, h * width + line, width)


@kernel
def _columns_into_values(
    tree: SubgameArrays, memory: MemoryMap, level: int, nodes: Int32, p: int, work: Float32, columns: Float32,
    width: int,
) -> None:  # fmt: skip
    """The values of hands at some nodes of a level, from `columns[hand × width + node]`."""
    hands = np.int64(tree.player_hands[p])
    staging = hands * width
    for h in range(0, hands, WIDTH):
        for line in range(0, width, WIDTH):
            transpose8(columns, h * width + line, width, columns, staging + line * hands + h, hands)
    for line in range(len(nodes)):
        row = memory.values_at[level] + tree.value_row[p, nodes[line]] * hands
        for i in range(0, hands, WIDTH):
            store8(work, row + i, load8(columns, staging + line * hands + i))


@kernel
def _evaluate(
    tree: SubgameArrays, groups: GroupArrays, memory: MemoryMap, level: int, card: int, p: int, work: Float32
) -> None:
    """Value rows of all folds and showdowns after a card, in units of their payoffs, for every group of p."""
    size = np.int64(tree.player_hands[p])
    showdowns, lanes = np.int64(tree.sizes[p, level, 1]), np.int64(tree.sizes[p, level, 2])
    fold_rows = (showdowns + WIDTH - 1) // WIDTH * WIDTH
    rows, values = memory.reach_at[level], memory.values_at[level]
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
    found: Float32, places: Int16, hands: int, first: int, step: int, width: int, values: Float32
) -> None:
    """Add to the columns of hands those of their groups, over every `step`-th card. `places`: (hands, cards)."""
    cards = places.shape[1]
    for j in range(0, width, WIDTH):
        for h in range(hands):
            even, odd = load8(values, h * width + j), spread8(np.float32(0.0))
            for card in range(first, cards - step, 2 * step):
                even = even + load8(found, np.int64(places[h, card]) * width + j)
                odd = odd + load8(found, np.int64(places[h, card + step]) * width + j)
            last = first + (cards - 1 - first) // (2 * step) * (2 * step)
            if last + step >= cards:
                even = even + load8(found, np.int64(places[h, last]) * width + j)
            store8(values, h * width + j, even + odd)


@kernel
def check_down(
    tree: SubgameArrays, memory: MemoryMap, level: int, turn: int, downs: CheckDowns, p: int, work: Float32,
    columns: Float32,
) -> None:  # fmt: skip
    """Values at the all-ins of a turn, and the columns of its closing lines, if all rivers are checked down.

    The columns stay in `columns[1]`, with each line's stake, for `visit_cards` to go on from.
    """
    hands = np.int64(tree.player_hands[p])
    count, size = np.int64(downs.ends.shape[2]), np.int64(downs.shares.shape[3])
    reach, values = columns[0].reshape(-1), columns[1].reshape(-1)
    for closing in range(2):
        starts, nodes_of = (tree.deal_start, tree.deals) if closing else (tree.all_in_start, tree.all_ins)
        nodes = nodes_of[starts[level] : starts[level + 1]]
        width = (np.int64(len(nodes)) + WIDTH - 1) // WIDTH * WIDTH
        sums = np.zeros(size * width, np.float32)
        _reach_into_columns(tree, memory, level, nodes, p, work, reach, width)
        _hands_to_groups(reach, downs.order[1 - p, turn], downs.ends[1 - p, turn], width, sums)
        stakes = np.ones(width, np.float32)
        if closing:
            for line in range(len(nodes)):
                stakes[line] = downs.stakes[line]
        # What the groups of p are worth against the other's single hands, beyond what they are against his groups.
        shares, others = downs.shares[p, turn].reshape(-1), downs.shares[1 - p, turn].reshape(-1)
        means = downs.means[p, turn].reshape(-1)
        order, free = downs.order[1 - p, turn], np.int64(downs.ends[1 - p, turn, count - 1])
        special = np.zeros((size + WIDTH) * width, np.float32)
        zero = spread8(np.float32(0.0))
        for j in range(0, width, WIDTH):
            for g in range(0, count, 4):
                first, second, third, fourth = zero, zero, zero, zero
                for i in range(free):
                    h = np.int64(order[i])
                    weight, at = load8(reach, h * width + j), h * size + g
                    first = first + spread8(others[at]) * weight
                    second = second + spread8(others[at + 1]) * weight
                    third = third + spread8(others[at + 2]) * weight
                    fourth = fourth + spread8(others[at + 3]) * weight
                for c in range(count):
                    weight, at = load8(sums, c * width + j), g * size + c
                    first = first + spread8(means[at]) * weight
                    second = second + spread8(means[at + size]) * weight
                    third = third + spread8(means[at + 2 * size]) * weight
                    fourth = fourth + spread8(means[at + 3 * size]) * weight
                store8(special, g * width + j, first)
                store8(special, (g + 1) * width + j, second)
                store8(special, (g + 2) * width + j, third)
                store8(special, (g + 3) * width + j, fourth)
            for h in range(0, hands, 2):
                at, after = h * size, (h + 1) * size
                group, next_group = np.int64(downs.group_of[p, turn, h]), np.int64(downs.group_of[p, turn, h + 1])
                first = zero - load8(special, group * width + j)
                second = zero - load8(special, next_group * width + j)
                third, fourth = zero, zero
                for g in range(0, size, 2):
                    even, odd = load8(sums, g * width + j), load8(sums, (g + 1) * width + j)
                    first = first + spread8(shares[at + g]) * even
                    second = second + spread8(shares[after + g]) * even
                    third = third + spread8(shares[at + g + 1]) * odd
                    fourth = fourth + spread8(shares[after + g + 1]) * odd
                scale = load8(stakes, j)
                store8(values, h * width + j, (first + third) * scale)
                store8(values, (h + 1) * width + j, (second + fourth) * scale)
        if not closing:
            _columns_into_values(tree, memory, level, nodes, p, work, values, width)


@kernel
def visit_cards(
    tree: SubgameArrays, memory: MemoryMap, level: int, board: int, parent: Float32, work: Float32,
    grouped: SubgameArrays, grouped_memory: MemoryMap, groups: GroupArrays, stakes: Float32, storage: Storage,
    grouped_work: Float32, columns: Float32, found: Float32, first: int, step: int, p: int, mode: int,
    factors: Float32,
) -> None:  # fmt: skip
    """Every `step`-th card of the grouped street after a board of `level`, from the `first` on, for player p.

    Reach comes from the deals of `parent`, and values go into those of `work`.

    tree, memory: of the streets above, over hands; grouped, grouped_memory: the same tree over groups
    board: counted from the first of its level; stakes: (lines,) of lines that `check_down` was asked about, whose
    values are in `columns` already, so that only what bets add to them is wanted; else empty
    columns: (2, 2 × hands × lines) scratch, padded: reach and values by hand, each with room to be turned
    found: (cards of a board × (groups + 1) × lines,) padded, what groups are worth after each card times its chance;
    after the groups of each card a row of zeros, for hands that the card blocks
    """
    hands, size = np.int64(tree.player_hands[p]), np.int64(grouped.player_hands[p])
    nodes = tree.deals[tree.deal_start[level] : tree.deal_start[level + 1]]
    lines = np.int64(len(nodes))
    width = (lines + WIDTH - 1) // WIDTH * WIDTH
    below = level + 1
    root = np.int64(grouped.node_start[below])
    reach, values = columns[0].reshape(-1), columns[1].reshape(-1)
    count, each = np.int64(groups.ends.shape[2]), np.int64(groups.places.shape[3])
    sums = np.zeros(count * width, np.float32)
    _reach_into_columns(tree, memory, level, nodes, p, parent, reach, width)
    if len(stakes) == 0:
        values[: hands * width] = np.float32(0.0)
    source = storage.regrets if mode == UPDATE else storage.averages
    for i in range(first, each, step):
        card = board * each + i
        _hands_to_groups(reach, groups.order[1 - p, card], groups.ends[1 - p, card], width, sums)
        for line in range(lines):
            row = grouped_memory.reach_at[below] + grouped.row[p, root + line] * size
            for g in range(count):
                grouped_work[row + g] = sums[g * width + line]
        number = grouped_memory.board_start[below] + card
        descend(grouped, grouped_memory, below, number, p, source, grouped_work)
        _evaluate(grouped, groups, grouped_memory, below, card, p, grouped_work)
        ascend(grouped, grouped_memory, below, number, p, mode, factors, storage, grouped_work)
        at = i * (count + 1) * width
        for line in range(lines):
            row = grouped_memory.values_at[below] + grouped.value_row[p, root + line] * size
            for g in range(count):
                found[at + g * width + line] = grouped_work[row + g] * groups.chance
        if len(stakes) > 0:
            _take_check_downs_off(groups, card, p, stakes, sums, width, found, at)
    _groups_to_hands(found, groups.places[p, board], hands, first, step, width, values)
    _columns_into_values(tree, memory, level, nodes, p, work, values, width)


@inline_kernel
def _take_check_downs_off(
    groups: GroupArrays, card: int, p: int, stakes: Float32, sums: Float32, width: int, found: Float32, at: int
) -> None:
    """Take off what the groups of a card win without bets, so that what bets add is left."""
    count = np.int64(groups.ends.shape[2])
    for g in range(count):
        for line in range(len(stakes)):
            won = np.float32(0.0)
            for c in range(count):
                won += groups.win[p, card, c, g] * sums[c * width + line]
            found[at + g * width + line] -= groups.chance * stakes[line] * won


@kernel
def run_with_groups(
    thread: int, threads: int, signs: Int64, tree: SubgameArrays, deals: DealArrays, memory: MemoryMap,
    grouped: SubgameArrays, grouped_memory: MemoryMap, groups: GroupArrays, downs: CheckDowns, players: Int64,
    mode: int, factors: Float32, storage: Storage, weights: Float32, works: Float32, grouped_works: Float32,
    columns: Float32, found: Float32, halt: UInt8,
) -> None:  # fmt: skip
    """What thread number `thread` does in traversals of one or two streets and the grouped one below, for each of
    `players`, once per row of factors.

    Threads share the cards after the first street, and meet as in `run_together`; scratch arrays have a row for each.
    With two exact streets the grouped one has some of the cards, and `downs` has what all of them are worth unbet.
    """
    source = storage.regrets if mode == UPDATE else storage.averages
    work, grouped_work = works[thread], grouped_works[thread]
    meetings = 0
    for t in range(factors.shape[0]):
        for p in players:
            if thread == 0:
                set_root(tree, memory, p, weights, work)
                descend(tree, memory, 0, 0, p, source, work)
                evaluate_lanes(tree, deals, memory, 0, 0, p, work)
                evaluate_all_ins(tree, deals, memory, 0, 0, p, work)
            meetings += 1
            meet(signs, meetings, threads)
            if load(signs, HALTED):
                return
            if len(downs.stakes) == 0:
                visit_cards(
                    tree, memory, 0, 0, works[0], work, grouped, grouped_memory, groups, downs.stakes, storage,
                    grouped_work, columns[thread], found[thread], thread, threads, p, mode, factors[t],
                )  # fmt: skip
            else:
                clear_deals(tree, memory, 0, p, work)
                for turn in range(deals.children[0] + thread, deals.children[1], threads):
                    if halt[0]:
                        break
                    hand_down(tree, memory, 0, p, works[0], work)
                    descend(tree, memory, 1, turn, p, source, work)
                    evaluate_lanes(tree, deals, memory, 1, turn, p, work)
                    place = turn - deals.children[0]
                    check_down(tree, memory, 1, place, downs, p, work, columns[thread])
                    visit_cards(
                        tree, memory, 1, place, work, work, grouped, grouped_memory, groups, downs.stakes, storage,
                        grouped_work, columns[thread], found[thread], 0, 1, p, mode, factors[t],
                    )  # fmt: skip
                    ascend(tree, memory, 1, turn, p, mode, factors[t], storage, work)
                    hand_back(tree, deals, memory, 0, turn, p, work)
            meetings += 1
            meet(signs, meetings, threads)
            if thread == 0:
                if halt[0]:
                    fetch_add(signs, HALTED, 1)
                    fetch_add(signs, ARRIVED, 1)
                    return
                add_up(tree, memory, p, works)
                ascend(tree, memory, 0, 0, p, mode, factors[t], storage, work)
