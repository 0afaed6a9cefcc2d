"""The average policy of a run: what training is for, and what playing and evaluation load.

`avg_policy.json` is a small readable manifest; beside it lies one `.npy` of probabilities, memory-mapped, so that a
blueprint of any size opens in milliseconds. A probability is a whole number of 60,000ths in an uint16: half the size of
a float32, and halves, thirds, quarters, fifths, sixths and whole per cents are exact. The steps of an uint8 are too
coarse to measure by: they add 0.003 to the exploitability of a good Leduc strategy, these less than 0.000001.
Rows add up to 60,000 exactly, an action that was never taken has 0, and a row that was never trained is all zeros.
Where training has learned regrets but has no average yet, the row is what regret matching would play now.
Where it has neither, nothing is known, so nothing is raised: the other actions are played equally often, or as a model
guesses (`guesses`), and `visited` tells. Whoever plays, shows or measures a policy asks here; kernels ask
`holdem.policy.kernels.played`.

    policy = AveragePolicy.load("runs/blueprint")
    policy.probabilities(node, bucket)     # in the order of policy.tree.children(node)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.row_layout import RowLayout, layout_rows, row_blocks
from holdem.abstraction.betting.tree import ActionCode, BettingTree, NodeKind, build_tree, count_tree
from holdem.errors import ArtifactError, ConfigError
from holdem.policy.files import GUESS, SCALE, BucketReference, PolicyInfo, read_pair, write_pair
from holdem.policy.kernels.quantise import count_untrained, quantise_rows, quantise_table
from holdem.types import GameConfig
from holdem.util.arrays import Float64, UInt16

__all__ = [
    "SCALE",
    "AveragePolicy",
    "BucketReference",
    "PolicyInfo",
    "most_nodes",
    "num_passive",
    "quantised",
    "save_table",
]

_ENTRIES_PER_CHUNK = 4_000_000


@dataclass(frozen=True)
class AveragePolicy:
    """Probabilities of every row. `table`: (entries,) uint16 in 60,000ths.

    A row that was never visited has zeros, or a guess (`guesses`).
    """

    info: PolicyInfo
    table: UInt16
    path: Path | None = None
    """The manifest that it was loaded from."""

    @classmethod
    def from_strategy_sums(
        cls,
        info: PolicyInfo,
        strategy_sums: npt.NDArray[Any],
        tree: BettingTree | None = None,
        path: Path | None = None,
    ) -> "AveragePolicy":
        """A policy in memory from sums (or probabilities) in the order of `layout_rows`; `path`: as if loaded there."""
        tree = tree or build_tree(info.config)
        table = np.concatenate([*quantised(tree, info.buckets_per_street, strategy_sums)])
        policy = cls(info, table, path)
        policy.__dict__["tree"] = tree
        return policy

    @classmethod
    def from_table(
        cls, info: PolicyInfo, table: npt.NDArray[Any], tree: BettingTree | None = None, path: Path | None = None
    ) -> "AveragePolicy":
        """A policy in memory from a table of training, (entries, 2): regrets and strategy sums."""
        tree = tree or build_tree(info.config)
        policy = cls(info, np.concatenate([*quantised_table(tree, info.buckets_per_street, table)]), path)
        policy.__dict__["tree"] = tree
        return policy

    @classmethod
    def load(cls, path: Path | str) -> "AveragePolicy":
        """Open the policy of a run directory, or the manifest itself; checked against its checksums."""
        return cls(*read_pair(Path(path)))

    def save(self, folder: Path | str) -> Path:
        """Write the policy into a folder, replacing one that is there; returns the manifest's path."""
        return write_pair(Path(folder), self.info, len(self.table), [self.table])

    @property
    def config(self) -> GameConfig:
        """The game."""
        return self.info.config

    @cached_property
    def tree(self) -> BettingTree:
        """The betting tree of the game, built when first asked for."""
        most = most_nodes(len(self.table), self.info.buckets_per_street)
        try:
            entries = count_tree(self.config, most).entries(self.info.buckets_per_street)
        except ConfigError:
            entries = None
        if entries != len(self.table):
            has = "more" if entries is None else f"{entries:,}"
            raise ArtifactError(
                f"{self.path or 'this policy'} has {len(self.table):,} entries, and the betting tree of its game "
                f"has {has}; train it again with this version"
            )
        return build_tree(self.config, most)

    @cached_property
    def layout(self) -> RowLayout:
        """Where the rows lie."""
        return layout_rows(self.tree, self.info.buckets_per_street)

    @cached_property
    def num_passive(self) -> npt.NDArray[np.int8]:
        """(nodes,) `num_passive` of the tree."""
        return num_passive(self.tree)

    @property
    def bucketing_path(self) -> Path | None:
        """The bucket manifest that belongs to the policy, None where every hand is its own bucket."""
        if self.info.bucketing is None or self.path is None:
            return None
        return self.path.parent / self.info.bucketing.file

    def visited(self, node: int, bucket: int) -> bool:
        """Whether training ever averaged here; elsewhere the policy does not raise because nothing is known."""
        return int(self._row(node, bucket).sum()) > GUESS

    def probabilities(self, node: int, bucket: int) -> Float64:
        """(actions,) probabilities at a decision node."""
        self._row(node, bucket)  # refuses what is no row
        return np.array(self.played(node, bucket))

    def played(self, node: int, bucket: int) -> list[float]:
        """The same as plain numbers, for a row that exists: a decision at a table asks for nothing else."""
        start = self.layout.row_start(node, bucket)
        row: list[int] = self._entries[start : start + int(self.tree.num_actions[node])].tolist()
        total = sum(row)
        return [share / total for share in row] if total else self._untrained(node).tolist()

    @cached_property
    def _entries(self) -> UInt16:
        """The table as a plain array: slices of a memory map take several times as long."""
        return self.table.view(np.ndarray)

    def rows(self, node: int) -> tuple[Float64, npt.NDArray[np.bool_]]:
        """(buckets, actions) probabilities of a node, and (buckets,) which of its rows were visited."""
        table = self.table[self.places(node)]
        totals = table.sum(axis=1, dtype=np.int64)
        shares = table / np.maximum(totals, 1)[:, None]
        return np.where(totals[:, None] > 0, shares, self._untrained(node)), totals > GUESS

    def places(self, node: int) -> npt.NDArray[np.int64]:
        """(buckets, actions) where the entries of a node lie in the table."""
        buckets = self.info.buckets_per_street[self.tree.street[node]]
        starts = self.layout.offset[node] + np.arange(buckets) * self.layout.stride[node]
        return np.asarray(starts[:, None] + np.arange(self.tree.num_actions[node]))

    def strategy(self) -> Float64:
        """(entries,) all probabilities as floats, in the order of `layout`."""
        strategy = np.empty(len(self.table))
        for node in np.flatnonzero(self.tree.kind == NodeKind.DECISION).tolist():
            strategy[self.places(node)] = self.rows(node)[0]
        return strategy

    def _untrained(self, node: int) -> Float64:
        """(actions,) what is played where training never came by."""
        passive = int(self.num_passive[node])
        return np.where(np.arange(self.tree.num_actions[node]) < passive, 1.0 / passive, 0.0)

    def _row(self, node: int, bucket: int) -> UInt16:
        buckets = self.info.buckets_per_street[self.tree.street[node]]
        if self.tree.kind[node] != NodeKind.DECISION or not 0 <= bucket < buckets:
            raise ValueError(f"node {node} with bucket {bucket} is no row of this policy")
        start = self.layout.row_start(node, bucket)
        return self.table[start : start + int(self.tree.num_actions[node])]


def most_nodes(entries: int, buckets_per_street: Sequence[int]) -> int:
    """What a tree can have at most for a table of so many entries, which may be anybody's.

    Each node but the root is an action of a decision, and an action has an entry for every bucket of its street.
    """
    return 1 + entries // min(buckets_per_street, default=1)


def num_passive(tree: BettingTree) -> npt.NDArray[np.int8]:
    """(nodes,) how many actions do not raise, which come first; all of them where every action raises."""
    parents = tree.parent[1:][tree.action[1:] != ActionCode.RAISE]
    counts = np.bincount(parents, minlength=tree.num_nodes).astype(np.int8)
    passive = np.where(counts > 0, counts, tree.num_actions)
    passive.setflags(write=False)  # as the arrays of a tree: kernels are compiled once
    return passive


def save_table(folder: Path | str, info: PolicyInfo, table: npt.NDArray[Any], tree: BettingTree | None = None) -> Path:
    """Write the policy of a table of training, (entries, 2), piece by piece, without a second table in memory."""
    tree = tree or build_tree(info.config)
    pieces = quantised_table(tree, info.buckets_per_street, table)
    return write_pair(Path(folder), info, len(table), pieces)


def quantised_table(tree: BettingTree, buckets: Sequence[int], table: npt.NDArray[Any]) -> Iterator[UInt16]:
    """Strategy sums as `quantised` has them; rows without any have their positive regrets instead."""
    if table.shape != (tree.counts.entries(buckets), 2):
        raise ValueError(f"the table has shape {table.shape}, not ({tree.counts.entries(buckets)}, 2)")
    for block in row_blocks(tree, buckets):
        for start, stop in block.pieces(_ENTRIES_PER_CHUNK):
            out = np.empty(stop - start, dtype=np.uint16)
            quantise_table(table[start:stop], block.widths, SCALE, out)
            yield out


def untrained_by_street(tree: BettingTree, buckets: Sequence[int], table: npt.NDArray[Any]) -> list[int]:
    """How many rows of each street a policy of this table has nothing for: no sums and no positive regret."""
    counts = [0] * len(buckets)
    for block in row_blocks(tree, buckets):
        if block.width:
            counts[block.street] += int(count_untrained(table[block.start : block.end], block.widths))
    return counts


def quantised(tree: BettingTree, buckets: Sequence[int], strategy_sums: npt.NDArray[Any]) -> Iterator[UInt16]:
    """Sums in the order of `layout_rows` as 60,000ths, in pieces of whole rows that follow each other."""
    if strategy_sums.shape != (tree.counts.entries(buckets),):
        raise ValueError(f"the sums have shape {strategy_sums.shape}, not ({tree.counts.entries(buckets)},)")
    for block in row_blocks(tree, buckets):
        for start, stop in block.pieces(_ENTRIES_PER_CHUNK):
            piece = strategy_sums[start:stop]
            if not piece.min() >= 0:
                raise ValueError("strategy sums must be numbers of at least zero")
            out = np.empty(stop - start, dtype=np.uint16)
            quantise_rows(piece, block.widths, SCALE, out)
            yield out


def reference_quantised_row(sums: Sequence[float]) -> list[int]:
    """The kernel's rounding of one row in plain Python."""
    total = sum(sums)
    if total <= 0:
        return [0] * len(sums)
    shares = [value / total * SCALE for value in sums]
    row = [int(share) for share in shares]
    by_fraction = sorted(range(len(row)), key=lambda a: row[a] - shares[a] if sums[a] > 0 else 1.0)
    for action in by_fraction[: SCALE - sum(row)]:
        row[action] += 1
    return row
