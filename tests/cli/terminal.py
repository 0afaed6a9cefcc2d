"""Commands on a pseudo-terminal, where they ask and a person answers."""

import os
import select
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

PATIENCE_SECONDS = 300.0


class Terminal:
    """`holdem …` on a terminal of its own; `python` and `folder` may be those of another installation."""

    def __init__(
        self,
        *arguments: str,
        python: str = sys.executable,
        folder: Path | None = None,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        import pty  # which Windows does not have

        self.shown = ""
        self._process, self._descriptor = pty.fork()
        if self._process == 0:
            os.chdir(folder or Path.cwd())
            os.execve(python, [python, "-m", "holdem.cli.main", *arguments], dict(environment))

    def until(self, words: str) -> None:
        """Read until the terminal shows these words; fails if it ends before."""
        while words not in self.shown:
            assert self._read(), f"{words!r} did not come; there was:\n{self.shown}"

    def type(self, text: str) -> None:
        """What a person types."""
        os.write(self._descriptor, text.encode())

    def status(self) -> int:
        """Read to the end, and return the exit status."""
        while self._read():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])

    def _read(self) -> bool:
        if not select.select([self._descriptor], [], [], PATIENCE_SECONDS)[0]:
            os.kill(self._process, signal.SIGKILL)
            raise AssertionError(f"nothing came for {PATIENCE_SECONDS} s; there was:\n{self.shown}")
        try:
            block = os.read(self._descriptor, 4096)
        except OSError:  # Linux says so when the other side has closed
            return False
        self.shown += block.decode("utf-8", "replace")
        return bool(block)
