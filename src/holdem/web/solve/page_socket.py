"""The websocket of a Solve page: messages are checked here, and passed on to threads that may wait."""

import asyncio
from contextlib import suppress

from fastapi import WebSocket, WebSocketDisconnect

from holdem.errors import ConfigError
from holdem.web.daemon_threads import DaemonThreads
from holdem.web.run_folder import RunFolder
from holdem.web.solve.messages import EstimateAsked, as_text, read_message, refusal, request_of
from holdem.web.solve.page import SolvePage
from holdem.web.solve.rooms import SolveRooms
from holdem.web.solve.welcome import welcome

MOST_UNREAD = 32
"""Messages that wait for the worker; a person at a page is never more than a few ahead of it."""
MOST_UNSENT = 8_000_000
"""Letters that wait for the page, some dozens of the largest nodes; whoever lets so many wait reads none."""
MOST_ESTIMATES = 4
"""Of a page at once."""
TOO_MANY = "that were too many messages at once; the page is closed, load it again"
LAST_WORD_SECONDS = 5.0
"""For a page to read why it is closed."""


class _Outbox:
    """Texts that wait for the page; `put` may be called in any thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._texts: asyncio.Queue[str | None] = asyncio.Queue()
        self.unsent = 0
        """Letters."""
        self._last_word: str | None = None

    def put(self, text: str | None) -> None:
        """One more; None is the end."""
        with suppress(RuntimeError):  # the loop is closed: the server is gone, and with it the page
            self._loop.call_soon_threadsafe(self._put, text)

    def cut(self, last_word: str) -> None:
        """Nothing follows but this text, whatever waits and whoever puts at the same time."""
        self._last_word = last_word
        while not self._texts.empty():
            self._texts.get_nowait()
        self._texts.put_nowait(None)

    def _put(self, text: str | None) -> None:
        self.unsent += len(text or "")
        self._texts.put_nowait(text)

    async def send(self, websocket: WebSocket) -> None:
        """Texts as they come, to the end."""
        with suppress(WebSocketDisconnect, RuntimeError):
            while (text := await self._texts.get()) is not None:
                await websocket.send_text(text)
                self.unsent -= len(text)
            if self._last_word is not None:
                await websocket.send_text(self._last_word)
            await websocket.close()


async def solve(
    websocket: WebSocket, rooms: SolveRooms, runs: RunFolder, welcomes: DaemonThreads, estimates: DaemonThreads
) -> None:
    """One visit of the Solve page, from the first message to the last; nobody's welcome waits for estimates."""
    await websocket.accept()
    outbox = _Outbox()
    sender = asyncio.create_task(outbox.send(websocket))
    page = SolvePage(rooms, outbox.put)
    try:
        if rooms.enter(page):
            outbox.put(as_text(await welcomes.run(lambda: welcome(rooms, runs))))
        else:
            outbox.put(as_text(refusal(None, "too many Solve pages are open; close one and load this one again")))
            outbox.put(None)
        if not await _listen(websocket, page, outbox, estimates):
            outbox.cut(as_text(refusal(None, TOO_MANY)))
            await asyncio.wait([sender], timeout=LAST_WORD_SECONDS)
    finally:
        page.leave()
        sender.cancel()


async def _listen(websocket: WebSocket, page: SolvePage, outbox: _Outbox, threads: DaemonThreads) -> bool:
    """Until the page is closed; False if it says more than anybody can answer."""
    estimates: set[asyncio.Task[None]] = set()

    async def estimate(message: EstimateAsked) -> None:
        outbox.put(await threads.run(lambda: page.rooms.estimator.ask(message, lambda: page.gone)))

    try:
        while (received := await websocket.receive())["type"] != "websocket.disconnect":
            text = received.get("text")
            page.stir()
            try:
                message = read_message(text)
            except ConfigError as error:
                outbox.put(as_text(refusal(request_of(text), str(error))))
            else:
                if not isinstance(message, EstimateAsked):
                    page.hear(message)
                elif len(estimates) < MOST_ESTIMATES:
                    task = asyncio.create_task(estimate(message))
                    estimates.add(task)
                    task.add_done_callback(estimates.discard)
                else:
                    wait = "too many estimates at once; wait for the earlier ones"
                    outbox.put(as_text(refusal(message.request, wait)))
            await asyncio.sleep(0)  # a message that is there already is received without a pause: others get theirs
            if page.unread > MOST_UNREAD or outbox.unsent > MOST_UNSENT:
                return False
        return True
    finally:  # nobody waits for them any more, and those of the next page do not wait behind them
        for task in estimates:
            task.cancel()
