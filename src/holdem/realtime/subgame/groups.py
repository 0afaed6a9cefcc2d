"""The rivers of a turn in groups of hands, with exact hands on the turn.

An iteration goes through 48 × 16 groups below the turn instead of 48 × 1,081 hands. `docs/solver.md` has what it takes,
and what the turn strategy loses by it.
"""

from dataclasses import dataclass

import numpy as np

from holdem.cards import NUM_CARDS
from holdem.cards.cards import HOLE_CARDS, NUM_HOLE_PAIRS
from holdem.realtime.subgame.deals import CardTables, Hands, same_hands
from holdem.realtime.subgame.flat_tree import FlatTree, flatten, padded
from holdem.realtime.subgame.kernels.arrays import GroupArrays, MemoryMap
from holdem.realtime.subgame.kernels.deals import hand_strengths
from holdem.realtime.subgame.kernels.groups import cut_into_groups, fill_payoffs, order_by_group
from holdem.realtime.subgame.plan import plan_memory
from holdem.realtime.subgame.spot import Spot
from holdem.realtime.subgame.tree import Node
from holdem.util.arrays import Float32, Float64, Int16, Int32, Int64

POWER = 1.3
"""Strong hands get finer groups, see `kernels.groups.cut_into_groups`."""


def make_groups(board: tuple[int, ...], hands: Hands, weights: tuple[Float64, Float64], groups: int) -> GroupArrays:
    """Groups of both players' hands on all rivers of a turn, and what they win from each other."""
    rivers = [card for card in range(NUM_CARDS) if card not in board]
    boards = np.array([[*board, card] for card in rivers], dtype=np.int32)
    either = np.union1d(hands[0], hands[1])
    mass = np.zeros(NUM_HOLE_PAIRS)
    for own, weight in zip(hands, weights, strict=True):
        mass[own] += weight / weight.sum()
    strengths = _strengths(boards, either)
    group_of = np.zeros_like(strengths)
    cut_into_groups(strengths, mass[either].astype(np.float32), POWER, groups, group_of)
    count = int(group_of.max()) + 1
    widest = max(padded(len(own)) for own in hands)
    order = np.zeros((2, len(rivers), widest), dtype=np.int16)
    ends = np.zeros((2, len(rivers), count), dtype=np.int16)
    own_strengths = []
    for player, own in enumerate(hands):
        places = np.searchsorted(either, own)
        own_strengths.append(np.ascontiguousarray(strengths[:, places]))
        order_by_group(own_strengths[player], np.ascontiguousarray(group_of[:, places]), order[player], ends[player])
    meet = np.zeros((2, len(rivers), count, padded(count)), dtype=np.float32)
    win = np.zeros_like(meet)
    cards, same = [HOLE_CARDS[own].astype(np.int32) for own in hands], same_hands(hands)
    for me, other in ((0, 1), (1, 0)):
        fill_payoffs(
            own_strengths[me], own_strengths[other], order[me], ends[me], order[other], ends[other], cards[me],
            cards[other], same[me], weights[me], weights[other], meet[me], win[me],
        )  # fmt: skip
    return GroupArrays(order, ends, meet, win, np.float32(1.0 / (len(rivers) - 4)))


def _strengths(boards: Int32, hands: Int64) -> Int16:
    strengths = np.zeros((len(boards), len(hands)), dtype=np.int16)
    hand_strengths(boards, HOLE_CARDS[hands].astype(np.int32), strengths)
    return strengths


@dataclass
class GroupedRivers:
    """The rivers of a turn in groups: the same betting tree over groups, its place in the tables, scratch memory.

    columns: (2, floats) reach and values of hands by line
    """

    tree: FlatTree
    memory: MemoryMap
    groups: GroupArrays
    entries: int
    work: Float32
    columns: Float32


def group_rivers(root: Node, spot: Spot, turn: FlatTree, deals: CardTables, groups: int, first: int) -> GroupedRivers:
    """Put the hands of every river of a spot into groups; the tables of the rivers begin at entry `first`."""
    made = make_groups(spot.board, deals.hands, deals.weights, groups)
    count = made.ends.shape[2]
    tree = flatten(root, spot.pot, (count, count))
    plan = plan_memory(tree, [0, made.ends.shape[1]], compressed=False)
    lines = padded(max(1, int(turn.arrays.deal_start[1])))
    return GroupedRivers(
        tree=tree,
        memory=plan.places._replace(storage_start=plan.places.storage_start + first),
        groups=made,
        entries=plan.entries,
        work=np.zeros(plan.work_floats, dtype=np.float32),
        columns=np.zeros((2, 2 * int(turn.arrays.player_hands.max()) * lines), dtype=np.float32),
    )
