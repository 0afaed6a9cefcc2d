"""Compiled training of the river against an opponent who sees the board; `sighted_opponent` says why.

One visit deals a board, draws betting lines that lead to the river, and at each of them lets the opponent answer the
learner's current river strategy as well as it can with every hand; what the learner would have done better against that
is added to its regrets, bucket by bucket. `reference_sighted` says the answer in plain Python.

Hands that tie and share a bucket do the same and are worth the same, because nobody counts cards here: they are one
*cell*, and a board has about 80 of them. The nodes below a river root are one block of the tree, parents first, and are
counted by their *place* in it: 0 for the root, then from its first child on.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from holdem.abstraction._kernels_tree import SHOWDOWN
from holdem.cards._kernels_evaluator import CARD_BITS, CARD_KEYS, START_KEYS, strength_of
from holdem.mccfr._kernels_deal import BucketTables, bucket_at, draw_card, hand_index
from holdem.mccfr._kernels_table import HIGHEST_ENTRY, LARGEST_INCREMENT, add_in_place
from holdem.util._kernels_random import State, next_unit, seed_stream
from holdem.util.jit import inline_kernel, kernel

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Table = npt.NDArray[np.int32]

RIVER = 3
NUM_HANDS = 1_081
"""Hole pairs that a complete board leaves."""

EXPLORATION = 0.3
"""How often the opponent's way to the river is drawn uniformly and not by its strategy."""
UNIFORM_SHARE = np.float32(0.25)
"""Share of the opponent's range that is any hand at all: it may have come here by another strategy than ours."""
TREMBLE = np.float32(0.02)
"""Share of uniform play that the opponent sees in the learner's strategy, so that it has an answer to everything."""


class TreeNodes(NamedTuple):
    """What is needed of a betting tree of two players and of its rows, by node (`BettingTree`, `RowLayout`).

    leads_to_river: (nodes,) bool, whether the betting can get from here to a decision on the river
    buckets: (streets,) int64
    """

    player: npt.NDArray[np.int8]
    street: npt.NDArray[np.int8]
    kind: npt.NDArray[np.int8]
    num_actions: npt.NDArray[np.int8]
    first_child: Ints
    end: Ints
    parent: Ints
    folded: npt.NDArray[np.uint8]
    chips_in: Ints
    offset: npt.NDArray[np.int64]
    stride: npt.NDArray[np.int64]
    leads_to_river: npt.NDArray[np.bool_]
    buckets: npt.NDArray[np.int64]


class BoardHands(NamedTuple):
    """The hands that a board leaves, and their cells, weakest first.

    bucket: (3, hands) int32, before the flop, on the flop and on the turn; cell: (hands,) int32
    cell_bucket: (hands,) int32, on the river; cell_size: (hands,) float32
    tie: (hands + 1,) int32, where the cells of each strength begin, and the end of the last
    sizes: (2,) int64, how many cells and different strengths there are
    """

    bucket: Ints
    cell: Ints
    cell_bucket: Ints
    cell_size: Floats
    tie: Ints
    sizes: npt.NDArray[np.int64]


class Scratch(NamedTuple):
    """Working memory; `places` is the size of the largest river subtree.

    reach: (2, hands) float32, of both players on the way to the river
    learner, opponent, values: (places, hands) float32, by cell: reach of both players, and what is won
    learner_row, opponent_row: (places,) int32, where the reach is found: at the parent's place where the other acted
    choice: (places, hands) int8, the opponent's best actions
    strategy: (places, actions, buckets) float32, the learner's; gains: (actions, buckets) float32
    masses: (actions,) float64
    """

    reach: Floats
    learner: Floats
    opponent: Floats
    values: Floats
    learner_row: Ints
    opponent_row: Ints
    choice: npt.NDArray[np.int8]
    strategy: Floats
    gains: Floats
    masses: npt.NDArray[np.float64]


@kernel
def deal_board(state: State, board: npt.NDArray[np.uint8]) -> None:
    """Five different cards in the order in which they come."""
    dealt = 0
    for i in range(len(board)):
        card = draw_card(state, 52, dealt)
        dealt |= 1 << card
        board[i] = card


@kernel
def sort_hands(board: npt.NDArray[np.uint8], tables: BucketTables, hands: BoardHands) -> None:
    """Fill `hands` for a board of five cards."""
    bits = np.zeros(len(board) + 1, dtype=np.int64)
    board_key, on_board = START_KEYS[2 + len(board)], 0
    for i in range(len(board)):
        bits[i + 1] = bits[i] | CARD_BITS[board[i]]
        board_key += CARD_KEYS[board[i]]
        on_board |= 1 << board[i]
    order = np.empty(NUM_HANDS, dtype=np.int64)
    found = 0
    for high in range(52):
        for low in range(high):
            if (on_board >> high) & 1 or (on_board >> low) & 1:
                continue
            hole = CARD_BITS[low] | CARD_BITS[high]
            hands.bucket[0, found] = hand_index(hole, 0, 0)
            hands.bucket[1, found] = bucket_at(tables.flop, tables.widths[0], hand_index(hole, bits[3], 3))
            hands.bucket[2, found] = bucket_at(tables.turn, tables.widths[1], hand_index(hole, bits[4], 4))
            river = bucket_at(tables.river, tables.widths[2], hand_index(hole, bits[5], 5))
            strength = strength_of(board_key + CARD_KEYS[low] + CARD_KEYS[high], hole | bits[5])
            order[found] = (np.int64(strength) << 32) | (river << 16) | found
            found += 1
    order.sort()
    cells, ties, before = 0, 0, -1
    for i in range(found):
        if (order[i] >> 16) != before:
            if (order[i] >> 32) != (before >> 16) or before < 0:
                hands.tie[ties] = cells
                ties += 1
            hands.cell_bucket[cells] = (order[i] >> 16) & 0xFFFF
            hands.cell_size[cells] = 0.0
            cells += 1
            before = order[i] >> 16
        hands.cell[order[i] & 0xFFFF] = cells - 1
        hands.cell_size[cells - 1] += 1.0
    hands.tie[ties] = cells
    hands.sizes[0], hands.sizes[1] = cells, ties


@kernel
def load_strategy(nodes: TreeNodes, table: Table, column: int, node: int, out: Floats) -> None:
    """(actions, buckets) the positive parts of a node's rows in proportion, uniform where nothing is positive."""
    actions = nodes.num_actions[node]
    for b in range(nodes.buckets[nodes.street[node]]):
        row = nodes.offset[node] + b * nodes.stride[node]
        total = 0.0
        for a in range(actions):
            total += max(table[row + a, column], 0)
        share = 1.0 / total if total > 0.0 else 0.0
        for a in range(actions):
            out[a, b] = max(table[row + a, column], 0) * share if total > 0.0 else 1.0 / actions


@kernel
def walk_to_river(
    nodes: TreeNodes, table: Table, hands: BoardHands, learner: int, state: State, scratch: Scratch
) -> int:
    """Draw a betting line by the average strategies, the opponent's with exploration; the river decision it leads to,
    −1 if no hand gets there. `scratch.reach` holds the probability with which each hand takes it."""
    scratch.reach[:] = 1.0
    masses, chances = scratch.masses, scratch.strategy[0]
    node = 0
    while nodes.street[node] < RIVER:
        player, actions, first = nodes.player[node], nodes.num_actions[node], nodes.first_child[node]
        bucket, reach = hands.bucket[nodes.street[node]], scratch.reach[player]
        load_strategy(nodes, table, 1, node, chances)
        total, going_on = 0.0, 0
        for a in range(actions):
            masses[a] = 0.0
            if nodes.leads_to_river[first + a]:
                chance, mass = chances[a], np.float32(0.0)
                for h in range(NUM_HANDS):
                    mass += reach[h] * chance[bucket[h]]
                masses[a] = mass
                total += float(mass)
                going_on += int(mass > 0.0)
        if going_on == 0:
            return -1
        if player != learner and next_unit(state) < EXPLORATION:
            for a in range(actions):
                masses[a] = np.float64(masses[a] > 0.0)
            total = float(going_on)
        target, choice = next_unit(state) * total, -1
        for a in range(actions):
            if masses[a] > 0.0:
                choice = a
                target -= masses[a]
                if target < 0.0:
                    break
        chance = chances[choice]
        for h in range(NUM_HANDS):
            reach[h] *= chance[bucket[h]]
        node = first + choice
    return node


@kernel
def gather_ranges(hands: BoardHands, learner: int, scratch: Scratch) -> bool:
    """Both players' ranges at the river root, by cell and adding up to 1; False if one of them is empty."""
    own, other = scratch.reach[learner], scratch.reach[1 - learner]
    own_total, other_total = own.sum(), other.sum()
    if own_total <= 0.0 or other_total <= 0.0:
        return False
    cells = hands.sizes[0]
    scratch.learner[0, :cells] = 0.0
    for c in range(cells):
        scratch.opponent[0, c] = UNIFORM_SHARE * hands.cell_size[c] / NUM_HANDS
    for h in range(NUM_HANDS):
        scratch.learner[0, hands.cell[h]] += own[h] / own_total
        scratch.opponent[0, hands.cell[h]] += (np.float32(1.0) - UNIFORM_SHARE) * other[h] / other_total
    return True


@inline_kernel
def _node_at(nodes: TreeNodes, root: int, place: int) -> int:
    """The node at a place of the subtree of `root`."""
    return root if place == 0 else nodes.first_child[root] + place - 1


@inline_kernel
def _place_of(nodes: TreeNodes, root: int, node: int) -> int:
    """The place of a node in the subtree of `root`."""
    return 0 if node == root else node - nodes.first_child[root] + 1


@inline_kernel
def _num_places(nodes: TreeNodes, root: int) -> int:
    """How many nodes the subtree of `root` has, itself included."""
    return int(nodes.end[root]) - int(nodes.first_child[root]) + 1


@kernel
def _terminal_values(
    nodes: TreeNodes, hands: BoardHands, root: int, position: int, reach: Floats, rows: Ints, values: Floats
) -> None:
    """What `position` wins at every terminal of a river subtree, by cell, against the other's reach."""
    cells, ties = hands.sizes[0], hands.sizes[1]
    for place in range(1, _num_places(nodes, root)):
        node = _node_at(nodes, root, place)
        if nodes.num_actions[node] > 0:
            continue
        weights, won = reach[rows[place], :cells], values[place, :cells]
        total = weights.sum()
        chips = nodes.chips_in[node]
        if nodes.kind[node] != SHOWDOWN:
            lost = (nodes.folded[node] >> position) & 1
            won[:] = np.float32(-chips[position] if lost else chips[1 - position]) * total
            continue
        stake, beaten = np.float32(min(chips[0], chips[1])), np.float32(0.0)
        for t in range(ties):
            tied = np.float32(0.0)
            for c in range(hands.tie[t], hands.tie[t + 1]):
                tied += weights[c]
            value = stake * (np.float32(2.0) * beaten + tied - total)
            for c in range(hands.tie[t], hands.tie[t + 1]):
                won[c] = value
            beaten += tied


@kernel
def answer_river(nodes: TreeNodes, table: Table, hands: BoardHands, root: int, learner: int, scratch: Scratch) -> None:
    """The opponent's best action with every cell at each of its decisions, into `scratch.choice`."""
    cells = hands.sizes[0]
    places = _num_places(nodes, root)
    rows, values = scratch.learner_row, scratch.values
    rows[0] = 0
    for place in range(places):
        node = _node_at(nodes, root, place)
        if place > 0:
            parent = nodes.parent[node]
            before = _place_of(nodes, root, parent)
            rows[place] = rows[before]
            if nodes.player[parent] == learner:
                rows[place] = place
                chance = scratch.strategy[before, node - nodes.first_child[parent]]
                old, new = scratch.learner[rows[before], :cells], scratch.learner[place, :cells]
                tremble = TREMBLE / np.float32(nodes.num_actions[parent])
                for c in range(cells):
                    new[c] = old[c] * ((np.float32(1.0) - TREMBLE) * chance[hands.cell_bucket[c]] + tremble)
        if nodes.player[node] == learner:
            load_strategy(nodes, table, 0, node, scratch.strategy[place])
    _terminal_values(nodes, hands, root, 1 - learner, scratch.learner, rows, values)
    for place in range(places - 1, -1, -1):
        node = _node_at(nodes, root, place)
        if nodes.num_actions[node] == 0:
            continue
        child = _place_of(nodes, root, nodes.first_child[node])
        value, choice = values[place, :cells], scratch.choice[place, :cells]
        value[:] = values[child, :cells]
        choice[:] = 0
        for a in range(1, nodes.num_actions[node]):
            other = values[child + a, :cells]
            if nodes.player[node] == learner:
                for c in range(cells):
                    value[c] += other[c]
            else:
                for c in range(cells):
                    if other[c] > value[c]:
                        value[c] = other[c]
                        choice[c] = a


@kernel
def learn_river(
    nodes: TreeNodes,
    table: Table,
    hands: BoardHands,
    root: int,
    learner: int,
    weight: float,
    floor: int,
    state: State,
    scratch: Scratch,
    shared: object,
) -> None:
    """Add the learner's regrets against the opponent's answer."""
    cells = hands.sizes[0]
    places = _num_places(nodes, root)
    rows, values = scratch.opponent_row, scratch.values
    rows[0] = 0
    for place in range(1, places):
        node = _node_at(nodes, root, place)
        parent = nodes.parent[node]
        before = _place_of(nodes, root, parent)
        rows[place] = rows[before]
        if nodes.player[parent] != learner:
            rows[place] = place
            action = node - nodes.first_child[parent]
            old, new = scratch.opponent[rows[before], :cells], scratch.opponent[place, :cells]
            choice = scratch.choice[before, :cells]
            for c in range(cells):
                new[c] = old[c] if choice[c] == action else np.float32(0.0)
    _terminal_values(nodes, hands, root, learner, scratch.opponent, rows, values)
    for place in range(places - 1, -1, -1):
        node = _node_at(nodes, root, place)
        actions = nodes.num_actions[node]
        if actions == 0:
            continue
        child = _place_of(nodes, root, nodes.first_child[node])
        value = values[place, :cells]
        value[:] = 0.0
        if nodes.player[node] != learner:
            for a in range(actions):
                value += values[child + a, :cells]
            continue
        for a in range(actions):
            other, chance, gains = values[child + a, :cells], scratch.strategy[place, a], scratch.gains[a]
            gains[:] = 0.0
            for c in range(cells):
                b = hands.cell_bucket[c]
                gains[b] += hands.cell_size[c] * other[c]
                value[c] += chance[b] * other[c]
        for b in range(nodes.buckets[RIVER]):
            _add_regrets(nodes, table, node, b, scratch.strategy[place], scratch.gains, weight, floor, state, shared)


@kernel
def _add_regrets(
    nodes: TreeNodes,
    table: Table,
    node: int,
    bucket: int,
    strategy: Floats,
    gains: Floats,
    weight: float,
    floor: int,
    state: State,
    shared: object,
) -> None:
    """Add to one row what each action gains over the strategy, times the weight, rounded at random."""
    actions = nodes.num_actions[node]
    row = nodes.offset[node] + bucket * nodes.stride[node]
    mean, largest = 0.0, 0.0
    for a in range(actions):
        mean += strategy[a, bucket] * gains[a, bucket]
    for a in range(actions):
        largest = max(largest, abs(gains[a, bucket] - mean) * weight)
    if largest == 0.0:
        return
    if largest > LARGEST_INCREMENT - 1:
        weight *= (LARGEST_INCREMENT - 1) / largest
    highest = 0
    for a in range(actions):
        increment = int(np.floor((gains[a, bucket] - mean) * weight + next_unit(state)))
        regret = int(table[row + a, 0])
        if regret + increment < floor:
            increment = min(floor - regret, 0)
        highest = max(highest, regret + increment)
        add_in_place(table, 2 * (row + a), np.int32(increment), shared)
    if highest > HIGHEST_ENTRY:
        for a in range(row, row + actions):
            add_in_place(table, 2 * a, -(table[a, 0] >> 1), shared)


@kernel
def train_against_sighted(
    seed: int,
    visit: int,
    lines: int,
    nodes: TreeNodes,
    tables: BucketTables,
    table: Table,
    weight: float,
    floor: int,
    hands: BoardHands,
    scratch: Scratch,
    shared: object,
) -> None:
    """One board, `lines` betting lines on it, both players learning in turn.

    seed, visit: choose the random stream; weight: multiplies the mean gain of a hand, in chips, of one line
    floor: no regret falls below it; shared: None if this process alone writes to the table, 1 if others do too
    """
    state = np.empty(2, dtype=np.uint64)
    seed_stream(state, seed, visit)
    board = np.empty(5, dtype=np.uint8)
    deal_board(state, board)
    sort_hands(board, tables, hands)
    for line in range(lines):
        learner = line & 1
        root = walk_to_river(nodes, table, hands, learner, state, scratch)
        if root >= 0 and gather_ranges(hands, learner, scratch):
            answer_river(nodes, table, hands, root, learner, scratch)
            learn_river(nodes, table, hands, root, learner, weight / NUM_HANDS, floor, state, scratch, shared)
