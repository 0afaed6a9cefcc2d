"""All Solve pages of a server: how many may solve at once, what a solve may take, where files lie meanwhile."""

import os
import shutil
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

import psutil

from holdem.util.parallel import available_cores
from holdem.web.solve.estimator import Estimator
from holdem.web.solve.page import SolvePage
from holdem.web.solve.uploads import Uploads

MOST_PAGES = 64
"""Open at once; those that solve are fewer."""
LEAST_SOLVES = 2
SHARE_OF_MEMORY = 0.25
"""What one solve may take."""
SHARE_OF_ALL = 0.5
"""What all of them together may take."""
PREFIX = "holdem_solve_"
PATIENCE_SECONDS = 2.0
LEAST_IDLE_SECONDS = 60.0
"""Of a page whose solve makes room for another one."""


class SolveRooms:
    """Places for solves; a page takes one with its first solve and gives it back when nothing is solved in it any more.

    Where all are taken, the solve that has ended and been idle for longest makes room; one that runs never does.
    """

    def __init__(self, most: int | None = None, most_bytes: int | None = None) -> None:
        """`most`: solves at once, by default as many as cores, at least two; `most_bytes`: of one solve, by default a
        quarter of the machine's memory, less where all together would take more than half of it."""
        cores = available_cores()
        self.most = max(LEAST_SOLVES, cores) if most is None else most
        share = min(SHARE_OF_MEMORY, SHARE_OF_ALL / self.most)
        self.most_bytes = int(share * psutil.virtual_memory().total) if most_bytes is None else most_bytes
        self.threads = max(1, cores // self.most)
        """Of one solve: the cores are shared out evenly."""
        _remove_abandoned()
        self.folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}_"))
        self.uploads = Uploads(self.folder, self.most_bytes)
        self.estimator = Estimator(self.most_bytes, self.threads, self.folder)
        self._lock = threading.Lock()
        self._pages: set[SolvePage] = set()
        self._solving: set[SolvePage] = set()
        self._closed = False

    def enter(self, page: SolvePage) -> bool:
        """Whether a page may come in."""
        with self._lock:
            if self._closed or len(self._pages) >= MOST_PAGES:
                return False
            self._pages.add(page)
            return True

    def leave(self, page: SolvePage) -> None:
        """A page is closed: its place is free from now on, and the estimator rests when nobody is left."""
        with self._lock:
            self._pages.discard(page)
            self._solving.discard(page)
            empty = not self._pages
        if empty:
            self.estimator.rest(lambda: not self._pages)

    def take_place(self, page: SolvePage) -> bool:
        """Whether a page may start a process that solves."""
        with self._lock:
            if self._closed or page not in self._pages:
                return False
            makes_room = None
            if page not in self._solving and len(self._solving) >= self.most:
                makes_room = max(self._solving, key=lambda one: one.idle_seconds)
                if makes_room.idle_seconds < LEAST_IDLE_SECONDS:
                    return False
                self._solving.discard(makes_room)
            self._solving.add(page)
        if makes_room is not None:
            makes_room.make_room()
        return True

    def has_place(self, page: SolvePage) -> bool:
        """Whether the process of a page may be there."""
        with self._lock:
            return page in self._solving

    def give_back(self, page: SolvePage) -> None:
        """The process of a page has ended, or is about to."""
        with self._lock:
            self._solving.discard(page)

    @property
    def solving(self) -> int:
        """Pages that have a place."""
        with self._lock:
            return len(self._solving)

    def folder_of(self, token: str) -> Path | None:
        """Where the files of an open page lie."""
        with self._lock:
            return next((page.folder for page in self._pages if page.token == token), None)

    def close(self) -> None:
        """All pages leave, all processes end, all files go."""
        with self._lock:
            self._closed = True
            pages = list(self._pages)
        for page in pages:
            page.leave()
        self.estimator.end()
        for page in pages:
            page.join(PATIENCE_SECONDS)
        shutil.rmtree(self.folder, ignore_errors=True)


def _remove_abandoned() -> None:
    """Folders of servers that were ended by force."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        number = folder.name.removeprefix(PREFIX).partition("_")[0]
        with suppress(OSError, OverflowError):  # a folder of anybody's may name any number
            if number.isdecimal() and not psutil.pid_exists(int(number)) and not folder.is_symlink():
                shutil.rmtree(folder, ignore_errors=True)
