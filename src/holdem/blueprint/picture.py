"""A strategy as a picture: the 13 × 13 grid, each class divided by what it does, filled as high as it gets there."""

from pathlib import Path
from typing import TYPE_CHECKING

from holdem.blueprint.colours import IMPOSSIBLE, UNVISITED, action_colours
from holdem.blueprint.view import StrategyView
from holdem.cards.ranges import CLASS_KINDS, CLASS_NAMES, grid_cell
from holdem.util.artifacts import atomic_write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Patch


def save_picture(view: StrategyView, path: Path) -> None:
    """Write the grid of a view as a PNG."""
    # Imported here: it takes half a second that no other command should pay.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 10), dpi=120)
    draw_grid(figure.add_axes((0.02, 0.10, 0.96, 0.82)), view, font_size=11)
    figure.suptitle(f"{view.summary.line}\n{view.summary.turn}", fontsize=12, y=0.965)
    patches = legend_patches(view)
    figure.legend(handles=patches, loc="lower center", ncol=min(len(patches), 4), frameon=False, fontsize=10)
    with atomic_write(path) as file:
        FigureCanvasAgg(figure).print_png(file)  # type: ignore[no-untyped-call]


def draw_grid(axes: "Axes", view: StrategyView, font_size: float) -> None:
    """Fill axes with the grid of a view; they have nothing else."""
    from matplotlib.patches import Rectangle

    colours = action_colours(view.summary.actions)
    rows, visited, fills = view.class_probabilities(), view.class_visited(), view.class_fills()
    for number, (name, kind) in enumerate(zip(CLASS_NAMES, CLASS_KINDS, strict=True)):
        row, column = grid_cell(kind)
        colour = UNVISITED if visited[number] == 0 else IMPOSSIBLE
        axes.add_patch(Rectangle((column, 12 - row), 1, 1, facecolor=colour))
        left = float(column)
        for share, colour in zip(rows[number] if visited[number] > 0 else (), colours, strict=False):
            axes.add_patch(Rectangle((left, 12 - row), share, fills[number], facecolor=colour, linewidth=0))
            left += share
        axes.add_patch(Rectangle((column, 12 - row), 1, 1, fill=False, edgecolor="white", linewidth=font_size / 7))
        axes.text(column + 0.5, 12.5 - row, name, ha="center", va="center", fontsize=font_size, color="black")
    axes.set_xlim(0, 13)
    axes.set_ylim(0, 13)
    axes.set_aspect("equal")
    axes.axis("off")


def legend_patches(view: StrategyView, least: float = 0.0) -> "list[Patch]":
    """The colours of a view's actions, with how often each is taken, if that is at least `least`."""
    from matplotlib.patches import Patch

    actions = view.summary.actions
    found = zip(actions, action_colours(actions), view.frequencies().tolist(), strict=True)
    patches = [Patch(color=c, label=f"{action} {100 * share:.1f} %") for action, c, share in found if share >= least]
    if (view.class_visited() == 0).any():
        patches.append(Patch(color=UNVISITED, label="never visited"))
    return patches
