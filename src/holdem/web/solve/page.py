"""One Solve page and its worker process.

A thread of the page owns the process: it starts it, passes messages on in both directions and ends it, so that the
server's loop never waits. Another one reads what the worker says. When the page is closed, the process is killed,
whatever it does; it also ends where nothing is solved in it, so that whoever waits for a place gets it.
"""

import json
import queue
import secrets
import shutil
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from holdem.errors import ConfigError, HoldemError
from holdem.util.logs import LOGGER
from holdem.util.processes import PipedProcess
from holdem.web.solve.messages import OpenAsked, PageMessage, StartAsked, StopAsked, as_text, refusal
from holdem.web.solve.worker import CANCELLED, NOTHING_YET, WorkerPlace, main

if TYPE_CHECKING:
    from holdem.web.solve.rooms import SolveRooms

UPLOADED = ".uploaded"
"""How the names of uploaded files end in the folder of the page that opens them."""
READER_SECONDS = 5.0
MOST_UNANSWERED = 32
"""Questions that the worker has; it is ended by twice as many."""
MADE_ROOM = (
    "your solve was ended to make room: all places were taken, and this page had asked for nothing in a while; "
    "the spot is still here, and Start solves it again"
)

Put = Callable[[str], None]
"""Sends a text to the page, from any thread."""


@dataclass(frozen=True)
class _Said:
    """By this process."""

    process: PipedProcess
    text: str


@dataclass(frozen=True)
class _WorkerGone:
    """The pipe of this process has ended."""

    process: PipedProcess


class _PlaceLost:
    """Another page has got the place of this one."""


class SolvePage:
    """`hear`, `stir` and `leave` belong to the server's loop, `make_room` to the thread of another page, everything
    else to the page's own thread."""

    def __init__(self, rooms: "SolveRooms", put: Put) -> None:
        self.rooms, self._put = rooms, put
        self.token = secrets.token_urlsafe(16)
        self.folder = rooms.folder / self.token
        self._inbox: queue.SimpleQueue[PageMessage | _Said | _WorkerGone | _PlaceLost | None] = queue.SimpleQueue()
        self._heard = self._taken = 0
        """Messages of the page, counted by the server's loop and by the page's thread."""
        self._stirred = time.monotonic()
        self._waiting: dict[int, PageMessage] = {}
        """By request: what the worker has not answered yet."""
        self._solved = self._running = False
        """Whether the worker has begun a solve or opened one, and whether it iterates."""
        self._gone = threading.Event()
        self._process: PipedProcess | None = None
        self._reader: threading.Thread | None = None
        self._thread = threading.Thread(target=self._run, name="solve page", daemon=True)
        self._thread.start()

    @property
    def unread(self) -> int:
        """Messages of the page that wait."""
        return self._heard - self._taken

    @property
    def idle_seconds(self) -> float:
        """How long nobody has asked for anything; 0 while something is solved or about to be."""
        return 0.0 if self._running or self._waiting or self.unread else time.monotonic() - self._stirred

    @property
    def pid(self) -> int:
        """Of the worker; 0 without one."""
        return 0 if self._process is None else self._process.pid

    def hear(self, message: PageMessage) -> None:
        """A message of the page for its worker."""
        self.stir()
        self._heard += 1
        self._inbox.put(message)

    def stir(self) -> None:
        """Somebody is at the page."""
        self._stirred = time.monotonic()

    def make_room(self) -> None:
        """Its place is another page's by now."""
        self._inbox.put(_PlaceLost())

    def leave(self) -> None:
        """The page is closed: its place is free at once, its process ends, its files go."""
        self._gone.set()
        self.rooms.leave(self)
        self._inbox.put(None)

    @property
    def gone(self) -> bool:
        """Whether the page is closed."""
        return self._gone.is_set()

    def join(self, seconds: float) -> None:
        """Wait until the process has ended."""
        self._thread.join(seconds)

    def _run(self) -> None:
        try:
            while not self._gone.is_set():
                self._take(self._inbox.get())
        finally:
            self._end_process()
            shutil.rmtree(self.folder, ignore_errors=True)

    def _take(self, item: PageMessage | _Said | _WorkerGone | _PlaceLost | None) -> None:
        match item:
            case None:
                return
            case _Said():
                if item.process is self._process:
                    self._tell(item.text)
            case _WorkerGone():
                if item.process is self._process:  # nobody told it to
                    how = self._end_process()
                    self._tell_end(f"the solve has ended unexpectedly ({how}); start it again")
            case _PlaceLost():
                if self._process is not None and not self.rooms.has_place(self):  # it may have got another one
                    self._end_process()
                    self._tell_end(MADE_ROOM)
            case _:
                self._pass_on(item)
                self._taken += 1

    # From the worker to the page

    def _tell(self, text: str) -> None:
        """What the worker says, after what follows from it for its place."""
        said = json.loads(text)
        kind = said["type"]
        self._waiting.pop(said.get("request"), None)
        if kind in ("started", "opened"):
            self._solved, self._running = True, kind == "started"
        elif kind == "stopped":
            self._running = False
            self.stir()
        lost = kind == "ended" or (kind == "refused" and said.get("solved") is False and not self._is_beginning)
        unanswered = self._give_up_process() if lost else []
        self._put(text)
        for message in unanswered if kind == "refused" else ():  # an end answers all of them
            self._refuse(message, NOTHING_YET)

    def _tell_end(self, sentence: str) -> None:
        self.rooms.give_back(self)
        self._put(as_text({"type": "ended", "text": sentence}))

    @property
    def _is_beginning(self) -> bool:
        """Whether the worker is about to solve or to open a file."""
        return any(isinstance(message, StartAsked | OpenAsked) for message in self._waiting.values())

    # From the page to the worker

    def _pass_on(self, message: PageMessage) -> None:
        try:
            if isinstance(message, StopAsked) and self._is_beginning and not self._solved:
                self._cancel(message)  # whatever the worker does: nothing is lost with it
            else:
                self._send(message)
        except HoldemError as error:
            self._refuse(message, str(error))
        except Exception:
            LOGGER.exception("a message of a solve page failed")
            self._refuse(message, "the server failed at this; its log says why")

    def _refuse(self, message: PageMessage, sentence: str) -> None:
        if self._process is None:  # what was refused needs no place
            self.rooms.give_back(self)
        solved = False if self._process is None else None  # else the worker knows
        self._put(as_text(refusal(message.request, sentence, solved)))

    def _send(self, message: PageMessage) -> None:
        if self._process is None and not isinstance(message, StartAsked | OpenAsked):
            raise ConfigError(NOTHING_YET)
        if len(self._waiting) >= MOST_UNANSWERED and not isinstance(message, StopAsked):
            raise ConfigError("too many questions at once; wait for the answers to the earlier ones")
        if not self.rooms.take_place(self):
            raise ConfigError(self._all_taken())
        self.folder.mkdir(exist_ok=True)
        if isinstance(message, OpenAsked):
            name = f"{secrets.token_urlsafe(8)}{UPLOADED}"  # its own: the worker may still read the one before
            self.rooms.uploads.take(message.upload, self.folder / name)
            message = message.model_copy(update={"upload": name})
        if self._process is None:
            self._put(as_text({"type": "told", "text": "the solver is starting"}))
            self._start_process()
        assert self._process is not None
        self._waiting[message.request] = message
        with suppress(OSError):  # the worker is gone, which its reader says
            self._process.connection.send_bytes(message.model_dump_json().encode())

    def _cancel(self, stop: StopAsked) -> None:
        """Give a start up before it has begun to solve."""
        for message in self._give_up_process():
            self._refuse(message, CANCELLED)
        self._put(as_text({"type": "cancelled", "request": stop.request}))

    def _all_taken(self) -> str:
        return (
            f"all {self.rooms.most} places for solves are taken; close another Solve page, or come back later: "
            "a solve that has ended makes room when its page has been idle for a minute"
        )

    def _start_process(self) -> None:
        place = WorkerPlace(self.rooms.most_bytes, self.rooms.threads, self.folder, f"/data/solve/{self.token}")
        process = PipedProcess(main, (place,), "holdem solve page")
        self._process = process
        self._reader = threading.Thread(target=self._read, args=(process,), name="solve page reader", daemon=True)
        self._reader.start()

    def _read(self, process: PipedProcess) -> None:
        try:
            while True:
                self._inbox.put(_Said(process, process.connection.recv_bytes().decode()))
        except (EOFError, OSError):
            self._inbox.put(_WorkerGone(process))

    def _give_up_process(self) -> list[PageMessage]:
        """End the process and give its place back; what it has not answered."""
        unanswered = list(self._waiting.values())
        self._end_process()
        self.rooms.give_back(self)
        return unanswered

    def _end_process(self) -> str:
        """However it ended; nothing is solved and nothing is waited for any more."""
        process, self._process = self._process, None
        self._waiting.clear()
        self._solved = self._running = False
        if process is None:
            return ""
        process.kill()
        if self._reader is not None:
            self._reader.join(READER_SECONDS)  # the pipe is closed when nobody reads it any more
        how = process.end()
        for unread in self.folder.glob(f"*{UPLOADED}"):
            unread.unlink(missing_ok=True)
        return how
