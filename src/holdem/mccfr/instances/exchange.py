"""`--merge-interval`: instances bring their tables together at intervals and go on from the average.

An instance that reaches its interval *offers* its table and waits. When every instance that is alive has offered, the
coordinator averages the tables (`Merger`) and hands the result back. Averaging whole tables that began equal is the
same as averaging what each has added since: regrets weighted by the iterations since the last merge, strategy sums
equally, which is adding them in units of the number of instances.

Tables travel through a folder beside the instances (`FileMailbox`, `FileHub`), or through Ray
(`ray_launcher`).
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from holdem.abstraction.betting.tree import BettingTree
from holdem.errors import ArtifactError
from holdem.mccfr.schedules.discount import DiscountSchedule
from holdem.mccfr.schedules.total_weight import halvings_after
from holdem.mccfr.table.average import average_tables
from holdem.util.arrays import AnyArray
from holdem.util.artifacts import atomic_write, write_json
from holdem.util.files.fields import Count, Record, checked_fields
from holdem.util.files.npy import load_array, map_array
from holdem.util.files.regular import read_json

POLL_SECONDS = 0.02
WAY_OUT = "start the run again with --resume-from"


@dataclass(frozen=True)
class Offer:
    """A table that an instance brings.

    iteration: its own iterations so far; since: those since the last merge
    joining: the table comes from a checkpoint and not from the last merge
    finished: the instance is at its end and adds nothing more
    """

    instance_id: int
    iteration: int
    since: int
    table: AnyArray
    joining: bool = False
    finished: bool = False

    @property
    def facts(self) -> dict[str, Any]:
        """All but the table and whose it is."""
        return {"iteration": self.iteration, "since": self.since, "joining": self.joining, "finished": self.finished}


@dataclass(frozen=True)
class Merged:
    """A table that is handed back; `last`: no instance will offer again."""

    table: AnyArray
    last: bool


class Mailbox(Protocol):
    """An instance's end of the exchange."""

    def exchange(self, offer: Offer, stopped: Callable[[], bool]) -> Merged | None:
        """Offer a table and wait for the merged one; None if the instance was told to stop meanwhile."""


class Hub(Protocol):
    """The coordinator's end of the exchange."""

    def offers(self, instance_ids: Sequence[int]) -> list[Offer] | None:
        """The offers of these instances once all of them have made one."""

    def hand_back(self, merged: Mapping[int, Merged]) -> None:
        """Give each instance its table and forget its offer."""


@dataclass(frozen=True)
class Merger:
    """Averages offers of one game."""

    tree: BettingTree
    buckets_per_street: tuple[int, ...]
    schedule: DiscountSchedule

    def combine(self, offers: Sequence[Offer]) -> dict[int, Merged]:
        """What each instance goes on from, in the units of its own iteration."""
        joined = [offer for offer in offers if not offer.joining]
        if joined:
            regret_weights = [float(offer.since) for offer in joined]
        else:  # all come from checkpoints: their regrets count by all of their iterations
            joined = [offer for offer in offers if offer.iteration] or list(offers)
            regret_weights = [float(offer.iteration) for offer in joined]
        if not sum(regret_weights):
            regret_weights = [1.0] * len(joined)
        last = all(offer.finished for offer in offers)
        by_units: dict[tuple[int, int], AnyArray] = {}
        for offer in offers:
            units = halvings_after(self.schedule, offer.iteration)
            if units not in by_units:
                by_units[units] = self._average(joined, regret_weights, units)
        return {o.instance_id: Merged(by_units[halvings_after(self.schedule, o.iteration)], last) for o in offers}

    def _average(self, offers: Sequence[Offer], regret_weights: Sequence[float], units: tuple[int, int]) -> AnyArray:
        regret_shares, sum_shares = [], []
        for offer, weight in zip(offers, regret_weights, strict=True):
            regret_halvings, sum_halvings = halvings_after(self.schedule, offer.iteration)
            regret_shares.append(weight / sum(regret_weights) * 2.0 ** (regret_halvings - units[0]))
            sum_shares.append(1.0 / len(offers) * 2.0 ** (sum_halvings - units[1]))
        out = np.empty_like(offers[0].table)
        tables = [offer.table for offer in offers]
        average_tables(self.tree, self.buckets_per_street, tables, regret_shares, sum_shares, out)
        return out


@dataclass(frozen=True)
class FileMailbox:
    """Tables through files of one folder: the small file that names a table is written last."""

    folder: Path

    def exchange(self, offer: Offer, stopped: Callable[[], bool]) -> Merged | None:
        """Offer a table and wait for the merged one; None if the instance was told to stop meanwhile."""
        files = _Files(self.folder, offer.instance_id)
        _save(files.offer, offer.table)
        write_json(files.offer.with_suffix(".json"), offer.facts)
        while not files.result.with_suffix(".json").exists():
            if stopped():
                return None
            time.sleep(POLL_SECONDS)
        said = _read(files.result, _ResultFacts)
        merged = Merged(_opened(files.result, load_array, offer.table), said.last)
        _remove(files.result)
        return merged


@dataclass(frozen=True)
class FileHub:
    """The other end of `FileMailbox`."""

    folder: Path

    def offers(self, instance_ids: Sequence[int]) -> list[Offer] | None:
        """The offers of these instances once all of them have made one."""
        files = [_Files(self.folder, instance_id).offer for instance_id in instance_ids]
        if not all(file.with_suffix(".json").exists() for file in files):
            return None
        return [
            Offer(instance_id, table=_opened(file, map_array), **vars(_read(file, _OfferFacts)))
            for instance_id, file in zip(instance_ids, files, strict=True)
        ]

    def hand_back(self, merged: Mapping[int, Merged]) -> None:
        """Give each instance its table and forget its offer."""
        for instance_id, result in merged.items():
            files = _Files(self.folder, instance_id)
            _remove(files.offer)
            _save(files.result, result.table)
            write_json(files.result.with_suffix(".json"), {"last": result.last})


class _Files:
    def __init__(self, folder: Path, instance_id: int) -> None:
        self.offer = folder / f"instance_{instance_id}.offer.npy"
        self.result = folder / f"instance_{instance_id}.result.npy"


def _save(path: Path, table: AnyArray) -> None:
    with atomic_write(path) as file:
        np.save(file, table, allow_pickle=False)


@dataclass(frozen=True)
class _OfferFacts:
    """`Offer.facts` as read from a file."""

    iteration: Count
    since: Count
    joining: bool
    finished: bool


@dataclass(frozen=True)
class _ResultFacts:
    last: bool


def _read(table: Path, kind: type[Record]) -> Record:
    """The small file beside a table."""
    path = table.with_suffix(".json")
    try:
        return checked_fields(kind, read_json(path))
    except (OSError, ValueError) as error:
        raise ArtifactError(f"{path} cannot be used ({error}); {WAY_OUT}") from None


def _opened(path: Path, how: Callable[[Path], AnyArray], like: AnyArray | None = None) -> AnyArray:
    """The table of a file, of the same kind as `like` if there is one to compare with."""
    try:
        table = how(path)
    except (OSError, ValueError) as error:
        raise ArtifactError(f"{path} cannot be used ({error}); {WAY_OUT}") from None
    if like is not None and (table.shape, table.dtype) != (like.shape, like.dtype):
        raise ArtifactError(f"{path} has {table.dtype} of shape {table.shape}, not that of the run; {WAY_OUT}")
    return table


def _remove(path: Path) -> None:
    for file in (path.with_suffix(".json"), path):
        with suppress(FileNotFoundError):
            file.unlink()
