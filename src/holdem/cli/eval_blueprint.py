"""`holdem eval`: a blueprint against every baseline, with intervals."""

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from holdem.blueprint.source import PolicySource
from holdem.cli.app import run_command
from holdem.cli.chosen_run import chosen_run, refuse_model
from holdem.cli.match import rate_cells
from holdem.cli.output_paths import page_folder, writable_file, write_figures
from holdem.errors import ConfigError, HoldemError
from holdem.evaluation.aivat.opening import open_aivat
from holdem.evaluation.baselines import BASELINES
from holdem.evaluation.evaluate import (
    BLUEPRINT,
    MANY_PLAYERS_NOTE,
    evaluate,
    litmus_of,
    lower_bound,
    results_as_json,
)
from holdem.evaluation.litmus.litmus import LitmusReport, Verdict
from holdem.evaluation.match.match import MatchResult
from holdem.evaluation.response.local.match import LocalBestResponseResult
from holdem.game.presets import load_game
from holdem.policy.unpacked_models import run_name
from holdem.table.session.named_agents import open_named
from holdem.types import GameConfig
from holdem.util.logs import start_logging
from holdem.util.progress import ProgressBar
from holdem.util.signals import StopSignals
from holdem.util.words import counted, shell_command

DEFAULT_HANDS, HANDS_OF_MANY = 30_000, 300_000
"""Against each opponent; the second from four seats on, where hands vary so much that fewer seldom decide."""


def command(
    policy: Annotated[Path | None, typer.Option(help="A run or models/NAME; left out: the newest under runs/.")] = None,
    checkpoint: Annotated[Path | None, typer.Option(help="A checkpoint instead: its average strategy plays.")] = None,
    buckets: Annotated[Path | None, typer.Option(help="Card abstraction; left out: the one it names.")] = None,
    hands: Annotated[
        int | None,
        typer.Option(
            min=2,
            help=f"Hands against each opponent; left out: {DEFAULT_HANDS:,}, from four seats on {HANDS_OF_MANY:,}.",
        ),
    ] = None,
    opponents: Annotated[
        str,
        typer.Option(
            help="With commas between: baselines, runs, models, search:RUN, python:module:Class; `all`: every baseline."
        ),
    ] = "all",
    lbr_hands: Annotated[
        int, typer.Option(min=0, help="Hands of local best response, heads-up; 0 leaves it out.")
    ] = 2_000,
    litmus: Annotated[bool, typer.Option(help="Run the litmus checks too.")] = True,
    num_workers: Annotated[int, typer.Option(min=0, help="Processes; 0 is every core.")] = 0,
    seed: Annotated[int, typer.Option(help="Which deals.")] = 0,
    game: Annotated[str | None, typer.Option(help="Other stakes or stacks than the blueprint was trained for.")] = None,
    aivat: Annotated[
        bool,
        typer.Option(
            "--aivat/--no-aivat", help="Take luck out with AIVAT, some 20 ms a hand; heads-up it needs leaf values."
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write the figures to a JSON file.", callback=writable_file)] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write a page with pictures into this folder.", callback=page_folder)
    ] = None,
) -> None:
    """Play a blueprint against opponents, with 95 % intervals.

    The hands are played under the real rules. Each deal is played once from every rotation of the seats, which takes
    most of the luck of the cards out. All baselines by default. Ctrl+C prints what there is so far.

    Examples:

        holdem eval --policy runs/blueprint/avg_policy.json

        holdem eval --checkpoint RUN/checkpoint_final.pkl --buckets assets/abstraction/precomputed_buckets.pkl

        holdem eval --policy runs/blueprint --opponents always-call,pot-odds --hands 100000 --out results.json
    """
    start_logging("warning")
    other = None if game is None else load_game(game)
    if checkpoint is not None:
        refuse_model(checkpoint, "no checkpoint")
    size = (None, None) if other is None else (other.num_players, other.stack_blinds)
    source = PolicySource(chosen_run(policy, "", *size) if checkpoint is None else policy, checkpoint, buckets)
    names = chosen_opponents(opponents)
    config = other or source.open(BLUEPRINT).policy.config
    if hands is None:
        hands = DEFAULT_HANDS if config.num_players < 4 else HANDS_OF_MANY
    failures: list[HoldemError] = []
    with StopSignals() as stop:
        stopped = partial(_is_stopped, stop, failures)
        with ProgressBar("hands", hands * len(names)) as bar:
            correction = open_aivat if aivat else None
            results = evaluate(
                source, config, names, open_named, hands, seed, num_workers, bar, stopped, correction, failures.append
            )
        if not all(result.deals for result in results):
            typer.echo("interrupted before every opponent had played a deal", err=True)
            raise typer.Exit(stop.exit_status)
        with ProgressBar("hands of local best response", lbr_hands) as bar:
            bound = lower_bound(source, config, lbr_hands, seed, num_workers, bar, stopped)
        checks = litmus_of(source) if litmus and not stopped() else None
    figures = results_as_json(source, config, results)
    figures["complete"] = figures["complete"] and not stopped()
    figures["lbr"] = None if bound is None else bound.to_plain()
    figures["litmus"] = None if checks is None else checks.to_plain()
    if as_json:
        typer.echo(json.dumps(figures))
    else:
        print_results(source, config, results)
        print_checks(source, bound, checks)
    if out is not None:
        write_figures(out, figures)
    if report is not None:
        typer.echo(f"report: {make_report(report, source, figures)}", err=as_json)
    if failures:
        raise failures[0]
    raise typer.Exit(stop.exit_status)


def _is_stopped(stop: StopSignals, failures: Sequence[HoldemError]) -> bool:
    return stop.received is not None or bool(failures)


def chosen_opponents(text: str) -> list[str]:
    """The names of a list with commas between, each once."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise ConfigError(f"--opponents names nobody; use all, or some of {', '.join(BASELINES)}")
    every = [known for name in names for known in (BASELINES if name == "all" else (name,))]
    return list(dict.fromkeys(every))


def make_report(folder: Path, source: PolicySource, figures: dict[str, Any]) -> Path:
    """One page with the figures and pictures of the run."""
    from holdem.evaluation.report.report import write_report

    return write_report(folder, source.folder, figures)


def print_results(source: PolicySource, config: GameConfig, results: Sequence[MatchResult]) -> None:
    """The table and what it rests on."""
    console = Console()
    console = console if console.is_terminal else Console(width=160)
    seats = f"{config.num_players} seats, the opponent in all others" if config.num_players > 2 else "heads-up"
    typer.echo(
        f"{run_name(source.path)}: {config.name}, {seats}, {', '.join(dict.fromkeys(r.method for r in results))}"
    )
    table = Table()
    for name in ("opponent", "hands", "bb/100", "mbb/hand", "verdict", "hands for ± 1 bb/100"):
        table.add_column(name, justify="left" if name == "opponent" else "right", no_wrap=True)
    for result in results:
        rate = result.win_rate(0)
        needed = rate.hands_for(1.0)
        cells = rate_cells(rate)
        opponent = Text(result.setup.specs[1])
        table.add_row(opponent, f"{rate.hands:,}", *cells, "–" if needed is None else f"{needed:,}")
    console.print(table)
    played = sum(result.hands for result in results)
    interrupted = "" if all(result.complete for result in results) else " (interrupted)"
    pace = f"{played / max(results[0].seconds, 1e-9):,.0f} hands/s"
    typer.echo(f"{played:,} hands{interrupted}, seed {results[0].setup.seed}, {pace}; 95 % intervals over deals")
    if config.num_players > 2:
        typer.echo(MANY_PLAYERS_NOTE)


def print_checks(source: PolicySource, bound: LocalBestResponseResult | None, checks: LitmusReport | None) -> None:
    """The lower bound on exploitability and the litmus checks, a line each."""
    if bound is not None:
        won = bound.won
        loses, meaning = ("loses at least", "") if won.ci95[0] > 0 else ("loses", ", which proves nothing about it")
        typer.echo(
            f"{loses} {won.mbb_per_hand:,.0f} ± {won.interval:,.0f} mbb/hand to local best response "
            f"({bound.hands:,} hands; fold, call, pot and all-in from the turn on){meaning}"
        )
    if checks is not None:
        failed = checks.count(Verdict.FAILED)
        verdict = (
            f"{failed} failed; see: {shell_command('holdem', 'litmus', run_name(source.folder or source.path))}"
            if failed
            else "none failed"
        )
        typer.echo(f"litmus: {counted(len(checks.results), 'check')}, {verdict}")


if __name__ == "__main__":
    run_command(command)
