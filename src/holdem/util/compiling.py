"""What a command says while kernels are compiled for the first time: a line, a bar, and a line at the end.

`kernel_times.json` lists which kernels a job compiles and how long each took once; what lies in the cache already is
taken off. A verb says what it is for with `announce`, a part that not every call of it needs with `expect`. Nothing is
said in worker processes and in programs of others, which announce nothing. Numba is not imported here: `jit` reports.
"""

import json
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

SEARCH, GROUPS, THREADS, SHORT_TABLES = "search", "solve groups", "solve threads", "solve compressed"
"""Jobs that are parts of verbs; a verb's own job has the name of its module."""
PATIENCE_SECONDS = 2.0
"""What is expected to take less is not worth a line."""
PLAIN_LINE_SECONDS = 10.0
"""Between lines where stderr is no terminal."""
TABLE = Path(__file__).with_name("kernel_times.json")


@cache
def kernel_times() -> dict[str, tuple[float, frozenset[str]]]:
    """Kernel → its seconds on the machine where the table was written, and the jobs that need it."""
    content = json.loads(TABLE.read_text(encoding="utf-8"))
    return {name: (float(seconds), frozenset(jobs.split(", "))) for name, (seconds, jobs) in content.items()}


def to_compile(job: str, cache_folder: Path) -> dict[str, float]:
    """Kernel → seconds for what a job needs and the cache has not."""
    there = {path.name.partition("-")[0] for path in cache_folder.rglob("*.nbi")}
    needed = {name: seconds for name, (seconds, jobs) in kernel_times().items() if job in jobs}
    return {name: seconds for name, seconds in needed.items() if ".".join(name.split(".")[-2:]) not in there}


class HeldInterrupts:
    """Ctrl+C between two kernels: inside the compiler it would be swallowed, and a kernel would be missing."""

    def __init__(self) -> None:
        self._holds = self._came = False

    def hold(self) -> None:
        """From now on only remember; where somebody else decides about Ctrl+C, nothing changes."""
        ours = threading.current_thread() is threading.main_thread()
        if ours and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._remember)
            self._holds = True

    def look(self) -> None:
        """Raise what came meanwhile."""
        if self._came:
            self.let_go()

    def let_go(self) -> None:
        """As before, and raise what came meanwhile."""
        if self._holds:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        came, self._holds, self._came = self._came, False, False
        if came:
            raise KeyboardInterrupt

    def _remember(self, *_: object) -> None:
        self._came = True


class Compilations:
    """Everything that one process compiles, and what is said about it."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.seconds = 0.0
        self._jobs: list[str] = []
        self._left: dict[str, float] = {}
        self._looked_up: set[str] = set()
        self._expected_done = 0.0
        self._depth = 0
        self._since = 0.0
        self._said = False
        self._last_line = 0.0
        self._live: Progress | None = None
        self._interrupts = HeldInterrupts()
        self._hearers: list[Callable[[str], None]] = []

    @contextmanager
    def heard_by(self, hearer: Callable[[str], None]) -> Iterator[None]:
        """Inside, somebody else hears what is said as well, such as a page in a browser; in whatever thread it is."""
        self._hearers.append(hearer)
        try:
            yield
        finally:
            self._hearers.remove(hearer)

    def announce(self, job: str) -> None:
        """From now on say what is compiled, and expect the kernels of a job."""
        self._jobs = [job]

    def expect(self, job: str) -> None:
        """The kernels of another job are needed as well."""
        if self._jobs:
            self._jobs.append(job)

    def begins(self, cache_folder: Path) -> None:
        """A kernel is about to be compiled, maybe inside another one."""
        self._depth += 1
        if not self._jobs:
            return
        if self._depth > 1:
            self._interrupts.look()
            return
        self._interrupts.hold()
        self._since = time.monotonic()
        for job in dict.fromkeys(self._jobs):
            if job not in self._looked_up:
                missing = to_compile(job, cache_folder)
                self._left |= {name: seconds for name, seconds in missing.items() if name not in self.done}
                self._looked_up.add(job)
        self._show()

    def ended(self, name: str | None) -> None:
        """It was; `name` is that of a kernel of this package, None of what belongs to Numba."""
        self._depth -= 1
        if not self._jobs:
            return
        if name is not None and name not in self.done:
            self.done.append(name)
            self._expected_done += self._left.pop(name, 0.0)
            self._show()
        if self._depth == 0:
            self.seconds += time.monotonic() - self._since
            self._hide()
            self._interrupts.let_go()
            if not self._left:
                self.finished()
        else:
            self._interrupts.look()

    def finished(self) -> None:
        """Say how long it took, if anything was said before."""
        if self._said:
            self._line(f"compiled {len(self.done)} kernels in {self.seconds:.0f} s")
        self._said, self.done, self.seconds, self._expected_done = False, [], 0.0, 0.0

    def say(self, text: str) -> None:
        """A line of somebody else about compiling, said where such things are said."""
        if self._jobs:
            self._line(text)

    def _show(self) -> None:
        left = sum(self._left.values())
        spent = self.seconds + time.monotonic() - self._since
        if not self._said:
            if max(left, spent) < PATIENCE_SECONDS:
                return
            self._said, self._last_line = True, time.monotonic()
            many = f"{len(self.done) + len(self._left)} kernels" if self._left else "kernels"
            about = f": about {left:.0f} s" if left else ""
            self._line(f"compiling {many} for this machine, once for each version{about}")
        if self._expected_done > 0.0:  # this machine may be slower or faster than the one of the table
            left *= spent / self._expected_done
        if sys.stderr.isatty():
            self._update_bar(left)
        elif time.monotonic() - self._last_line >= PLAIN_LINE_SECONDS:
            self._last_line = time.monotonic()
            self._line(
                f"compiling: {len(self.done)} of {len(self.done) + len(self._left)} kernels, about {left:.0f} s left"
            )

    def _update_bar(self, left: float) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        if self._live is None:
            columns = TextColumn("compiling"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}")
            self._live = Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
            self._live.add_task("")
        task = self._live.task_ids[0]
        total = len(self.done) + len(self._left)
        self._live.update(task, completed=len(self.done), total=total, description=f"about {left:.0f} s left")
        self._live.start()
        self._live.refresh()

    def _hide(self) -> None:
        """No bar while something else may write to the screen."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _line(self, text: str) -> None:
        self._hide()
        print(text, file=sys.stderr, flush=True)
        for hearer in tuple(self._hearers):
            hearer(text)


COMPILATIONS = Compilations()
"""Those of this process."""


def write_table(times: Mapping[str, tuple[float, frozenset[str]]]) -> None:
    """Write the table of kernels, one line each."""
    lines = [
        f"  {json.dumps(name)}: [{seconds:.2f}, {json.dumps(', '.join(sorted(jobs)))}]"
        for name, (seconds, jobs) in times.items()
    ]
    TABLE.write_text("{\n" + ",\n".join(sorted(lines)) + "\n}\n", encoding="utf-8")
