"""Build a card abstraction: river, turn, flop, each finished street kept so that an interrupted build goes on.

The river's scores are exact and complete; the turn's histograms come from all its boards with all river cards; the
flop's from the turn's sums. Centroids are fitted to a sample of deals, then every hand is assigned. See
docs/buckets.md for what is stored.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from holdem.abstraction.bucketing import (
    Grouping,
    HandBucketing,
    Table,
    content_hash,
    save_table,
    shaping_config,
    table_digest,
    table_names,
    write_manifest,
)
from holdem.abstraction.buckets.boards import canonical_boards
from holdem.abstraction.buckets.checks import STREETS, Digest, check_grouping, digest_below
from holdem.abstraction.buckets.clustering import k_medians
from holdem.abstraction.buckets.clustering.intervals import best_intervals
from holdem.abstraction.buckets.features import ochs
from holdem.abstraction.buckets.features.equity import LARGEST_SUM, river_scores
from holdem.abstraction.buckets.features.potential import flop_rows, turn_rows
from holdem.abstraction.buckets.quality import describe_buckets, distance_explained, variance_explained
from holdem.abstraction.kernels.features import MAX_SCORE, sample_hands
from holdem.cards.suit_index import INDEX_SIZES
from holdem.errors import ArtifactError
from holdem.types import BucketConfig
from holdem.util.arrays import UInt8, UInt32
from holdem.util.artifacts import atomic_write, read_pickle, verify_digest, write_pickle
from holdem.util.files.fields import JsonObject, checked_fields, plain_json
from holdem.util.files.npy import load_array, map_array

BUILDING_KIND = "holdem card abstraction being built"
SUM_STEPS = 8192
"""Equity sums are cut into intervals at this resolution."""

Bar = Callable[[int], None]
BarMaker = Callable[[str, int], AbstractContextManager[Bar]]


@dataclass(frozen=True)
class Street:
    """A finished street."""

    grouping: Grouping
    table: Table
    report: dict[str, Any]


@dataclass(frozen=True)
class _BuildState:
    """What an unfinished build keeps: its settings, and each finished street as a `_FinishedStreet`."""

    config: JsonObject
    finished: dict[Literal["flop", "turn", "river"], dict[str, Any]]


@dataclass(frozen=True)
class _FinishedStreet:
    grouping: dict[str, Any]
    digest: Digest
    report: dict[str, Any]


def no_bar(label: str, total: int) -> AbstractContextManager[Bar]:
    """A progress bar that shows nothing."""
    return nullcontext(lambda count: None)


def build_in_memory(config: BucketConfig, threads: int | None = None) -> HandBucketing:
    """Build all streets without touching the disk."""
    return _Builder(config, None, threads, no_bar).run()


def build_files(config: BucketConfig, path: Path, threads: int | None = None, bar: BarMaker = no_bar) -> HandBucketing:
    """Build into `path` and tables beside it, going on from the streets that an interrupted build finished."""
    return _Builder(config, path, threads, bar).run()


class _Builder:
    def __init__(self, config: BucketConfig, path: Path | None, threads: int | None, bar: BarMaker) -> None:
        self.config = config
        self.path = path
        self.threads = config.threads if threads is None else threads
        self.bar = bar
        self.finished: dict[str, dict[str, Any]] = self._read_state()

    def run(self) -> HandBucketing:
        river = self._street("river", self._river)
        turn = self._street("turn", self._turn)
        flop = self._street("flop", self._flop)
        streets = (flop, turn, river)
        groupings = (flop.grouping, turn.grouping, river.grouping)
        digests = [self.finished[name]["digest"] for name in STREETS]
        digest = content_hash(self.config, groupings, digests)
        report = {name: street.report for name, street in zip(STREETS, streets, strict=True)}
        tables = tuple(street.table for street in streets)
        bucketing = HandBucketing(self.config, groupings, digest, report, tables, self.path)
        if self.path is not None:
            write_manifest(self.path, bucketing, digests)
            for left_over in (self._state_path, self._sums_path):
                left_over.unlink(missing_ok=True)
        return bucketing

    # Finished streets on disk

    @property
    def _state_path(self) -> Path:
        assert self.path is not None
        return self.path.with_name(f"{self.path.stem}.building.pkl")

    @property
    def _sums_path(self) -> Path:
        assert self.path is not None
        return self.path.with_name(f"{self.path.stem}.turn_sums.npy")

    def _read_state(self) -> dict[str, dict[str, Any]]:
        """Streets that an interrupted build of the same settings finished; anything doubtful is built again."""
        if self.path is None or not self._state_path.exists():
            return {}
        try:
            state = checked_fields(_BuildState, read_pickle(self._state_path, BUILDING_KIND, 1, "it is built again"))
            finished = {name: checked_fields(_FinishedStreet, entry) for name, entry in state.finished.items()}
            for name, street in finished.items():
                check_grouping(street.grouping, STREETS.index(name), self.config)
        except (ArtifactError, ValueError):
            return {}
        same = state.config == plain_json(shaping_config(self.config))
        return {name: vars(street) for name, street in finished.items()} if same else {}

    def _street(self, name: str, build: Callable[[], Street]) -> Street:
        if name in self.finished:
            street = self._reopen(name)
            if street is not None:
                return street
        street = build()
        digest = table_digest(street.table)
        self.finished[name] = {"grouping": street.grouping.to_plain(), "digest": digest, "report": street.report}
        if self.path is not None:
            save_table(self._table_path(name), street.table)
            state = {"config": shaping_config(self.config), "finished": self.finished}
            write_pickle(self._state_path, BUILDING_KIND, 1, state)
            # What was written is checked, and mapped in place of the copy in memory.
            return self._reopen(name) or self._replaced(name, street)
        return street

    def _replaced(self, name: str, street: Street) -> Street:
        """A street whose file was there already, and was damaged."""
        self._table_path(name).unlink(missing_ok=True)
        save_table(self._table_path(name), street.table)
        return self._reopen(name) or street

    def _table_path(self, name: str) -> Path:
        assert self.path is not None
        digests = [self.finished.get(street, {}).get("digest", "") for street in STREETS]
        return self.path.with_name(table_names(self.path, digests)[STREETS.index(name)])

    def _reopen(self, name: str) -> Street | None:
        path, entry = self._table_path(name), self.finished[name]
        needed = self._sums_path if name == "turn" and "flop" not in self.finished else path
        grouping = Grouping(**entry["grouping"])
        expected, digest_of = f"{entry['digest']} below {grouping.buckets}", digest_below(grouping.buckets)
        try:
            if not path.exists() or not needed.exists() or not verify_digest(path, expected, digest_of):
                return None
            return Street(grouping, map_array(path), entry["report"])
        except (OSError, ValueError):
            return None

    # The streets

    def _sample(self, board: int, stream: int) -> npt.NDArray[np.int64]:
        """Indices of random deals; stream 0 fits, stream 1 measures."""
        indices = np.empty(self.config.samples, dtype=np.int64)
        sample_hands(board, self.config.seed, 2 * board + stream, indices)
        return indices

    def _river(self) -> Street:
        boards = len(canonical_boards(5)[0])
        with self.bar("river equities", boards) as bar:
            scores, histogram = river_scores(self.threads, bar)
        buckets = self.config.buckets.river
        if self.config.features.river == "ochs":
            grouping, labels = self._ochs(buckets)
            table = _narrow(labels, grouping.buckets)
        else:
            grouping = Grouping("intervals", starts=best_intervals(histogram, buckets))
            lookup = _interval_labels(grouping, np.arange(MAX_SCORE + 1, dtype=np.uint32))
            table = _narrow(lookup, grouping.buckets)[scores]
        indices = self._sample(5, 1)
        equity = scores[indices] / LARGEST_SUM[5]
        labels = table[indices].astype(np.uint16)
        report = describe_buckets(indices, equity, labels, grouping.buckets)
        report["variance_explained"] = variance_explained(equity, labels)
        return Street(grouping, table, report)

    def _ochs(self, buckets: int) -> tuple[Grouping, npt.NDArray[np.uint16]]:
        groups = ochs.opponent_clusters(self.config.opponent_clusters, self.threads)
        rows = ochs.sample_rows(self._sample(5, 0), groups, self.threads)
        with self.bar("river centroids", self.config.iterations) as bar:
            centroids = k_medians.cluster(rows, buckets, self.config.seed, self.config.iterations, self.threads, bar)
        with self.bar("river buckets", len(canonical_boards(5)[0])) as bar:
            labels = ochs.assign_all(groups, centroids, self.threads, bar)
        return Grouping("medians", centroids=centroids, groups=groups), labels

    def _turn(self) -> Street:
        with self.bar("turn histograms", len(canonical_boards(4)[0])) as bar:
            rows, sums = turn_rows(self.config.bins, self.threads, bar)
        if self.path is not None:
            with atomic_write(self._sums_path) as file:
                np.save(file, sums)
        self._turn_sums = sums
        return self._group("turn", 4, self.config.buckets.turn, self.config.features.turn, rows, sums)

    def _flop(self) -> Street:
        if not hasattr(self, "_turn_sums"):
            self._turn_sums = self._saved_turn_sums()
        with self.bar("flop histograms", len(canonical_boards(3)[0])) as bar:
            rows, sums = flop_rows(self.config.bins, self._turn_sums, self.threads, bar)
        return self._group("flop", 3, self.config.buckets.flop, self.config.features.flop, rows, sums)

    def _saved_turn_sums(self) -> UInt32:
        """The equity sums of all turn hands, which an interrupted build left on disk."""
        way_out = "delete it and build again"
        try:
            sums = load_array(self._sums_path)
        except (OSError, ValueError) as error:
            raise ArtifactError(f"{self._sums_path} cannot be read ({error}); {way_out}") from None
        if sums.shape != (INDEX_SIZES[4],) or sums.dtype != np.uint32:
            raise ArtifactError(f"{self._sums_path} has {sums.dtype} of shape {sums.shape}; {way_out}")
        return sums

    def _group(self, name: str, board: int, buckets: int, feature: str, rows: UInt8, sums: UInt32) -> Street:
        """Group a street's hands by equity or potential, and measure both ways on other deals."""
        fit, measure = self._sample(board, 0), self._sample(board, 1)
        plain = _fit_intervals(sums[fit], board, buckets)
        if feature == "equity":
            grouping = plain
            labels = _interval_labels(plain, sums)
        else:
            with self.bar(f"{name} centroids", self.config.iterations) as bar:
                centroids = k_medians.cluster(
                    rows[fit], buckets, self.config.seed, self.config.iterations, self.threads, bar
                )
            with self.bar(f"{name} buckets", len(rows)) as bar:
                labels, _ = k_medians.assign(rows, centroids, self.threads, bar)
            grouping = Grouping("medians", centroids=centroids)
        equity = sums[measure] / LARGEST_SUM[board]
        mine, by_equity = labels[measure], _interval_labels(plain, sums[measure])
        report = describe_buckets(measure, equity, mine, grouping.buckets)
        report["variance_explained"] = variance_explained(equity, mine)
        report["distance_explained"] = distance_explained(rows[measure], mine, grouping.buckets)
        report["variance_explained_by_equity_buckets"] = variance_explained(equity, by_equity)
        report["distance_explained_by_equity_buckets"] = distance_explained(rows[measure], by_equity, plain.buckets)
        return Street(grouping, _narrow(labels, grouping.buckets), report)


def _fit_intervals(sums: UInt32, board: int, buckets: int) -> Grouping:
    step = -(-(LARGEST_SUM[board] + 1) // SUM_STEPS)
    return Grouping(
        "intervals", starts=best_intervals(np.bincount(sums // step, minlength=SUM_STEPS), buckets), step=step
    )


def _interval_labels(grouping: Grouping, sums: UInt32) -> npt.NDArray[np.uint16]:
    assert grouping.starts is not None
    return (np.searchsorted(grouping.starts, sums // grouping.step, side="right") - 1).astype(np.uint16)


def _narrow(labels: npt.NDArray[Any], buckets: int) -> Table:
    """One byte a hand where that is enough."""
    return labels.astype(np.uint8) if buckets <= 256 else labels.astype(np.uint16)
