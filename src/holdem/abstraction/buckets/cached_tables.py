"""The tables of a card abstraction of which only the manifest is at hand: in the user's cache, and built there once.

A policy travels with its manifest, some tens of kilobytes. Its tables, 138 MB, follow from the settings in it, so they
are built where something reads millions of hands: same settings give the same content hash on every machine, and
tables with another hash are refused. One process builds and the others wait for it, so all of them map the same files.
A build that was interrupted goes on after its last finished street.
"""

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from holdem.abstraction.bucketing import HandBucketing
from holdem.abstraction.buckets.builder import build_files, no_bar
from holdem.abstraction.buckets.estimate import estimate
from holdem.errors import ArtifactError
from holdem.util.files.lock import FileLock, NoLocks
from holdem.util.jit import kernel_digest, user_cache_folder
from holdem.util.progress import ProgressBar

LOOK_SECONDS = 0.2
"""Between two looks at whether another process has finished."""
_EVERY_CORE = 0
"""Of this machine: how many threads the first build had is of another one, perhaps."""
NAMELESS_SECONDS = 2.0
"""A process writes its name behind taking the lock; so long is waited for it before its name is left out."""


def with_tables(bucketing: HandBucketing, quiet: bool = False) -> HandBucketing:
    """The same card abstraction with its tables, which are built first where they are nowhere.

    `quiet`: without a word, for processes behind a table that somebody looks at
    """
    if bucketing.tables:
        return bucketing
    return cached_tables(bucketing) or _build_alone(bucketing, quiet)


def cached_tables(bucketing: HandBucketing) -> HandBucketing | None:
    """The same card abstraction with the tables of the user's cache; None if they are not there, or damaged."""
    path = cached_manifest(bucketing)
    if path.exists():
        with suppress(ArtifactError):
            found = HandBucketing.load(path)
            if found.content_hash == bucketing.content_hash:
                return found
    return None


def cached_manifest(bucketing: HandBucketing) -> Path:
    """Where the manifest of the tables lies in the user's cache, or will."""
    return user_cache_folder() / "abstraction" / f"{bucketing.content_hash[:12]}.pkl"


def can_be_built(bucketing: HandBucketing) -> bool:
    """Whether this version was not yet found to build other tables."""
    return not differs_mark(bucketing).exists()


def differs_mark(bucketing: HandBucketing) -> Path:
    """A file that is there when this version was found to build other tables: it is not tried again."""
    return cached_manifest(bucketing).with_suffix(f".{kernel_digest()}.differs")


def _build_alone(bucketing: HandBucketing, quiet: bool) -> HandBucketing:
    """Build, or wait for whoever builds the same."""
    path = cached_manifest(bucketing)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _interruptible(), _locked(path.with_suffix(".lock"), quiet):
            return cached_tables(bucketing) or _build(bucketing, path, quiet)
    except OSError as error:
        raise ArtifactError(
            f"the bucket tables of {_name(bucketing)} cannot be built in {path.parent} ({error.strerror or error}); "
            "make room there, or name another folder with HOLDEM_CACHE"
        ) from None


def _build(bucketing: HandBucketing, path: Path, quiet: bool) -> HandBucketing:
    if can_be_built(bucketing):
        if not quiet:
            expected = estimate(bucketing.config, _EVERY_CORE)
            _say(
                f"the bucket tables of {_name(bucketing)} are built once, into {path.parent}: "
                f"{expected.disk_bytes / 1e6:.0f} MB, about {expected.seconds:.0f} s"
            )
        built = build_files(bucketing.config, path, _EVERY_CORE, no_bar if quiet else ProgressBar)
        if built.content_hash == bucketing.content_hash:
            return HandBucketing.load(path)
        differs_mark(bucketing).touch()
        for wrong in (path, *path.parent.glob(f"{path.stem}.*.npy")):
            wrong.unlink()
    raise ArtifactError(
        f"the bucket tables of {_name(bucketing)} cannot be built: this version of holdem groups hands in another way "
        "than the one that it was trained with; use that version, or train again"
    )


def _name(bucketing: HandBucketing) -> str:
    """Not its path: beside a shipped model that is a folder of the cache, which nobody has named."""
    return f"the card abstraction {' / '.join(map(str, bucketing.buckets_per_street))} ({bucketing.content_hash[:12]})"


@contextmanager
def _locked(path: Path, quiet: bool) -> Iterator[None]:
    """Inside, no other process and no other thread builds here; where there are no locks, each builds for itself."""
    lock, said, began = FileLock(path), quiet, time.monotonic()
    with suppress(NoLocks):
        while not lock.acquire():
            holder = lock.holder()
            if not said and (holder or time.monotonic() - began > NAMELESS_SECONDS):
                _say(f"the bucket tables are being built by {holder or 'another process'}: waiting for it")
                said = True
            time.sleep(LOOK_SECONDS)
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl+C ends a build at once, also in a verb that lets its own work come to an end first."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) in (
        signal.SIG_IGN,
        signal.default_int_handler,
    ):
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
