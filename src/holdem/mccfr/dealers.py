"""Who deals: a list of deals (Kuhn, Leduc, any small game), lossless short-rank hold'em, or bucketed hold'em.

All have one shape: `deal(seed, first, rows, strengths)` fills one line of both arrays for each iteration from `first`
on (see `kernels.deal`).
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.row_layout import RowLayout
from holdem.abstraction.betting.tree import BettingTree
from holdem.cards.suit_index import INDEX_SIZES
from holdem.errors import ConfigError
from holdem.game.toy_games import ToyGame, bucket_of, deals
from holdem.mccfr.kernels import deal as kernels
from holdem.mccfr.table.node_records import slots_of
from holdem.util.arrays import Int64


class Dealer(Protocol):
    """Deals hands by iteration number."""

    def deal(self, seed: int, first: int, rows: Int64, strengths: Int64) -> None:
        """Fill rows (iterations, slots) and strengths (iterations, players) for iterations from `first` on."""


class Bucketing(Protocol):
    """What training needs of a card abstraction: see `holdem.abstraction.bucketing`."""

    @property
    def buckets_per_street(self) -> tuple[int, ...]:
        """Buckets before the flop (169) and on each later street."""

    @property
    def tables(self) -> tuple[npt.NDArray[np.uint8] | npt.NDArray[np.uint16], ...]:
        """Bucket by hand index on the flop, the turn and the river."""

    @property
    def content_hash(self) -> str:
        """Changes when any bucket does."""


def slot_strides(tree: BettingTree, layout: RowLayout) -> Int64:
    """Distance between neighbouring buckets of each slot (street * players + player), 0 without decisions."""
    strides = np.zeros(tree.config.num_streets * tree.num_players, dtype=np.int64)
    nodes = np.flatnonzero(tree.player >= 0)
    strides[slots_of(tree, nodes)] = layout.stride[nodes]
    return strides


class ListDealer:
    """Draws from a list of equally likely deals: deal_rows (deals, slots), deal_strengths (deals, players)."""

    def __init__(self, deal_rows: Int64, deal_strengths: Int64) -> None:
        self.deal_rows = np.ascontiguousarray(deal_rows, dtype=np.int64)
        self.deal_strengths = np.ascontiguousarray(deal_strengths, dtype=np.int64)
        self._state = np.zeros(2, dtype=np.uint64)

    def deal(self, seed: int, first: int, rows: Int64, strengths: Int64) -> None:
        kernels.deal_listed(seed, first, self.deal_rows, self.deal_strengths, self._state, rows, strengths)


class LosslessDealer:
    """Short-rank hold'em, every view of the cards its own bucket."""

    def __init__(self, cards: Sequence[int], board_cards: Sequence[int], strides: Int64) -> None:
        self._cards, self._board_cards = np.array(cards, np.int64), np.array(board_cards, np.int64)
        self._strides, self._state = strides, np.zeros(2, dtype=np.uint64)

    def deal(self, seed: int, first: int, rows: Int64, strengths: Int64) -> None:
        kernels.deal_lossless(seed, first, self._cards, self._board_cards, self._strides, self._state, rows, strengths)


class HoldemDealer:
    """Hold'em with 52 cards and buckets from tables."""

    def __init__(
        self, board_cards: Sequence[int], streets_used: int, strides: Int64, tables: kernels.BucketTables
    ) -> None:
        self._board_cards, self._streets_used = np.array(board_cards, np.int64), streets_used
        self._strides, self.tables = strides, tables
        self._state = np.zeros(2, dtype=np.uint64)

    def deal(self, seed: int, first: int, rows: Int64, strengths: Int64) -> None:
        kernels.deal_holdem(
            seed,
            first,
            self._board_cards,
            self._streets_used,
            self._strides,
            self.tables,
            self._state,
            rows,
            strengths,
        )


def list_dealer(game: ToyGame, strides: Int64) -> ListDealer:
    """All deals of a small game, with lossless buckets."""
    deal_rows, deal_strengths = [], []
    for deal in deals(game):
        boards = [deal.board[:size] for size in game.config.board_cards]
        buckets = [bucket_of(game, hole, board) for board in boards for hole in deal.holes]
        deal_rows.append(strides * np.array(buckets))
        deal_strengths.append([game.strength(hole, deal.board) for hole in deal.holes])
    return ListDealer(np.array(deal_rows), np.array(deal_strengths))


def bucket_tables(tables: Sequence[npt.NDArray[np.integer]], streets_used: int) -> kernels.BucketTables:
    """Bucket tables as the dealer reads them; a ConfigError if one that is needed is missing or of a wrong size.

    A file that is mapped stays mapped. All come out as read-only bytes, so that the kernel is compiled once.
    """
    columns, widths = [], np.ones(3, dtype=np.int64)
    for street in range(1, 4):
        table: npt.NDArray[np.integer] = np.zeros(0, dtype=np.uint8)
        if street < streets_used:
            if street > len(tables) or len(tables[street - 1]) != INDEX_SIZES[street + 2]:
                raise ConfigError(
                    f"the buckets do not cover street {street} of this game; build them with: holdem buckets build"
                )
            table = np.asarray(tables[street - 1])
            if table.dtype not in (np.uint8, np.uint16):
                raise ConfigError(f"a bucket table of {table.dtype} cannot be read; it must be uint8 or uint16")
        widths[street - 1] = table.dtype.itemsize
        column = np.ascontiguousarray(table).view(np.uint8)
        column.setflags(write=False)
        columns.append(column)
    return kernels.BucketTables(columns[0], columns[1], columns[2], widths)
