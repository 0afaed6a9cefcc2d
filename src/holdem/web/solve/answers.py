"""Files that a page takes away: the solve itself, and one node as a table."""

import csv
import io
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from holdem.errors import ConfigError
from holdem.realtime.subgame.files import save_solution
from holdem.realtime.subgame.solution import Solution
from holdem.util.artifacts import atomic_write
from holdem.web.solve.node_data import node_data

NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")
LONGEST_NAME = 80


def save_solve(solution: Solution, folder: Path) -> Path:
    """The file of `holdem solve --save`, in place of an earlier one."""
    if solution.solver.grouping is not None:
        raise ConfigError("a Fast solve cannot be saved; solve it with Exact, or take a decision as CSV")
    path = _fresh(folder, solution.spot.name, ".solve")
    save_solution(solution, path)
    return path


def save_csv(solution: Solution, path: str, folder: Path) -> Path:
    """A row for each hand: path, hand, weight, equity, ev, then frequency and EV of each action."""
    data = node_data(solution, path)
    if data["kind"] != "decision":
        raise ConfigError("nobody decides at this node, so it has no table; choose a decision")
    actions = [action["words"] for action in data["actions"]]
    columns = [f"{words} {what}" for words in actions for what in ("frequency", "ev")]
    where = " / ".join(data["path"]) or "first to act"
    file = _fresh(folder, " ".join([solution.spot.name, *(data["path"] or ["first to act"])]), ".csv")
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["path", "hand", "weight", "equity", "ev", *columns])
    for hands in data["hands"].values():
        for hand in hands:
            writer.writerow([where, *_cells(hand)])
    with atomic_write(file) as out:
        out.write(text.getvalue().encode())
    return file


def _cells(hand: dict[str, Any]) -> list[Any]:
    pairs = [cell for pair in zip(hand["shares"], hand["evs"], strict=True) for cell in pair]
    return [
        "" if cell is None else cell for cell in (hand["cards"], hand["weight"], hand["equity"], hand["ev"], *pairs)
    ]


def _fresh(folder: Path, name: str, suffix: str) -> Path:
    """A file of its kind, of which there is one at a time; the name is what can be one of a file."""
    path = folder / f"{NOT_IN_NAMES.sub('_', name)[:LONGEST_NAME].rstrip('_') or 'spot'}{suffix}"
    for older in folder.glob(f"*{suffix}"):
        if older != path:
            with suppress(OSError):  # somebody reads it, and the system is Windows
                older.unlink()
    return path
