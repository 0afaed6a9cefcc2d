"""Compiled sampled linear CFR for a street with two to six players, all hands of the traverser at once.

An iteration deals the board out once, and then each player traverses: the hands of the others are drawn from their
ranges, and the values of all 1,326 hands of the traverser follow in one walk, because everything else is fixed. At the
traverser's nodes all actions are tried, at the others' one is drawn. Hands that share a card with what was drawn learn
nothing in that walk; the draws that are left are the right ones for each hand up to a factor, which regret matching
does not see. Regrets and averages of iteration t weigh t.

Where the street ends with play going on, the players choose one of four continuations of the blueprint each (as is, or
with fold, call or raise five times as likely), and one deal is played out with them in the blueprint's tree. Chips put
in there count in proportion to the real pot.

Floating-point arrays have the hand as their last axis, so that loops over hands are vector instructions.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from holdem.abstraction._kernels_payoffs import payoffs_into
from holdem.cards._kernels_evaluator import CARD_BITS, board_strengths
from holdem.cards._kernels_index import index_of_bits
from holdem.util._kernels_random import State, next_below, next_unit, seed_stream, split_mix
from holdem.util.jit import kernel

HANDS = 1326
DECISION, FOLD_WIN, SHOWDOWN, LEAF = 0, 1, 2, 3
FOLD, CALL, RAISE = 0, 1, 2
CONTINUATIONS = 4
BIAS = 5.0
MAX_ACTIONS = 12
MAX_LEVELS = 11
"""Places of a hand among at most five others: below, equal to or between them."""

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


class Tree(NamedTuple):
    """The street. Arrays by node, as in `BettingTree`; besides:

    kind: `LEAF` where the next street would begin
    entry: (nodes,) int64, first row of a node's actions in `regrets` and `sums`; of a leaf's continuations
    on_line: (nodes,) int8, the action really taken here, -1 off the line
    frozen: (nodes,) int64, first row of the fixed strategy in `fixed`, -1 where the node is solved
    continued: (nodes,) int64, the blueprint's node at a leaf, -1 if it has none
    """

    player: npt.NDArray[np.int8]
    kind: npt.NDArray[np.int8]
    num_actions: npt.NDArray[np.int8]
    first_child: npt.NDArray[np.int32]
    chips_in: npt.NDArray[np.int32]
    folded: Bytes
    entry: Ints
    on_line: npt.NDArray[np.int8]
    frozen: Ints
    continued: Ints
    stacks: Ints


class Blueprint(NamedTuple):
    """The blueprint's tree and table, for playing a hand out; arrays of one element where there is none."""

    player: npt.NDArray[np.int8]
    street: npt.NDArray[np.int8]
    kind: npt.NDArray[np.int8]
    num_actions: npt.NDArray[np.int8]
    first_child: npt.NDArray[np.int32]
    action: npt.NDArray[np.int8]
    chips_in: npt.NDArray[np.int32]
    folded: Bytes
    offset: Ints
    stride: Ints
    table: npt.NDArray[np.uint16]


class Deal(NamedTuple):
    """What an iteration and a traversal draw; all is scratch.

    board: (5,) uint8; strengths: (1326,) int16, -1 where a hand shares a card with the board
    buckets: (2, 1326) int32 of the next street and the one after it
    holes: (players,) int64; level: (1326,) int8, place among the others' strengths; valid: (1326,) float32, 0 or 1
    level_strengths: (MAX_LEVELS,) int64, a strength of each level
    """

    board: Bytes
    strengths: npt.NDArray[np.int16]
    buckets: npt.NDArray[np.int32]
    holes: Ints
    level: npt.NDArray[np.int8]
    valid: Floats
    level_strengths: Ints


class Tables(NamedTuple):
    """What is learnt, and scratch.

    regrets, sums: (rows, 1326) float32; fixed: (rows, 1326) float32, frozen strategies
    values: (depth, 1326) float32 of the node at each depth; shares: (depth, MAX_ACTIONS, 1326) float32
    action_values: (MAX_ACTIONS, 1326) float32 sums at the decision asked about, and their count (1326,)
    """

    regrets: Floats
    sums: Floats
    fixed: Floats
    values: Floats
    shares: Floats
    action_values: Floats
    action_counts: Floats


@kernel
def _copy(source: Floats, target: Floats) -> None:
    """One row of hands to another."""
    for h in range(HANDS):
        target[h] = source[h]


@kernel
def draw_runout(state: State, board: Bytes, known: int) -> None:
    """Fill `board[known:]` with cards that are not on it."""
    used = 0
    for i in range(known):
        used |= 1 << np.int64(board[i])
    for i in range(known, 5):
        card = next_below(state, 52)
        while (used >> card) & 1:
            card = next_below(state, 52)
        used |= 1 << card
        board[i] = card


@kernel
def look_up_buckets(board: Bytes, size: int, table: Bytes, width: int, out: npt.NDArray[np.int32]) -> None:
    """Buckets of all hole pairs with the first `size` board cards into `out: (1326,)`, 0 where they share a card."""
    bits = 0
    for i in range(size):
        bits |= CARD_BITS[board[i]]
    hand = 0
    for high in range(52):
        for low in range(high):
            hole = CARD_BITS[high] | CARD_BITS[low]
            out[hand] = -1
            if not hole & bits:
                out[hand] = index_of_bits(hole, bits, size)
            hand += 1
    for h in range(HANDS):
        place = np.int64(out[h]) * width
        if place < 0:
            out[h] = 0
        elif width == 2:
            out[h] = np.int32(table[place]) | (np.int32(table[place + 1]) << 8)
        else:
            out[h] = table[place]


@kernel
def _draw_hand(state: State, cumulative: npt.NDArray[np.float64]) -> int:
    wanted = next_unit(state) * cumulative[HANDS - 1]
    low, high = 0, HANDS - 1
    while low < high:
        middle = (low + high) >> 1
        if cumulative[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def _draw_others(
    state: State, cumulative: npt.NDArray[np.float64], folded: int, traverser: int, masks: Ints, board: int, deal: Deal
) -> bool:
    """Hands of the others that share no card; False if one of them shares a card with the board that was dealt out.

    Those draws are given up and not repeated, so that each board counts as often as the hands that go with it.
    """
    players = cumulative.shape[0]
    tries = 0
    while tries < 1000:
        tries += 1
        used, clash = 0, False
        for player in range(players):
            deal.holes[player] = -1
            if player == traverser or (folded >> player) & 1:
                continue
            hand = _draw_hand(state, cumulative[player])
            deal.holes[player] = hand
            if used & masks[hand]:
                clash = True
                break
            used |= masks[hand]
        if not clash:
            if used & board:
                return False
            for h in range(HANDS):
                deal.valid[h] = 0.0 if masks[h] & (used | board) else 1.0
            return True
    return False


@kernel
def _rank_hands(deal: Deal, players: int) -> None:
    """The level of each hand: 2k + 1 above exactly k different strengths of the others, 2k when equal to the k-th."""
    others = np.empty(6, np.int64)
    count = 0
    for player in range(players):
        if deal.holes[player] >= 0:
            strength = np.int64(deal.strengths[deal.holes[player]])
            place = count
            while place > 0 and others[place - 1] > strength:
                place -= 1
            if place > 0 and others[place - 1] == strength:
                continue
            for i in range(count, place, -1):
                others[i] = others[i - 1]
            others[place] = strength
            count += 1
    for k in range(count):
        deal.level_strengths[2 * k] = 2 * others[k] - 1
        deal.level_strengths[2 * k + 1] = 2 * others[k]
    deal.level_strengths[2 * count] = 2 * others[count - 1] + 1
    for h in range(HANDS):
        strength = deal.strengths[h]
        level = 0
        for k in range(count):
            level += 2 if strength > others[k] else 1 if strength == others[k] else 0
        deal.level[h] = level


@kernel
def _showdown(
    chips_in: npt.NDArray[np.int32], folded: int, traverser: int, deal: Deal, by_level: npt.NDArray[np.float64]
) -> None:
    """What the traverser wins at each level into `by_level`."""
    players = chips_in.shape[0]
    strengths, out = np.zeros(6, np.int64), np.empty(6)
    for player in range(players):
        if deal.holes[player] >= 0:
            strengths[player] = 2 * np.int64(deal.strengths[deal.holes[player]])
    for level in range(by_level.shape[0]):
        strengths[traverser] = deal.level_strengths[level]
        payoffs_into(chips_in, folded, strengths[:players], out[:players])
        by_level[level] = out[traverser]


@kernel
def _next_node(bp: Blueprint, node: int, bucket: int, continuation: int, seed: np.uint64) -> int:
    """The child that the blueprint takes at a node with a bucket; one number decides for all hands of a playout."""
    count = bp.num_actions[node]
    start = bp.offset[node] + bucket * bp.stride[node]
    total = 0.0
    weights = np.empty(32)
    for a in range(count):
        weight = np.float64(bp.table[start + a])
        weights[a] = weight
        total += weight
    if total <= 0.0:
        for a in range(count):
            weights[a] = 1.0
    if continuation > 0:
        first = bp.first_child[node]
        for a in range(count):
            if bp.action[first + a] == continuation - 1:
                weights[a] *= BIAS
    total = 0.0
    for a in range(count):
        total += weights[a]
    draw = np.float64(split_mix(seed ^ (np.uint64(node) << np.uint64(20))) >> np.uint64(11)) / 9007199254740992.0
    wanted = draw * total
    for a in range(count - 1):
        wanted -= weights[a]
        if wanted < 0.0:
            return bp.first_child[node] + a
    return bp.first_child[node] + count - 1


@kernel
def _play_street(
    bp: Blueprint, node: int, traverser: int, own: int, deal: Deal, ahead: int, choices: Ints, seed: np.uint64
) -> int:
    """Where the blueprint's betting of one street ends, if the traverser's bucket is `own`."""
    street = bp.street[node]
    while bp.kind[node] == DECISION and bp.street[node] == street:
        player = np.int64(bp.player[node])
        bucket = own if player == traverser else deal.buckets[ahead, deal.holes[player]]
        node = _next_node(bp, node, bucket, choices[player], seed)
    return node


@kernel
def _play_out(
    tree: Tree,
    bp: Blueprint,
    leaf: int,
    traverser: int,
    deal: Deal,
    streets_left: int,
    choices: Ints,
    seed: np.uint64,
    values: Floats,
) -> None:
    """Values of all hands when a leaf is played out once; hands of a bucket go the same way."""
    players = tree.chips_in.shape[1]
    root = tree.continued[leaf]
    ends = np.full(32, -1, np.int64)
    by_level = np.empty((32, MAX_LEVELS))
    chips = np.empty(players, np.int32)
    real, planned = 0.0, 0.0
    for player in range(players):
        real += tree.chips_in[leaf, player]
        planned += bp.chips_in[root, player]
    scale = real / planned
    most = 0
    for h in range(HANDS):
        most = max(most, deal.buckets[0, h], deal.buckets[1, h])
    first_end = np.full(most + 1, -2, np.int64)
    second_end = np.full((8, most + 1), -2, np.int64)
    branches = np.full(8, -1, np.int64)
    num_ends = 0
    for h in range(HANDS):
        if deal.valid[h] == 0.0:
            values[h] = 0.0
            continue
        bucket = deal.buckets[0, h]
        node = first_end[bucket]
        if node == -2:
            node = _play_street(bp, root, traverser, bucket, deal, 0, choices, seed)
            first_end[bucket] = node
        if bp.kind[node] == DECISION and streets_left > 1:
            branch = 0
            while branches[branch] != node and branches[branch] != -1 and branch < 7:
                branch += 1
            if branches[branch] != node:
                branches[branch] = node
                for b in range(most + 1):
                    second_end[branch, b] = -2
            bucket = deal.buckets[1, h]
            start = node
            node = second_end[branch, bucket]
            if node == -2:
                node = _play_street(bp, start, traverser, bucket, deal, 1, choices, seed)
                second_end[branch, bucket] = node
        place = node & 31
        while ends[place] != node and ends[place] != -1:
            place = (place + 1) & 31
        if ends[place] == -1:
            num_ends += 1
            if num_ends >= 31:  # never forget a free place, or the search for one would not end
                for i in range(32):
                    ends[i] = -1
                num_ends = 1
            ends[place] = node
            for player in range(players):
                added = scale * (bp.chips_in[node, player] - bp.chips_in[root, player])
                total = tree.chips_in[leaf, player] + added
                chips[player] = np.int32(min(total + 0.5, np.float64(tree.stacks[player])))
            _showdown(chips, bp.folded[node], traverser, deal, by_level[place])
        values[h] = by_level[place, deal.level[h]]


@kernel
def _match_regrets(regrets: Floats, first: int, count: int, shares: Floats) -> None:
    """Strategy of all hands at a node into `shares: (count, 1326)`."""
    total = np.zeros(HANDS, np.float32)
    for a in range(count):
        row, share = regrets[first + a], shares[a]
        for h in range(HANDS):
            positive = max(row[h], np.float32(0.0))
            share[h] = positive
            total[h] += positive
    even = np.float32(1.0 / count)
    for a in range(count):
        share = shares[a]
        for h in range(HANDS):
            share[h] = share[h] / total[h] if total[h] > 0.0 else even


@kernel
def _draw_action(rows: Floats, first: int, count: int, hand: int, draw: float, chances: Floats) -> int:
    """An action of one hand by its strategy, which is written into `chances`."""
    total = np.float32(0.0)
    for a in range(count):
        chances[a] = max(rows[first + a, hand], np.float32(0.0))
        total += chances[a]
    for a in range(count):
        chances[a] = chances[a] / total if total > 0.0 else np.float32(1.0 / count)
    for a in range(count - 1):
        draw -= chances[a]
        if draw < 0.0:
            return a
    return count - 1


@kernel
def _leaf(
    tree: Tree,
    bp: Blueprint,
    tables: Tables,
    deal: Deal,
    state: State,
    node: int,
    depth: int,
    traverser: int,
    weight: float,
    streets_left: int,
    chooses: Ints,
) -> None:
    """Values where the street ends: continuations are chosen, and the hand is played out."""
    players = tree.chips_in.shape[1]
    values = tables.values[depth]
    by_level = np.empty(MAX_LEVELS)
    if tree.continued[node] < 0:
        _showdown(tree.chips_in[node], tree.folded[node], traverser, deal, by_level)
        for h in range(HANDS):
            values[h] = by_level[deal.level[h]] * deal.valid[h]
        return
    choices = np.zeros(6, np.int64)
    chances = np.empty(CONTINUATIONS, np.float32)
    for player in range(players):
        if deal.holes[player] >= 0 and chooses[player] and not (tree.folded[node] >> player) & 1:
            first = tree.entry[node] + player * CONTINUATIONS
            choices[player] = _draw_action(
                tables.regrets, first, CONTINUATIONS, deal.holes[player], next_unit(state), chances
            )
    seed = state[0] ^ split_mix(state[1])
    next_unit(state)
    if not chooses[traverser]:
        _play_out(tree, bp, node, traverser, deal, streets_left, choices, seed, values)
        return
    shares = tables.shares[depth]
    first = tree.entry[node] + traverser * CONTINUATIONS
    _match_regrets(tables.regrets, first, CONTINUATIONS, shares)
    options = np.empty((CONTINUATIONS, HANDS), np.float32)
    for c in range(CONTINUATIONS):
        choices[traverser] = c
        _play_out(tree, bp, node, traverser, deal, streets_left, choices, seed, options[c])
    _settle(tables.regrets, first, CONTINUATIONS, shares, options, values, weight)


@kernel
def _settle(
    regrets: Floats, first: int, count: int, shares: Floats, options: Floats, values: Floats, weight: float
) -> None:
    """Value of a node from its options, and the regrets of not having taken each."""
    for h in range(HANDS):
        values[h] = 0.0
    for a in range(count):
        share, option = shares[a], options[a]
        for h in range(HANDS):
            values[h] += share[h] * option[h]
    if weight > 0.0:
        scale = np.float32(weight)
        for a in range(count):
            row, option = regrets[first + a], options[a]
            for h in range(HANDS):
                row[h] += scale * (option[h] - values[h])


@kernel
def traverse(
    tree: Tree,
    bp: Blueprint,
    tables: Tables,
    deal: Deal,
    state: State,
    node: int,
    depth: int,
    traverser: int,
    weight: float,
    streets_left: int,
    chooses: Ints,
    target: int,
) -> None:
    """Values of all the traverser's hands at a node into `tables.values[depth]`; regrets grow by `weight`."""
    values = tables.values[depth]
    kind = tree.kind[node]
    if (tree.folded[node] >> traverser) & 1:
        lost = np.float32(tree.chips_in[node, traverser])
        for h in range(HANDS):
            values[h] = -lost * deal.valid[h]
        return
    if kind == LEAF:
        _leaf(tree, bp, tables, deal, state, node, depth, traverser, weight, streets_left, chooses)
        return
    if kind != DECISION:
        by_level = np.empty(MAX_LEVELS)
        _showdown(tree.chips_in[node], tree.folded[node], traverser, deal, by_level)
        for h in range(HANDS):
            values[h] = by_level[deal.level[h]] * deal.valid[h]
        return
    count = np.int64(tree.num_actions[node])
    child = np.int64(tree.first_child[node])
    frozen = tree.frozen[node]
    if tree.player[node] == traverser:
        shares = tables.shares[depth]
        if frozen >= 0:
            for a in range(count):
                _copy(tables.fixed[frozen + a], shares[a])
        else:
            _match_regrets(tables.regrets, tree.entry[node], count, shares)
        options = np.empty((count, HANDS), np.float32)
        for a in range(count):
            traverse(
                tree, bp, tables, deal, state, child + a, depth + 1, traverser, weight, streets_left, chooses, target
            )
            _copy(tables.values[depth + 1], options[a])
        if node == target:
            for a in range(count):
                for h in range(HANDS):
                    tables.action_values[a, h] += options[a, h] * weight
            for h in range(HANDS):
                tables.action_counts[h] += deal.valid[h] * weight
        learns = weight if frozen < 0 else 0.0
        _settle(tables.regrets, tree.entry[node], count, shares, options, values, learns)
        return
    chances = np.empty(MAX_ACTIONS, np.float32)
    hand = deal.holes[tree.player[node]]
    rows, first = (tables.fixed, frozen) if frozen >= 0 else (tables.regrets, tree.entry[node])
    action = _draw_action(rows, first, count, hand, next_unit(state), chances)
    ratio = 1.0
    played = np.int64(tree.on_line[node])
    if played >= 0:  # half of the walks follow the line that was really played, weighed back
        if next_unit(state) < 0.5:
            action = played
        chance = np.float64(chances[action])
        ratio = chance / (0.5 * chance + (0.5 if action == played else 0.0))
        if ratio == 0.0:
            for h in range(HANDS):
                values[h] = 0.0
            return
    traverse(
        tree,
        bp,
        tables,
        deal,
        state,
        child + action,
        depth + 1,
        traverser,
        weight * ratio,
        streets_left,
        chooses,
        target,
    )
    below, factor = tables.values[depth + 1], np.float32(ratio)
    for h in range(HANDS):
        values[h] = below[h] * factor


@kernel
def add_average(tree: Tree, tables: Tables, node: int, depth: int, row: int, player: int, weight: float) -> None:
    """Add a player's strategy, times its own reach in `tables.values[row]`, to the sums below a node."""
    if tree.kind[node] != DECISION:
        return
    count = np.int64(tree.num_actions[node])
    child = np.int64(tree.first_child[node])
    if tree.player[node] != player:
        for a in range(count):
            add_average(tree, tables, child + a, depth, row, player, weight)
        return
    shares = tables.shares[depth]
    if tree.frozen[node] >= 0:
        for a in range(count):
            _copy(tables.fixed[tree.frozen[node] + a], shares[a])
    else:
        _match_regrets(tables.regrets, tree.entry[node], count, shares)
    reach, scale = tables.values[row], np.float32(weight)
    for a in range(count):
        sums, share, below = tables.sums[tree.entry[node] + a], shares[a], tables.values[row + 1]
        for h in range(HANDS):
            below[h] = reach[h] * share[h]
            sums[h] += scale * below[h]
        add_average(tree, tables, child + a, depth + 1, row + 1, player, weight)


@kernel
def deal_board(
    deal: Deal, known: int, bucket_tables: tuple[Bytes, Bytes], widths: Ints, seed: int, iteration: int, state: State
) -> None:
    """Start the random stream of an iteration, deal the board out, and look all hands up on it."""
    seed_stream(state, seed, iteration)
    draw_runout(state, deal.board, known)
    board_strengths(deal.board, deal.strengths)
    if known < 5:
        look_up_buckets(deal.board, known + 1, bucket_tables[0], widths[0], deal.buckets[0])
    if known < 4:
        look_up_buckets(deal.board, 5, bucket_tables[1], widths[1], deal.buckets[1])


@kernel
def draw_hands(
    state: State, cumulative: npt.NDArray[np.float64], folded: int, traverser: int, masks: Ints, deal: Deal
) -> bool:
    """Draw the hands of the others and rank the traverser's; False if this draw does not go with the board.

    cumulative: (players, 1326) sums of the ranges; masks: (1326,) cards of a pair as bits
    """
    board = 0
    for i in range(5):
        board |= 1 << np.int64(deal.board[i])
    if not _draw_others(state, cumulative, folded, traverser, masks, board, deal):
        return False
    _rank_hands(deal, cumulative.shape[0])
    return True
