"""Bodies of requests: bounded in bytes and in time, and one whose page has gone is refused like any other."""

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import ClientDisconnect, Request

from holdem.errors import ConfigError

GRACE_SECONDS = 10.0
LEAST_RATE = 20_000
"""Bytes a second after the grace, over all that came."""


async def body_of(request: Request, most_bytes: int, most_seconds: float, too_large: str) -> AsyncIterator[bytes]:
    """A body, block by block; a ConfigError, `too_large` or another, where it does not come whole and in time."""
    if int(request.headers.get("content-length", 0)) > most_bytes:  # digits alone: others do not get here
        raise ConfigError(too_large)
    loop, blocks, size = asyncio.get_running_loop(), request.stream(), 0
    began = loop.time()
    while True:
        try:
            async with asyncio.timeout_at(began + min(most_seconds, GRACE_SECONDS + size / LEAST_RATE)):
                block = await anext(blocks)
        except StopAsyncIteration:
            return
        except ClientDisconnect:
            raise ConfigError("the page has gone before its file had come; try again") from None
        except TimeoutError:
            raise ConfigError("this comes too slowly; try again on a better connection") from None
        size += len(block)
        if size > most_bytes:
            raise ConfigError(too_large)
        yield block
