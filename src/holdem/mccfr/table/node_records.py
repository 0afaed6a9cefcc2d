"""Packs a betting tree and its row layout into the records of `mccfr.kernels.node_records`."""

import numpy as np

from holdem.abstraction.betting.row_layout import RowLayout
from holdem.abstraction.betting.tree import ActionCode, BettingTree, NodeKind
from holdem.errors import ConfigError
from holdem.mccfr.kernels.node_records import (
    FIELDS,
    LAST_STREET,
    OFFERS_FOLD,
    PLAYER_SHIFT,
    SLOT_SHIFT,
    Settlement,
)
from holdem.util.arrays import Int32, Int64


def pack_nodes(tree: BettingTree, layout: RowLayout, unit: int) -> Int32:
    """The records of a tree, (nodes * 4,) int32."""
    largest = int(tree.chips_in.sum(axis=1, dtype=np.int64).max()) * unit
    if largest > np.iinfo(np.int32).max:
        raise ConfigError(
            f"{tree.config.name} has up to {largest // unit:,} chips in the pot, and training counts to "
            f"{np.iinfo(np.int32).max // unit:,}; divide all chips by a common factor"
        )
    records = np.zeros((tree.num_nodes, FIELDS), dtype=np.int32)
    decisions = np.flatnonzero(tree.kind == NodeKind.DECISION)
    terminals = np.flatnonzero(tree.kind != NodeKind.DECISION)
    _pack_decisions(tree, layout, unit, decisions, records)
    if tree.num_players == 2:
        _pack_headsup_terminals(tree, unit, terminals, records)
    else:
        _pack_terminals(tree, unit, terminals, records)
    records.setflags(write=False)
    return records.reshape(-1)


def slots_of(tree: BettingTree, nodes: Int64) -> Int64:
    """street * players + player of decision nodes."""
    return tree.street[nodes].astype(np.int64) * tree.num_players + tree.player[nodes]


def slot_starts(tree: BettingTree, layout: RowLayout) -> Int64:
    """(slots,) where the block of each slot begins in the table; 0 for one without decisions."""
    starts = np.zeros(tree.config.num_streets * tree.num_players, dtype=np.int64)
    nodes = np.flatnonzero(tree.kind == NodeKind.DECISION)
    slots, first = np.unique(slots_of(tree, nodes), return_index=True)
    starts[slots] = layout.offset[nodes[first]]
    return starts


def _pack_decisions(tree: BettingTree, layout: RowLayout, unit: int, nodes: Int64, records: Int32) -> None:
    player, slot = tree.player[nodes].astype(np.int64), slots_of(tree, nodes)
    first_child = tree.first_child[nodes]
    head = tree.num_actions[nodes].astype(np.int64) | player << PLAYER_SHIFT | slot << SLOT_SHIFT
    head |= np.where(tree.street[nodes] == tree.config.num_streets - 1, LAST_STREET, 0)
    head |= np.where(tree.action[first_child] == ActionCode.FOLD, OFFERS_FOLD, 0)
    records[nodes, 0] = first_child
    records[nodes, 1] = head
    records[nodes, 2] = layout.offset[nodes] - slot_starts(tree, layout)[slot]
    records[nodes, 3] = -tree.chips_in[nodes, player].astype(np.int64) * unit


def _pack_headsup_terminals(tree: BettingTree, unit: int, nodes: Int64, records: Int32) -> None:
    chips = tree.chips_in[nodes].astype(np.int64) * unit
    at_stake = chips.min(axis=1)
    first_folded, second_folded = tree.folded[nodes] & 1 == 1, tree.folded[nodes] & 2 == 2
    records[nodes, 0] = -1 - Settlement.HEADSUP
    for field, showdown in ((1, at_stake), (2, np.zeros_like(at_stake)), (3, -at_stake)):
        records[nodes, field] = np.where(first_folded, -chips[:, 0], np.where(second_folded, chips[:, 1], showdown))


def _pack_terminals(tree: BettingTree, unit: int, nodes: Int64, records: Int32) -> None:
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
    records[nodes, 3] = np.where(settlement == Settlement.SIDE_POTS, 0, most * unit)


def deepest_line(tree: BettingTree) -> int:
    """Decisions on the longest path of the tree: how deep a traversal can stand."""
    depth, nodes = 0, tree.parent[tree.parent >= 0]
    while len(nodes):
        depth += 1
        nodes = tree.parent[nodes[nodes > 0]]
    return depth
