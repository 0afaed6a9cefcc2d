"""`holdem merge`: one blueprint from the instances of a run."""

import json
from pathlib import Path
from typing import Annotated

import typer

from holdem.cli.app import run_command
from holdem.cli.chosen_run import refuse_model
from holdem.cli.go_on import resume_command
from holdem.mccfr.instances.merge import merge_runs
from holdem.mccfr.run.start import RunOptions
from holdem.policy.policy import AveragePolicy
from holdem.types import MCCFRConfig
from holdem.util.logs import start_logging
from holdem.util.words import counted, shell_command


def command(
    runs: Annotated[list[Path], typer.Argument(help="A multi-instance run directory, or several runs.")],
    out: Annotated[Path, typer.Option(help="Folder for the merged run; an old run in it moves aside.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Make one blueprint of the instances of a run.

    They must belong together, which is checked. Strategy sums are brought to one scale and added, regrets are averaged,
    both by iterations. The result is a run directory: look at it, play it, or go on from it with --resume-from.

    Examples:

        holdem merge runs/multi_instance --out runs/merged

        holdem merge machine_a/instance_0 machine_b/instance_1 --out runs/merged
    """
    start_logging("info")
    for run in runs:
        refuse_model(run, "no checkpoint to merge")
    summary = merge_runs(runs, out)
    if as_json:
        typer.echo(json.dumps({**summary.__dict__, "out": str(out)}))
        return
    typer.echo(
        f"merged {counted(len(summary.parts), 'instance')} with {counted(summary.iterations, 'iteration')} into {out}"
    )
    typer.echo(f"look at it: {shell_command('holdem', 'show', out)}")
    typer.echo(f"go on: {_resume_command(out)}")


def _resume_command(out: Path) -> str:
    """Training from the merged run with the settings of its parts, for as many iterations again."""
    info = AveragePolicy.load(out).info
    settings = MCCFRConfig(**info.fingerprint["training"], num_iterations=2 * info.iterations)
    buckets = Path(info.bucketing.origin) if info.bucketing is not None and info.bucketing.origin else None
    return resume_command(out, settings, buckets, RunOptions(out.with_name(f"{out.name}_longer")))


if __name__ == "__main__":
    run_command(command)
