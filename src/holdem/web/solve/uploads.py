"""Files of solves that pages bring along: bounded in size, number and age, and gone when they were opened."""

import asyncio
import secrets
import threading
from pathlib import Path

from starlette.requests import Request

from holdem.errors import ConfigError
from holdem.realtime.subgame.files import is_saved_solution
from holdem.web.bodies import body_of

LARGEST_BYTES = 1 << 29
MOST_KEPT = 4
"""Over all pages; the oldest goes first."""
MOST_AT_ONCE = 2
PATIENCE_SECONDS = 600.0
"""For one to come."""
OLDEST_SECONDS = 600.0
SUFFIX = ".uploaded"


class Uploads:
    """Files by token, in the order in which they came."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self.folder = folder
        self.most_bytes = min(most_bytes, LARGEST_BYTES)
        self._kept: dict[str, Path] = {}
        self._lock = threading.Lock()
        self._coming = 0

    async def receive(self, request: Request) -> str:
        """Keep what comes, and say under which token; a ConfigError for what is too large or no saved solve."""
        if self._coming >= MOST_AT_ONCE:
            raise ConfigError("other files are being uploaded; try again in a moment")
        self._coming += 1  # only the server's loop counts
        try:
            return await self._write(request)
        finally:
            self._coming -= 1

    async def _write(self, request: Request) -> str:
        token = secrets.token_urlsafe(16)
        path = self.folder / f"{token}{SUFFIX}"
        too_large = f"the file is larger than {self.most_bytes / 1e6:,.0f} MB; open it with: holdem solve FILE"
        try:
            with path.open("wb") as file:
                async for block in body_of(request, self.most_bytes, PATIENCE_SECONDS, too_large):
                    file.write(block)
            if not is_saved_solution(path):
                raise ConfigError("the file is no whole saved solve; save one with this page or holdem solve --save")
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        self._keep(token, path)
        return token

    def _keep(self, token: str, path: Path) -> None:
        with self._lock:
            self._kept[token] = path
            oldest = next(iter(self._kept)) if len(self._kept) > MOST_KEPT else None
        if oldest is not None:
            self._forget(oldest)
        asyncio.get_running_loop().call_later(OLDEST_SECONDS, self._forget, token)

    def _forget(self, token: str) -> None:
        with self._lock:
            path = self._kept.pop(token, None)
        if path is not None:
            path.unlink(missing_ok=True)

    def take(self, token: str, place: Path) -> None:
        """Move a file to where it is opened; it can be taken once."""
        with self._lock:
            path = self._kept.pop(token, None)
        if path is None:
            raise ConfigError("this upload is not here any more; choose the file again")
        path.replace(place)
