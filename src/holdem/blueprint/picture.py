"""A strategy as a picture: the 13 × 13 grid, each class filled in proportion to what it does."""

from pathlib import Path

import numpy as np

from holdem.blueprint.colours import IMPOSSIBLE, UNVISITED, action_colours
from holdem.blueprint.view import StrategyView
from holdem.cards.ranges import CLASS_KINDS, CLASS_NAMES, grid_cell
from holdem.util.artifacts import atomic_write


def save_picture(view: StrategyView, path: Path) -> None:
    """Write the grid of a view as a PNG."""
    # Imported here: it takes half a second that no other command should pay.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch, Rectangle

    colours = action_colours(view.summary.actions)
    rows, visited = view.class_probabilities(), view.class_visited()
    figure = Figure(figsize=(9, 10), dpi=120)
    axes = figure.add_axes((0.02, 0.10, 0.96, 0.82))
    for number, (name, kind) in enumerate(zip(CLASS_NAMES, CLASS_KINDS, strict=True)):
        row, column = grid_cell(kind)
        colour = IMPOSSIBLE if np.isnan(visited[number]) else UNVISITED
        axes.add_patch(Rectangle((column, 12 - row), 1, 1, facecolor=colour))
        left = float(column)
        for share, colour in zip(rows[number] if visited[number] > 0 else (), colours, strict=False):
            axes.add_patch(Rectangle((left, 12 - row), share, 1, facecolor=colour, linewidth=0))
            left += share
        axes.add_patch(Rectangle((column, 12 - row), 1, 1, fill=False, edgecolor="white", linewidth=1.5))
        axes.text(column + 0.5, 12.5 - row, name, ha="center", va="center", fontsize=11, color="black")
    axes.set_xlim(0, 13)
    axes.set_ylim(0, 13)
    axes.set_aspect("equal")
    axes.axis("off")
    figure.suptitle(f"{view.summary.line}\n{view.summary.turn}", fontsize=12, y=0.965)
    names = [f"{a} {100 * share:.1f} %" for a, share in zip(view.summary.actions, view.frequencies(), strict=True)]
    patches = [Patch(color=colour, label=name) for colour, name in zip(colours, names, strict=True)]
    if (visited == 0).any():
        patches.append(Patch(color=UNVISITED, label="never visited"))
    figure.legend(handles=patches, loc="lower center", ncol=min(len(patches), 4), frameon=False, fontsize=10)
    with atomic_write(path) as file:
        FigureCanvasAgg(figure).print_png(file)  # type: ignore[no-untyped-call]
