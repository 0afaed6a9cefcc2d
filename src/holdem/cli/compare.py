"""`holdem compare`: which instance of a run is best."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from holdem.abstraction.bucketing import HandBucketing
from holdem.cli.app import run_command
from holdem.cli.chosen_run import refuse_model
from holdem.evaluation.compare import Comparison, Quality, compare_run
from holdem.policy.run_names import named_run
from holdem.util.logs import start_logging


def command(
    run: Annotated[Path, typer.Argument(help="A multi-instance run directory.")],
    deals: Annotated[int, typer.Option(min=0, help="Deals that each pair plays; 0 plays none.")] = 1000,
    seed: Annotated[int, typer.Option(help="Which deals.")] = 0,
    buckets: Annotated[Path | None, typer.Option(help="Card abstraction with its tables; it must match.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Rank the instances of a run by measured quality.

    The best is named. Exact exploitability where it can be computed; otherwise every pair plays the same deals from
    every position, with 95 % confidence intervals. The slope of the regret norm and the entropy of the policies are
    shown beside it.

    Examples:

        holdem compare runs/multi_instance

        holdem compare runs/multi_instance --deals 5000 --json
    """
    start_logging("warning")
    refuse_model(run, "no instances to rank")
    bucketing = None if buckets is None else HandBucketing.load_found(buckets)
    comparison = compare_run(named_run(run), deals, seed, bucketing)
    if as_json:
        typer.echo(json.dumps({**asdict(comparison), "best": comparison.best, "verdict": comparison.verdict}))
        return
    console = Console()
    console = console if console.is_terminal else Console(width=160)  # a pipe has room for every figure
    console.print(make_table(comparison))
    typer.echo(comparison.verdict)


def make_table(comparison: Comparison) -> Table:
    """Best first."""
    by = {"exploitability": "by exact exploitability", "telemetry": "by telemetry; no match was played"}
    played = f"by matches, {comparison.deals:,} duplicate deals a pair"
    table = Table(title=f"instances, best first, {by.get(comparison.ranked_by, played)}", title_justify="left")
    table.add_column("instance", no_wrap=True)
    table.add_column("iterations", justify="right", no_wrap=True)
    measured = comparison.ranking[0]
    if measured.exploitability is not None:
        table.add_column(f"exploitability, {measured.exploitability_unit}", justify="right", no_wrap=True)
    if measured.won_mbb is not None:
        table.add_column("won, mbb/hand", justify="right")
    for name in ("regret norm", "slope"):
        table.add_column(name, justify="right")
    streets = list(measured.entropy_bits)
    for street in streets:
        table.add_column(f"entropy {street}", justify="right")
    for quality in comparison.ranking:
        table.add_row(*_cells(quality, streets))
    return table


def _cells(quality: Quality, streets: list[str]) -> list[str | Text]:
    cells: list[str | Text] = [Text(quality.name), f"{quality.iterations:,}"]
    if quality.exploitability is not None:
        cells.append(f"{quality.exploitability:.5f}")
    if quality.won_mbb is not None:
        cells.append(f"{quality.won_mbb:+.0f} ± {quality.won_mbb_interval:.0f}")
    cells.append("–" if quality.regret_norm is None else f"{quality.regret_norm:.4g}")
    cells.append("–" if quality.regret_slope is None else f"{quality.regret_slope:.2f}")
    return cells + [f"{quality.entropy_bits.get(street, 0.0):.3f}" for street in streets]


if __name__ == "__main__":
    run_command(command)
