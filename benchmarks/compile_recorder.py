"""Run one `holdem` command and write down every kernel that it compiles: `python -m benchmarks.compile_recorder FILE …`.

Each line of FILE is a kernel's name, its seconds without those of the kernels that it calls, and its signature.
"""

import sys
import time
from pathlib import Path

from numba.core import event

from holdem.cli.main import main


class Recorder(event.Listener):  # type: ignore[misc]
    """Seconds of each compilation; one that happens inside another is taken off the outer one's."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.open: list[list[float]] = []

    def on_start(self, event: event.Event) -> None:
        self.open.append([time.process_time(), 0.0])

    def on_end(self, event: event.Event) -> None:
        start, inner = self.open.pop()
        seconds = time.process_time() - start
        if self.open:
            self.open[-1][1] += seconds
        function = event.data["dispatcher"].py_func
        with self.file.open("a", encoding="utf-8") as lines:
            name = f"{function.__module__}.{function.__qualname__}"
            lines.write(f"{name}\t{seconds - inner:.3f}\t{len(self.open)}\t{event.data['args']}\n")


if __name__ == "__main__":
    event.register("numba:compile", Recorder(Path(sys.argv[1])))
    sys.argv = ["holdem", *sys.argv[2:]]
    main()
