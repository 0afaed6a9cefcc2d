"""Compiled mean results of a deal: all lines of play at once, each as likely as the players' strategies make it.

The cards of a deal are fixed, the board included; nobody sees more of it than has been dealt, so what players do on it
is known. Lines are followed with every action while they are likely; a line less likely than the threshold goes on with
one drawn action, so that time is bounded and the mean stays.

What a line wins is kept apart by pot: `paid`, and `closed` chips by the street on which its betting closed, whether
play went on, and the contenders. So the luck of the board can be told: a pot that closes on a street is worth its
all-in shares there (`kernels.shares`), and the change of these shares when the next cards come has the mean zero.
"""

import numpy as np
import numpy.typing as npt

from holdem.abstraction.kernels.payoffs import NOBODY
from holdem.evaluation.kernels.match import WalkedTree, chosen_action
from holdem.evaluation.kernels.shares import shares_by_street
from holdem.mccfr.kernels.deal import draw_card
from holdem.policy.kernels.played import played_total, played_weight, row_total
from holdem.util.arrays import Float64, Int32, Int64, UInt8, UInt64
from holdem.util.jit import inline_kernel, kernel
from holdem.util.kernels.random_numbers import seed_stream, split_mix

GOES_ON, SHOWDOWN = 0, 1
"""What follows when the betting of a street closes."""


@kernel
def deal_cards(seed: int, first: int, state: UInt64, holes: UInt8, boards: UInt8) -> None:
    """The cards of `mccfr.kernels.deal.deal_holdem`. holes: (deals, players, 2); boards: (deals, 5)"""
    for i in range(holes.shape[0]):
        seed_stream(state, seed, 2 * (first + i))
        dealt = 0
        for player in range(holes.shape[1]):
            for j in range(2):
                card = draw_card(state, 52, dealt)
                dealt |= 1 << card
                holes[i, player, j] = card
        for j in range(boards.shape[1]):
            card = draw_card(state, 52, dealt)
            dealt |= 1 << card
            boards[i, j] = card


@inline_kernel
def _draw_at(seed: int, deal: int, node: int) -> float:
    """The number in [0, 1) of a node, for lines that are drawn."""
    bits = split_mix(split_mix(split_mix(np.uint64(seed)) ^ np.uint64(deal)) ^ np.uint64(node + 1))
    return np.float64(bits >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def add_pots(chips_in: Int32, folded: int, weight: float, pots: Float64) -> None:
    """Add the main pot and the side pots of chips put in, times a weight, by contenders. pots: (2 ** players,)

    As `abstraction.kernels.payoffs`: a layer reaches to the next total of a contender, the topmost takes all above.
    """
    count = chips_in.shape[0]
    deepest = 0
    for p in range(count):
        if not (folded >> p) & 1:
            deepest = max(deepest, chips_in[p])
    low = 0
    while low < NOBODY:
        high = NOBODY
        for p in range(count):
            if not (folded >> p) & 1 and chips_in[p] > low:
                high = min(high, chips_in[p])
        top = NOBODY if high >= deepest else high
        layer, contenders = 0, 0
        for p in range(count):
            layer += min(max(chips_in[p] - low, 0), top - low)
            if not (folded >> p) & 1 and chips_in[p] >= min(high, deepest):
                contenders |= 1 << p
        pots[contenders] += weight * layer
        low = top


@kernel
def walk_lines(
    tree: WalkedTree,
    tables: tuple[npt.NDArray[np.uint16], ...],
    offsets: tuple[Int64, ...],
    agents: Int64,
    rows_of: Int64,
    rows: Int64,
    start: int,
    threshold: float,
    seed: int,
    deal: int,
    nodes: Int64,
    reaches: Float64,
    paid: Float64,
    closed: Float64,
) -> int:
    """Follow all lines from the node `start`; returns the number of nodes visited.

    tables, offsets: of the policies; agents: (players,) whose policy plays each position; rows_of: (agents,) which rows
    it reads; rows: (dealers, slots), buckets times strides; nodes, reaches: room for open lines; paid: (players,) and
    closed: (streets, 2, 2 ** players) are set here
    """
    players = paid.shape[0]
    paid[:] = 0.0
    closed[:] = 0.0
    nodes[0], reaches[0] = start, 1.0
    open_lines, visited = 1, 0
    while open_lines > 0:
        open_lines -= 1
        visited += 1
        node, reach = nodes[open_lines], reaches[open_lines]
        street, count = int(tree.street[node]), int(tree.num_actions[node])
        if count == 0:
            for p in range(players):
                paid[p] += reach * tree.chips_in[node, p]
            add_pots(tree.chips_in[node], int(tree.folded[node]), reach, closed[street, SHOWDOWN])
            continue
        position, passive, first = int(tree.player[node]), int(tree.num_passive[node]), int(tree.first_child[node])
        agent = agents[position]
        row = offsets[agent][node] + rows[rows_of[agent], street * players + position]
        total = row_total(tables[agent], row, count)
        whole = played_total(passive, total)
        drawn = -1
        if reach < threshold:
            drawn = chosen_action(tables[agent], row, count, passive, _draw_at(seed, deal, node))
        for a in range(count):
            chance = played_weight(tables[agent], row, a, passive, total) / whole
            if drawn >= 0:
                chance = 1.0 if a == drawn else 0.0
            if chance > 0.0:
                child = first + a
                nodes[open_lines], reaches[open_lines] = child, reach * chance
                open_lines += 1
                if tree.num_actions[child] > 0 and tree.street[child] > street:
                    add_pots(tree.chips_in[child], int(tree.folded[child]), reach * chance, closed[street, GOES_ON])
    return visited


@kernel
def settle(paid: Float64, closed: Float64, shares: Float64, out: Float64) -> None:
    """Add what every position wins without the luck of the board. shares: (streets, 2 ** players, players)

    A pot that closes on a street is worth its shares there; if play goes on, the next street takes it over from its
    own shares. Telescoped, that is the result less the change of the shares at every deal.
    """
    streets, _, groups = closed.shape
    for p in range(paid.shape[0]):
        out[p] -= paid[p]
    for street in range(streets):
        for group in range(1, groups):
            goes_on, over = closed[street, GOES_ON, group], closed[street, SHOWDOWN, group]
            if goes_on > 0.0 or over > 0.0:
                for p in range(paid.shape[0]):
                    out[p] += (goes_on + over) * shares[street, group, p]
                    if goes_on > 0.0:
                        out[p] -= goes_on * shares[street + 1, group, p]


@kernel
def expect_deals(
    tree: WalkedTree,
    tables: tuple[npt.NDArray[np.uint16], ...],
    offsets: tuple[Int64, ...],
    rows_of: Int64,
    rows: Int64,
    holes: UInt8,
    boards: UInt8,
    board_cards: Int64,
    threshold: float,
    seed: int,
    first: int,
    room: int,
    out: Float64,
) -> int:
    """Add the mean results of each agent over all rotations of deals from `first` on to `out: (deals, agents)`.

    rows: (dealers, deals, slots); holes: (deals, players, 2); boards: (deals, 5); room: for open lines. Returns the
    number of nodes visited.
    """
    deals, players = out.shape
    streets = board_cards.shape[0]
    nodes, reaches = np.zeros(room, dtype=np.int64), np.zeros(room)
    paid, closed = np.zeros(players), np.zeros((streets, 2, 1 << players))
    shares = np.zeros((streets, 1 << players, players))
    agents, won = np.zeros(players, dtype=np.int64), np.zeros(players)
    visited = 0
    for i in range(deals):
        shares_by_street(holes[i], boards[i], board_cards, shares)
        for shift in range(players):
            for position in range(players):
                agents[position] = (position + shift) % players
            visited += walk_lines(
                tree,
                tables,
                offsets,
                agents,
                rows_of,
                rows[:, i],
                0,
                threshold,
                seed,
                first + i,
                nodes,
                reaches,
                paid,
                closed,
            )
            won[:] = 0.0
            settle(paid, closed, shares, won)
            for position in range(players):
                out[i, agents[position]] += won[position]
    return visited
