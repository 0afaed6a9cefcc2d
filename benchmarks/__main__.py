"""Run every `bench_*.py` beside this file (or those named on the command line) and print one table."""

import argparse
import ast
import difflib
import importlib
import platform
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.measurement import Measurement
from holdem.util.parallel import available_cores
from holdem.util.words import counted

PREFIX = "bench_"


def main(arguments: list[str]) -> None:
    names = _asked_for(arguments)
    console = Console(width=None if sys.stdout.isatty() else 150)
    console.print(f"{platform.machine()}, {counted(available_cores(), 'core')}, Python {platform.python_version()}")
    table = Table("what", "ours", "beside", "figure", "ratio", "target", title="holdem benchmarks")
    for name in names:
        module = importlib.import_module(f"benchmarks.{PREFIX}{name}")
        console.print(f"[dim]running {module.__name__} …[/dim]")
        for line in module.run():
            table.add_row(*_cells(line))
        table.add_section()
    console.print(table)


def _asked_for(arguments: list[str]) -> list[str]:
    """The pieces to measure; the command ends with status 2 and the list of pieces if there is no such piece."""
    pieces = {path.stem.removeprefix(PREFIX): path for path in sorted(Path(__file__).parent.glob(f"{PREFIX}*.py"))}
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure speed beside oracles and baselines, and print one table.",
        epilog="pieces:\n" + "\n".join(f"  {name:<21} {_first_line(path)}" for name, path in pieces.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "pieces",
        nargs="*",
        metavar="PIECE",
        type=lambda name: name.removeprefix(PREFIX),
        help="what to measure; everything if left out",
    )
    names: list[str] = parser.parse_args(arguments).pieces
    for name in names:
        if name not in pieces:
            nearest = difflib.get_close_matches(name, pieces, n=1)
            hint = f"did you mean {nearest[0]}? " if nearest else ""
            print(f"error: there is no piece {name!r}; {hint}choose from {', '.join(pieces)}", file=sys.stderr)
            sys.exit(2)
    return names or list(pieces)


def _first_line(path: Path) -> str:
    """What a file says about itself, without importing it: that would compile kernels."""
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0]


def _cells(line: Measurement) -> tuple[str, ...]:
    baseline = "" if line.baseline is None else f"{line.baseline:,.4g} {line.unit}"
    ratio = "" if line.ratio is None else f"{line.ratio:.3g}×"
    return line.name, f"{line.value:,.4g} {line.unit}", line.baseline_name, baseline, ratio, line.target


if __name__ == "__main__":
    main(sys.argv[1:])
