"""Run every `bench_*.py` beside this file (or those named on the command line) and print one table."""

import importlib
import platform
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.measurement import Measurement
from holdem.util.parallel import available_cores


def main() -> None:
    names = sys.argv[1:] or sorted(path.stem for path in Path(__file__).parent.glob("bench_*.py"))
    console = Console(width=None if sys.stdout.isatty() else 150)
    console.print(f"{platform.machine()}, {available_cores()} core(s), Python {platform.python_version()}")
    table = Table("what", "ours", "beside", "figure", "ratio", "target", title="holdem benchmarks")
    for name in names:
        module = importlib.import_module(f"benchmarks.bench_{name.removeprefix('bench_')}")
        console.print(f"[dim]running {module.__name__} …[/dim]")
        for line in module.run():
            table.add_row(*_cells(line))
        table.add_section()
    console.print(table)


def _cells(line: Measurement) -> tuple[str, ...]:
    baseline = "" if line.baseline is None else f"{line.baseline:,.4g} {line.unit}"
    ratio = "" if line.ratio is None else f"{line.ratio:.3g}×"
    return line.name, f"{line.value:,.4g} {line.unit}", line.baseline_name, baseline, ratio, line.target


if __name__ == "__main__":
    main()
