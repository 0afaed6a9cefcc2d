"""A card abstraction: the bucket of every hand on every street.

Two ways to the same answer. The *tables* hold the bucket of each of the 138 million hands, a byte or two each, and
are memory-mapped: the trainer reads them. The *manifest* holds how each street's hands were grouped (centroids or
interval starts) and is small: from it alone `bucket` computes the feature of a hand and finds its group, in
milliseconds, so a trained blueprint needs no tables to be played.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.abstraction.buckets.checks import StoredBuckets, check_grouping, check_report, digest_below
from holdem.abstraction.buckets.clustering.k_medians import assign
from holdem.abstraction.buckets.features.board import board_features
from holdem.abstraction.buckets.features.potential import bin_of_score, row_width, turn_bin_width
from holdem.abstraction.buckets.presets import DEFAULT_PRESET, FILE_NAMES, built_file
from holdem.abstraction.kernels.features import flop_potential, river_score, turn_potential
from holdem.abstraction.kernels.ochs import river_cluster_row, river_cluster_rows
from holdem.cards.cards import HOLE_CARDS, NUM_HOLE_PAIRS, check_distinct
from holdem.cards.kernels.evaluator import CARD_BITS, CARD_KEYS, START_KEYS
from holdem.cards.kernels.index import index_hands
from holdem.cards.suit_index import INDEX_SIZES, check_board_size, check_hole, hand_index
from holdem.errors import ArtifactError, ConfigError
from holdem.types import BucketConfig
from holdem.util.arrays import UInt8, UInt16
from holdem.util.artifacts import atomic_write, plain_word, read_pickle, write_pickle
from holdem.util.configs import check_config
from holdem.util.files.fields import checked_fields
from holdem.util.files.npy import named_beside
from holdem.util.manifests import ArrayMissing, open_array
from holdem.util.words import shell_command

KIND = "holdem card abstraction"
FORMAT_VERSION = 1
STREET_OF_BOARD = {0: 0, 3: 1, 4: 2, 5: 3}

Table = UInt8 | UInt16


@dataclass(frozen=True)
class Grouping:
    """How the hands of one street are grouped, enough to find the bucket of any hand.

    kind `intervals`: starts (buckets,) int64 of the equity sum divided by `step`.
    kind `medians`: centroids (buckets, width) uint8 of histograms, or of equities against `groups` (1326,) uint8.
    """

    kind: str
    starts: npt.NDArray[np.int64] | None = None
    step: int = 1
    centroids: npt.NDArray[np.uint8] | None = None
    groups: npt.NDArray[np.uint8] | None = None

    @property
    def buckets(self) -> int:
        """How many groups there are."""
        parts = self.starts if self.starts is not None else self.centroids
        assert parts is not None
        return len(parts)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays that define the groups."""
        named = {"starts": self.starts, "centroids": self.centroids, "groups": self.groups}
        return {name: array for name, array in named.items() if array is not None}

    def to_plain(self) -> dict[str, Any]:
        return {"kind": self.kind, "step": self.step, **self.arrays()}

    def of_sums(self, values: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Groups of equity sums."""
        assert self.starts is not None
        return np.asarray(np.searchsorted(self.starts, values // self.step, side="right") - 1, dtype=np.int64)

    def of_rows(self, rows: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
        """Groups of histograms or of equities against opponents."""
        assert self.centroids is not None
        labels, _ = assign(rows, self.centroids, threads=1)
        return labels.astype(np.int64)


@dataclass(frozen=True)
class HandBucketing:
    """The buckets of a card abstraction. `groupings` and `tables` are for flop, turn and river, in that order."""

    config: BucketConfig
    groupings: tuple[Grouping, Grouping, Grouping]
    content_hash: str
    report: dict[str, Any]
    tables: tuple[Table, ...] = ()
    path: Path | None = None

    @property
    def buckets_per_street(self) -> tuple[int, ...]:
        """How many buckets each of the four streets really has."""
        return (169, *(grouping.buckets for grouping in self.groupings))

    @classmethod
    def load(cls, path: Path | str, tables: bool = True) -> "HandBucketing":
        """Open a manifest and, unless told not to, map the tables beside it."""
        path = built_file(Path(path))
        way_out = f"build it with: {build_command(path)}"
        content = read_pickle(path, KIND, FORMAT_VERSION, way_out)
        try:
            stored = checked_fields(StoredBuckets, content)
            loaded = cls._from_stored(stored, path)
            files = [named_beside(path, name) for name in stored.table_files]
        except (ValueError, ConfigError) as error:
            raise ArtifactError(f"{path} {plain_word(error, 300)}; {way_out}") from None
        if stored.content_hash != content_hash(loaded.config, loaded.groupings, stored.table_digests):
            raise ArtifactError(f"{path} contradicts itself: its content hash is wrong; {way_out}")
        if not tables:
            return loaded
        sizes = [INDEX_SIZES[board] for board in (3, 4, 5)]
        entries = zip(files, stored.table_digests, sizes, loaded.buckets_per_street[1:], strict=True)
        return replace(loaded, tables=tuple(_open_table(path, *entry) for entry in entries))

    @classmethod
    def load_found(cls, path: Path | str) -> "HandBucketing":
        """Open a manifest with the tables beside it; alone where they are not there, as beside a policy."""
        try:
            return cls.load(path)
        except ArrayMissing:
            return cls.load(path, tables=False)

    @classmethod
    def _from_stored(cls, stored: StoredBuckets, path: Path) -> "HandBucketing":
        """Groupings and report of a manifest, without tables; a FieldError or ConfigError about what is wrong."""
        config = check_config(BucketConfig, stored.config, "does not hold a card abstraction")
        flop, turn, river = (
            Grouping(**check_grouping(plain, street, config)) for street, plain in enumerate(stored.groupings)
        )
        check_report(stored.report, (flop.buckets, turn.buckets, river.buckets))
        return cls(config, (flop, turn, river), stored.content_hash, stored.report, (), path)

    def save(self, path: Path | str) -> None:
        """Write the tables and then the manifest; an older abstraction of that name stays whole until the end."""
        path = Path(path)
        if not self.tables:
            raise ArtifactError(f"{path}: this abstraction has no tables to save; load it with its tables, or build it")
        digests = [table_digest(table) for table in self.tables]
        for name, table in zip(table_names(path, digests), self.tables, strict=True):
            save_table(path.with_name(name), table)
        write_manifest(path, self, digests)

    def save_manifest(self, path: Path | str) -> None:
        """Copy the manifest alone: enough to play, a few kilobytes."""
        assert self.path is not None
        content = self.path.read_bytes()
        with atomic_write(Path(path)) as file:
            file.write(content)

    def bucket(self, hole: Iterable[int], board: Iterable[int] = ()) -> int:
        """Bucket of a hand: from the tables if they are here, else computed from the centroids."""
        hole, board = tuple(hole), tuple(board)
        check_hole(hole)
        check_board_size(len(board))
        check_distinct(hole + board)
        if not board or not self.tables:
            return self.compute_bucket(hole, board)
        return int(self.tables[STREET_OF_BOARD[len(board)] - 1][hand_index(hole, board)])

    def compute_bucket(self, hole: tuple[int, ...], board: tuple[int, ...]) -> int:
        """Bucket of a hand from the manifest alone."""
        if not board:
            return hand_index(hole)
        grouping = self.groupings[STREET_OF_BOARD[len(board)] - 1]
        hole_bits, board_bits = int(CARD_BITS[list(hole)].sum()), int(CARD_BITS[list(board)].sum())
        key = int(START_KEYS[7] + CARD_KEYS[list(board)].sum())
        if grouping.groups is not None:
            row = np.empty(grouping.centroids.shape[1], dtype=np.uint8)  # type: ignore[union-attr]
            river_cluster_row(hole_bits, board_bits, key, grouping.groups, int(grouping.groups.max()) + 1, row)
            return int(grouping.of_rows(row[None, :])[0])
        row = np.empty(row_width(self.config.bins), dtype=np.uint8)
        bins = bin_of_score(self.config.bins)
        if len(board) == 5:
            value = river_score(hole_bits, board_bits, key)
        elif len(board) == 4:
            value = turn_potential(hole_bits, board_bits, key, bins, row)
        else:
            value = flop_potential(hole_bits, board_bits, key, bins, turn_bin_width(self.config.bins), row)
        if grouping.kind == "intervals":
            return int(grouping.of_sums(np.array([value]))[0])
        return int(grouping.of_rows(row[None, :])[0])

    def buckets_of_holes(self, board: Iterable[int] = ()) -> npt.NDArray[np.int64]:
        """(1326,): bucket of every hole pair with this board, −1 where they share a card."""
        board = check_distinct(board)
        check_board_size(len(board))
        free = np.flatnonzero(~np.isin(HOLE_CARDS, board).any(axis=1))
        hands = np.empty((len(free), 2 + len(board)), dtype=np.uint8)
        hands[:, :2] = HOLE_CARDS[free]
        hands[:, 2:] = board
        indices = np.empty(len(free), dtype=np.int64)
        index_hands(hands, indices)
        buckets = np.full(NUM_HOLE_PAIRS, -1, dtype=np.int64)
        if not board:
            buckets[free] = indices
        elif self.tables:
            buckets[free] = self.tables[STREET_OF_BOARD[len(board)] - 1][indices]
        else:
            buckets[free] = self._compute_buckets(board, free, indices)
        return buckets

    def _compute_buckets(
        self, board: tuple[int, ...], holes: npt.NDArray[np.int64], indices: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int64]:
        """The buckets of hole pairs (and their indices) with a board, from the manifest alone."""
        grouping = self.groupings[STREET_OF_BOARD[len(board)] - 1]
        if grouping.groups is not None:
            rows = np.empty((len(holes), grouping.centroids.shape[1]), dtype=np.uint8)  # type: ignore[union-attr]
            river_cluster_rows(indices, grouping.groups, int(grouping.groups.max()) + 1, rows)
            return grouping.of_rows(rows)
        sums, histograms = board_features(board, self.config.bins)
        return grouping.of_sums(sums[holes]) if grouping.kind == "intervals" else grouping.of_rows(histograms[holes])


def build_command(path: Path) -> str:
    """The command that builds the abstraction of this name."""
    preset = next((name for name, file in FILE_NAMES.items() if file == path.name), DEFAULT_PRESET)
    return shell_command("holdem", "buckets", "build", "--preset", preset, "--out", path)


def shaping_config(config: BucketConfig) -> dict[str, Any]:
    """The settings that shape the buckets: not the name, nor the number of threads."""
    return config.model_dump(exclude={"name", "threads"})


def content_hash(config: BucketConfig, groupings: Iterable[Grouping], table_digests: Iterable[str]) -> str:
    """One digest of settings, centroids and tables; the bytes of pickles and file headers are not in it."""
    digest = hashlib.sha256(json.dumps(shaping_config(config), sort_keys=True).encode())
    for grouping in groupings:
        digest.update(f"{grouping.kind} {grouping.step}".encode())
        for name, array in sorted(grouping.arrays().items()):
            digest.update(f"{name} {array.dtype.str} {array.shape}".encode() + np.ascontiguousarray(array).tobytes())
    for table in table_digests:
        digest.update(bytes.fromhex(table))
    return digest.hexdigest()


def table_digest(table: Table) -> str:
    """SHA-256 of the numbers of a table."""
    return hashlib.sha256(np.ascontiguousarray(table).data.cast("B")).hexdigest()


def table_names(path: Path, digests: Iterable[str]) -> list[str]:
    """File names of the tables: after their content, so that a rebuild never overwrites what a manifest names."""
    streets = ("flop", "turn", "river")
    return [f"{path.stem}.{street}.{digest[:12]}.npy" for street, digest in zip(streets, digests, strict=True)]


def save_table(path: Path, table: Table) -> None:
    """Write a table unless it is there already."""
    if not path.exists():
        with atomic_write(path) as file:
            np.save(file, table)


def write_manifest(path: Path, bucketing: HandBucketing, digests: list[str]) -> None:
    """Write the manifest, then remove tables of an older abstraction of the same name."""
    names = table_names(path, digests)
    content = {
        "config": bucketing.config.model_dump(),
        "groupings": [grouping.to_plain() for grouping in bucketing.groupings],
        "content_hash": bucketing.content_hash,
        "table_files": names,
        "table_digests": digests,
        "report": bucketing.report,
    }
    write_pickle(path, KIND, FORMAT_VERSION, content)
    for street in ("flop", "turn", "river"):
        for old in path.parent.glob(f"{path.stem}.{street}.*.npy"):
            if old.name not in names:
                old.unlink()


def _open_table(manifest: Path, path: Path, digest: str, size: int, buckets: int) -> Table:
    def refuse(file: Path, what: str) -> ArtifactError:
        return ArtifactError(f"{file} {what}; build it with: {build_command(manifest)}")

    # Every number is also compared with the number of buckets, which kernels rely on.
    return open_array(path, size, ("uint8", "uint16"), f"{digest} below {buckets}", refuse, digest_below(buckets))
