"""A strategy in the terminal: the 13 × 13 grid in colour, and tables of small games.

A cell has the class, the letter of its most frequent action, and unless that is pure its per cent. In a window of less
than 91 columns the ranks stand at the edges instead, and the grid has 54. The cell's background is divided in
proportion to all actions; of a class that seldom gets there, only the beginning of the cell is coloured.
"""

import os

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from holdem.blueprint.colours import UNVISITED, action_colours
from holdem.blueprint.line_view import LineView
from holdem.blueprint.view import NodeSummary, StrategyView
from holdem.cards.ranges import CLASS_KINDS, CLASS_NAMES, grid_cell
from holdem.util.arrays import Float64

WIDE_CELL, NARROW_CELL = 7, 4
"""With and without the name of the class."""
WIDE_GRID = 13 * WIDE_CELL
PURE = 0.995
SELDOM = 0.005
"""A class that gets here less often than this, next to the one that does most, has no letter."""
RANKS_DOWN = "AKQJT98765432"
UNVISITED_MARK = "··"
_RAISE_LETTERS = "rstuvw"


def action_letters(actions: tuple[str, ...]) -> list[str]:
    """A letter for each action: f, k for check, c for call, r s t ... for raises from small to large, a for all-in."""
    letters = []
    raises = 0
    for action in actions:
        if action in ("fold", "check", "call"):
            letters.append({"fold": "f", "check": "k", "call": "c"}[action])
        elif "all-in" in action:
            letters.append("a")
        else:
            letters.append(_RAISE_LETTERS[min(raises, len(_RAISE_LETTERS) - 1)])
            raises += 1
    return letters


def print_grid(console: Console, view: StrategyView) -> None:
    """The grid with a title above and a legend below."""
    console.print(title(view.summary))
    rows, visited, fills = view.class_probabilities(), view.class_visited(), view.class_fills()
    letters, colours = action_letters(view.summary.actions), action_colours(view.summary.actions)
    room = console.width if console.is_terminal or "COLUMNS" in os.environ else WIDE_GRID  # a pipe has room
    named = room >= WIDE_GRID
    width = WIDE_CELL if named else NARROW_CELL
    cells = [[Text(" " * width) for _ in range(13)] for _ in range(13)]
    for number, kind in enumerate(CLASS_KINDS):
        row, column = grid_cell(kind)
        name = f"{CLASS_NAMES[number]:<3}" if named else ""
        cells[row][column] = _cell(name, rows[number], visited[number], fills[number], letters, colours, width)
    if not named:
        console.print(Text("  " + "".join(f"{rank:<{width}}" for rank in RANKS_DOWN).rstrip(), style="dim"))
    for rank, row_cells in zip(RANKS_DOWN, cells, strict=True):
        console.print(Text.assemble("" if named else (f"{rank} ", "dim"), *row_cells), soft_wrap=True)
    _print_legend(console, view, letters, colours)
    _print_marks(console, view)


def title(summary: NodeSummary) -> Text:
    """The line, and below it who is to act."""
    return Text.assemble((summary.line, "bold"), "\n", summary.turn)


def hand_sentence(name: str, actions: tuple[str, ...], row: Float64, visited: bool) -> str:
    """`AhKd: fold 0.0 %, call 15.0 %, raise 9bb 85.0 %`."""
    words = ", ".join(f"{action} {100 * share:.1f} %" for action, share in zip(actions, row, strict=True))
    return f"{name}: {words}" + ("" if visited else " (never visited in training: not raised)")


def infoset_table(actions: tuple[str, ...], rows: list[tuple[str, Float64, bool]]) -> Table:
    """Rows of a small game: what the player knows, and the probability of each action."""
    table = Table("information state", *actions)
    for name, row, visited in rows:
        style = "" if visited else UNVISITED
        table.add_row(Text(name), *(f"{share:.4f}" for share in row), style=style)
    return table


def _cell(
    name: str, row: Float64, visited: float, fill: float, letters: list[str], colours: list[str], width: int
) -> Text:
    if np.isnan(visited):
        return Text(" " * width)
    if visited == 0.0:
        return Text(f"{name}{UNVISITED_MARK}".ljust(width), style=UNVISITED)
    if fill < SELDOM:
        return Text(name.ljust(width), style="dim")
    best = int(row.argmax())
    percent = "" if row[best] > PURE else f"{100 * row[best]:02.0f}"
    text = Text(f"{name}{letters[best]}{percent}".ljust(width))
    coloured = max(1.0, fill * width)
    start = 0
    for action, end in enumerate(np.rint(np.cumsum(row) * coloured).astype(int).tolist()):
        text.stylize(f"black on {colours[action]}", start, end)
        start = end
    return text


def _print_legend(console: Console, view: StrategyView, letters: list[str], colours: list[str]) -> None:
    for action, letter, colour, share in zip(view.summary.actions, letters, colours, view.frequencies(), strict=True):
        console.print(Text.assemble((f" {letter} ", f"black on {colour}"), f" {action} {100 * share:.1f} %"))


def _print_marks(console: Console, view: StrategyView) -> None:
    """What a cell without a letter means, where there is one, and how to read the others."""
    marks = ["suited above the diagonal; a letter and its per cent, a letter alone: always"]
    unvisited = int((view.possible & ~view.visited).sum())
    if unvisited:
        hands = f"{unvisited} of {int(view.possible.sum())} hands"
        marks.append(f"{UNVISITED_MARK} never visited in training ({hands}): not raised")
    if isinstance(view, LineView) and view.is_weighed:
        marks.append(_weighing(view))
    if np.isnan(view.class_visited()).any():
        marks.append("blank: no hand of the class is possible here, by the board or the range")
    console.print("\n".join(marks), style=UNVISITED, highlight=False)


def _weighing(view: LineView) -> str:
    """How hands count, in words."""
    if not view.comes_here:
        return "the policy never plays this line, so every hand counts the same"
    left = f"{view.summary.position} with {100 * view.share:.1f} % of them"
    return f"hands count by how they get here, {left}; --no-reach: all alike"
