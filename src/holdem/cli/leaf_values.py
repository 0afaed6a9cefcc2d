"""`holdem leaf-values`: what the rest of a hand is worth at every leaf, for AIVAT."""

import json
from pathlib import Path
from typing import Annotated

import typer

from holdem.abstraction.bucketing import HandBucketing
from holdem.blueprint.leaf_values.compute import DEALS, compute_leaf_values
from holdem.blueprint.leaf_values.estimate import Estimate, estimate
from holdem.cli.app import run_command
from holdem.cli.chosen_run import chosen_run
from holdem.policy.policy import AveragePolicy
from holdem.types import STREET_NAMES
from holdem.util.progress import ProgressBar


def command(
    run: Annotated[Path | None, typer.Argument(help="A run or models/NAME; left out: the newest under runs/.")] = None,
    buckets: Annotated[Path | None, typer.Option(help="The card abstraction, if it is not in a usual place.")] = None,
    deals: Annotated[int, typer.Option(min=1, help="Hands to deal; four times as many halve the error.")] = DEALS,
    seconds: Annotated[float | None, typer.Option(min=0.0, help="Deal no longer than this.")] = None,
    threads: Annotated[int, typer.Option(min=0, help="0: every core.")] = 0,
    seed: Annotated[int, typer.Option(help="Of the dealt hands.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compute what the rest of a hand is worth, for AIVAT.

    These leaf values are stored beside the policy of a blueprint. They are bucket × bucket tables of what the rest of a
    hand is worth where the betting of a street closes, with the blueprint as it is and with one player biased to fold,
    call or raise. AIVAT reads them as its baseline; playing and searching need none. Compute them again after more
    training. Ctrl+C leaves older tables as they were.

    Examples:

        holdem leaf-values runs/blueprint

        holdem leaf-values runs/blueprint --deals 80000000
    """
    run = chosen_run(run)
    policy = AveragePolicy.load(run)
    bucketing = None if buckets is None else HandBucketing.load_found(buckets)
    planned = estimate(policy, bucketing, deals, threads)
    typer.echo(_plan(planned), err=as_json)
    try:
        values = compute_leaf_values(
            policy, bucketing, deals=deals, seconds=seconds, seed=seed, threads=threads, progress=ProgressBar
        )
    except KeyboardInterrupt:
        typer.echo("interrupted: nothing was written, and older tables are as they were", err=True)
        raise typer.Exit(130) from None
    assert policy.path is not None
    manifest = values.save(policy.path.parent)
    if as_json:
        typer.echo(json.dumps({"manifest": str(manifest), **values.report}))
        return
    errors = ", ".join(
        f"{100 * error:.2f} % ({STREET_NAMES[street]})"
        for street, error in enumerate(values.report["standard_error_of_pot"])
    )
    typer.echo(f"{values.report['deals']:,} deals in {values.report['seconds']:.0f} s")
    typer.echo(f"standard error of a value as a share of the pot: {errors}")
    typer.echo(f"wrote {manifest}")


def _plan(planned: Estimate) -> str:
    leaves = ", ".join(f"{count:,} {STREET_NAMES[street]}" for street, count in enumerate(planned.leaves))
    size, memory = planned.table_bytes / 1e6, planned.memory_bytes / 1e6
    return (
        f"leaves by the street that closes: {leaves}; {size:,.1f} MB on disk, about {memory:,.0f} MB of memory "
        f"and {planned.seconds:,.0f} s"
    )


if __name__ == "__main__":
    run_command(command)
