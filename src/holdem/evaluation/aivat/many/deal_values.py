"""What blueprints win from any node of their tree with the cards of one deal, in the mean over all lines of play.

values = DealValues([policy], [buckets])
values.deal(holes, board)            # by position
values.at(node, (0, 0, 0))           # (players,) chips if policy 0 plays every position
values.shares[street, contenders]    # (players,) of a pot whose contenders are these bits
"""

from collections.abc import Sequence

import numpy as np

from holdem.blueprint.buckets import PolicyBuckets
from holdem.cards.cards import Cards
from holdem.evaluation.kernels import expected as kernels
from holdem.evaluation.kernels.match import MAX_SEATS
from holdem.evaluation.kernels.shares import shares_by_street
from holdem.evaluation.match.blueprint_match import readable, walked_tree
from holdem.mccfr.dealers import slot_strides
from holdem.mccfr.table.node_records import deepest_line
from holdem.policy.policy import AveragePolicy
from holdem.util.arrays import Float64

LIKELY = 1e-3
"""Lines that are less likely go on with one action drawn: some 700 nodes a hand instead of 5,000 or more."""


class DealValues:
    """Mean results of blueprints of one betting tree; up to six of them, each with its buckets."""

    def __init__(self, policies: Sequence[AveragePolicy], buckets: Sequence[PolicyBuckets]) -> None:
        policy = policies[0]
        config, self.tree = policy.config, policy.tree
        self.players, streets = config.num_players, config.num_streets
        self.buckets = list(buckets)
        self._board_cards = np.array(config.board_cards, dtype=np.int64)
        self._walked = walked_tree(policy)
        padded = [*policies, *[policy] * (MAX_SEATS - len(policies))]
        self._tables = tuple(readable(each.table) for each in padded)
        self._offsets = tuple(each.layout.offset for each in padded)
        self._strides = [slot_strides(each.tree, each.layout) for each in policies]
        self._rows = np.zeros((len(policies), streets * self.players), dtype=np.int64)
        self._rows_of = np.minimum(np.arange(MAX_SEATS), len(policies) - 1)
        room = room_for_lines(policy)
        self._nodes, self._reaches = np.zeros(room, dtype=np.int64), np.zeros(room)
        self._paid, self._closed = np.zeros(self.players), np.zeros((streets, 2, 1 << self.players))
        self.shares = np.zeros((streets, 1 << self.players, self.players))
        self._dealt: tuple[tuple[Cards, ...], Cards] | None = None
        self._known: dict[tuple[int, tuple[int, ...]], Float64] = {}

    def deal(self, holes: Sequence[Cards], board: Cards) -> None:
        """The cards of a deal: holes by position, the whole board. The same ones again cost nothing."""
        if (tuple(holes), board) == self._dealt:
            return
        self._dealt, self._known = (tuple(holes), board), {}
        shares_by_street(
            np.array(holes, dtype=np.uint8), np.array(board, dtype=np.uint8), self._board_cards, self.shares
        )
        for rows, strides, buckets in zip(self._rows, self._strides, self.buckets, strict=True):
            for street, shown in enumerate(self._board_cards.tolist()):
                for position, hole in enumerate(holes):
                    slot = street * self.players + position
                    if strides[slot]:  # nobody decides there, so there may be no bucket either
                        rows[slot] = strides[slot] * buckets.bucket(tuple(sorted(hole)), tuple(sorted(board[:shown])))

    def at(self, node: int, policies: tuple[int, ...]) -> Float64:
        """(players,) chips won by the end, without the luck of boards to come; `policies`: one number per position."""
        key = (node, policies)
        if key not in self._known:
            kernels.walk_lines(
                self._walked,
                self._tables,
                self._offsets,
                np.array(policies, dtype=np.int64),
                self._rows_of,
                self._rows,
                node,
                LIKELY,
                0,
                0,
                self._nodes,
                self._reaches,
                self._paid,
                self._closed,
            )
            won = np.zeros(self.players)
            kernels.settle(self._paid, self._closed, self.shares, won)
            self._known[key] = won
        return self._known[key]


def room_for_lines(policy: AveragePolicy) -> int:
    """How many lines can be open at once: the actions of every decision of the deepest line."""
    return deepest_line(policy.tree) * int(policy.tree.num_actions.max()) + 1
