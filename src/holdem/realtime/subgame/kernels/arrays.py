"""The arrays that the kernels of a solve work on."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from holdem.util.arrays import Float32, Int16, Int32, Int64


class SubgameArrays(NamedTuple):
    """One entry per node, nodes of a level (street of the subgame, 0 is the root's) in one block, parents first.

    player: (nodes,) who decides, −1 elsewhere; num_actions, first_child: (nodes,)
    storage: (nodes,) place of a decision's first action in its board's block, in floats
    row: (2, nodes) row of the opponent's reach when player p traverses
    value_row: (2, nodes) row of p's values; terminals share the rows that the lanes were turned into
    payoff: (2, nodes) float32, factor from that row to p's value: chips won or lost at terminals, 1 elsewhere
    node_start: (levels + 1,); roots: (levels,) how many nodes of a level have no parent in it
    deal_start: (levels + 1,), deals: the nodes after which cards come, in the order of the next level's roots
    all_in_start: (levels + 1,), all_ins: nodes where the board is dealt out
    sizes: (2, levels, 4) for traverser p: reach rows, showdown lanes, all lanes, value rows
    block: (levels,) floats of one board's block; player_hands: (2,) padded numbers of hands
    """

    player: npt.NDArray[np.int8]
    num_actions: Int32
    first_child: Int32
    storage: npt.NDArray[np.int64]
    row: Int32
    value_row: Int32
    payoff: npt.NDArray[np.float32]
    node_start: Int32
    roots: Int32
    deal_start: Int32
    deals: Int32
    all_in_start: Int32
    all_ins: Int32
    sizes: Int32
    block: npt.NDArray[np.int64]
    player_hands: Int32


class DealArrays(NamedTuple):
    """Tables of the kernels; boards of all levels are numbered on, the root's board is 0, siblings are neighbours.

    cards: (2, hands, 2) int32; same: (2, hands) int32, the other player's hand of the same cards, or −1
    order, free, ends, groups: showdown order of each board and how many hands it does not block, see
    `kernels.deals`
    children: (boards + 1,) int32, first child of each board
    image_start: (boards + 1,) int32, images: rows of `renamed` that make this board's cards from its class
    renamed: (2, renamings, hands) int16: the hand that each becomes
    wins: (boards of levels with all-ins, hands, hands) int16, player 0's wins less losses when the board is dealt out
    wins_of: (boards,) int32 row of `wins`, or −1; all_in_chance: (levels,) float32 of each way to deal the board out
    deal_probability: (levels,) float32 of each next card
    """

    cards: Int32
    same: Int32
    order: Int16
    free: Int32
    ends: Int16
    groups: Int32
    children: Int32
    image_start: Int32
    images: Int32
    renamed: Int16
    wins: Int16
    wins_of: Int32
    all_in_chance: Float32
    deal_probability: Float32


class MemoryMap(NamedTuple):
    """Where things are: one array `work` has all float32 scratch, one all regrets, another all averages.

    storage_start: (levels,) first entry of a level's blocks; board_start: (levels + 1,) first board of a level
    scale_start: (levels,) first of a level's scales, one for each board and node
    reach_at, values_at: (levels,) places in `work`; shared_at: (4,) of lanes, columns, per-card sums and a node's rows
    """

    storage_start: Int64
    scale_start: Int64
    board_start: Int64
    reach_at: Int64
    values_at: Int64
    shared_at: Int64


class Storage(NamedTuple):
    """What a solve learns: flat tables over (level, board, node, action, hand).

    regrets, averages: float32 or int16; scales: float32, one per board and node if they are int16, else empty
    locked: float32, of the tables' length and above 0 where a strategy is locked, or empty
    """

    regrets: Float32
    averages: Float32
    scales: Float32
    locked: Float32


class GroupArrays(NamedTuple):
    """Groups of hands on every card of a street; each board above it has as many cards, and they are neighbours.

    order: (2, cards, hands) int16, hands of each player from weak to strong; ends: (2, cards, groups) int16, where each
    group ends in that order
    places: (2, boards above, hands, cards of each) int16, the group of each hand, card of the board × (groups + 1) +
    group; blocked hands are in the last
    meet, win: (2, cards, other groups, own groups) float32, padded: shares of pairs that can meet, and wins less
    losses of those; chance: of each card for a pair of hands that it does not block
    """

    order: Int16
    ends: Int16
    places: Int16
    meet: Float32
    win: Float32
    chance: np.float32


class CheckDowns(NamedTuple):
    """What hands win on the boards of a turn if all rivers are checked down.

    Against each other two hands win what the first wins from the second's group, less what the second wins from the
    first's group, less what their groups win from each other: what is special about either hand, and nothing twice.
    order, ends: of the groups, as in GroupArrays; group_of: (2, turns, hands) int16, 0 for blocked hands
    shares: (2, turns, hands, other groups) float32, padded, what a hand wins from groups; means: (2, turns, own groups,
    other groups) float32, padded both ways, of that over the hands of a group
    stakes: (lines,) what is won or lost where the turn is closed; empty if nothing is checked down
    """

    order: Int16
    ends: Int16
    group_of: Int16
    shares: Float32
    means: Float32
    stakes: Float32
