"""A progress bar with ETA that appears only when work takes more than two seconds.

On a terminal it is one live line on stderr; elsewhere a plain line every ten seconds, so that logs stay readable.
"""

import sys
import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

PATIENCE_SECONDS = 2.0
PLAIN_LINE_SECONDS = 10.0


class ProgressBar:
    """`with ProgressBar("flops", total) as bar: bar(count)` — call it with each number of finished items."""

    def __init__(self, label: str, total: int) -> None:
        self.label = label
        self.total = total
        self.done = 0
        self._start = time.monotonic()
        self._last_line = self._start
        self._first: tuple[float, int] | None = None
        """When the first items were reported, and how many: until then there was the start, which says nothing of the
        rest."""
        self._live: Progress | None = None
        self._task = None

    def __enter__(self) -> "ProgressBar":
        return self

    def __call__(self, count: int) -> None:
        self.done += count
        now = time.monotonic()
        if self._first is None:
            self._first = now, self.done
        if self._live is None and now - self._start < PATIENCE_SECONDS:
            return
        if sys.stderr.isatty():
            self._update_live()
        elif now - self._last_line >= PLAIN_LINE_SECONDS:
            self._last_line = now
            share = 100.0 * self.done / max(self.total, 1)
            print(f"{self.label}: {share:.0f} %{self._time_left(now)}", file=sys.stderr, flush=True)

    def _time_left(self, now: float) -> str:
        assert self._first is not None
        then, before = self._first
        if self.done == before:
            return ""
        return f", about {(now - then) / (self.done - before) * (self.total - self.done):.0f} s left"

    def _update_live(self) -> None:
        if self._live is None:
            columns = (
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TextColumn("left"),
                TimeRemainingColumn(),
            )
            self._live = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._live.add_task(self.label, total=self.total)  # type: ignore[assignment]
            self._live.start()
        self._live.update(self._task, completed=self.done)  # type: ignore[arg-type]

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()
