"""The websocket of the review page: one request, then messages as decisions are found.

When the page says `stop`, the review ends with a summary of what was found; when it is gone, without.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from holdem.errors import HoldemError
from holdem.table.history.hand_texts import HandTexts
from holdem.util.logs import LOGGER
from holdem.web.play.table_view import Message
from holdem.web.review.reviews import MOST_REVIEWS, Folder, PageGone, Review, ReviewPlaces, ReviewRequest
from holdem.web.run_folder import readable

PATIENCE_SECONDS = 30.0
"""For the request; a page sends it at once."""
LOOK_SECONDS = 0.2
STOP = "stop"
NOT_UNDERSTOOD = "that is not a review that can be asked for; reload the page"
ALL_TAKEN = f"{MOST_REVIEWS} reviews are running already; try again when one of them is done"

Find = Callable[[ReviewRequest], tuple[HandTexts, dict[int, Folder]]]
"""The file that a request names, and policies by their number of seats."""


async def review(websocket: WebSocket, find: Find, places: ReviewPlaces) -> None:
    """One review, from the request to the summary."""
    await websocket.accept()
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            request = ReviewRequest.model_validate_json((await websocket.receive()).get("text") or "")
    except ValidationError:
        await _say_and_close(websocket, NOT_UNDERSTOOD)
        return
    except TimeoutError:
        await _close(websocket)
        return
    if not places.take():
        await _say_and_close(websocket, ALL_TAKEN)
        return
    gone, stopped = threading.Event(), threading.Event()
    over = _begin(websocket, request, find, places, gone, stopped)
    listening = asyncio.ensure_future(_listen(websocket, stopped))
    try:
        await asyncio.wait([listening, over], return_when=asyncio.FIRST_COMPLETED)
    finally:
        gone.set()
        listening.cancel()
    await _close(websocket)


def _begin(
    websocket: WebSocket,
    request: ReviewRequest,
    find: Find,
    places: ReviewPlaces,
    gone: threading.Event,
    stopped: threading.Event,
) -> "asyncio.Future[None]":
    """Start the thread; done when it has ended."""
    loop = asyncio.get_running_loop()
    over: asyncio.Future[None] = loop.create_future()

    def send(message: Message) -> None:
        """One message at a time: a page that reads slowly slows its review down, and nothing piles up."""
        if gone.is_set():
            raise PageGone
        _wait(asyncio.run_coroutine_threadsafe(websocket.send_json(message), loop), gone)

    def settle() -> None:
        if not over.done():
            over.set_result(None)

    def run() -> None:
        try:
            with suppress(PageGone, RuntimeError, WebSocketDisconnect):
                _run(request, find, send, gone, stopped)
        finally:
            places.free()
            with suppress(RuntimeError):  # the loop is closed: the server is gone
                loop.call_soon_threadsafe(settle)

    try:
        threading.Thread(target=run, name="review", daemon=True).start()
    except RuntimeError:  # no more threads
        places.free()
        raise
    return over


def _run(
    request: ReviewRequest,
    find: Find,
    send: Callable[[Message], None],
    gone: threading.Event,
    stopped: threading.Event,
) -> None:
    try:
        texts, policies = find(request)
        Review(request, texts, policies, send, gone.is_set, stopped.is_set).run()
    except HoldemError as error:
        send({"type": "told", "text": readable(str(error))})
    except (PageGone, WebSocketDisconnect):
        raise
    except Exception:
        if not gone.is_set():
            LOGGER.exception("a review failed")
            send({"type": "told", "text": "the review failed; the log of the server says why"})


def _wait(sent: "Future[None]", gone: threading.Event) -> None:
    while not gone.is_set():
        with suppress(TimeoutError):
            sent.result(LOOK_SECONDS)
            return
    sent.cancel()
    raise PageGone


async def _listen(websocket: WebSocket, stopped: threading.Event) -> None:
    """Until the page is gone; it may say that it has seen enough, and nothing else is asked."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while (message := await websocket.receive())["type"] != "websocket.disconnect":
            if message.get("text") == STOP:
                stopped.set()
            await asyncio.sleep(0)


async def _say_and_close(websocket: WebSocket, sentence: str) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        await websocket.send_json({"type": "told", "text": sentence})
    await _close(websocket)


async def _close(websocket: WebSocket) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        await websocket.close()
