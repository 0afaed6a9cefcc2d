"""The tables of a policy's leaf values, in memory or mapped from the file beside the policy."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.tree import BettingTree
from holdem.blueprint.leaf_values.continuations import PAIRS, Continuation, leaves_of
from holdem.blueprint.leaf_values.files import read_tables, write_manifest
from holdem.policy.policy import AveragePolicy
from holdem.util.arrays import Float32

EQUITY_SCALE = 1.0 / 32_767


@dataclass(frozen=True)
class Layout:
    """Where the tables lie in one flat array: the leaves street by street, then an equity table per street.

    offset: of the first table of each leaf, by node; equity_offset: by street; entries: length of the array
    """

    buckets: tuple[int, ...]
    leaves: tuple[npt.NDArray[np.int64], ...]
    offset: dict[int, int] = field(repr=False)
    equity_offset: tuple[int, ...]
    entries: int

    @classmethod
    def of(cls, tree: BettingTree, buckets: tuple[int, ...]) -> "Layout":
        """The layout for a tree and its buckets per street."""
        leaves = tuple(leaves_of(tree, street) for street in range(len(buckets) - 1))
        offset: dict[int, int] = {}
        place = 0
        for street, nodes in enumerate(leaves):
            for node in nodes.tolist():
                offset[node] = place
                place += len(PAIRS) * buckets[street] ** 2
        equity_offset = []
        for count in buckets:
            equity_offset.append(place)
            place += count**2
        return cls(buckets, leaves, offset, tuple(equity_offset), place)

    @property
    def num_leaves(self) -> int:
        """Leaves of all streets."""
        return len(self.offset)

    @property
    def table_bytes(self) -> int:
        """Size of the array on disk."""
        return 2 * self.entries


@dataclass(frozen=True)
class LeafValues:
    """Leaf values of one policy. `table`: (entries,) int16 of `layout`; `scale`: chips of a unit, by leaf."""

    policy: AveragePolicy = field(repr=False)
    table: npt.NDArray[np.int16] = field(repr=False)
    scale: dict[int, float] = field(repr=False)
    report: dict[str, Any]
    """How they were computed: deals, seconds, standard errors."""

    @classmethod
    def open(cls, run_or_policy: Path | str | AveragePolicy) -> "LeafValues":
        """The tables beside a policy: a run directory, its avg_policy.json, or the opened policy.

        An ArtifactError says so if they are missing, damaged, or were computed for another policy.
        """
        policy = run_or_policy if isinstance(run_or_policy, AveragePolicy) else AveragePolicy.load(run_or_policy)
        layout = Layout.of(policy.tree, policy.info.buckets_per_street)
        table, scales, report = read_tables(policy, layout.entries, layout.num_leaves)
        return cls(policy, table, dict(zip(layout.offset, scales, strict=True)), report)

    def save(self, folder: Path | str) -> Path:
        """Write tables that were computed in memory beside their policy; returns the manifest's path."""
        return write_manifest(Path(folder), self.policy, self.table, list(self.scale.values()), self.report)

    @cached_property
    def layout(self) -> Layout:
        """Where the tables lie."""
        return Layout.of(self.policy.tree, self.policy.info.buckets_per_street)

    def has(self, node: int) -> bool:
        """Whether a node is a leaf: the first decision of a street after the first."""
        return node in self.layout.offset

    def values(
        self, node: int, first: Continuation = Continuation.AS_IS, second: Continuation = Continuation.AS_IS
    ) -> Float32:
        """(buckets, buckets) net chips of position 0 when it plays on with `first` and position 1 with `second`.

        Buckets are of the street before the leaf; row: of position 0, column: of position 1.
        """
        if (first, second) not in PAIRS:
            raise ValueError(f"{first.name} against {second.name} is not stored; one of the two plays as is")
        return self._tables(node, PAIRS.index((first, second)))

    def choices(self, node: int, chooser: int) -> Float32:
        """(4, buckets, buckets) net chips of position 0 for each continuation of `chooser`; the other plays as is."""
        as_is = Continuation.AS_IS
        return self._tables(node, [PAIRS.index((way, as_is) if chooser == 0 else (as_is, way)) for way in Continuation])

    def all_tables(self, node: int) -> Float32:
        """(7, buckets, buckets) in the order of `PAIRS`."""
        return self._tables(node, slice(None))

    def equity(self, street: int) -> Float32:
        """(buckets, buckets) how often position 0 wins a showdown minus how often it loses, by buckets of a street."""
        count, start = self.layout.buckets[street], self.layout.equity_offset[street]
        return np.asarray(self.table[start : start + count**2] * np.float32(EQUITY_SCALE)).reshape(count, count)

    def pot(self, node: int) -> int:
        """Chips in the middle at a leaf; both positions put in half of it."""
        return int(self.policy.tree.chips_in[node].sum())

    def _tables(self, node: int, pairs: int | list[int] | slice) -> Float32:
        if not self.has(node):
            raise ValueError(f"node {node} is no leaf: no street begins there")
        count = self.layout.buckets[self.policy.tree.street[node] - 1]
        start = self.layout.offset[node]
        stored = self.table[start : start + len(PAIRS) * count**2].reshape(len(PAIRS), count, count)
        return np.asarray(stored[pairs] * np.float32(self.scale[node]))
