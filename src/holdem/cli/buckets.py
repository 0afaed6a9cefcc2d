"""`holdem buckets`: build, show and ask a card abstraction."""

import json
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from holdem.abstraction.bucketing import STREET_OF_BOARD, HandBucketing
from holdem.abstraction.buckets.pictures import draw_streets
from holdem.abstraction.buckets.presets import DEFAULT_PRESET, default_path
from holdem.cards import format_cards, hand_of_index, parse_cards
from holdem.cards.ranges import CLASS_NAMES
from holdem.cli import build_buckets
from holdem.cli.app import make_app, run_app
from holdem.types import STREET_NAMES
from holdem.util.extras import is_installed, require

BOARD_OF_STREET = {"flop": 3, "turn": 4, "river": 5}

app = make_app("Card abstractions: build one, look into it, ask it for a hand.")
app.command("build")(build_buckets.command)


@app.command("show")
def show(
    file: Annotated[Path | None, typer.Argument(help="The abstraction; the default one if left out.")] = None,
    street: Annotated[str | None, typer.Option(help="Only this street: flop, turn or river.")] = None,
    rows: Annotated[int, typer.Option(min=1, help="Buckets to list for each street, evenly spaced.")] = 10,
    png: Annotated[
        bool | None,
        typer.Option("--png/--no-png", help="Write a picture for each street; left out: if matplotlib is there."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the pictures; <file>_report beside the file if left out.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")] = False,
) -> None:
    """Show the buckets of each street.

    Sizes, equities, spread and examples, and a picture of each.

    Examples:

        holdem buckets show assets/abstraction/precomputed_buckets.pkl

        holdem buckets show --street turn --rows 50 --no-png
    """
    if png:
        require("matplotlib", "drawing a picture")
    path = file or default_path(DEFAULT_PRESET)
    bucketing = HandBucketing.load(path, tables=False)
    streets = _chosen(street)
    if as_json:
        typer.echo(json.dumps({name: _plain(bucketing.report[name]) for name in streets}))
        return
    console = Console()
    counts = " / ".join(str(count) for count in bucketing.buckets_per_street)
    typer.echo(f"{path}: {counts} buckets, content hash {bucketing.content_hash}")
    for name in streets:
        console.print(_street_table(name, bucketing.report[name], rows))
        console.print(_quality(bucketing.report[name]), highlight=False)
    if png or (png is None and is_installed("matplotlib")):
        folder = out or path.with_name(f"{path.stem}_report")
        for picture in draw_streets(bucketing, streets, folder):
            typer.echo(f"wrote {picture}")


@app.command("of")
def of(
    hole: Annotated[str, typer.Argument(help="Two cards: AhKd.")],
    board: Annotated[str, typer.Argument(help="No board, or three to five cards: Qs7d2c.")] = "",
    buckets: Annotated[Path | None, typer.Option(help="The abstraction; the default one if left out.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")] = False,
) -> None:
    """Find the bucket of a hand, and the buckets nearest to it.

    Examples:

        holdem buckets of AhKd

        holdem buckets of AhKd Qs7d2c
    """
    bucketing = HandBucketing.load(buckets or default_path(DEFAULT_PRESET), tables=False)
    cards = parse_cards(board)
    bucket = bucketing.bucket(parse_cards(hole), cards)
    street = STREET_NAMES[STREET_OF_BOARD[len(cards)]]
    total = bucketing.buckets_per_street[STREET_OF_BOARD[len(cards)]]
    nearest = [] if street == "preflop" else _nearest(bucketing, street, bucket)
    if as_json:
        typer.echo(json.dumps({"street": street, "bucket": bucket, "buckets": total, "nearest": nearest}))
        return
    if street == "preflop":
        typer.echo(f"preflop bucket {bucket} of {total}: {CLASS_NAMES[bucket]}, every hand up to suits has its own")
        return
    typer.echo(f"{street} bucket {bucket} of {total}, the weakest is 0")
    table = _table_of(street, bucketing.report[street], [bucket, *nearest])
    Console().print(table)


def _chosen(street: str | None) -> list[str]:
    if street is None:
        return list(BOARD_OF_STREET)
    if street not in BOARD_OF_STREET:
        raise typer.BadParameter(f"{street!r} has no report; choose flop, turn or river")
    return [street]


def _nearest(bucketing: HandBucketing, street: str, bucket: int, count: int = 4) -> list[int]:
    """Neighbours: the next intervals, or the centroids at the smallest distance."""
    grouping = bucketing.groupings[list(BOARD_OF_STREET).index(street)]
    if grouping.centroids is None:
        distances = np.abs(np.arange(grouping.buckets) - bucket)
    else:
        centroids = grouping.centroids.astype(np.int64)
        distances = np.abs(centroids - centroids[bucket]).sum(axis=1)
    order = np.argsort(distances, kind="stable")
    return [int(other) for other in order if other != bucket][:count]


def _street_table(street: str, report: dict[str, Any], rows: int) -> Table:
    total = len(report["share"])
    return _table_of(street, report, sorted({round(i) for i in np.linspace(0, total - 1, min(rows, total))}))


def _table_of(street: str, report: dict[str, Any], buckets: list[int]) -> Table:
    table = Table("bucket", "deals", "equity", "spread", "examples", title=street)
    for bucket in buckets:
        table.add_row(
            str(bucket),
            f"{100 * report['share'][bucket]:.2f} %",
            f"{100 * report['equity_mean'][bucket]:.1f} %",
            f"± {100 * report['equity_deviation'][bucket]:.2f}",
            ", ".join(_example(index, street) for index in report["examples"][bucket] if index >= 0),
        )
    return table


def _example(index: int, street: str) -> str:
    hole, board = hand_of_index(int(index), BOARD_OF_STREET[street])
    return f"{format_cards(reversed(hole))} on {format_cards(reversed(board))}"


def _quality(report: dict[str, Any]) -> str:
    line = f"keeps {100 * report['variance_explained']:.2f} % of the variance of equity"
    if "distance_explained" in report:
        line += (
            f" and {100 * report['distance_explained']:.2f} % of the next street's earth mover's distance; "
            f"plain equity buckets would keep {100 * report['variance_explained_by_equity_buckets']:.2f} % and "
            f"{100 * report['distance_explained_by_equity_buckets']:.2f} %"
        )
    return line


def _plain(report: dict[str, Any]) -> dict[str, Any]:
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in report.items()}


if __name__ == "__main__":
    run_app(app)
