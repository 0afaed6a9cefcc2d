"""Deals of local best response that outlive their process, so that hours of them can be played in pieces.

One JSON file with its kind, version and checksum, replaced in one step. It carries a fingerprint of what was played:
deals of another opponent, game or seed are refused, since a mean over both would be the mean of nothing. How many hands
were wanted is no part of it, so that more can be added.

Of each setting the first deals are kept, without gaps; what workers finish too early waits in memory.
"""

import json
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from holdem.errors import ArtifactError, ArtifactMissing, ConfigError, RunFailed, WrongKind
from holdem.evaluation.response.local.match import COLUMNS
from holdem.policy.fingerprint import Fingerprint, differences
from holdem.util.arrays import Float64
from holdem.util.artifacts import write_text
from holdem.util.files.fields import FieldError, JsonObject, checked_fields
from holdem.util.files.lock import FileLock, NoLocks
from holdem.util.files.regular import read_json
from holdem.util.manifests import ManifestKind

SAVE_SECONDS = 2.0
SAVE_SHARE = 0.02
"""Of the time goes into saving at most: a file of many deals is written less often."""
MOST_CHIPS = 1e12
RULES = 1
"""Part of the fingerprint: to be raised when LBR plays differently, or counts what it wins in another way."""

WAY_OUT = "name another --out, or delete it"
KEPT = ManifestKind(
    kind="holdem local best response",
    noun="a file of deals that holdem lbr keeps",
    version=1,
    name="lbr.json",
    way_out=WAY_OUT,
)

_Chips = Annotated[float, Field(ge=-MOST_CHIPS, le=MOST_CHIPS)]
_Row = Annotated[list[_Chips], Field(min_length=2 * COLUMNS, max_length=2 * COLUMNS)]


@dataclass(frozen=True)
class _StoredDeals:
    """The fields of a file beside its kind, version, checksum and figures; a deal is a row of both positions."""

    fingerprint: JsonObject
    deals: dict[str, list[_Row]]


def refuse_kept(path: Path) -> None:
    """WrongKind if figures would be written over deals that somebody keeps there, as `holdem lbr --published` does."""
    content = None
    with suppress(OSError, ValueError):
        content = read_json(path)
    if isinstance(content, dict) and content.get("kind") == KEPT.kind:
        raise WrongKind(f"{path} holds deals of holdem lbr --published, and it would be written over; {WAY_OUT}")


class KeptDeals:
    """`with KeptDeals(path, fingerprint, settings) as kept:` holds the file; without a path, memory alone."""

    def __init__(self, path: Path | None, fingerprint: Fingerprint, settings: Sequence[str]) -> None:
        self.path, self.fingerprint = path, {"rules": RULES, **fingerprint}
        self._chips: dict[str, list[Float64]] = {setting: [] for setting in settings}
        self._waiting: dict[str, dict[int, Float64]] = {setting: {} for setting in settings}
        self._lock = None if path is None else FileLock(path.with_name(f".{path.name}.lock"))
        self._saved, self._took = time.monotonic(), 0.0

    def __enter__(self) -> "KeptDeals":
        if self.path is not None:
            self._take_lock()
            try:
                self._read(self.path)
            except BaseException:
                self._release()
                raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._release()

    def chips(self, setting: str) -> Float64:
        """(deals, 2, COLUMNS): the first deals of a setting, as `play_matches` returns them."""
        return np.concatenate([np.empty((0, 2, COLUMNS)), *self._chips[setting]])

    def add(self, setting: str, start: int, chips: Float64) -> None:
        """A piece that was just played, from deal `start` on; the file is written every few seconds."""
        waiting, ready = self._waiting[setting], self._chips[setting]
        waiting[start] = chips
        count = sum(map(len, ready))
        while count in waiting:
            ready.append(waiting.pop(count))
            count += len(ready[-1])
        if time.monotonic() - self._saved > max(SAVE_SECONDS, self._took / SAVE_SHARE):
            self.save()

    def save(self, figures: dict[str, Any] | None = None) -> None:
        """Replace the file, if there is one, in one step; `figures` are what the deals say, for readers of the file."""
        if self.path is None:
            return
        begun = time.monotonic()
        deals = {name: self.chips(name).reshape(-1, 2 * COLUMNS).tolist() for name in self._chips}
        content = {"fingerprint": self.fingerprint, "figures": figures, "deals": deals}
        try:
            write_text(self.path, json.dumps(KEPT.sealed(content), ensure_ascii=False) + "\n")
        except OSError as error:
            raise RunFailed(
                f"{self.path} cannot be written ({error.strerror or error}); what it held is still there: "
                "make room and run the same command again"
            ) from None
        self._saved = time.monotonic()
        self._took = self._saved - begun

    def remove(self) -> None:
        """Delete the file: all that was wanted was played, and nothing is left to go on with."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def _read(self, path: Path) -> None:
        try:
            content = KEPT.read(path)
        except ArtifactMissing:
            return
        try:
            stored = checked_fields(_StoredDeals, content)
        except FieldError as error:
            raise ArtifactError(f"{path} {error}; {WAY_OUT}") from None
        different = differences(stored.fingerprint, self.fingerprint)
        if different:
            raise ConfigError(f"{path} has deals of something else ({'; '.join(different[:3])}); {WAY_OUT}")
        if not stored.deals.keys() <= self._chips.keys():
            raise ArtifactError(f"{path} has deals of settings that are not known; {WAY_OUT}")
        for setting, rows in stored.deals.items():
            self._chips[setting] = [np.array(rows, dtype=np.float64).reshape(-1, 2, COLUMNS)]

    def _take_lock(self) -> None:
        assert self.path is not None and self._lock is not None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self._lock.acquire():
                raise ConfigError(
                    f"{self.path} is being written by {self._lock.holder() or 'another process'}; "
                    "wait for it, or name another --out"
                )
        except NoLocks:
            self._lock = None  # such file systems have no way to tell
        except OSError as error:
            raise ConfigError(f"{self.path} cannot be written ({error.strerror}); name another --out") from None

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()
