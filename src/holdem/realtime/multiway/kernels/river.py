"""Compiled CFR over a river with three players, all hands of everybody at once and nothing sampled.

Everybody's reach is kept by *row*: a player's range is its first row, and each of its actions has one. What the
showdown of a terminal is worth to a hand needs a row of each of the two others: the weights that the hand beats in
each, taken alone, are multiplied, and a correction makes up for cards that the two others cannot both hold. Corrections
change little while strategies do, so each iteration computes some of them anew and the others stay (`pairs.py`).

A *term* is a part of a terminal's value: so many chips times the product of a pair of rows.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from holdem.realtime.multiway.kernels.pairs import ALL, BELOW_FIRST, BELOW_SECOND
from holdem.util.arrays import Float32, Int32, Int64, UInt8
from holdem.util.jit import inline_kernel, kernel

THREE = 3
_KINDS = 4


class RiverTree(NamedTuple):
    """A street of three, players numbered 0 to 2 among those who are left.

    player: (nodes,) int64, -1 at terminals; row: (nodes,) int64, the first row of a decision's actions
    own_row: (nodes, 3) int64, each player's row when play comes here
    locked: (nodes,) int8, 1 where the strategy stays as it is
    first_term: (nodes, 4) int64: the terms of player p at a terminal are those from `[node, p]` to `[node, p + 1]`
    term_pair, term_chips: (terms,) int64 and float32
    """

    player: Int64
    num_actions: npt.NDArray[np.int8]
    first_child: Int32
    row: Int64
    own_row: Int64
    locked: npt.NDArray[np.int8]
    first_term: Int64
    term_pair: Int64
    term_chips: Float32


class RiverPairs(NamedTuple):
    """Pairs of rows that terms need. kinds: (pairs,); rows: (pairs, 2); correction: (pairs, hands)."""

    kinds: Int64
    rows: Int64
    correction: Float32


class RiverTables(NamedTuple):
    """By row and hand: reach, regrets, shares of the present strategy and sums for the average; what a hand beats of a
    reach and all of it; values: (depth, hands) scratch."""

    reach: Float32
    regrets: Float32
    shares: Float32
    sums: Float32
    beaten: Float32
    every: Float32
    values: Float32


@kernel
def number_rows(
    player: npt.NDArray[np.int8], num_actions: npt.NDArray[np.int8], parent: Int32, first_child: Int32, number: Int64,
    starts: Int64, row: Int64, own_row: Int64, who: Int64,
) -> None:  # fmt: skip
    """Give every action a row. number: (positions,) of each player among the three, -1 of others; starts: (3,)."""
    following = starts + 1
    for node in range(player.shape[0]):
        if node == 0:
            for p in range(THREE):
                own_row[0, p] = starts[p]
        else:
            above = parent[node]
            for p in range(THREE):
                own_row[node, p] = own_row[above, p]
            own_row[node, who[above]] = row[above] + node - first_child[above]
        who[node] = -1
        if player[node] >= 0:
            who[node] = number[player[node]]
            row[node] = following[who[node]]
            following[who[node]] += num_actions[node]


@inline_kernel
def _shares_of_pot(
    chips_in: Int32, folded: int, positions: Int64, p: int, first: int, second: int, chips: npt.NDArray[np.float64]
) -> None:
    """Chips of a terminal that p may win, by who else may win them, into `chips: (4,)`."""
    own = positions[p]
    chips[:] = 0.0
    chips[ALL] = -float(chips_in[own])
    if (folded >> own) & 1:
        return
    deepest = 0
    for q in range(THREE):
        if not (folded >> positions[q]) & 1:
            deepest = max(deepest, chips_in[positions[q]])
    low = 0
    while low < deepest:
        # A layer reaches to the next total of a contender; the topmost takes all above.
        high = deepest
        for q in range(THREE):
            if not (folded >> positions[q]) & 1 and chips_in[positions[q]] > low:
                high = min(high, chips_in[positions[q]])
        layer = 0
        for seat in range(chips_in.shape[0]):
            top = chips_in[seat] if high == deepest else min(chips_in[seat], high)
            layer += max(top - low, 0)
        if chips_in[own] >= high:
            kind = ALL
            if not (folded >> positions[first]) & 1 and chips_in[positions[first]] >= high:
                kind |= BELOW_FIRST
            if not (folded >> positions[second]) & 1 and chips_in[positions[second]] >= high:
                kind |= BELOW_SECOND
            chips[kind] += layer
        low = high


@kernel
def list_terms(
    who: Int64, chips_in: Int32, folded: UInt8, positions: Int64, own_row: Int64, rows: int, first_term: Int64,
    keys: Int64, term_chips: Float32,
) -> int:  # fmt: skip
    """The terms of all terminals and players; how many. A key names a pair: (kind · rows + row) · rows + other row."""
    count = 0
    chips = np.zeros(_KINDS)
    for node in range(who.shape[0]):
        for p in range(THREE):
            first_term[node, p] = count
            if who[node] >= 0:
                continue
            first, second = (1, 2) if p == 0 else (0, 2) if p == 1 else (0, 1)
            _shares_of_pot(chips_in[node], np.int64(folded[node]), positions, p, first, second, chips)
            for kind in range(_KINDS):
                if chips[kind] != 0.0:
                    keys[count] = (kind * rows + own_row[node, first]) * rows + own_row[node, second]
                    term_chips[count] = chips[kind]
                    count += 1
        first_term[node, THREE] = count
    return count


@kernel
def terminal_values(
    tree: RiverTree, pairs: RiverPairs, tables: RiverTables, node: int, p: int, values: Float32
) -> None:
    """What a terminal is worth to each hand of p, times how often the others come there."""
    for k in range(values.shape[0]):
        values[k] = 0.0
    for term in range(tree.first_term[node, p], tree.first_term[node, p + 1]):
        pair, chips = tree.term_pair[term], tree.term_chips[term]
        kind, first, second = pairs.kinds[pair], pairs.rows[pair, 0], pairs.rows[pair, 1]
        left = tables.beaten[first] if kind & BELOW_FIRST else tables.every[first]
        right = tables.beaten[second] if kind & BELOW_SECOND else tables.every[second]
        correction = pairs.correction[pair]
        for k in range(values.shape[0]):
            values[k] += chips * left[k] * right[k] * correction[k]


@kernel
def learn(
    tree: RiverTree, pairs: RiverPairs, tables: RiverTables, node: int, depth: int, p: int, positive: float,
    negative: float,
) -> None:  # fmt: skip
    """Values of all hands of p at a node into `values[depth]`; old regrets fade by two factors, new ones are added."""
    values = tables.values[depth]
    if tree.player[node] < 0:
        terminal_values(tree, pairs, tables, node, p, values)
        return
    count, child = np.int64(tree.num_actions[node]), np.int64(tree.first_child[node])
    for k in range(values.shape[0]):
        values[k] = 0.0
    below = tables.values[depth + 1]
    # The others' reach is in the values already.
    if tree.player[node] != p:
        for a in range(count):
            learn(tree, pairs, tables, child + a, depth + 1, p, positive, negative)
            for k in range(values.shape[0]):
                values[k] += below[k]
        return
    row, locked = tree.row[node], tree.locked[node] != 0
    fade, fade_negative = np.float32(positive), np.float32(negative)
    for a in range(count):
        learn(tree, pairs, tables, child + a, depth + 1, p, positive, negative)
        share, regret = tables.shares[row + a], tables.regrets[row + a]
        for k in range(values.shape[0]):
            values[k] += share[k] * below[k]
        if not locked:
            for k in range(values.shape[0]):
                old = regret[k]
                regret[k] = old * (fade if old > 0.0 else fade_negative) + below[k]
    if not locked:
        for a in range(count):
            regret = tables.regrets[row + a]
            for k in range(values.shape[0]):
                regret[k] -= values[k]


@kernel
def play(tree: RiverTree, tables: RiverTables, p: int, weight: float) -> None:
    """The strategy that p's regrets give, its reach, and its share `weight` in the average."""
    hands = tables.values.shape[1]
    total = np.empty(hands, np.float32)
    own, kept = np.float32(weight), np.float32(1.0 - weight)
    for node in range(tree.player.shape[0]):
        if tree.player[node] != p:
            continue
        row, count = tree.row[node], np.int64(tree.num_actions[node])
        if not tree.locked[node]:
            match_regrets(tables.regrets, tables.shares, row, count, total)
        before = tables.reach[tree.own_row[node, p]]
        for a in range(count):
            share, reach, sums = tables.shares[row + a], tables.reach[row + a], tables.sums[row + a]
            for k in range(hands):
                reach[k] = before[k] * share[k]
            for k in range(hands):
                sums[k] = kept * sums[k] + own * reach[k]


@kernel
def match_regrets(regrets: Float32, shares: Float32, row: int, count: int, total: Float32) -> None:
    """Shares in proportion to the positive part of `regrets`, all alike where there is none."""
    for k in range(total.shape[0]):
        total[k] = 0.0
    for a in range(count):
        regret, share = regrets[row + a], shares[row + a]
        for k in range(total.shape[0]):
            share[k] = max(regret[k], np.float32(0.0))
            total[k] += share[k]
    even = np.float32(1.0 / count)
    for a in range(count):
        share = shares[row + a]
        for k in range(total.shape[0]):
            share[k] = share[k] / total[k] if total[k] > 0.0 else even
