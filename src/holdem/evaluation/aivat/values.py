"""A blueprint's guess about the rest of a hand at any node of its tree, from its leaf values."""

from collections import OrderedDict
from functools import lru_cache

import numpy as np

from holdem.abstraction.betting.payoffs import payoffs
from holdem.abstraction.betting.tree import NodeKind
from holdem.blueprint.leaf_values import LeafValues
from holdem.evaluation.aivat.points import Folded, Point, Showdown, StillBetting
from holdem.util.arrays import Float32, Float64

CACHE_BYTES = 200_000_000


class BlueprintValues:
    """(buckets, buckets) values of position 0 when both play the blueprint; remembered while there is room."""

    def __init__(self, leaf_values: LeafValues) -> None:
        self.leaf_values = leaf_values
        self._tree, self._policy = leaf_values.policy.tree, leaf_values.policy
        self._equity = [leaf_values.equity(street) for street in range(self._policy.config.num_streets)]
        self._cache: OrderedDict[tuple[int, int], Float32] = OrderedDict()
        self._cached_bytes = 0
        self.matrix = lru_cache(maxsize=256)(self._matrix)

    def _matrix(self, point: Point, street: int) -> Float64:
        """Chips that position 0 wins by the end of the hand, by the buckets of both players on `street`."""
        equity = self._equity[street]
        if isinstance(point, Folded):
            return np.full(equity.shape, point.won)
        if isinstance(point, Showdown):
            return np.asarray(point.stake * equity, dtype=np.float64)
        return self._betting(point, street)

    def _betting(self, point: StillBetting, street: int) -> Float64:
        """Each node's share of its own pot, times the real one; without nodes half of the pot."""
        total = np.full(self._equity[street].shape, 0.0 if point.nodes else 0.5)
        for node, weight in point.nodes:
            chips = self._tree.chips_in[node]
            total += weight / float(chips.sum()) * (self.at_node(node, street) + np.float32(chips[0]))
        return np.asarray(total * point.pot - point.paid)

    def at_node(self, node: int, street: int) -> Float32:
        """The blueprint's value at a node with the buckets of `street`: its own, or the one that has just closed."""
        key = (node, street)
        if key in self._cache:
            self._cache.move_to_end(key)
            return self._cache[key]
        value = self._compute(node, street)
        self._cache[key] = value
        self._cached_bytes += value.nbytes
        while self._cached_bytes > CACHE_BYTES:
            self._cached_bytes -= self._cache.popitem(last=False)[1].nbytes
        return value

    def _compute(self, node: int, street: int) -> Float32:
        tree = self._tree
        if tree.kind[node] == NodeKind.FOLD_WIN:
            return np.full(self._equity[street].shape, payoffs(tree, node, (1, 0))[0], dtype=np.float32)
        if tree.kind[node] == NodeKind.SHOWDOWN:
            return np.asarray(np.float32(payoffs(tree, node, (1, 0))[0]) * self._equity[street])
        if tree.street[node] > street:
            return self.leaf_values.values(node)
        rows = self._policy.rows(node)[0].astype(np.float32)
        total = np.zeros(self._equity[street].shape, dtype=np.float32)
        for action, child in enumerate(tree.children(node)):
            column = rows[:, action]
            weights = column[:, None] if tree.player[node] == 0 else column[None, :]
            total += weights * self.at_node(child, street)
        return total
