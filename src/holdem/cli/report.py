"""`holdem report`: one HTML page about a run, to send to somebody."""

from pathlib import Path
from typing import Annotated, Any

import typer

from holdem.cli.app import run_command
from holdem.cli.chosen_run import chosen_run
from holdem.cli.output_paths import page_folder
from holdem.errors import ConfigError
from holdem.evaluation.litmus.file import load_checks
from holdem.evaluation.litmus.litmus import run_litmus
from holdem.evaluation.report.report import write_report
from holdem.evaluation.report.results import read_results
from holdem.evaluation.report.training import exact_exploitability, measure_snapshots, snapshots_of
from holdem.policy.policy import AveragePolicy
from holdem.util.progress import ProgressBar


def command(
    run: Annotated[Path | None, typer.Argument(help="A run or models/NAME; left out: the newest under runs/.")] = None,
    out: Annotated[Path, typer.Option(help="Folder for report.html.", callback=page_folder)] = Path("report"),
    results: Annotated[Path | None, typer.Option(help="What `holdem eval --out` wrote: win rates, LBR.")] = None,
    lbr_hands: Annotated[
        int, typer.Option(min=0, help="Measure every snapshot with local best response over so many hands; 0: do not.")
    ] = 0,
    num_workers: Annotated[int, typer.Option(min=0, help="Processes for that; 0 is every core.")] = 1,
    litmus: Annotated[bool, typer.Option(help="Run the litmus checks and include them.")] = True,
) -> None:
    """Write one HTML page about a run.

    It has win rates, exploitability over training, preflop ranges, speed and facts, and needs no other file.
    Exploitability is exact for toy games and jam or fold. For heads-up hold'em `--lbr-hands` measures a lower bound for
    every snapshot of the run.

    Examples:

        holdem report runs/blueprint

        holdem report runs/blueprint --results results.json --lbr-hands 2000 --out report
    """
    run = chosen_run(run)
    policy = AveragePolicy.load(run)
    content = {} if results is None else read_results(results, run)
    if litmus and not content.get("litmus") and policy.config.variant == "holdem":
        content["litmus"] = _litmus(policy)
    if lbr_hands:
        content["lbr_snapshots"] = _lbr(run, policy, lbr_hands, num_workers)
    typer.echo(f"wrote {write_report(out, run, content)}")


def _litmus(policy: AveragePolicy) -> dict[str, object] | None:
    checks = load_checks()
    try:
        with ProgressBar("litmus checks", len(checks)) as bar:
            return run_litmus(policy, checks, progress=bar).to_plain()
    except ConfigError:
        return None  # a game to which none of the shipped checks applies


def _lbr(run: Path, policy: AveragePolicy, hands: int, num_workers: int) -> list[dict[str, Any]]:
    snapshots = snapshots_of(run)
    if policy.config.num_players != 2 or exact_exploitability(snapshots[-1:]) is not None:
        raise ConfigError(
            f"--lbr-hands measures heads-up hold'em, and {policy.config.name} is another game; leave it out: "
            "exact figures are computed where they can be, and nothing of the kind is known for three and more players"
        )
    with ProgressBar("LBR hands", len(snapshots) * 2 * ((hands + 1) // 2)) as bar:
        return measure_snapshots(snapshots, hands, num_workers=num_workers, progress=bar)


if __name__ == "__main__":
    run_command(command)
