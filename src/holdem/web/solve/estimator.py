"""One process that estimates for all pages: building a tree is seconds of plain Python in bad cases."""

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from holdem.util.processes import PipedProcess
from holdem.web.solve.messages import EstimateAsked, as_text, refusal
from holdem.web.solve.worker import WorkerPlace, main

PATIENCE_SECONDS = 20.0
STARTING_SECONDS = 60.0
"""More for the first question of a process, which has to start; on a busy machine that takes long."""
TRIES = 2
"""The process may have ended since the last question, of which nobody has heard."""


class Estimator:
    """Starts with the first question and rests when no page is open."""

    def __init__(self, most_bytes: int, threads: int, folder: Path) -> None:
        self._place = WorkerPlace(most_bytes, threads, folder, "")
        self._lock = threading.Lock()
        """One question at a time."""
        self._process: PipedProcess | None = None
        self._ended = False

    def ask(self, message: EstimateAsked, gone: Callable[[], bool]) -> str:
        """The answer as a text for the page; it may take seconds. For a page that is `gone` nothing is estimated."""
        with self._lock:
            for _ in range(TRIES):
                if self._ended or gone():
                    return as_text(refusal(message.request, "the server ends; nothing was estimated"))
                try:
                    return self._answer(message)
                except (EOFError, OSError):
                    self._stop()
            return as_text(refusal(message.request, "the estimate has ended unexpectedly; ask again"))

    def _answer(self, message: EstimateAsked) -> str:
        """Of the process, which is started if there is none, and ended if it takes too long."""
        patience = PATIENCE_SECONDS
        if self._process is None:
            self._process = PipedProcess(main, (self._place,), "holdem solve estimates")
            patience += STARTING_SECONDS
        connection = self._process.connection
        connection.send_bytes(message.model_dump_json().encode())
        if connection.poll(patience):
            return connection.recv_bytes().decode()
        self._stop()
        return as_text(refusal(message.request, "this takes too long to estimate; give fewer bet sizes"))

    @property
    def pid(self) -> int:
        """Of the process; 0 without one."""
        return 0 if self._process is None else self._process.pid

    def rest(self, nobody: Callable[[], bool]) -> None:
        """End the process when its question is answered, in a thread: the caller does not wait.

        If there is `nobody` by then: for somebody who has come meanwhile it was started again.
        """
        threading.Thread(target=self._rest, args=(nobody,), name="solve estimates", daemon=True).start()

    def _rest(self, nobody: Callable[[], bool]) -> None:
        with self._lock:
            if nobody():
                self._stop()

    def end(self) -> None:
        """For good, and at once."""
        self._ended = True
        process = self._process
        if process is not None:
            with suppress(ValueError, AttributeError):  # it is ended by its page at this moment
                process.kill()
        self._rest(lambda: True)

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.end()
