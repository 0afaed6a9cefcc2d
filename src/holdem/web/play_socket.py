"""The websocket of the play page: carries messages between a page and its session's thread."""

import asyncio
from contextlib import suppress

from fastapi import WebSocket, WebSocketDisconnect

from holdem.web.page_side import PageSide, as_text
from holdem.web.play_sessions import MOST_SESSIONS, PlaySessions
from holdem.web.table_view import Message

MOST_UNREAD = 100
"""Answers that wait for the table; a person at a page is never more than a few ahead of it."""
MOST_UNSENT = 1_000
"""Messages that wait for the page; a hand has far fewer, so whoever lets so many wait reads none."""
TOO_MANY = "that were too many messages at once; the table is closed, and your hand is played without you"
LAST_WORD_SECONDS = 1.0


async def play(websocket: WebSocket, sessions: PlaySessions) -> None:
    """One visit of the play page, from the first message to the last."""
    await websocket.accept()
    loop = asyncio.get_running_loop()
    outbox: asyncio.Queue[Message | None] = asyncio.Queue()

    def put(message: Message | None) -> None:
        with suppress(RuntimeError):  # the loop is closed: the server is gone, and with it the page
            loop.call_soon_threadsafe(outbox.put_nowait, message)

    side = PageSide(put)
    put(_welcome(sessions))
    if sessions.begin(side, lambda: put(None)) is None:
        side.tell(f"all {MOST_SESSIONS} tables are taken; come back when somebody has left")
        put(None)
    sender = asyncio.create_task(_send(websocket, outbox))
    try:
        while (message := await websocket.receive())["type"] != "websocket.disconnect":
            side.answer(message.get("text"))
            await asyncio.sleep(0)  # a message that is there already is received without a pause: others get theirs
            if side.unread > MOST_UNREAD or outbox.qsize() > MOST_UNSENT:
                side.tell(TOO_MANY)
                put(None)
                await asyncio.wait([sender], timeout=LAST_WORD_SECONDS)
                break
    finally:
        side.leave()
        sender.cancel()


async def _send(websocket: WebSocket, outbox: "asyncio.Queue[Message | None]") -> None:
    """Messages as they come; None is the end."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while (message := await outbox.get()) is not None:
            await websocket.send_text(as_text(message))
        await websocket.close()


def _welcome(sessions: PlaySessions) -> Message:
    plan = sessions.plan
    return {
        "type": "welcome",
        "game": plan.game.name,
        "seats": plan.game.num_players,
        "you": plan.hero_seat,
        "small_blind": plan.game.small_blind,
        "big_blind": plan.game.big_blind,
        "advice": plan.policy is not None,
        "searches": plan.search is not None,
    }
