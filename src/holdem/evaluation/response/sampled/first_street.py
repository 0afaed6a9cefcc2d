"""The betting before the flop, all hands at once: the opponent's reach at its end, and values brought back from there.

Values of a hand are sums over the opponent's hands of reach times payoff. From sampled flops they are the mean over the
flops that the hand is not part of; where the strategy before the flop treats suits alike, all hands of a class share
their flops, since renaming the suits of a flop gives one that is as likely.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.tree import NodeKind
from holdem.cards.cards import HOLE_CARDS, HOLE_MASKS, NUM_HOLE_PAIRS, Cards
from holdem.cards.preflop_equity import preflop_equities
from holdem.cards.ranges import CLASS_OF_HOLE
from holdem.errors import ConfigError
from holdem.evaluation.kernels.sampled import StreetLists, TreeArrays, fill_edges
from holdem.types import GameConfig
from holdem.util.arrays import Float64, Int64

RUNOUTS_LIMIT = 30_000
"""Boards that are listed for an all-in before the flop; a whole deck has a table instead."""


@dataclass(frozen=True)
class Values:
    """What a position wins, chips a hand: with its best response, and with its own strategy.

    by_flop: (2, flops) the same two as each flop by itself says, all with the same play before the flop.
    """

    best: float
    expected: float
    by_flop: Float64


class FirstStreet:
    """Betting before the flop of one strategy. `classes`: (1326,) hands that share their flops, or None."""

    def __init__(
        self,
        tree: TreeArrays,
        lists: StreetLists,
        config: GameConfig,
        deck: Cards,
        buckets: Int64,
        classes: npt.NDArray[np.integer] | None,
    ) -> None:
        self.tree, self.config, self.deck = tree, config, deck
        members = slice(int(lists.start[0]), int(lists.start[1]))
        self.nodes, self.parent = lists.node[members].tolist(), lists.parent[members].tolist()
        self.first_child, self.action = lists.first_child[members].tolist(), lists.action[members].tolist()
        roots = lists.root[members]
        self.closing_places = np.flatnonzero(roots >= 0).tolist()
        self.closings = roots[self.closing_places]
        """(closings,) the roots of the betting on the flop."""
        self.holes = np.flatnonzero(buckets >= 0)
        self.buckets = buckets[self.holes]
        self.groups = np.arange(len(self.holes)) if classes is None else classes[self.holes].astype(np.int64)

    def reach(self, position: int) -> Float64:
        """(closings, 1326) how likely a position plays with each hand to where the betting on the flop begins."""
        table = np.zeros((len(self.closings), NUM_HOLE_PAIRS))
        reaches = self._reaches(position)
        for number, place in enumerate(self.closing_places):
            table[number, self.holes] = reaches[place]
        return table

    def combine(self, position: int, flops: Sequence[Cards], values: Float64) -> Values:
        """A position's values of the whole game; values: (flops, 2, closings, 1326) best response and own strategy."""
        opponent = self._reaches(1 - position)
        pair_chance = 1.0 / (len(self.holes) * comb(len(self.deck) - 2, 2))
        shares = self._flop_shares(flops)
        totals, by_flop = [], np.zeros((2, len(flops)))
        for kind in (0, 1):
            on_flops = values[:, kind][:, :, self.holes]
            closing = self._sums_of_groups(on_flops.sum(axis=0) * shares)
            total, own = self._walk(position, opponent, closing, best=kind == 0)
            weight = self._sums_of_groups(own) * shares
            elsewhere = float(total.sum()) - float((own * closing).sum())
            totals.append(float(total.sum()) * pair_chance)
            each = np.einsum("frh,rh->f", on_flops, weight) * len(flops)
            by_flop[kind] = (elsewhere + each) * pair_chance
        return Values(totals[0], totals[1], by_flop)

    def _probabilities(self, place: int) -> Float64:
        """(actions, hands) of the strategy at a decision."""
        node = self.nodes[place]
        start, width = int(self.tree.row[node]), int(self.tree.buckets[0])
        rows = self.tree.strategy[start : start + int(self.tree.num_actions[node]) * width]
        table: Float64 = rows.reshape(-1, width)[:, self.buckets].astype(np.float64)
        return table

    def _reaches(self, position: int) -> list[Float64]:
        """(hands,) by node: how likely `position` plays there."""
        reaches = [np.ones(len(self.holes))]
        for place in range(1, len(self.nodes)):
            before = self.parent[place]
            reach = reaches[before]
            if self.tree.player[self.nodes[before]] == position:
                reach = reach * self._probabilities(before)[self.action[place]]
            reaches.append(reach)
        return reaches

    def _walk(self, position: int, opponent: list[Float64], closing: Float64, best: bool) -> tuple[Float64, Float64]:
        """(hands,) values at the root, and (closings, hands) how the position plays to the flop."""
        values: dict[int, Float64] = dict(zip(self.closing_places, closing, strict=True))
        plays: dict[int, Float64] = {}
        for place in range(len(self.nodes) - 1, -1, -1):
            node = self.nodes[place]
            if place in values:
                continue
            if self.tree.kind[node] != NodeKind.DECISION:
                values[place] = self._terminal(node, position, opponent[place])
                continue
            first = self.first_child[place]
            table = np.stack([values[first + action] for action in range(int(self.tree.num_actions[node]))])
            if self.tree.player[node] != position:
                values[place] = table.sum(axis=0)
                continue
            plays[place] = np.eye(len(table))[table.argmax(axis=0)].T if best else self._probabilities(place)
            values[place] = (plays[place] * table).sum(axis=0)
        reaches = [np.ones(len(self.holes))]
        for place in range(1, len(self.nodes)):
            before = self.parent[place]
            reaches.append(reaches[before] * plays[before][self.action[place]] if before in plays else reaches[before])
        own = np.array([reaches[place] for place in self.closing_places]).reshape(len(self.closings), len(self.holes))
        return values[0], own

    def _terminal(self, node: int, position: int, reach: Float64) -> Float64:
        chips = self.tree.chips_in[node]
        if self.tree.kind[node] == NodeKind.SHOWDOWN:
            won: Float64 = self._edges @ reach * float(chips.min())
            return won
        lost = (int(self.tree.folded[node]) >> position) & 1
        met: Float64 = self._disjoint @ reach
        return met * float(-chips[position] if lost else chips[1 - position])

    @cached_property
    def _disjoint(self) -> Float64:
        """(hands, hands) 1 where two hands share no card."""
        masks = HOLE_MASKS[self.holes]
        return np.where((masks[:, None] & masks[None, :]) == 0, 1.0, 0.0)

    @cached_property
    def _edges(self) -> Float64:
        """(hands, hands) chance to win minus chance to lose an all-in, 0 where two hands share a card.

        With a whole deck by the classes of the hands, which is exact for a strategy that treats suits alike.
        """
        size = self.config.board_cards[-1]
        if len(self.deck) == 52 and size == 5:
            classes = CLASS_OF_HOLE[self.holes]
            by_class = 2.0 * preflop_equities().equity - 1.0
            return by_class[classes[:, None], classes[None, :]] * self._disjoint
        if comb(len(self.deck), size) > RUNOUTS_LIMIT:
            name = self.config.name
            raise ConfigError(f"{name} has too many boards for its all-ins before the flop; use fewer ranks")
        boards = np.array(list(combinations(self.deck, size)), dtype=np.uint8).reshape(-1, size)
        low, high = HOLE_CARDS[self.holes].astype(np.uint8).T.copy()
        edges = np.zeros((len(self.holes), len(self.holes)), dtype=np.int16)
        fill_edges(boards, low, high, edges)
        return edges / comb(len(self.deck) - 4, size)

    def _flop_shares(self, flops: Sequence[Cards]) -> Float64:
        """(hands,) the weight of each flop in the value of a hand, or of its class."""
        if not len(flops):
            return np.zeros(len(self.holes))
        size = self.config.board_cards[1]
        scale = comb(len(self.deck) - 2, size) / comb(len(self.deck) - 4, size)
        shares: Float64 = scale / self._flops_left(flops)
        return shares

    def covered_by(self, flops: Sequence[Cards]) -> bool:
        """Whether every hand, or one of its class, is left by some flop."""
        return not len(self.closings) or bool(self._flops_left(flops).min() > 0)

    def _flops_left(self, flops: Sequence[Cards]) -> Float64:
        """(hands,) how many flops leave a hand, summed over its group."""
        left = np.zeros(len(self.holes))
        for flop in flops:
            left += (HOLE_MASKS[self.holes] & sum(1 << card for card in flop)) == 0
        return self._sums_of_groups(left)

    def _sums_of_groups(self, table: Float64) -> Float64:
        """(..., hands) the sum over the hands of each hand's group."""
        rows = table.reshape(-1, table.shape[-1])
        sums = [np.bincount(self.groups, weights=row)[self.groups] for row in rows]
        return np.array(sums, dtype=np.float64).reshape(table.shape)
