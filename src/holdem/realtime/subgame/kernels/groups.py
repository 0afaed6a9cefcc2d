"""A river in groups of hands: the last street of a turn, for all of its cards, with hands exact above it.

On each river the hands of both players fall into groups by strength, with thresholds that are common to both. The
opponent's reach is summed up by group, the street is solved for groups, and what a group is worth is what each of its
hands is worth. Payoffs between groups are two small matrices for each river: how many pairs can meet, and wins less
losses of those, both as shares of all pairs. Closing lines of the turn are lanes: a vector goes through the hands once.
"""

import numpy as np

from holdem.cards.kernels.equity import sort_by_strength
from holdem.realtime.subgame.kernels.arrays import DealArrays, GroupArrays, MemoryMap, Storage, SubgameArrays
from holdem.realtime.subgame.kernels.lanes import WIDTH, load8, spread8, store8, transpose8
from holdem.realtime.subgame.kernels.terminals import evaluate_all_ins, evaluate_lanes
from holdem.realtime.subgame.kernels.traversal import UPDATE, ascend, descend, set_root
from holdem.util.arrays import Float32, Float64, Int16, Int32, Int64
from holdem.util.jit import inline_kernel, kernel

NUM_CARDS = 52
_PLACE_BITS = 11  # of `sort_by_strength`


@kernel
def cut_into_groups(strengths: Int16, weights: Float32, power: float, most: int, group_of: Int16) -> None:
    """Give every hand that a river allows its group, 0 for the weakest; −1 for the others.

    strengths: (rivers, hands), −1 where the river blocks a hand; weights: (hands,) of both players together
    power: a hand with the share q of all weight below it goes to group most × q^power, so that above 1 the strong hands
    get finer groups; hands of equal strength stay together
    """
    hands = strengths.shape[1]
    keys, spare = np.empty(hands, np.int32), np.empty(hands, np.int32)
    for river in range(strengths.shape[0]):
        free = 0
        total = 0.0
        for h in range(hands):
            group_of[river, h] = -1
            if strengths[river, h] >= 0:
                keys[free] = (np.int32(strengths[river, h]) << _PLACE_BITS) | h
                total += weights[h]
                free += 1
        sort_by_strength(keys, free, spare)
        below = 0.0
        start = 0
        group = -1
        last = -1
        while start < free:
            strength = keys[start] >> _PLACE_BITS
            end = start
            mass = 0.0
            while end < free and keys[end] >> _PLACE_BITS == strength:
                mass += weights[keys[end] & ((1 << _PLACE_BITS) - 1)]
                end += 1
            share = (below + 0.5 * mass) / total
            wanted = min(most - 1, np.int64(most * share**power))
            if wanted != last:  # groups are numbered without gaps
                group += 1
                last = wanted
            for i in range(start, end):
                group_of[river, keys[i] & ((1 << _PLACE_BITS) - 1)] = group
            below += mass
            start = end


@kernel
def order_by_group(strengths: Int16, group_of: Int16, order: Int16, ends: Int16) -> None:
    """Hands of a player from weak to strong on each river, and where each group ends.

    strengths, group_of: (rivers, hands); order: (rivers, hands); ends: (rivers, groups)
    """
    hands = strengths.shape[1]
    keys, spare = np.empty(hands, np.int32), np.empty(hands, np.int32)
    for river in range(strengths.shape[0]):
        free = 0
        for h in range(hands):
            if strengths[river, h] >= 0:
                keys[free] = (np.int32(strengths[river, h]) << _PLACE_BITS) | h
                free += 1
        sort_by_strength(keys, free, spare)
        place = 0
        for group in range(ends.shape[1]):
            while place < free:
                h = keys[place] & ((1 << _PLACE_BITS) - 1)
                if group_of[river, h] != group:
                    break
                order[river, place] = h
                place += 1
            ends[river, group] = place


@kernel
def fill_payoffs(
    strengths: Int16, other_strengths: Int16, order: Int16, ends: Int16, other_order: Int16, other_ends: Int16,
    cards: Int32, other_cards: Int32, same: Int32, weights: Float64, other_weights: Float64, meet: Float32,
    win: Float32,
) -> None:  # fmt: skip
    """Shares of compatible pairs and wins less losses between groups, for the player whose arrays come first.

    meet, win: (rivers, other groups, own groups); the rest as in `order_by_group`, `cards` and `same` as in DealArrays
    """
    groups = ends.shape[1]
    by_card, other_by_card = np.empty((groups, NUM_CARDS)), np.empty((groups, NUM_CARDS))
    total, other_total, equal = np.empty(groups), np.empty(groups), np.empty(groups)
    below, upto = np.empty(NUM_CARDS + 1), np.empty(NUM_CARDS + 1)
    for river in range(strengths.shape[0]):
        _sum_groups(order[river], ends[river], cards, weights, by_card, total)
        _sum_groups(other_order[river], other_ends[river], other_cards, other_weights, other_by_card, other_total)
        start = 0
        for b in range(groups):
            equal[b] = 0.0
            for i in range(start, ends[river, b]):
                h = order[river, i]
                if same[h] >= 0:
                    equal[b] += weights[h] * other_weights[same[h]]
            start = ends[river, b]
        for c in range(groups):
            for b in range(groups):
                pairs = total[b] * other_total[c]
                shared = -equal[b] if b == c else 0.0
                for card in range(NUM_CARDS):
                    shared += by_card[b, card] * other_by_card[c, card]
                share = max(0.0, pairs - shared) / pairs if pairs > 0.0 else 0.0
                meet[river, c, b] = share
                win[river, c, b] = share if b > c else -share
        # Within a group pairs are compared one by one: a sweep from weak to strong with sums by card.
        start, other_start = 0, 0
        for b in range(groups):
            end, other_end = np.int64(ends[river, b]), np.int64(other_ends[river, b])
            below[:] = 0.0
            upto[:] = 0.0
            weaker = other_start
            level = other_start
            lead = 0.0
            for i in range(start, end):
                h = np.int64(order[river, i])
                strength = strengths[river, h]
                while weaker < other_end and other_strengths[river, other_order[river, weaker]] < strength:
                    _add(below, other_cards, other_weights, np.int64(other_order[river, weaker]))
                    weaker += 1
                while level < other_end and other_strengths[river, other_order[river, level]] <= strength:
                    _add(upto, other_cards, other_weights, np.int64(other_order[river, level]))
                    level += 1
                first, second = cards[h, 0], cards[h, 1]
                beaten = below[NUM_CARDS] - below[first] - below[second]
                above = other_total[b] - upto[NUM_CARDS]
                above -= other_by_card[b, first] - upto[first] + other_by_card[b, second] - upto[second]
                lead += weights[h] * (beaten - above)
            pairs = total[b] * other_total[b]
            win[river, b, b] = lead / pairs if pairs > 0.0 else 0.0
            start, other_start = end, other_end


@inline_kernel
def _add(sums: Float64, cards: Int32, weights: Float64, h: int) -> None:
    sums[NUM_CARDS] += weights[h]
    sums[cards[h, 0]] += weights[h]
    sums[cards[h, 1]] += weights[h]


@inline_kernel
def _sum_groups(order: Int16, ends: Int16, cards: Int32, weights: Float64, by_card: Float64, total: Float64) -> None:
    start = 0
    for group in range(ends.shape[0]):
        total[group] = 0.0
        for card in range(NUM_CARDS):
            by_card[group, card] = 0.0
        for i in range(start, ends[group]):
            h = order[i]
            total[group] += weights[h]
            by_card[group, cards[h, 0]] += weights[h]
            by_card[group, cards[h, 1]] += weights[h]
        start = ends[group]


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
def _evaluate(tree: SubgameArrays, groups: GroupArrays, memory: MemoryMap, river: int, p: int, work: Float32) -> None:
    """Value rows of all folds and showdowns of a river, in units of their payoffs, for every group of p."""
    size = np.int64(tree.player_hands[p])
    showdowns, lanes = np.int64(tree.sizes[p, 1, 1]), np.int64(tree.sizes[p, 1, 2])
    fold_rows = (showdowns + WIDTH - 1) // WIDTH * WIDTH
    meet, win = groups.meet[p, river].reshape(-1), groups.win[p, river].reshape(-1)
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
def visit_rivers(
    tree: SubgameArrays, memory: MemoryMap, work: Float32, grouped: SubgameArrays, grouped_memory: MemoryMap,
    groups: GroupArrays, storage: Storage, grouped_work: Float32, columns: Float32, first: int, last: int, p: int,
    mode: int, factors: Float32,
) -> None:  # fmt: skip
    """Rivers `first` to `last` of a turn for player p: reach from the deals of `work`, values back into them.

    tree, memory: of the turn, over hands; grouped, grouped_memory: the same tree over groups, whose rivers are used
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
    for river in range(first, last):
        # Hands to groups.
        order, ends = groups.order[1 - p, river], groups.ends[1 - p, river]
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
        board = grouped_memory.board_start[1] + river
        descend(grouped, grouped_memory, 1, board, p, source, grouped_work)
        _evaluate(grouped, groups, grouped_memory, river, p, grouped_work)
        ascend(grouped, grouped_memory, 1, board, p, mode, factors, storage, grouped_work)
        # Groups back to hands.
        for line in range(lines):
            row = grouped_memory.values_at[1] + grouped.value_row[p, root + line] * size
            for g in range(count):
                sums[g * width + line] = grouped_work[row + g] * groups.chance
        order, ends = groups.order[p, river], groups.ends[p, river]
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
    """Whole traversals of a turn for each of `players`, once per row of `factors`."""
    source = storage.regrets if mode == UPDATE else storage.averages
    for t in range(factors.shape[0]):
        for p in players:
            set_root(tree, memory, p, weights, work)
            descend(tree, memory, 0, 0, p, source, work)
            evaluate_lanes(tree, deals, memory, 0, 0, p, work)
            evaluate_all_ins(tree, deals, memory, 0, 0, p, work)
            visit_rivers(
                tree, memory, work, grouped, grouped_memory, groups, storage, grouped_work, columns, 0,
                groups.ends.shape[1], p, mode, factors[t],
            )  # fmt: skip
            ascend(tree, memory, 0, 0, p, mode, factors[t], storage, work)
