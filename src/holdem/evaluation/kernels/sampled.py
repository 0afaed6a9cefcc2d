"""Compiled best response over sampled boards: all hands of both players at once, street by street.

A street's betting is a list of its nodes, parents first. Going down the list the opponent's reach is multiplied by its
strategy; going up it, terminals are evaluated with card removal, an own decision takes the best child hand by hand, and
where the street closes the boards that were sampled for the next one are entered one after the other.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from holdem.abstraction.kernels.tree import FOLD_WIN, SHOWDOWN
from holdem.cards.kernels.evaluator import CARD_BITS, CARD_KEYS, START_KEYS, strength_of
from holdem.evaluation.kernels.lanes import LANES, add_rest, add_row, subtract_rest
from holdem.policy.kernels.played import played_total, played_weight, row_total
from holdem.util.arrays import Float32, Int32, UInt8
from holdem.util.jit import kernel


class StreetLists(NamedTuple):
    """The nodes of each street of betting, by the root where it begins. `m` counts the nodes of all lists.

    start: (roots + 1,) int32, where the list of a root begins
    node: (m,) int32, parents before children, siblings together; a node of the next street closes this one
    parent, first_child: (m,) int32, places within the list
    action: (m,) int32, the number of the action that leads here
    root: (m,) int32, the root that begins at a closing node, −1 elsewhere
    """

    start: Int32
    node: Int32
    parent: Int32
    first_child: Int32
    action: Int32
    root: Int32


class TreeArrays(NamedTuple):
    """The betting tree and both players' strategy, node by node: action `a` with bucket `b` has the probability
    `strategy[row[node] + a * buckets[street] + b]`.

    player, street, kind, num_actions: (nodes,) int8; folded: (nodes,) uint8; chips_in: (nodes, 2) int32
    row: (nodes,) int64; buckets: (streets,) int64; strategy: (entries,) float32
    """

    player: npt.NDArray[np.int8]
    street: npt.NDArray[np.int8]
    kind: npt.NDArray[np.int8]
    num_actions: npt.NDArray[np.int8]
    folded: UInt8
    chips_in: Int32
    row: npt.NDArray[np.int64]
    buckets: npt.NDArray[np.int64]
    strategy: npt.NDArray[np.float32]


class BoardArrays(NamedTuple):
    """Sampled boards as a tree; board 0 is the first. Hands are those that a board leaves, weakest first on the last
    street. `n` is the largest number of hands.

    hands: (boards,) int32, how many
    low, high: (boards, n) uint8, cards of each hand
    bucket: (boards, n) uint32; unsigned, since an index that may be negative blocks vector code
    strength: (boards, n) int32, on the last street
    in_parent: (boards, n) int32, the place of each hand in the list of the board before
    weight: (boards, n) float32, of a hand's value on this board in its value on the board before
    first_child, children: (boards,) int32, the boards of the next street
    edges: (boards before the last street, n, n) int16, runouts won minus lost by hand against hand
    runouts: (boards before the last street,) float32, how many two hands leave
    """

    hands: Int32
    low: UInt8
    high: UInt8
    bucket: npt.NDArray[np.uint32]
    strength: Int32
    in_parent: Int32
    weight: Float32
    first_child: Int32
    children: Int32
    edges: npt.NDArray[np.int16]
    runouts: Float32


class Scratch(NamedTuple):
    """Memory of one walk.

    reach, best, expected: (streets, longest list, n) float32
    row: (streets, longest list) int32, where a node's reach is found: at its parent's place where the responder acted
    frame: (streets, 4) int64, where a street's walk is: its root, board, place in the list, board of the next street
    packed: (2, n, 8) and by_card: (53, 8) float32, for eight terminals at a time
    """

    reach: Float32
    best: Float32
    expected: Float32
    row: Int32
    frame: npt.NDArray[np.int64]
    packed: Float32
    by_card: Float32


@kernel
def gather_strategy(
    table: npt.NDArray[np.float64] | npt.NDArray[np.uint16],
    offset: npt.NDArray[np.int64],
    stride: npt.NDArray[np.int64],
    num_actions: npt.NDArray[np.int8],
    num_passive: npt.NDArray[np.int8],
    street: npt.NDArray[np.int8],
    buckets: npt.NDArray[np.int64],
    row: npt.NDArray[np.int64],
    strategy: npt.NDArray[np.float32],
) -> None:
    """A table of rows, bucket by bucket, as `TreeArrays` has it: what each of them plays."""
    for node in range(len(num_actions)):
        actions = num_actions[node]
        width = buckets[street[node]]
        for b in range(width if actions else 0):
            start = offset[node] + b * stride[node]
            total = row_total(table, start, actions)
            parts = played_total(num_passive[node], total)
            for a in range(actions):
                weight = played_weight(table, start, a, num_passive[node], total)
                strategy[row[node] + a * width + b] = weight / parts


@kernel
def _pack(reach: Float32, rows: npt.NDArray[np.int64], packed: Float32) -> None:
    """Eight rows of reach as lanes: packed[h, lane]."""
    a, b, c, d = reach[rows[0]], reach[rows[1]], reach[rows[2]], reach[rows[3]]
    e, f, g, i = reach[rows[4]], reach[rows[5]], reach[rows[6]], reach[rows[7]]
    for h in range(len(packed)):
        lane = packed[h]
        lane[0], lane[1], lane[2], lane[3] = a[h], b[h], c[h], d[h]
        lane[4], lane[5], lane[6], lane[7] = e[h], f[h], g[h], i[h]


@kernel
def fold_values(packed: Float32, low: UInt8, high: UInt8, by_card: Float32) -> None:
    """Reach (hands, 8) becomes the reach with hands that share no card with h. by_card: (53, 8), the last for all."""
    by_card[:] = 0.0
    total = by_card[52:]
    for h in range(len(packed)):
        add_row(by_card, low[h], packed, h)
        add_row(by_card, high[h], packed, h)
        add_row(total, 0, packed, h)
    for h in range(len(packed)):
        add_rest(packed, h, total, by_card, low[h], high[h])


@kernel
def showdown_values(packed: Float32, low: UInt8, high: UInt8, strength: Int32, by_card: Float32, won: Float32) -> None:
    """won[h] = reach beaten by h minus reach that beats h; reach (hands, 8), hands from the weakest to the strongest.

    What h beats or ties, plus what it beats, minus everything that it may meet; h itself is in the first and the last.
    """
    count = len(packed)
    by_card[:] = 0.0
    below = by_card[52:]
    won[:] = 0.0
    start = 0
    while start < count:
        end = start
        while end < count and strength[end] == strength[start]:
            add_rest(won, end, below, by_card, low[end], high[end])
            end += 1
        for h in range(start, end):
            add_row(by_card, low[h], packed, h)
            add_row(by_card, high[h], packed, h)
            add_row(below, 0, packed, h)
        for h in range(start, end):
            add_rest(won, h, below, by_card, low[h], high[h])
        start = end
    for h in range(count):
        subtract_rest(won, h, below, by_card, low[h], high[h])


@kernel
def terminal_values(
    lists: StreetLists,
    tree: TreeArrays,
    boards: BoardArrays,
    scratch: Scratch,
    first: int,
    count: int,
    board: int,
    position: int,
    kind: int,
) -> None:
    """Values at all terminals of one kind of a list, eight at a time: a hand's cards are looked up once for all."""
    street = tree.street[lists.node[first]]
    hands = boards.hands[board]
    low, high = boards.low[board, :hands], boards.high[board, :hands]
    packed, won = scratch.packed[0, :hands], scratch.packed[1, :hands]
    places = np.zeros(LANES, dtype=np.int64)
    rows = np.zeros(LANES, dtype=np.int64)
    payoffs = np.zeros(LANES, dtype=np.float32)
    # Collect eight terminals, or what is left at the end of the list.
    found = 0
    for m in range(count):
        node = lists.node[first + m]
        if tree.kind[node] == kind:
            places[found] = m
            rows[found] = scratch.row[street, m]
            payoffs[found] = _payoff(tree, node, position)
            found += 1
        if found == LANES or (found > 0 and m == count - 1):
            # Evaluate them side by side, each in its lane.
            _pack(scratch.reach[street], rows, packed)
            if kind == SHOWDOWN:
                showdown_values(packed, low, high, boards.strength[board, :hands], scratch.by_card, won)
            else:
                fold_values(packed, low, high, scratch.by_card)
            # Give each terminal its lane times what is at stake.
            source = won if kind == SHOWDOWN else packed
            for k in range(found):
                best = scratch.best[street, places[k], :hands]
                for h in range(hands):
                    best[h] = payoffs[k] * source[h, k]
            found = 0


@kernel
def _payoff(tree: TreeArrays, node: int, position: int) -> float:
    """What `position` wins at a fold, or wins or loses at a showdown."""
    chips = tree.chips_in[node]
    if tree.kind[node] == SHOWDOWN:
        return np.float32(min(chips[0], chips[1]))
    lost = (tree.folded[node] >> position) & 1
    return np.float32(-chips[position] if lost else chips[1 - position])


@kernel
def all_in_values(
    lists: StreetLists, tree: TreeArrays, boards: BoardArrays, scratch: Scratch, first: int, count: int, board: int
) -> None:
    """Values at all showdowns of a list before the last street: stake × what a hand wins on average over all runouts.

    All of them together, so that a row of `edges` is read once.
    """
    street = tree.street[lists.node[first]]
    hands = boards.hands[board]
    places = np.empty(count, dtype=np.int64)
    stakes = np.empty(count, dtype=np.float32)
    # The showdowns of the list with the chips of one runout; minus, because `edges` has the opponent's side.
    found = 0
    for m in range(count):
        node = lists.node[first + m]
        if tree.kind[node] == SHOWDOWN:
            places[found] = m
            stakes[found] = -min(tree.chips_in[node, 0], tree.chips_in[node, 1]) / boards.runouts[board]
            scratch.best[street, m, :hands] = 0.0
            found += 1
    # Opponent's hand by hand: one row of `edges`, times the reach of that hand at every showdown.
    row = np.empty(hands, dtype=np.float32)
    for other in range(hands if found else 0):
        for h in range(hands):
            row[h] = boards.edges[board, other, h]
        for k in range(found):
            weight = stakes[k] * scratch.reach[street, scratch.row[street, places[k]], other]
            if weight != 0.0:
                values = scratch.best[street, places[k], :hands]
                for h in range(hands):
                    values[h] += weight * row[h]


@kernel
def fill_strengths(board: UInt8, low: UInt8, high: UInt8, strengths: npt.NDArray[np.int16]) -> None:
    """Strength of each hand on a complete board, 0 where it shares a card with it."""
    key = START_KEYS[2 + len(board)]
    bits = 0
    for card in board:
        key += CARD_KEYS[card]
        bits |= CARD_BITS[card]
    for h in range(len(low)):
        mask = CARD_BITS[low[h]] | CARD_BITS[high[h]]
        strengths[h] = 0 if bits & mask else strength_of(key + CARD_KEYS[low[h]] + CARD_KEYS[high[h]], bits | mask)


@kernel
def fill_edges(boards: UInt8, low: UInt8, high: UInt8, edges: npt.NDArray[np.int16]) -> None:
    """edges[g, h] = boards on which g beats h minus those on which h beats g; 0 where they share a card.

    boards: (runouts, cards) complete boards; low, high: (hands,).
    """
    # Two copies of the strengths: a hand that a board excludes beats nobody in one, and loses to nobody in the other.
    hands = len(low)
    winning = np.empty((len(boards), hands), dtype=np.int16)
    losing = np.empty((len(boards), hands), dtype=np.int16)
    for n in range(len(boards)):
        fill_strengths(boards[n], low, high, winning[n])
        for h in range(hands):
            losing[n, h] = winning[n, h]
            if winning[n, h] == 0:  # neither beats nor is beaten
                winning[n, h] = 32767
    # Compare hand with hand, all boards in turn; then take away the pairs that share a card.
    for g in range(hands):
        row = edges[g, :hands]
        row[:] = 0
        for n in range(len(boards)):
            mine = losing[n, g]
            if mine == 0:
                continue
            weaker, stronger = winning[n], losing[n]
            for h in range(hands):
                row[h] += np.int16(mine > weaker[h]) - np.int16(mine < stronger[h])
        for h in range(hands):
            if low[g] == low[h] or low[g] == high[h] or high[g] == low[h] or high[g] == high[h]:
                row[h] = 0


@kernel
def evaluate_root(
    lists: StreetLists, tree: TreeArrays, boards: BoardArrays, scratch: Scratch, root: int, position: int
) -> int:
    """Values of all hands of `position` where a street begins, on board 0: best response and its own strategy.

    The opponent's reach is in `scratch.reach[street, 0]`; the values are left in `best` and `expected[street, 0]`.
    Returns the number of nodes visited. A street waits in `scratch.frame` while the boards of the next are evaluated.
    """
    top = tree.street[lists.node[lists.start[root]]]
    street = top
    visited = _open_street(lists, tree, boards, scratch, root, 0, street, position)
    while True:
        # Where this street stands: node m of its list, from the end, and board n of the next street below it.
        frame = scratch.frame[street]
        board, m, n = frame[1], frame[2], frame[3]
        first = lists.start[frame[0]]
        hands = boards.hands[board]
        entered = False
        while m >= 0 and not entered:
            # A node within the street: its children lie behind it and have their values.
            next_root = lists.root[first + m]
            if next_root < 0:
                _values_at(lists, tree, boards, scratch, first, m, street, board, position)
                m -= 1
                continue
            # A node that closes the street: begin with its boards, or add the values of the one just left.
            if n < 0:
                n = boards.first_child[board]
                scratch.best[street, m, :hands] = 0.0
                scratch.expected[street, m, :hands] = 0.0
                if scratch.reach[street, scratch.row[street, m], :hands].max() == 0.0:
                    n += boards.children[board]  # the opponent never plays there
            else:
                _leave_board(boards, scratch, street, m, n)
                n += 1
            # Enter the next board: its street is walked first, and this one goes on from its frame.
            if n < boards.first_child[board] + boards.children[board]:
                _enter_board(boards, scratch, street, m, n)
                frame[2], frame[3] = m, n
                street += 1
                visited += _open_street(lists, tree, boards, scratch, next_root, n, street, position)
                entered = True
            else:
                n = -1
                m -= 1
        # The list is at its beginning: back to the street before, or done.
        if entered:
            continue
        if street == top:
            return visited
        street -= 1


@kernel
def _open_street(
    lists: StreetLists,
    tree: TreeArrays,
    boards: BoardArrays,
    scratch: Scratch,
    root: int,
    board: int,
    street: int,
    position: int,
) -> int:
    """The opponent's reach at every node of a street's list and the values of its terminals; the frame begins at the
    list's end."""
    first = lists.start[root]
    count = lists.start[root + 1] - first
    hands = boards.hands[board]
    bucket = boards.bucket[board, :hands]
    width = tree.buckets[street]
    rows = scratch.row[street]
    # Down the list: where the responder acted, the opponent's reach is the parent's; elsewhere times its strategy.
    rows[0] = 0
    for m in range(1, count):
        before = lists.parent[first + m]
        node = lists.node[first + before]
        if tree.player[node] == position:
            rows[m] = rows[before]
            continue
        rows[m] = m
        old = scratch.reach[street, rows[before], :hands]
        new = scratch.reach[street, m, :hands]
        start = tree.row[node] + lists.action[first + m] * width
        chances = tree.strategy[start : start + width]
        for h in range(hands):
            new[h] = old[h] * chances[bucket[h]]
    # Terminals at once for the whole list; before the last street a showdown is an all-in over all runouts.
    terminal_values(lists, tree, boards, scratch, first, count, board, position, FOLD_WIN)
    if boards.children[board] < 0:
        terminal_values(lists, tree, boards, scratch, first, count, board, position, SHOWDOWN)
    else:
        all_in_values(lists, tree, boards, scratch, first, count, board)
    frame = scratch.frame[street]
    frame[0], frame[1], frame[2], frame[3] = root, board, count - 1, -1
    return count


@kernel
def _enter_board(boards: BoardArrays, scratch: Scratch, street: int, m: int, board: int) -> None:
    """The reach of the hands that a board of the next street leaves."""
    count = boards.hands[board]
    places = boards.in_parent[board, :count]
    reach = scratch.reach[street, scratch.row[street, m]]
    below = scratch.reach[street + 1, 0, :count]
    for h in range(count):
        below[h] = reach[places[h]]


@kernel
def _leave_board(boards: BoardArrays, scratch: Scratch, street: int, m: int, board: int) -> None:
    """Add the values on a board of the next street to those before it."""
    count = boards.hands[board]
    places = boards.in_parent[board, :count]
    weight = boards.weight[board, :count]
    best, next_best = scratch.best[street, m], scratch.best[street + 1, 0, :count]
    expected, next_expected = scratch.expected[street, m], scratch.expected[street + 1, 0, :count]
    for h in range(count):
        best[places[h]] += weight[h] * next_best[h]
        expected[places[h]] += weight[h] * next_expected[h]


@kernel
def _values_at(
    lists: StreetLists,
    tree: TreeArrays,
    boards: BoardArrays,
    scratch: Scratch,
    first: int,
    m: int,
    street: int,
    board: int,
    position: int,
) -> None:
    """Values at a terminal, or at a decision whose children have theirs."""
    node = lists.node[first + m]
    hands = boards.hands[board]
    if tree.num_actions[node] > 0:
        _decision_values(lists, tree, scratch, first, m, node, boards.bucket[board, :hands], position)
        return
    scratch.expected[street, m, :hands] = scratch.best[street, m, :hands]


@kernel
def _decision_values(
    lists: StreetLists,
    tree: TreeArrays,
    scratch: Scratch,
    first: int,
    m: int,
    node: int,
    bucket: npt.NDArray[np.uint32],
    position: int,
) -> None:
    hands = len(bucket)
    street = tree.street[node]
    width = tree.buckets[street]
    best = scratch.best[street, m, :hands]
    expected = scratch.expected[street, m, :hands]
    child = lists.first_child[first + m]
    for a in range(tree.num_actions[node]):
        child_best = scratch.best[street, child + a, :hands]
        child_expected = scratch.expected[street, child + a, :hands]
        # The opponent's decision: its reach has its strategy already, so that values add up.
        if tree.player[node] != position:
            if a == 0:
                best[:] = child_best
                expected[:] = child_expected
            else:
                for h in range(hands):
                    best[h] += child_best[h]
                    expected[h] += child_expected[h]
            continue
        # The responder's own: the best child hand by hand, and the mean under its own strategy.
        start = tree.row[node] + a * width
        chances = tree.strategy[start : start + width]
        if a == 0:
            best[:] = child_best
            for h in range(hands):
                expected[h] = chances[bucket[h]] * child_expected[h]
        else:
            for h in range(hands):
                best[h] = max(best[h], child_best[h])
                expected[h] += chances[bucket[h]] * child_expected[h]
