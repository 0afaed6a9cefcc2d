"""One Solve page and its worker process.

A thread of the page owns the process: it starts it, passes messages on and ends it, so that the server's loop never
waits. Another one reads what the worker says. When the page is closed, the process is killed, whatever it does.
"""

import queue
import secrets
import shutil
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from holdem.errors import ConfigError, HoldemError
from holdem.util.logs import LOGGER
from holdem.util.processes import PipedProcess
from holdem.web.solve.messages import OpenAsked, PageMessage, as_text, refusal
from holdem.web.solve.worker import NOTHING_YET, WorkerPlace, main

if TYPE_CHECKING:
    from holdem.web.solve.rooms import SolveRooms

UPLOADED = ".uploaded"
"""How the names of uploaded files end in the folder of the page that opens them."""
READER_SECONDS = 5.0

Put = Callable[[str], None]
"""Sends a text to the page, from any thread."""


class _WorkerGone:
    """The pipe of this process has ended."""

    def __init__(self, process: PipedProcess) -> None:
        self.process = process


class SolvePage:
    """`hear` and `leave` belong to the server's loop, everything else to the page's thread."""

    def __init__(self, rooms: "SolveRooms", put: Put) -> None:
        self.rooms, self._put = rooms, put
        self.token = secrets.token_urlsafe(16)
        self.folder = rooms.folder / self.token
        self._inbox: queue.SimpleQueue[PageMessage | _WorkerGone | None] = queue.SimpleQueue()
        self._gone = threading.Event()
        self._process: PipedProcess | None = None
        self._reader: threading.Thread | None = None
        self._thread = threading.Thread(target=self._run, name="solve page", daemon=True)
        self._thread.start()

    @property
    def unread(self) -> int:
        """Messages that wait."""
        return self._inbox.qsize()

    @property
    def pid(self) -> int:
        """Of the worker; 0 without one."""
        return 0 if self._process is None else self._process.pid

    def hear(self, message: PageMessage) -> None:
        """A message of the page for its worker."""
        self._inbox.put(message)

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
                item = self._inbox.get()
                if isinstance(item, _WorkerGone):
                    self._worker_ended(item.process)
                elif item is not None:
                    self._pass_on(item)
        finally:
            self._end_process()
            shutil.rmtree(self.folder, ignore_errors=True)

    def _pass_on(self, message: PageMessage) -> None:
        try:
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
        begins = message.type in ("start", "open")
        if self._process is None and not begins:
            raise ConfigError(NOTHING_YET)
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
        with suppress(OSError):  # the worker is gone, which its reader says
            self._process.connection.send_bytes(message.model_dump_json().encode())

    def _all_taken(self) -> str:
        return f"all {self.rooms.most} places for solves are taken; close another Solve page, or come back later"

    def _start_process(self) -> None:
        place = WorkerPlace(self.rooms.most_bytes, self.rooms.threads, self.folder, f"/data/solve/{self.token}")
        process = PipedProcess(main, (place,), "holdem solve page")
        self._process = process
        self._reader = threading.Thread(target=self._read, args=(process,), name="solve page reader", daemon=True)
        self._reader.start()

    def _read(self, process: PipedProcess) -> None:
        try:
            while True:
                self._put(process.connection.recv_bytes().decode())
        except (EOFError, OSError):
            self._inbox.put(_WorkerGone(process))

    def _worker_ended(self, process: PipedProcess) -> None:
        """Nobody told it to."""
        if process is not self._process:
            return
        how = self._end_process()
        self.rooms.give_back(self)
        for unread in self.folder.glob(f"*{UPLOADED}"):
            unread.unlink(missing_ok=True)
        self._put(as_text({"type": "ended", "text": f"the solve has ended unexpectedly ({how}); start it again"}))

    def _end_process(self) -> str:
        process, self._process = self._process, None
        if process is None:
            return ""
        process.kill()
        if self._reader is not None:
            self._reader.join(READER_SECONDS)  # the pipe is closed when nobody reads it any more
        return process.end()
