"""`holdem export`: a trained policy as JSON or CSV."""

import io
import sys
from enum import StrEnum
from pathlib import Path
from typing import IO, Annotated

import typer

from holdem.cli.app import run_command
from holdem.cli.chosen_run import chosen_run
from holdem.cli.output_paths import writable_file
from holdem.errors import ConfigError
from holdem.policy.export import Selection, count_rows, write_csv, write_json
from holdem.policy.policy import AveragePolicy
from holdem.types import STREET_NAMES
from holdem.util.artifacts import atomic_write
from holdem.util.progress import ProgressBar
from holdem.util.words import counted


class Format(StrEnum):
    """What a file can be written as."""

    JSON = "json"
    CSV = "csv"


class StreetName(StrEnum):
    """The streets by name."""

    PREFLOP = "preflop"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"


def command(
    run: Annotated[Path | None, typer.Argument(help="A run or models/NAME; left out: the newest under runs/.")] = None,
    format: Annotated[Format, typer.Option(help="json or csv.")] = Format.JSON,
    out: Annotated[
        Path | None, typer.Option(help="The file to write; left out: standard output.", callback=writable_file)
    ] = None,
    street: Annotated[StreetName | None, typer.Option(help="Only the rows of one street.")] = None,
    max_rows: Annotated[int | None, typer.Option(min=1, help="At most so many rows.")] = None,
) -> None:
    """Write a policy as JSON or CSV, for your own tools.

    Every row with its actions and their probabilities. Toy games come with OpenSpiel's information states and action
    numbers; hold'em rows with the betting line, street, position, bucket (before the flop the hand too) and whether
    training ever visited them.

    Examples:

        holdem export runs/leduc --format json --out leduc.json

        holdem export runs/blueprint --format csv --street preflop --out preflop.csv
    """
    run = chosen_run(run)
    policy = AveragePolicy.load(run)
    number = None if street is None else STREET_NAMES.index(street.value)
    if number is not None and number >= policy.config.num_streets:
        last = STREET_NAMES[policy.config.num_streets - 1]
        raise ConfigError(f"{policy.config.name} has no {STREET_NAMES[number]}; its last street is the {last}")
    selection = Selection(number, max_rows)
    if out is None:
        _write(policy, sys.stdout, format, selection)
        return
    with atomic_write(out) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="\n", write_through=False)
        _write(policy, text, format, selection)
        text.detach()  # flushes, and leaves the file open for the rename
    typer.echo(f"wrote {counted(count_rows(policy, selection), 'row')} to {out}")


def _write(policy: AveragePolicy, file: IO[str], format: Format, selection: Selection) -> None:
    with ProgressBar("rows", count_rows(policy, selection)) as bar:
        waiting = 0

        def count(rows: int) -> None:
            nonlocal waiting
            waiting += rows
            if waiting == 1000:  # a bar that hears every row would cost more than the rows
                bar(waiting)
                waiting = 0

        (write_json if format is Format.JSON else write_csv)(policy, file, selection, count)


if __name__ == "__main__":
    run_command(command)
