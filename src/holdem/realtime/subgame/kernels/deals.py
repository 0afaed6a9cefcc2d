"""Compiled tables about cards: strengths on many boards, showdown orders, chances of all-in hands."""

import numpy as np

from holdem.cards.kernels.equity import sort_by_strength
from holdem.cards.kernels.evaluator import CARD_BITS, CARD_KEYS, START_KEYS, strength_of
from holdem.util.arrays import Int16, Int32
from holdem.util.jit import kernel

_PLACE_BITS = 11  # of `sort_by_strength`
_BLOCKED = 32000
_BLOCK = 16  # boards whose strengths stay in the cache while all pairs are compared


@kernel
def hand_strengths(boards: Int32, cards: Int32, strengths: Int16) -> None:
    """Strength of every hand on every full board, −1 where they share a card.

    boards: (boards, 5); cards: (hands, 2); strengths: (boards, hands)
    """
    for b in range(boards.shape[0]):
        key = START_KEYS[7]
        bits = 0
        for j in range(5):
            key += CARD_KEYS[boards[b, j]]
            bits |= CARD_BITS[boards[b, j]]
        for h in range(cards.shape[0]):
            low, high = cards[h, 0], cards[h, 1]
            hole = CARD_BITS[low] | CARD_BITS[high]
            if hole & bits:
                strengths[b, h] = -1
            else:
                strengths[b, h] = strength_of(key + CARD_KEYS[low] + CARD_KEYS[high], bits | hole)


@kernel
def order_hands(strengths: Int16, order: Int16, count: Int32) -> None:
    """Hands from weak to strong on every board, the blocked ones (−1) and the padding last.

    strengths: (boards, hands); order: (boards, padded hands); count: (boards,) how many are not blocked
    """
    hands = strengths.shape[1]
    keys, spare = np.empty(hands, np.int32), np.empty(hands, np.int32)
    for b in range(strengths.shape[0]):
        free = 0
        for h in range(hands):
            if strengths[b, h] >= 0:
                keys[free] = (np.int32(strengths[b, h]) << _PLACE_BITS) | h
                free += 1
        sort_by_strength(keys, free, spare)
        for i in range(free):
            order[b, i] = keys[i] & ((1 << _PLACE_BITS) - 1)
        count[b] = free
        place = free
        for h in range(order.shape[1]):
            if h >= hands or strengths[b, h] < 0:
                order[b, place] = h
                place += 1


@kernel
def group_hands(
    first: Int16, second: Int16, first_order: Int16, second_order: Int16, counts: Int32, ends: Int16, groups: Int32
) -> None:
    """Runs of equal strength in the orders of both players, weakest first.

    first, second: (boards, hands) strengths; counts: (2, boards); ends: (2, boards, groups), where each run ends in
    either order; groups: (boards,) how many
    """
    for b in range(first.shape[0]):
        i = 0
        j = 0
        g = 0
        while i < counts[0, b] or j < counts[1, b]:
            mine = first[b, first_order[b, i]] if i < counts[0, b] else _BLOCKED
            theirs = second[b, second_order[b, j]] if j < counts[1, b] else _BLOCKED
            lowest = min(mine, theirs)
            while i < counts[0, b] and first[b, first_order[b, i]] == lowest:
                i += 1
            while j < counts[1, b] and second[b, second_order[b, j]] == lowest:
                j += 1
            ends[0, b, g] = i
            ends[1, b, g] = j
            g += 1
        groups[b] = g


@kernel
def add_all_in_wins(boards: Int32, first: Int32, second: Int32, wins: Int16) -> None:
    """Add wins less losses of every hand against every other over full boards: `wins: (hands, padded hands)`.

    A board that blocks either hand counts for nothing. Pairs that share a card are left for `clear_impossible`.
    """
    width = wins.shape[1]
    mine = np.empty((_BLOCK, first.shape[0]), np.int16)
    theirs = np.empty((_BLOCK, second.shape[0]), np.int16)
    # What the board blocks is neither below nor above anything.
    low, high = np.full((_BLOCK, width), _BLOCKED, np.int16), np.full((_BLOCK, width), -1, np.int16)
    for start in range(0, boards.shape[0], _BLOCK):
        some = boards[start : start + _BLOCK]
        hand_strengths(some, first, mine)
        hand_strengths(some, second, theirs)
        for b in range(some.shape[0]):
            for j in range(second.shape[0]):
                low[b, j] = theirs[b, j] if theirs[b, j] >= 0 else _BLOCKED
                high[b, j] = theirs[b, j]
        for i in range(first.shape[0]):
            for b in range(some.shape[0]):
                strength = mine[b, i]
                if strength >= 0:
                    for j in range(width):
                        wins[i, j] += np.int16(strength > low[b, j]) - np.int16(strength < high[b, j])


@kernel
def clear_impossible(board: Int32, first: Int32, second: Int32, wins: Int16) -> None:
    """Zero the entries of pairs of hands that share a card with each other or with the board.

    board: (cards,); first, second: (hands, 2); wins: (padded hands, padded hands)
    """
    dealt = np.int64(0)
    for card in board:
        dealt |= np.int64(1) << card
    bits = np.empty(second.shape[0], np.int64)
    for j in range(second.shape[0]):
        bits[j] = np.int64(1) << second[j, 0] | np.int64(1) << second[j, 1]
    for i in range(first.shape[0]):
        mine = np.int64(1) << first[i, 0] | np.int64(1) << first[i, 1]
        taken = mine | dealt if not mine & dealt else np.int64(-1)
        for j in range(second.shape[0]):
            if taken & bits[j]:
                wins[i, j] = 0
