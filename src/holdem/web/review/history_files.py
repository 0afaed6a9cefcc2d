"""The files of hands that pages may open: those beside the runs, and the one that this server writes.

Pages name a file by its name in this list and by nothing else. A hand that is going on is in no file.
"""

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from holdem.errors import ArtifactError, ConfigError, HoldemError
from holdem.table.history.hand_history import END_OF_HAND, HEADER
from holdem.table.history.hand_texts import MOST_HANDS, HandTexts
from holdem.util.files.regular import open_regular
from holdem.util.logs import LOGGER
from holdem.web.run_folder import RunFolder, readable
from holdem.web.strategy.data import Plain

MOST_LISTED = 100
LARGEST_FILE = 20_000_000
"""Bytes; of a larger file that a table wrote the end is read, with the newest hands."""


@dataclass(frozen=True)
class HistoryFiles:
    """Files by name; `own` is the one that this server writes."""

    runs: RunFolder
    own: Path

    def paths(self) -> dict[str, Path]:
        """All files by name, also those that cannot be read."""
        return {**self.runs.histories(), self.own_name: self.own}

    @property
    def own_name(self) -> str:
        """The name of the file that this server writes."""
        return self.runs.history_name(self.own)

    def listed(self) -> list[Plain]:
        """The newest files that can be read, newest first; a bad one hides only itself."""
        rows = []
        for name, path in self.paths().items():
            try:
                state = path.stat()
            except OSError:
                continue
            if state.st_size:
                rows.append((state.st_mtime_ns, name, path, state.st_size))
        rows.sort(reverse=True)
        listed = [_row(name, path, changed, size) for changed, name, path, size in rows[:MOST_LISTED]]
        return [row for row in listed if row is not None]

    def open(self, name: str) -> HandTexts:
        """A file of the list."""
        path = self.paths().get(name)
        if path is None:
            raise ConfigError(f"there is no file called {name!r:.100}; reload the page for those that there are")
        try:
            state = path.stat()
            return _open(path, state.st_mtime_ns, state.st_size)
        except OSError as error:
            raise ArtifactError(f"{name:.200} cannot be read ({error.strerror}); choose another file") from None


def _row(name: str, path: Path, changed: int, size: int) -> Plain | None:
    hands = _count(path, changed, size)
    if hands is None:
        return None
    when = datetime.fromtimestamp(changed / 1e9, UTC).isoformat(timespec="seconds")
    return {"name": name, "hands": hands, "changed": when, "bytes": size}


@lru_cache(maxsize=4 * MOST_LISTED)
def _count(path: Path, changed: int, size: int) -> int | None:
    """Hands of a file; None if it is none."""
    try:
        return len(_read(path))
    except (OSError, HoldemError) as error:
        LOGGER.info("%s is not listed: %s", path, error)
        return None


@lru_cache(maxsize=8)
def _open(path: Path, changed: int, size: int) -> HandTexts:
    """A file as it was at that time; of one that grows meanwhile, what there is."""
    return _read(path)


def _read(path: Path) -> HandTexts:
    name = readable(path.name)
    with open_regular(path) as file:
        content = file.read(LARGEST_FILE + 1)
        ours, too_large = content.startswith(HEADER), len(content) > LARGEST_FILE
        if too_large and not ours:
            raise ArtifactError(f"{name} is larger than {LARGEST_FILE:,} bytes; give it to `holdem review`")
        if too_large:
            file.seek(-LARGEST_FILE, os.SEEK_END)
            content = file.read(LARGEST_FILE)
    many = ours and content.count(END_OF_HAND) > MOST_HANDS
    return HandTexts.newest(content, name) if too_large or many else HandTexts.split(content, name)
