"""Blocking work of requests in threads that do not keep the process alive.

FastAPI's own threads are joined at the end of the process: Ctrl+C would wait for an exploitability of a large run.
"""

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

MOST_AT_ONCE = 8

Result = TypeVar("Result")


class DaemonThreads:
    """Runs some functions at a time; the others wait."""

    def __init__(self) -> None:
        self._places = asyncio.Semaphore(MOST_AT_ONCE)

    async def run(self, work: Callable[[], Result]) -> Result:
        """The result of a function, or what it raised."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()

        def settle(result: Result | None, error: BaseException | None) -> None:
            self._places.release()
            if future.cancelled():
                return
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(result)  # type: ignore[arg-type]

        def run() -> None:
            result, error = None, None
            try:
                result = work()
            except BaseException as caught:  # whatever it is, whoever asked hears of it
                error = caught
            try:
                loop.call_soon_threadsafe(settle, result, error)
            except RuntimeError:
                return  # the loop is closed: the server is gone

        await self._places.acquire()
        try:
            threading.Thread(target=run, name="request", daemon=True).start()
        except RuntimeError:  # no more threads
            self._places.release()
            raise
        return await future
