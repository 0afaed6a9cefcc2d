"""What a solver keeps about a street in groups: its tree over groups, its place in the tables, scratch memory."""

from dataclasses import dataclass

import numpy as np

from holdem.errors import ConfigError
from holdem.realtime.subgame.boards import BoardTree
from holdem.realtime.subgame.deals import CardTables
from holdem.realtime.subgame.flat_tree import FlatTree, flatten, padded
from holdem.realtime.subgame.groups.rivers import drawn_river_groups, river_groups
from holdem.realtime.subgame.groups.turns import MOST_RIVERS, drawn_boards, drawn_pairs, turn_check_downs, turn_groups
from holdem.realtime.subgame.kernels.arrays import CheckDowns, GroupArrays, MemoryMap
from holdem.realtime.subgame.plan import plan_memory
from holdem.realtime.subgame.spot import Spot
from holdem.realtime.subgame.tree import Node
from holdem.util.arrays import Float32, Int32

FLOP, TURN, RIVER = 1, 2, 3


@dataclass(frozen=True)
class StreetGroups:
    """Which street has its hands in groups.

    Of a turn it is the river. Of a flop it is the turn, and rivers are checked down; or, with `rivers`, hands are exact
    on the turn too, and so many rivers are drawn below each turn, have bets, and their hands in groups.
    """

    groups: int = 16
    runouts: int = MOST_RIVERS
    """Of a flop: rivers below each turn that a check-down is the mean of."""
    rivers: int = 0

    def check(self, spot: Spot, compressed: bool) -> None:
        """Refuse what cannot be grouped."""
        if spot.street == RIVER or compressed:
            raise ConfigError("groups of hands are for the streets after a flop or a turn, with 32-bit tables")

    def exact_streets(self, spot: Spot) -> int:
        """Streets whose hands stay exact."""
        return 2 if spot.street == FLOP and self.rivers else 1

    def last_street(self, spot: Spot) -> int:
        """The last street with bets."""
        return spot.street + self.exact_streets(spot)

    def cards(self, spot: Spot, boards: BoardTree) -> int:
        """Cards of the grouped street, over all boards above it."""
        return boards.level_sizes[1] * self.rivers if self.exact_streets(spot) > 1 else 52 - len(spot.board)

    def drawn(self, spot: Spot) -> Int32 | None:
        """(boards, 5): what a flop is dealt out to; None where everything is dealt."""
        return drawn_boards(spot.board, drawn_pairs(spot.board, self.runouts)) if spot.street == FLOP else None


@dataclass
class GroupedStreet:
    """The same betting tree as the solver's, over groups.

    Scratch memory has a row for each thread. columns: (threads, 2, floats) reach and values of hands by line; found:
    (threads, floats) what groups are worth, as `visit_cards` leaves it
    """

    tree: FlatTree
    memory: MemoryMap
    groups: GroupArrays
    downs: CheckDowns
    entries: int
    work: Float32
    columns: Float32
    found: Float32


def open_street(
    grouping: StreetGroups,
    root: Node,
    spot: Spot,
    above: FlatTree,
    boards: BoardTree,
    deals: CardTables,
    first: int,
    threads: int,
) -> GroupedStreet:
    """The grouped street below the exact ones of `above`; its tables begin at entry `first`."""
    exact = grouping.exact_streets(spot)
    groups, downs = _groups_and_downs(grouping, spot, above, boards, deals)
    count = groups.ends.shape[2]
    tree = flatten(root, spot.pot, (count, count))
    plan = plan_memory(tree, [0] * exact + [groups.ends.shape[1]], compressed=False)
    arrays = above.arrays
    most = max(int(np.diff(starts)[exact - 1]) for starts in (arrays.deal_start, arrays.all_in_start))
    lines = padded(max(1, most))
    return GroupedStreet(
        tree=tree,
        memory=plan.places._replace(storage_start=plan.places.storage_start + first),
        groups=groups,
        downs=downs,
        entries=plan.entries,
        work=np.zeros((threads, plan.work_floats), dtype=np.float32),
        columns=np.zeros((threads, 2, 2 * int(arrays.player_hands.max()) * lines), dtype=np.float32),
        found=np.zeros((threads, groups.places.shape[3] * (count + 1) * lines), dtype=np.float32),
    )


def _groups_and_downs(
    grouping: StreetGroups, spot: Spot, above: FlatTree, boards: BoardTree, deals: CardTables
) -> tuple[GroupArrays, CheckDowns]:
    board, hands, weights = spot.board, deals.hands, deals.weights
    if spot.street == TURN:
        return river_groups(board, hands, weights, grouping.groups), _NOTHING
    pairs = drawn_pairs(board, grouping.runouts)
    if not grouping.rivers:
        return turn_groups(board, pairs, hands, weights, grouping.groups), _NOTHING
    turns = [b.dealt[0] for b in boards.boards[boards.level_start[1] : boards.level_start[2]]]
    arrays = above.arrays
    closing = arrays.deals[arrays.deal_start[1] : arrays.deal_start[2]]
    stakes = np.array([spot.pot / 2 + above.nodes[node].chips_in[0] for node in closing], dtype=np.float32)
    downs = turn_check_downs(board, pairs, turns, hands, weights, grouping.groups, stakes)
    on_turns = [(*board, card) for card in turns]
    return drawn_river_groups(on_turns, grouping.rivers, hands, weights, grouping.groups), downs


_NOTHING = CheckDowns(
    np.zeros((2, 0, 0), dtype=np.int16), np.zeros((2, 0, 0), dtype=np.int16), np.zeros((2, 0, 0), dtype=np.int16),
    np.zeros((2, 0, 0, 0), dtype=np.float32), np.zeros((2, 0, 0, 0), dtype=np.float32), np.zeros(0, dtype=np.float32),
)  # fmt: skip
