"""The websocket of the play page: carries messages between a page and its session's thread.

The first message of a page says what it wants: `{"token": "..."}` its table back, `{"table": {...}}` a new one. Both
may be given: then a table that is no longer there is replaced by such a new one.
"""

import asyncio

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from holdem.errors import HoldemError
from holdem.web.daemon_threads import DaemonThreads
from holdem.web.play.page_link import OVER, PageLink
from holdem.web.play.page_side import PageSide
from holdem.web.play.sessions import MOST_SESSIONS, PlaySession, PlaySessions
from holdem.web.play.table_options import TableChoices, TableOptions
from holdem.web.run_folder import readable

MOST_UNREAD = 100
"""Answers that wait for the table; a person at a page is never more than a few ahead of it."""
MOST_UNSENT = 1_000
"""Messages that wait for the page; a hand has far fewer, so whoever lets so many wait reads none."""
LONGEST_ANSWER = 4_096
"""Letters of a message."""
WAIT_SECONDS = 60.0
"""How long a seat waits in a hand for a page that was loaded again or cut off."""
WAIT_BETWEEN_SECONDS = 1_800.0
"""The same between hands, when only the place waits: to look at a hand in another room takes its time."""
HELLO_SECONDS = 30.0
"""For the first message of a page."""
LAST_WORD_SECONDS = 5.0
"""For a page to read why it is closed."""
TOO_MANY = "that were too many messages at once; the table is closed, and your hand is played without you"
NO_HELLO = 'the first message is {"token": "..."} or {"table": {}}, and this one is not; load the page again'
NOT_THERE = (
    "that table is not there any more: the server was started anew, or nobody came back in time; "
    "this is a new table, and your hands are in the review room"
)


class Hello(BaseModel):
    """The first message of a page."""

    model_config = ConfigDict(strict=True, extra="forbid")

    token: str | None = Field(default=None, max_length=100)
    table: TableOptions | None = None


async def play(websocket: WebSocket, sessions: PlaySessions, choices: TableChoices, threads: DaemonThreads) -> None:
    """One connection of the play page, from the first message to the last."""
    await websocket.accept()
    link = PageLink()
    sender = asyncio.create_task(link.carry(websocket))
    try:
        session = await _session(websocket, link, sessions, choices, threads)
        if session is None:
            link.close()
            await asyncio.wait([sender], timeout=LAST_WORD_SECONDS)
        else:
            await _follow(websocket, link, session, sender)
    finally:
        sender.cancel()


async def _session(
    websocket: WebSocket, link: PageLink, sessions: PlaySessions, choices: TableChoices, threads: DaemonThreads
) -> PlaySession | None:
    """The session that a page asks for; None if there is none, which the page is told."""
    try:
        hello = Hello.model_validate_json(await asyncio.wait_for(_text(websocket), HELLO_SECONDS))
    except (TimeoutError, WebSocketDisconnect):
        return None
    except ValidationError as error:
        link.send({"type": "told", "text": _why_not(error)})
        return None
    if hello.token is not None and (known := sessions.resume(hello.token, link)) is not None:
        return known

    def tell(sentence: str) -> None:
        link.send({"type": "told", "text": sentence})

    try:
        plan = await threads.run(lambda: choices.table(hello.table or TableOptions(), tell))
    except HoldemError as error:
        link.send({"type": "told", "text": readable(str(error))})
        return None
    session = sessions.begin(plan, link, "" if hello.token is None else NOT_THERE)
    if session is None:
        text = f"all {MOST_SESSIONS} tables are taken; come back when somebody has left"
        link.send({"type": "told", "text": text})
    return session


async def _text(websocket: WebSocket) -> str:
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", OVER))
    return _bounded(message.get("text"))


def _bounded(text: str | None) -> str:
    """A message, nothing if it is too long or no text."""
    return text if text and len(text) <= LONGEST_ANSWER else ""


def _why_not(error: ValidationError) -> str:
    """What is wrong with the first message, in one sentence."""
    first = error.errors()[0]
    if first["loc"][:1] != ("table",) or len(first["loc"]) < 2:
        return NO_HELLO
    return f"{first['loc'][1]!s:.40}: {first['msg']}; choose another table"


async def _follow(websocket: WebSocket, link: PageLink, session: PlaySession, sender: "asyncio.Task[None]") -> None:
    """Answers of a page until it goes; whoever leaves the table leaves at once, whoever is lost may come back."""
    side, left = session.side, False
    try:
        while (message := await websocket.receive())["type"] != "websocket.disconnect":
            side.answer(link, _bounded(message.get("text")))
            await asyncio.sleep(0)  # a message that is there already is received without a pause: others get theirs
            if side.unread > MOST_UNREAD or link.unsent > MOST_UNSENT:
                left = True
                link.cut({"type": "told", "text": TOO_MANY})
                await asyncio.wait([sender], timeout=LAST_WORD_SECONDS)
                break
        else:
            left = message.get("code") == OVER
    finally:
        if side.detach(link):
            _wait_for_page(side, side.lost_at, left)


def _wait_for_page(side: PageSide, since: float | None, left: bool) -> None:
    """Give the place up when the time to come back is over; a hand that ended meanwhile waits for nobody any more."""

    def minute_is_over() -> None:
        if side.between_hands:
            later(WAIT_BETWEEN_SECONDS - WAIT_SECONDS, side.leave_if_lost, since)
        else:
            side.leave_if_lost(since)

    later = asyncio.get_running_loop().call_later
    if left:
        later(0.0, side.leave_if_lost, since)
    elif side.between_hands:
        later(WAIT_BETWEEN_SECONDS, side.leave_if_lost, since)
    else:
        later(WAIT_SECONDS, minute_is_over)
