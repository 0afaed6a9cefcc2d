"""Files of hands that pages brought: kept in memory for a while under a name that cannot be guessed.

Nothing is written to disk and nothing in a file is executed. Their number, their bytes and their age are bounded; the
oldest goes first.
"""

import asyncio
import secrets
import threading
from dataclasses import dataclass, field

from starlette.requests import Request

from holdem.errors import ArtifactError, ConfigError, HoldemError
from holdem.table.history.hand_texts import HandTexts, ReadingTime
from holdem.web.bodies import body_of

LARGEST = 5_000_000
"""Bytes of a file."""
MOST_BYTES = 40_000_000
"""Of all files together."""
MOST_FILES = 32
KEPT_SECONDS = 4 * 3600.0
MOST_AT_ONCE = 4
PATIENCE_SECONDS = 60.0
ENDINGS = (".phh", ".phhs")
PREFIX = "brought:"


@dataclass
class BroughtFiles:
    """Files by name, oldest first."""

    _files: dict[str, tuple[int, HandTexts]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _receiving: int = 0

    async def receive(self, request: Request) -> bytes:
        """The file that a request brings; refused where it is too large, too slow, or one too many at once."""
        if self._receiving >= MOST_AT_ONCE:
            raise ConfigError(f"{MOST_AT_ONCE} files are being brought already; try again in a moment")
        self._receiving += 1
        try:
            too_large = f"the file is larger than {LARGEST:,} bytes; split it"
            return b"".join([block async for block in body_of(request, LARGEST, PATIENCE_SECONDS, too_large)])
        finally:
            self._receiving -= 1

    def keep(self, name: str, content: bytes) -> str:
        """Take a file in; the name under which it is opened."""
        if not name.isprintable() or not name.lower().endswith(ENDINGS):
            raise ConfigError(f"{name!r:.100} is not a hand history by its name; give a .phh or .phhs file")
        texts = HandTexts.split(content, name)
        _check(texts)
        token = PREFIX + secrets.token_urlsafe(16)
        with self._lock:
            self._files[token] = (len(content), texts)
            while sum(size for size, _ in self._files.values()) > MOST_BYTES or len(self._files) > MOST_FILES:
                del self._files[next(iter(self._files))]
        return token

    def forget_later(self, token: str) -> None:
        """Let a file go when its time is over; this belongs to the server's loop."""
        asyncio.get_running_loop().call_later(KEPT_SECONDS, self._forget, token)

    def _forget(self, token: str) -> None:
        with self._lock:
            self._files.pop(token, None)

    def open(self, token: str) -> HandTexts:
        """A file that was brought."""
        with self._lock:
            if token not in self._files:
                raise ConfigError("the file that was brought is not kept any more; bring it again")
            return self._files[token][1]


def _check(texts: HandTexts) -> None:
    """Refuse a file without a hand that can be read, or whose hands take too long to try until there is one."""
    first: HoldemError | None = None
    left = ReadingTime(texts.name)
    for number in range(1, len(texts) + 1):
        try:
            left.check()
        except ArtifactError as error:
            raise first or error from None
        try:
            texts.hand(number)
        except HoldemError as error:
            first = first or error
        else:
            return
    raise first or ConfigError(f"there is no hand in {texts.name:.100}; give a .phh or .phhs file with hands")
