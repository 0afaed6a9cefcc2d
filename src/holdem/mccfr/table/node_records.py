"""Packs a betting tree and its row layout into the records of `mccfr.kernels.node_records`."""

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.row_layout import RowLayout
from holdem.abstraction.betting.tree import ActionCode, BettingTree, NodeKind
from holdem.mccfr.kernels.node_records import (
    ACTIONS_SHIFT,
    FIELDS,
    LAST_STREET,
    OFFERS_FOLD,
    PLAYER_SHIFT,
    Settlement,
)


def pack_nodes(tree: BettingTree, layout: RowLayout, unit: int) -> npt.NDArray[np.int64]:
    """The records of a tree, (nodes * 4,) int64."""
    records = np.zeros((tree.num_nodes, FIELDS), dtype=np.int64)
    decisions = np.flatnonzero(tree.kind == NodeKind.DECISION)
    terminals = np.flatnonzero(tree.kind != NodeKind.DECISION)
    _pack_decisions(tree, layout, unit, decisions, records)
    if tree.num_players == 2:
        _pack_headsup_terminals(tree, unit, terminals, records)
    else:
        _pack_terminals(tree, unit, terminals, records)
    records.setflags(write=False)
    return records.reshape(-1)


def _pack_decisions(
    tree: BettingTree,
    layout: RowLayout,
    unit: int,
    nodes: npt.NDArray[np.int64],
    records: npt.NDArray[np.int64],
) -> None:
    player = tree.player[nodes].astype(np.int64)
    street = tree.street[nodes].astype(np.int64)
    first_child = tree.first_child[nodes].astype(np.int64)
    head = first_child | tree.num_actions[nodes].astype(np.int64) << ACTIONS_SHIFT | player << PLAYER_SHIFT
    head |= np.where(street == tree.config.num_streets - 1, LAST_STREET, 0)
    head |= np.where(tree.action[first_child] == ActionCode.FOLD, OFFERS_FOLD, 0)
    records[nodes, 0] = head
    records[nodes, 1] = layout.offset[nodes]
    records[nodes, 2] = street * tree.num_players + player
    records[nodes, 3] = -tree.chips_in[nodes, player].astype(np.int64) * unit


def _pack_headsup_terminals(
    tree: BettingTree, unit: int, nodes: npt.NDArray[np.int64], records: npt.NDArray[np.int64]
) -> None:
    chips = tree.chips_in[nodes].astype(np.int64) * unit
    at_stake = chips.min(axis=1)
    first_folded, second_folded = tree.folded[nodes] & 1 == 1, tree.folded[nodes] & 2 == 2
    records[nodes, 0] = -1 - Settlement.HEADSUP
    for field, showdown in ((1, at_stake), (2, np.zeros_like(at_stake)), (3, -at_stake)):
        records[nodes, field] = np.where(first_folded, -chips[:, 0], np.where(second_folded, chips[:, 1], showdown))


def _pack_terminals(tree: BettingTree, unit: int, nodes: npt.NDArray[np.int64], records: npt.NDArray[np.int64]) -> None:
    positions = np.arange(tree.num_players)
    still_in = (tree.folded[nodes][:, None] >> positions & 1) == 0
    chips = tree.chips_in[nodes].astype(np.int64)
    most = np.where(still_in, chips, 0).max(axis=1)
    least = np.where(still_in, chips, np.iinfo(np.int64).max).min(axis=1)
    settlement = np.where(most == least, Settlement.ONE_POT, Settlement.SIDE_POTS)
    settlement[tree.kind[nodes] == NodeKind.FOLD_WIN] = Settlement.FOLD_WIN
    records[nodes, 0] = -1 - settlement
    records[nodes, 1] = chips.sum(axis=1) * unit
    records[nodes, 2] = tree.folded[nodes]


def deepest_line(tree: BettingTree) -> int:
    """Decisions on the longest path of the tree: how deep a traversal can stand."""
    depth, nodes = 0, tree.parent[tree.parent >= 0]
    while len(nodes):
        depth += 1
        nodes = tree.parent[nodes[nodes > 0]]
    return depth
