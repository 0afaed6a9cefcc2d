"""Makes the pictures of docs/tutorial.md with the commands that the tutorial shows.

    python -m docs.make_pictures                  # of runs/blueprint
    python -m docs.make_pictures runs/overnight

A picture of a strategy has a few flat colours, so it is stored with a palette: a quarter of the bytes.
"""

import subprocess
import sys
from pathlib import Path

from PIL import Image

FOLDER = Path(__file__).parent / "pictures"
COLOURS = 64


def make(run: str) -> None:
    """Make them all from one run."""
    _picture("tutorial_open", "show", run)
    _picture("tutorial_flop", "show", run, "SB raise 2.5bb, BB call | Ks7d2c")
    _picture("tutorial_river", "solve", "--spot", "PR1", "--target", "0.1")


def _picture(name: str, *command: str) -> None:
    path = FOLDER / f"{name}.png"
    words = [sys.executable, "-m", "holdem.cli.main", *command, "--png", str(path)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    flatten(path, COLOURS)


def flatten(path: Path, colours: int) -> None:
    """Store a picture with a palette: most of it for what fills the picture, a quarter for what is rare and far from
    that, such as a red heart."""
    with Image.open(path) as picture:
        full = picture.convert("RGB")
    rare = full.quantize(colours // 4, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    often = full.quantize(colours - colours // 4, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    palette = Image.new("P", (1, 1))
    palette.putpalette([*_colours(rare, colours // 4), *_colours(often, colours - colours // 4)])
    flat = full.quantize(palette=palette, dither=Image.Dither.NONE)
    flat.save(path, optimize=True)
    print(f"wrote {path.name}, {path.stat().st_size / 1000:.0f} kB")


def _colours(picture: Image.Image, most: int) -> list[int]:
    """Red, green and blue of each colour of a palette."""
    return (picture.getpalette() or [])[: 3 * most]


if __name__ == "__main__":
    make(*(sys.argv[1:] or ["runs/blueprint"]))
