"""`holdem litmus`: does a trained policy make sense, in poker terms?"""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from holdem.abstraction.bucketing import HandBucketing
from holdem.cli.app import run_command
from holdem.cli.chosen_run import chosen_run
from holdem.cli.output_paths import writable_file, write_figures
from holdem.evaluation.litmus.check import ShareFigure
from holdem.evaluation.litmus.file import load_checks
from holdem.evaluation.litmus.litmus import CheckResult, LitmusReport, Verdict, run_litmus
from holdem.policy.policy import AveragePolicy
from holdem.policy.unpacked_models import run_name
from holdem.util.progress import ProgressBar
from holdem.util.words import counted

MARKS = {
    Verdict.PASSED: ("✓", "green"),
    Verdict.FAILED: ("✗", "bold red"),
    Verdict.UNVISITED: ("?", "yellow"),
    Verdict.LEFT_OUT: ("–", "dim"),
}


def command(
    run: Annotated[Path | None, typer.Argument(help="A run or models/NAME; left out: the newest under runs/.")] = None,
    checks: Annotated[Path | None, typer.Option(help="Your own checks; the shipped ones if left out.")] = None,
    buckets: Annotated[Path | None, typer.Option(help="Card abstraction with its tables; it must match.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write the same JSON into a file.", callback=writable_file)] = None,
) -> None:
    """Look for what no sensible strategy does.

    Aces folded before the flop, the nuts folded, calls against all odds. Every violation says where, how much, and what
    usually causes it. Rows that training never visited are counted, not judged. Exit status 0 if there is no violation,
    1 if there is one.

    Examples:

        holdem litmus runs/blueprint

        holdem litmus runs/blueprint --checks my_checks.yaml --json
    """
    wanted = load_checks(checks)
    run = chosen_run(run)
    policy = AveragePolicy.load(run)
    bucketing = HandBucketing.load_found(buckets) if buckets is not None else None
    with ProgressBar("checks", len(wanted)) as bar:
        report = run_litmus(policy, wanted, bucketing, bar)
    content = {"run": run_name(run), **report.to_plain()}
    if out is not None:
        write_figures(out, content)
    if as_json:
        typer.echo(json.dumps(content))
    else:
        _print(report)
    if not report.passed:
        raise typer.Exit(1)


def _print(report: LitmusReport) -> None:
    console = Console(highlight=False, soft_wrap=True)
    typer.echo(f"{report.game}, {counted(report.iterations, 'iteration')}")
    for result in report.results:
        _print_result(console, result)
    counts = [f"{report.count(verdict)} {verdict.value}" for verdict in Verdict if report.count(verdict)]
    console.print(f"{counted(len(report.results), 'check')}: {', '.join(counts)}")


def _print_result(console: Console, result: CheckResult) -> None:
    mark, style = MARKS[result.verdict]
    found = result.findings
    console.print(Text.assemble((f"{mark} ", style), result.check.name, (_aside(result), "dim")))
    for violation in found.violations:
        console.print(Text(f"    where: {violation.where}\n    what:  {violation.what}"))
    if found.violations:
        console.print(Text(f"    usual cause: {result.check.cause}"))
    if found.figures:
        console.print(Text("    " + ";  ".join(map(_figure, found.figures)), style="dim"))
    for place in found.untrained:
        console.print(Text(f"    not judged: {place}", style="yellow"))
    if result.verdict is Verdict.LEFT_OUT and found.left_out:
        console.print(Text(f"    {found.left_out[0]}", style="dim"))


def _figure(figure: ShareFigure) -> str:
    """`UTG 17.2 % (15 to 19)`."""
    found = "?" if figure.found is None else f"{100 * figure.found:.1f} %"
    return f"{figure.position} {found} ({100 * figure.low:.3g} to {100 * figure.high:.3g})"


def _aside(result: CheckResult) -> str:
    """How many hands were judged, and how close it was."""
    found = result.findings
    parts = [counted(found.judged, "hand")] if found.judged else []
    if found.unvisited:
        parts.append(f"{found.unvisited:,} never visited")
    if found.closest is not None:
        parts.append(f"closest {found.closest[0]:.3g}, limit {found.closest[1]:.3g}")
    return f"  ({'; '.join(parts)})" if parts else ""


if __name__ == "__main__":
    run_command(command)
