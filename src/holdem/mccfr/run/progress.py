"""How far a run is: one live line on a terminal, a plain log line every ten seconds elsewhere."""

import sys
import time
from collections.abc import Callable
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn

from holdem.util.logs import LOGGER

LINE_SECONDS = 10.0


class ProgressDisplay:
    """`with ProgressDisplay(share_done, memory) as display: display.update(iteration, seconds, nodes)`.

    memory: bytes that the run takes now
    """

    def __init__(self, share_done: Callable[[int, float], float], memory: Callable[[], int]) -> None:
        self.share_done, self.memory = share_done, memory
        self.last_checkpoint: int | None = None
        self._live: Progress | None = None
        self._task: TaskID | None = None
        self._last_line = time.monotonic()
        self._marks: list[tuple[float, int, int]] = []

    def __enter__(self) -> "ProgressDisplay":
        if sys.stderr.isatty():
            columns = (BarColumn(bar_width=24), TaskProgressColumn(), TextColumn("{task.description}"))
            self._live = Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=4)
            self._task = self._live.add_task("starting", total=1.0)
            self._live.start()
        return self

    def update(self, iteration: int, seconds: float, nodes: int) -> None:
        """Show where the run stands."""
        self._marks = [*self._marks[-40:], (seconds, iteration, nodes)]
        share = self.share_done(iteration, seconds)
        if self._live is not None and self._task is not None:
            self._live.update(self._task, completed=share, description=self._line(iteration, seconds, share))
        elif time.monotonic() - self._last_line >= LINE_SECONDS:
            self._last_line = time.monotonic()
            LOGGER.info(f"{100 * share:.1f} %, {self._line(iteration, seconds, share)}")

    def say(self, what: str) -> None:
        """Show a word instead of the figures."""
        if self._live is not None and self._task is not None:
            self._live.update(self._task, description=what)

    def _line(self, iteration: int, seconds: float, share: float) -> str:
        (then, first, first_nodes), (now, last, last_nodes) = self._marks[0], self._marks[-1]
        elapsed = max(now - then, 1e-9)
        left = seconds * (1.0 - share) / share if share > 0 else 0.0
        saved = "none yet" if self.last_checkpoint is None else f"{self.last_checkpoint:,}"
        return (
            f"iteration {iteration:,}, {(last - first) / elapsed:,.0f} it/s, "
            f"{(last_nodes - first_nodes) / elapsed / 1e6:.1f} M nodes/s, ETA {_clock(left)}, "
            f"{self.memory() / 1e9:.2f} GB, checkpoint {saved}"
        )

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()


def _clock(seconds: float) -> str:
    hours, rest = divmod(int(seconds), 3600)
    return f"{hours:d}:{rest // 60:02d}:{rest % 60:02d}"
