"""Makes the pictures of the shipped models: what each position does before the flop, side by side.

    python -m docs.make_model_pictures                         # every model in assets/models
    python -m docs.make_model_pictures headsup=runs/blueprint  # a run, as the picture of that model

Each position when everybody before it folded, and the big blind's answer to that position's open: heads-up to 2.5 big
blinds, with more seats to the size that the position opens with most.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageColor

from docs.make_pictures import FOLDER
from holdem.abstraction.betting.line import parse_line
from holdem.abstraction.betting.tree import ActionCode, BettingTree, position_names
from holdem.blueprint import colours
from holdem.blueprint.line_view import LineView, view_line
from holdem.blueprint.openings import first_in
from holdem.blueprint.picture import draw_grid, legend_patches
from holdem.policy.policy import AveragePolicy
from holdem.policy.run_names import named_run
from holdem.util.arrays import Int64
from holdem.util.artifacts import atomic_write

MODELS = Path(__file__).parents[1] / "assets" / "models"
PICTURES = FOLDER / "models"
HEADS_UP_OPEN = "SB raise 2.5bb"
SHADES = 6
"""Of each colour towards black and towards white in the palette: letters and lines have soft edges."""

RARE = 0.0005
"""Actions that are taken less often are not named below a grid."""

GRID, GAP, TITLE, LEGEND = 3.9, 0.2, 0.3, 0.7
"""Inches: a grid's side, between grids, above and below each."""

DOTS_PER_INCH, MANY_DOTS_PER_INCH = 100, 80
"""The second with more than four grids, whose picture is large enough. With both a cell has a whole number of dots."""

FONT_SIZE = 7.5


@dataclass(frozen=True)
class Panel:
    """One grid and its title."""

    title: str
    view: LineView


def make(name: str, run: Path) -> None:
    """The picture of one model."""
    path = PICTURES / f"{name}.png"
    draw(panels(AveragePolicy.load(named_run(run))), path)
    store(path)


def panels(policy: AveragePolicy) -> list[list[Panel]]:
    """Rows of grids: positions first in, and below each the big blind against it; heads-up both in one row."""
    tree = policy.tree
    names = position_names(tree.config)
    opens, defence = [], []
    for node in first_in(tree):
        view = view_line(policy, node)
        opened = _usual_open(tree, view, node)
        position = names[int(tree.player[node])]
        opens.append(Panel(f"{position}, first in", view))
        answer = view_line(policy, _big_blind_after(tree, opened))
        defence.append(Panel(f"BB against {position} {tree.describe_action(opened)}", answer))
    return [opens + defence] if tree.num_players == 2 else [opens, defence]


def _usual_open(tree: BettingTree, view: LineView, node: int) -> int:
    """The node after the open that the big blind is shown against."""
    if tree.num_players == 2:
        return parse_line(tree, HEADS_UP_OPEN, nearest=True).node
    shares = zip(tree.children(node), view.frequencies().tolist(), strict=True)
    raises = {int(child): share for child, share in shares if tree.action[child] == ActionCode.RAISE}
    return max(raises, key=lambda child: raises[child])


def _big_blind_after(tree: BettingTree, node: int) -> int:
    """The big blind's decision when nobody came along with an open."""
    names = position_names(tree.config)
    while names[int(tree.player[node])] != "BB":
        node = _folded(tree, node)
    return node


def _folded(tree: BettingTree, node: int) -> int:
    return next(int(child) for child in tree.children(node) if tree.action[child] == ActionCode.FOLD)


def draw(rows: list[list[Panel]], path: Path) -> None:
    """Write rows of grids as a PNG, each with its title above and its colours below."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    width = len(rows[0]) * (GRID + GAP) + GAP
    height = len(rows) * (TITLE + GRID + LEGEND) + GAP
    dots = DOTS_PER_INCH if sum(map(len, rows)) <= 4 else MANY_DOTS_PER_INCH
    figure = Figure(figsize=(width, height), dpi=dots)
    for row, shown in enumerate(rows):
        for column, panel in enumerate(shown):
            left = GAP + column * (GRID + GAP)
            bottom = height - GAP / 2 - (row + 1) * (TITLE + GRID + LEGEND) + LEGEND
            axes = figure.add_axes((left / width, bottom / height, GRID / width, GRID / height))
            draw_grid(axes, panel.view, FONT_SIZE)
            axes.set_title(panel.title, fontsize=11, pad=5)
            axes.legend(
                handles=legend_patches(panel.view, RARE),
                loc="upper center",
                bbox_to_anchor=(0.5, 0.0),
                ncol=3,
                frameon=False,
                fontsize=7.5,
                handlelength=1.0,
                handletextpad=0.4,
                columnspacing=0.8,
            )
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as file:
        FigureCanvasAgg(figure).print_png(file)  # type: ignore[no-untyped-call]


def store(path: Path) -> None:
    """Store a picture with a palette of the actions' own colours: a rare one, chosen by a program, would be lost."""
    palette = _palette()
    with Image.open(path) as picture:
        pixels = np.asarray(picture.convert("RGB"))
    found, where = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True)
    far = ((found[:, None].astype(np.int64) - palette) ** 2).sum(axis=2)
    flat = Image.fromarray(far.argmin(axis=1)[where].reshape(pixels.shape[:2]).astype(np.uint8))
    flat.putpalette(palette.ravel().tolist())
    flat.save(path, optimize=True)
    print(f"wrote {path.name}, {path.stat().st_size / 1000:.0f} kB")


def _palette() -> Int64:
    """(colours, 3) the flat colours, and shades of each towards black and white."""
    names = (
        colours.FOLD,
        colours.CHECK_OR_CALL,
        *colours.RAISES,
        colours.ALL_IN,
        colours.UNVISITED,
        colours.IMPOSSIBLE,
    )
    flat = np.array([ImageColor.getrgb(name)[:3] for name in (*names, "#ffffff")])
    shares = np.arange(1, SHADES + 1)[:, None, None] / SHADES
    shades = [end + (flat - end) * shares for end in (0, 255)]
    return np.unique(np.concatenate(shades).reshape(-1, 3).round().astype(np.int64), axis=0)


def shipped() -> dict[str, Path]:
    """The models that are in the repository, by name."""
    return {folder.parent.name: Path("models") / folder.parent.name for folder in sorted(MODELS.glob("*/model.json"))}


if __name__ == "__main__":
    chosen = {name: Path(run) for name, _, run in (word.partition("=") for word in sys.argv[1:])} or shipped()
    for name, run in chosen.items():
        make(name, run)
