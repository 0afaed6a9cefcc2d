"""Compressed bytes that nobody trusts: never more output than was asked for, and never much memory."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, TracebackType
from typing import IO

from holdem.errors import ConfigError
from holdem.policy.models.coding import CodingError
from holdem.util.files.regular import open_regular

# Probabilities are noise to a search for repetitions: what helps is the context of the byte before (lc), and a larger
# dictionary or a slower preset gains nothing.
_LZMA2 = {"preset": 9, "lc": 4, "lp": 0, "pb": 0, "dict_size": 1 << 22}
_MEMORY = 32 << 20
_BLOCK = 1 << 16


class PackedWriter:
    """Compresses into an open file; `sha256` and `size` are of what it has written."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        lzma = _lzma()
        filters = [{"id": lzma.FILTER_LZMA2, **_LZMA2}]
        self._compressor = lzma.LZMACompressor(lzma.FORMAT_XZ, lzma.CHECK_CRC32, filters=filters)
        self._digest = hashlib.sha256()
        self.size = 0

    @property
    def sha256(self) -> str:
        """Digest of the file so far."""
        return self._digest.hexdigest()

    def write(self, content: bytes) -> None:
        """Add bytes."""
        self._put(self._compressor.compress(content))

    def finish(self) -> None:
        """Add what the compressor still holds."""
        self._put(self._compressor.flush())

    def _put(self, packed: bytes) -> None:
        self._file.write(packed)
        self._digest.update(packed)
        self.size += len(packed)


class PackedReader:
    """Reads so many bytes of a compressed file at a time; CodingError for whatever is wrong with it.

    progress: told how many bytes of the file were read
    """

    def __init__(self, path: Path, size: int, sha256: str, progress: Callable[[int], None]) -> None:
        lzma = _lzma()
        self._file = _opened(path)
        self._left, self._sha256 = size, sha256
        self._damaged = (lzma.LZMAError, EOFError, MemoryError)
        self._decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MEMORY)
        self._digest = hashlib.sha256()
        self._progress = progress

    def __enter__(self) -> "PackedReader":
        return self

    def read(self, count: int) -> bytes:
        """Exactly so many bytes."""
        pieces = bytearray()
        while len(pieces) < count:
            piece = self._piece(count - len(pieces))
            if not piece and self._decompressor.eof:
                raise CodingError("ends too early: it was cut off or altered")
            pieces += piece
        return bytes(pieces)

    def finish(self) -> None:
        """A CodingError unless everything was read and the file is the one that was meant."""
        while not self._decompressor.eof:
            if self._piece(1):
                raise CodingError("holds more than it should: it was altered or damaged")
        if self._decompressor.unused_data or self._left or self._read(1):
            raise CodingError("goes on behind its end: it was altered or damaged")
        if self._digest.hexdigest() != self._sha256:
            raise CodingError("does not match its checksum: it was altered or damaged")

    def _piece(self, most: int) -> bytes:
        packed = self._more() if self._decompressor.needs_input and not self._decompressor.eof else b""
        if self._decompressor.eof:
            return b""
        try:
            return bytes(self._decompressor.decompress(packed, most))
        except self._damaged:
            raise CodingError("cannot be unpacked: it was cut off or altered") from None

    def _more(self) -> bytes:
        packed = self._read(min(_BLOCK, self._left))
        if not packed:
            raise CodingError("ends too early: it was cut off or altered")
        self._left -= len(packed)
        self._digest.update(packed)
        self._progress(len(packed))
        return packed

    def _read(self, most: int) -> bytes:
        try:
            return self._file.read(most)
        except OSError as error:
            raise CodingError(f"cannot be read ({error.strerror or error})") from None

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def _lzma() -> ModuleType:
    """The library, which a Python may have been built without: then only models need it."""
    try:
        import lzma
    except ImportError:
        raise ConfigError(
            "this Python was built without lzma, which models are packed with; install liblzma and build Python again, "
            "or use another Python"
        ) from None
    return lzma


def _opened(path: Path) -> IO[bytes]:
    try:
        return open_regular(path)
    except FileNotFoundError:
        raise CodingError("is missing") from None
    except IsADirectoryError:
        raise CodingError("is a folder, not a file") from None
    except OSError as error:
        raise CodingError(f"cannot be read ({error.strerror or 'it is no regular file'})") from None
