"""Files that survive crashes and tell when they were damaged, and pickles that cannot run code.

Every file is written under a temporary name, flushed to disk and renamed, so a reader sees the old file or the new
one, never half of either. A pickle carries a magic word and the SHA-256 of everything before it behind its STOP
opcode: `pickle.load` in a user's own script ignores that trailer, and we check it before reading anything. The
checksum is no key, anybody can compute it: we read with an interpreter of our own that calls nothing (`plain_pickle`).
"""

import hashlib
import io
import json
import os
import pickle
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import numpy as np

from holdem.errors import ArtifactError, WrongKind
from holdem.util.arrays import AnyArray
from holdem.util.files.npy import map_array
from holdem.util.files.plain_arrays import ArrayTaker
from holdem.util.files.plain_pickle import load_plain
from holdem.util.files.regular import open_regular

TRAILER_MAGIC = b"HOLDEM01"
TRAILER_BYTES = len(TRAILER_MAGIC) + 32
_BLOCK = 1 << 20


@contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """A binary file that takes the name `path` only when the block ends without an error."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise


def write_text(path: Path, text: str) -> None:
    """Replace a text file in one step."""
    with atomic_write(path) as file:
        file.write(text.encode("utf-8"))


def write_json(path: Path, content: Any) -> None:
    """Replace a JSON file in one step; a reader always finds whole JSON."""
    write_text(path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")


class _HashingWriter(io.RawIOBase):
    """Passes bytes on and hashes them on the way."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.digest = hashlib.sha256()

    def writable(self) -> bool:
        return True

    def write(self, block: Any) -> int:
        self.digest.update(block)
        self.file.write(block)
        return len(memoryview(block).cast("B"))


def write_pickle(path: Path, kind: str, version: int, content: dict[str, Any]) -> None:
    """Pickle plain data (dicts, numbers, strings, arrays) with its kind, format version and checksum."""
    with atomic_write(path) as file:
        writer = _HashingWriter(file)
        pickle.Pickler(writer, protocol=5).dump({"kind": kind, "format_version": version, **content})
        file.write(TRAILER_MAGIC + writer.digest.digest())


def read_pickle(
    path: Path,
    kind: str,
    newest_version: int,
    way_out: str,
    take_array: ArrayTaker | None = None,
    check: bool = True,
) -> dict[str, Any]:
    """The content of a pickle made by `write_pickle`, or an ArtifactError that ends with the way out.

    `take_array` may receive each array in place of the content, see `util.tables`; `check` may be left out for a
    file whose checksum has just been found right.
    """

    def refuse(what: str) -> ArtifactError:
        return ArtifactError(f"{path} {what}; {way_out}")

    try:
        with open_regular(path) as file:
            size = file.seek(0, os.SEEK_END) - TRAILER_BYTES
            if check:
                _check_trailer(file, size, refuse)
            file.seek(0)
            content = load_plain(file, size, take_array)
    except FileNotFoundError:
        raise refuse("is missing") from None
    except IsADirectoryError:
        raise refuse("is a folder, not a file") from None
    except OSError as error:
        raise refuse(f"cannot be read ({error.strerror or error})") from None
    except ValueError as error:
        raise refuse(f"cannot be understood ({error})") from None
    except MemoryError:
        raise refuse("does not fit into memory") from None
    if not isinstance(content, dict) or not isinstance(content.get("kind"), str):
        raise WrongKind(f"{path} is a pickle without a kind, not {kind!r}; name another file")
    if content["kind"] != kind:
        raise WrongKind(f"{path} holds {content['kind'][:60]!r}, not {kind!r}; name another file")
    version = content.get("format_version")
    if type(version) is not int or not 1 <= version <= newest_version:
        raise refuse(f"has format version {plain_word(version)}, and this program knows up to {newest_version}")
    return content


def plain_word(value: object, longest: int = 40) -> str:
    """A value of a file, or an error about one, for a message: short and on one line, whatever the file holds."""
    word = str(value) if isinstance(value, str | int | float | Exception) else type(value).__name__
    word = word if len(word) <= longest else word[:longest] + "…"
    return word if word.isprintable() else ascii(word)


def _check_trailer(file: IO[bytes], size: int, refuse: Callable[[str], ArtifactError]) -> None:
    """Compare the bytes before the trailer, `size` of them, with the checksum in it."""
    if size <= 0:
        raise refuse("is too short: it was cut off or never finished")
    file.seek(size)
    trailer = file.read(TRAILER_BYTES)
    if not trailer.startswith(TRAILER_MAGIC):
        raise refuse("has no checksum at its end: it was cut off or is not one of our files")
    file.seek(0)
    if _digest(file, size).digest() != trailer[len(TRAILER_MAGIC) :]:
        raise refuse("does not match its checksum: it was altered or damaged")


def _digest(file: IO[bytes], size: int) -> "hashlib._Hash":
    digest = hashlib.sha256()
    while size > 0:
        block = file.read(min(_BLOCK, size))
        if not block:
            break
        digest.update(block)
        size -= len(block)
    return digest


def file_digest(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return _digest(file, path.stat().st_size).hexdigest()


def array_digest(path: Path) -> str:
    """SHA-256 of the numbers in an `.npy` file, whatever its header looks like."""
    return numbers_digest(map_array(path))


def numbers_digest(array: AnyArray) -> str:
    """SHA-256 of the numbers of an array."""
    return hashlib.sha256(np.ascontiguousarray(array).data.cast("B")).hexdigest()


def verify_digest(path: Path, expected: str, digest_of: Callable[[Path], str] = file_digest) -> bool:
    """Whether a large file has this digest; a file already found right and not touched since is not read again."""
    from holdem.util.jit import user_cache_folder  # brings Numba, which whoever reads small files does not wait for

    status = path.stat()
    stamp = [str(path.resolve()), status.st_size, status.st_mtime_ns, status.st_ino, expected]
    name = hashlib.sha256(json.dumps(stamp).encode()).hexdigest()[:32]
    memo = user_cache_folder() / "verified" / name
    if memo.exists():
        return True
    if digest_of(path) != expected:
        return False
    with suppress(OSError):
        memo.parent.mkdir(parents=True, exist_ok=True)
        memo.touch()
    return True
