"""Run one `holdem` command and write down the kernels that it compiles: `python -m benchmarks.compile_recorder FILE …`.

Each line of FILE is a kernel, and its CPU seconds without those of the kernels that it calls.
"""

import sys
import time
from pathlib import Path
from typing import Any

from numba.core import event

from holdem.cli.main import main


class Recorder(event.Listener):
    """CPU seconds of each compilation; one that happens inside another is taken off the outer one."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.open: list[tuple[float, list[float]]] = []

    def on_start(self, event: Any) -> None:
        self.open.append((time.process_time(), []))

    def on_end(self, event: Any) -> None:
        start, inner = self.open.pop()
        seconds = time.process_time() - start
        function = event.data["dispatcher"].py_func
        ours = function.__module__.startswith("holdem.")
        if self.open:  # what belongs to Numba counts for the kernel that wanted it
            self.open[-1][1].append(seconds if ours else sum(inner))
        if ours:
            with self.file.open("a", encoding="utf-8") as lines:
                name = f"{function.__module__}.{function.__qualname__}".removeprefix("holdem.")
                lines.write(f"{name}\t{seconds - sum(inner):.3f}\n")


if __name__ == "__main__":
    event.register("numba:compile", Recorder(Path(sys.argv[1])))  # type: ignore[no-untyped-call]
    sys.argv = ["holdem", *sys.argv[2:]]
    main()
