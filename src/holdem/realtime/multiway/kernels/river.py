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

from holdem.realtime.multiway.kernels.pairs import ALL, BELOW_FIRST, BELOW_SECOND, corrections, sweep_rows
from holdem.util.arrays import Float32, Int32, Int64, UInt8
from holdem.util.jit import inline_kernel, kernel

THREE = 3
TREMBLE = np.float32(0.02)
"""Who really made a bet may have done so with any hand: so often it is played in any case, and answered."""
_KINDS = 4


class RiverTree(NamedTuple):
    """A street of three, players numbered 0 to 2 among those who are left.

    player: (nodes,) int64, -1 at terminals; row: (nodes,) int64, the first row of a decision's actions
    own_row: (nodes, 3) int64, each player's row when play comes here
    locked: (nodes,) int8, 1 where the strategy stays as it is
    played: (nodes,) int64, the action really taken here, -1 off the line
    first_term: (nodes, 4) int64: the terms of player p at a terminal are those from `[node, p]` to `[node, p + 1]`
    term_pair, term_chips: (terms,) int64 and float32
    """

    player: Int64
    num_actions: npt.NDArray[np.int8]
    first_child: Int32
    row: Int64
    own_row: Int64
    locked: npt.NDArray[np.int8]
    played: Int64
    first_term: Int64
    term_pair: Int64
    term_chips: Float32


class RiverPairs(NamedTuple):
    """Pairs of rows that terms need. kinds: (pairs,); rows: (pairs, 2); correction: (pairs, hands)."""

    kinds: Int64
    rows: Int64
    correction: Float32


class RiverTurns(NamedTuple):
    """Which corrections are computed next.

    pairs: those that player p's values need are from `starts[p]` to `starts[p + 1]`; following: (3,) the next of them;
    refreshed: (3,) how many in an iteration; rows: (4,) where each player's rows begin
    """

    pairs: Int64
    starts: Int64
    following: Int64
    refreshed: Int64
    rows: Int64


class RiverTables(NamedTuple):
    """By row and hand: reach, regrets, shares of the present strategy and sums for the average; what a hand beats of a
    reach and all of it; values: (nodes, hands) scratch."""

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
def terminal_values(tree: RiverTree, pairs: RiverPairs, tables: RiverTables, first: int, end: int, p: int) -> None:
    """What each terminal from `first` to `end` is worth to each hand of p, times how often the others come there."""
    player, first_term, term_pair, term_chips = tree.player, tree.first_term, tree.term_pair, tree.term_chips
    kinds, rows, corrections_of = pairs.kinds, pairs.rows, pairs.correction
    beaten, every, table = tables.beaten, tables.every, tables.values
    for node in range(first, end):
        if player[node] >= 0:
            continue
        values = table[node]
        for k in range(values.shape[0]):
            values[k] = 0.0
        for term in range(first_term[node, p], first_term[node, p + 1]):
            pair, chips = term_pair[term], term_chips[term]
            left = beaten[rows[pair, 0]] if kinds[pair] & BELOW_FIRST else every[rows[pair, 0]]
            right = beaten[rows[pair, 1]] if kinds[pair] & BELOW_SECOND else every[rows[pair, 1]]
            correction = corrections_of[pair]
            for k in range(values.shape[0]):
                values[k] += chips * left[k] * right[k] * correction[k]


@kernel
def decision_values(
    tree: RiverTree, tables: RiverTables, first: int, end: int, p: int, positive: float, negative: float, learns: bool
) -> None:
    """Values of all hands of p at the decisions from `first` to `end`, children before parents.

    If it learns, old regrets fade by two factors and new ones are added.
    """
    player, num_actions, first_child, first_row, fixed = (
        tree.player, tree.num_actions, tree.first_child, tree.row, tree.locked,
    )  # fmt: skip
    shares, regrets, table, played = tables.shares, tables.regrets, tables.values, tree.played
    fade, fade_negative = np.float32(positive), np.float32(negative)
    for node in range(end - 1, first - 1, -1):
        if player[node] < 0:
            continue
        count, child, row, values = np.int64(num_actions[node]), first_child[node], first_row[node], table[node]
        for k in range(values.shape[0]):
            values[k] = 0.0
        # The others' reach is in the values already.
        if player[node] != p:
            for a in range(count):
                below = table[child + a]
                for k in range(values.shape[0]):
                    values[k] += below[k]
            continue
        for a in range(count):
            below, share = table[child + a], shares[row + a]
            for k in range(values.shape[0]):
                values[k] += share[k] * below[k]
        if learns and not fixed[node]:
            # Regrets are those of the strategy without its tremble.
            tremble = TREMBLE if played[node] >= 0 else np.float32(0.0)
            trembled, scale = table[child + max(played[node], 0)], np.float32(1.0) / (np.float32(1.0) - tremble)
            for a in range(count):
                below, regret = table[child + a], regrets[row + a]
                for k in range(values.shape[0]):
                    old = regret[k]
                    new = below[k] - scale * (values[k] - tremble * trembled[k])
                    regret[k] = old * (fade if old > 0.0 else fade_negative) + new


@kernel
def iterate(
    tree: RiverTree, pairs: RiverPairs, tables: RiverTables, turns: RiverTurns, cards: Int32, ends: Int32,
    scratch: Float32, columns: Float32, positive: float, negative: float, weight: float,
) -> None:  # fmt: skip
    """Each player learns against the strategies of the two others, one after the other.

    The strategy has the share `weight` in the average.
    """
    nodes = tree.player.shape[0]
    for p in range(THREE):
        first, last = turns.starts[p], turns.starts[p + 1]
        own = turns.pairs[first:last]
        # The next corrections of the pairs that p's values need, in turn.
        for _ in range(turns.refreshed[p]):
            place = turns.following[p]
            corrections(
                own[place : place + 1], pairs.kinds, pairs.rows, tables.reach, tables.beaten, tables.every, cards, ends,
                scratch, pairs.correction,
            )  # fmt: skip
            turns.following[p] = (place + 1) % (last - first)
        terminal_values(tree, pairs, tables, 0, nodes, p)
        decision_values(tree, tables, 0, nodes, p, positive, negative, True)
        play(tree, tables, p, weight)
        sweep_rows(
            tables.reach.reshape(-1), turns.rows[p], turns.rows[p + 1], cards, ends, columns,
            tables.beaten.reshape(-1), tables.every.reshape(-1),
        )  # fmt: skip


@kernel
def play(tree: RiverTree, tables: RiverTables, p: int, weight: float) -> None:
    """The strategy that p's regrets give, its reach, and its share `weight` in the average."""
    hands = tables.values.shape[1]
    total = np.empty(hands, np.float32)
    own, kept = np.float32(weight), np.float32(1.0 - weight)
    player, num_actions, first_row, own_row, fixed = tree.player, tree.num_actions, tree.row, tree.own_row, tree.locked
    shares, reaches, all_sums, regrets = tables.shares, tables.reach, tables.sums, tables.regrets
    played = tree.played
    for node in range(player.shape[0]):
        if player[node] != p:
            continue
        row, count = first_row[node], np.int64(num_actions[node])
        if not fixed[node]:
            match_regrets(regrets, shares, row, count, total)
            if played[node] >= 0:
                for a in range(count):
                    share, least = shares[row + a], TREMBLE if a == played[node] else np.float32(0.0)
                    for k in range(hands):
                        share[k] = least + (np.float32(1.0) - TREMBLE) * share[k]
        before = reaches[own_row[node, p]]
        for a in range(count):
            share, reach, sums = shares[row + a], reaches[row + a], all_sums[row + a]
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
