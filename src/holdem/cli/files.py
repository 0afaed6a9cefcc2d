"""`holdem files`: what the package brings along, and a copy of it to change."""

from pathlib import Path
from typing import Annotated

import typer

from holdem.cli.app import run_command
from holdem.errors import ConfigError
from holdem.util.shipped import FOLDERS, shipped_root


def command(
    name: Annotated[str | None, typer.Argument(help="The file to print; left out: the list of all.")] = None,
) -> None:
    """List the files that come with the package, or print one.

    They are settings, games, table profiles, spots and examples. Wherever a command takes such a file, its name is
    enough, with or without folder and ending; a file of the working directory wins. To change one, print it into a file
    of your own.

    Examples:

        holdem files

        holdem files parallel_training > mine.yaml

        holdem files assets/table_profiles/home_game.json > my_table.json
    """
    if name is None:
        for folder in FOLDERS:
            for path in folder.files():
                typer.echo(path.relative_to(shipped_root()).as_posix())
        return
    typer.echo(_shipped(name).read_text(encoding="utf-8"), nl=False)


def _shipped(name: str) -> Path:
    typed = Path(name)
    known = {path.relative_to(shipped_root()): path for folder in FOLDERS for path in folder.files()}
    found = [path for key, path in known.items() if typed in (key, Path(key.name), Path(key.stem))]
    if not found:
        raise ConfigError(f"{name} is no shipped file; the list of all: holdem files")
    if len(found) > 1:
        places = ", ".join(str(path.relative_to(shipped_root())) for path in found)
        raise ConfigError(f"{name} could be one of several files: {places}; name one with its folder")
    return found[0]


if __name__ == "__main__":
    run_command(command)
