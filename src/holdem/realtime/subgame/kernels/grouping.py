"""Putting the hands of both players into groups on every card of a street, and what groups win from each other."""

import numpy as np

from holdem.cards.kernels.equity import sort_by_strength
from holdem.realtime.subgame.kernels.lanes import WIDTH, load8, spread8, store8
from holdem.util.arrays import Float32, Float64, Int16, Int32
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
def fill_meetings(
    order: Int16, ends: Int16, other_order: Int16, other_ends: Int16, cards: Int32, other_cards: Int32, same: Int32,
    weights: Float64, other_weights: Float64, meet: Float32,
) -> None:  # fmt: skip
    """Shares of compatible pairs between groups, for the player whose arrays come first.

    meet: (cards, other groups, own groups); orders and ends as in `order_by_group`, `cards` and `same` as in DealArrays
    """
    groups = ends.shape[1]
    by_card, other_by_card = np.empty((groups, NUM_CARDS)), np.empty((groups, NUM_CARDS))
    total, other_total, equal = np.empty(groups), np.empty(groups), np.empty((groups, groups))
    group_of = np.empty(other_order.shape[1], np.int64)
    for river in range(ends.shape[0]):
        _sum_groups(order[river], ends[river], cards, weights, by_card, total)
        _sum_groups(other_order[river], other_ends[river], other_cards, other_weights, other_by_card, other_total)
        start = 0
        for c in range(groups):
            for i in range(start, other_ends[river, c]):
                group_of[other_order[river, i]] = c
            start = other_ends[river, c]
        equal[:] = 0.0
        start = 0
        for b in range(groups):
            for i in range(start, ends[river, b]):
                h = order[river, i]
                if same[h] >= 0:
                    equal[b, group_of[same[h]]] += weights[h] * other_weights[same[h]]
            start = ends[river, b]
        for c in range(groups):
            for b in range(groups):
                pairs = total[b] * other_total[c]
                shared = -equal[b, c]
                for card in range(NUM_CARDS):
                    shared += by_card[b, card] * other_by_card[c, card]
                meet[river, c, b] = max(0.0, pairs - shared) / pairs if pairs > 0.0 else 0.0


@kernel
def fill_showdowns(
    strengths: Int16, other_strengths: Int16, order: Int16, ends: Int16, other_order: Int16, other_ends: Int16,
    cards: Int32, other_cards: Int32, weights: Float64, other_weights: Float64, meet: Float32, win: Float32,
) -> None:  # fmt: skip
    """Wins less losses between groups of a river that are ordered by strength, for the player whose arrays come first.

    strengths: (rivers, hands); win, meet: (rivers, other groups, own groups); the rest as in `fill_meetings`
    """
    groups = ends.shape[1]
    by_card, other_by_card = np.empty((groups, NUM_CARDS)), np.empty((groups, NUM_CARDS))
    total, other_total = np.empty(groups), np.empty(groups)
    below, upto = np.empty(NUM_CARDS + 1), np.empty(NUM_CARDS + 1)
    for river in range(strengths.shape[0]):
        _sum_groups(order[river], ends[river], cards, weights, by_card, total)
        _sum_groups(other_order[river], other_ends[river], other_cards, other_weights, other_by_card, other_total)
        for c in range(groups):
            for b in range(groups):
                win[river, c, b] = meet[river, c, b] if b > c else -meet[river, c, b]
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


@kernel
def order_boards(
    strengths: Int16, weights: Float32, pairs: Int32, order: Int16, free: Int32, standing: Float32, seen: Int32
) -> None:
    """Order the hands on every full board, and add up where each of them stands among all of them, from 0 to 1.

    strengths: (boards, hands), −1 where a board blocks a hand; weights: (hands,); pairs: (boards, 2) the two cards that
    were dealt, as places in the deck; order: (boards, hands) from weak to strong; free: (boards,) how many
    standing, seen: (cards, hands) for either card of a board: sum of what hands of less weight and half of equal ones
    have, as a share, and on how many boards
    """
    hands = strengths.shape[1]
    keys, spare = np.empty(hands, np.int32), np.empty(hands, np.int32)
    for n in range(strengths.shape[0]):
        count = 0
        total = np.float32(0.0)
        for h in range(hands):
            if strengths[n, h] >= 0:
                keys[count] = (np.int32(strengths[n, h]) << _PLACE_BITS) | h
                total += weights[h]
                count += 1
        sort_by_strength(keys, count, spare)
        free[n] = count
        first, second = pairs[n, 0], pairs[n, 1]
        below = np.float32(0.0)
        start = 0
        while start < count:
            strength = keys[start] >> _PLACE_BITS
            end = start
            mass = np.float32(0.0)
            while end < count and keys[end] >> _PLACE_BITS == strength:
                mass += weights[keys[end] & ((1 << _PLACE_BITS) - 1)]
                end += 1
            share = (below + np.float32(0.5) * mass) / total
            for i in range(start, end):
                h = keys[i] & ((1 << _PLACE_BITS) - 1)
                order[n, i] = h
                standing[first, h] += share
                standing[second, h] += share
                seen[first, h] += 1
                seen[second, h] += 1
            below += mass
            start = end


@kernel
def add_check_downs(
    strengths: Int16, order: Int16, free: Int32, pairs: Int32, cards: Int32, group_of: Int16, weights: Float32,
    ahead: Float32, behind: Float32,
) -> None:  # fmt: skip
    """Add up what groups of a turn win from each other on full boards: a sweep from weak to strong on each board.

    group_of: (cards, hands); weights: (2, hands) of either player, 0 where he does not hold a hand
    ahead: (cards, groups of 0, groups of 1) weight of pairs in which player 0 is ahead; behind: (cards, groups of 1,
    groups of 0) in which player 1 is; the rest as in `order_boards`
    """
    groups, width = np.int64(ahead.shape[1]), np.int64(ahead.shape[2])
    block = (NUM_CARDS + 1) * width
    below = np.empty(2 * block, np.float32)
    won, lost = ahead.reshape(-1), behind.reshape(-1)
    for n in range(strengths.shape[0]):
        for side in range(2):
            turn = np.int64(pairs[n, side])
            below[:] = np.float32(0.0)
            start = np.int64(0)
            while start < free[n]:
                strength = strengths[n, order[n, start]]
                end = start
                while end < free[n] and strengths[n, order[n, end]] == strength:
                    h = np.int64(order[n, end])
                    at = (turn * groups + group_of[turn, h]) * width
                    if weights[0, h] > 0.0:
                        _add_beaten(won, at, weights[0, h], below, block, cards[h, 0], cards[h, 1], width)
                    if weights[1, h] > 0.0:
                        _add_beaten(lost, at, weights[1, h], below, 0, cards[h, 0], cards[h, 1], width)
                    end += 1
                for i in range(start, end):
                    h = np.int64(order[n, i])
                    _count_hand(below, block, weights, h, cards[h, 0], cards[h, 1], group_of[turn, h], width)
                start = end


@inline_kernel
def _count_hand(
    sums: Float32, block: int, weights: Float32, h: int, low: int, high: int, group: int, width: int
) -> None:
    """Add a hand's weights to the sums of both players: of its group, and with either of its cards."""
    for p in range(2):
        at = p * block + np.int64(group)
        sums[at + NUM_CARDS * width] += weights[p, h]
        sums[at + np.int64(low) * width] += weights[p, h]
        sums[at + np.int64(high) * width] += weights[p, h]


@kernel
def add_hand_shares(
    strengths: Int16, order: Int16, free: Int32, pairs: Int32, cards: Int32, group_of: Int16, weights: Float32,
    shares: Float32,
) -> None:  # fmt: skip
    """Add up what every hand wins less what it loses against the other's groups on full boards.

    Two sweeps on each board: from weak to strong hands for what is won, and back for what is lost.
    shares: (2, cards, hands, other groups); the rest as in `add_check_downs`
    """
    hands, width = np.int64(shares.shape[2]), np.int64(shares.shape[3])
    block = (NUM_CARDS + 1) * width
    sums = np.empty(2 * block, np.float32)
    first, second = shares[0].reshape(-1), shares[1].reshape(-1)
    for n in range(strengths.shape[0]):
        for side in range(2):
            turn = np.int64(pairs[n, side])
            for sign in (1, -1):
                sums[:] = np.float32(0.0)
                start = np.int64(0) if sign == 1 else np.int64(free[n]) - 1
                while 0 <= start < free[n]:
                    strength = strengths[n, order[n, start]]
                    end = start
                    while 0 <= end < free[n] and strengths[n, order[n, end]] == strength:
                        h = np.int64(order[n, end])
                        at = (turn * hands + h) * width
                        if weights[0, h] > 0.0:
                            _add_beaten(first, at, np.float32(sign), sums, block, cards[h, 0], cards[h, 1], width)
                        if weights[1, h] > 0.0:
                            _add_beaten(second, at, np.float32(sign), sums, 0, cards[h, 0], cards[h, 1], width)
                        end += sign
                    while start != end:
                        h = np.int64(order[n, start])
                        _count_hand(sums, block, weights, h, cards[h, 0], cards[h, 1], group_of[turn, h], width)
                        start += sign


@inline_kernel
def _add_beaten(
    won: Float32, at: int, weight: float, sums: Float32, block: int, low: int, high: int, width: int
) -> None:
    """Add the weight of what a hand beats, group by group, less what shares a card with it.

    sums: of both players; `block` is where the other's begin
    """
    every, first, second = NUM_CARDS * width + block, np.int64(low) * width + block, np.int64(high) * width + block
    scale = spread8(weight)
    for g in range(0, width, WIDTH):
        beaten = load8(sums, every + g) - load8(sums, first + g) - load8(sums, second + g)
        store8(won, at + g, load8(won, at + g) + scale * beaten)


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
