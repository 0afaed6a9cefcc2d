"""`holdem match`: agents play each other, with intervals."""

import json
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from holdem.cli.app import run_command
from holdem.cli.output_paths import writable_file, write_figures
from holdem.errors import ConfigError, HoldemError
from holdem.evaluation.aivat.opening import can_open_aivat, open_aivat
from holdem.evaluation.match.match import MANY_SEATS_NOTE, MatchResult, MatchSetup, play_match
from holdem.evaluation.match.win_rates import WinRate
from holdem.game.imported_agent import runs_code
from holdem.game.presets import PRESET_BY_PLAYERS, load_game, load_preset
from holdem.realtime.search.specs import AgentSpec, open_agent
from holdem.table.session.named_agents import open_named, opened_named
from holdem.types import GameConfig
from holdem.util.logs import start_logging
from holdem.util.progress import ProgressBar
from holdem.util.signals import StopSignals
from holdem.util.words import counted

ORIENTATION_BB_PER_100 = 1.0


def command(
    agents: Annotated[
        list[str],
        typer.Argument(
            help="One per seat: a run, a model, search:RUN, a baseline, python:module:Class, or process:COMMAND (ACPC)."
        ),
    ],
    hands: Annotated[
        int, typer.Option(min=2, help="Hands to play; each deal is played once per seat rotation.")
    ] = 20_000,
    seed: Annotated[int, typer.Option(help="Which deals.")] = 0,
    num_workers: Annotated[int, typer.Option(min=0, help="Processes; 0 is every core.")] = 1,
    interval: Annotated[
        float, typer.Option(min=0.001, help="Say how many hands would give ± this many bb/100.")
    ] = ORIENTATION_BB_PER_100,
    game: Annotated[
        str | None, typer.Option(help="A preset or a YAML file; left out: the first blueprint's game, else by seats.")
    ] = None,
    aivat: Annotated[
        bool | None,
        typer.Option(
            "--aivat/--no-aivat",
            help="Take luck out with AIVAT; left out: if somebody searches and what it needs is there.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write the figures to a JSON file.", callback=writable_file)] = None,
) -> None:
    """Play agents against each other, with 95 % intervals.

    There are 2 to 6 seats. Every deal is played once from each rotation of the seats, so that everybody holds
    everybody's cards, and a match of an agent against itself is exactly zero. Ctrl+C prints what there is so far.

    --aivat costs some 20 ms a hand and makes the variance many times smaller. Heads-up it needs holdem leaf-values;
    with three to six seats it needs one blueprint at the table. Actions of agents whose strategy is not known stay as
    they are, and the method says whose.

    Examples:

        holdem match runs/blueprint always-call

        holdem match runs/new runs/old --hands 1000000 --num-workers 0

        holdem match search:runs/blueprint runs/blueprint --hands 2000 --aivat

        holdem match search:runs/three runs/three runs/three --hands 2000 --aivat

        holdem match tight-aggressive loose-aggressive pot-odds --game threemax_100bb --json

        holdem match python:my_agent:Tight always-call --hands 2000
    """
    start_logging("warning")
    if not 2 <= len(agents) <= 6:
        raise ConfigError(f"{len(agents)} agents were named; a table has 2 to 6 seats, so name one for each")
    config = game_for(agents, game)
    correction = open_aivat if wants_aivat(aivat, agents, config) else None
    setup = MatchSetup(config, tuple(agents), open_named, seed, correction)
    failures: list[HoldemError] = []
    with StopSignals() as stop, ProgressBar("hands", hands) as bar:
        result = play_match(setup, hands, num_workers, bar, lambda: stop.received is not None, failures.append)
    if not result.deals:
        typer.echo("interrupted before the first deal was played", err=True)
        raise typer.Exit(stop.exit_status)
    figures = {**result.to_plain(), "hands_for_interval": needed_hands(result, interval)}
    if as_json:
        typer.echo(json.dumps(figures))
    else:
        print_match(result, interval)
    if out is not None:
        write_figures(out, figures)
    if failures:
        raise failures[0]
    raise typer.Exit(stop.exit_status)


def game_for(specs: list[str], name: str | None) -> GameConfig:
    """The game that is named, else that of the first blueprint, else the preset for so many seats."""
    if name is not None:
        return load_game(name)
    for spec in specs:
        policy = None if runs_code(spec) else getattr(open_agent(spec), "policy", None)
        if policy is not None:
            config: GameConfig = policy.config
            return config
    return load_preset(PRESET_BY_PLAYERS[len(specs)])


def wants_aivat(asked: bool | None, specs: Sequence[str], config: GameConfig) -> bool:
    """What was asked for; unasked only where a hand takes long anyway, because somebody searches."""
    parsed = [AgentSpec.parse(spec) for spec in specs]
    if asked is not None or not any(spec.searches for spec in parsed):
        return bool(asked)
    with ExitStack() as stack:
        return can_open_aivat([stack.enter_context(opened_named(spec.name, config)) for spec in parsed])


def needed_hands(result: MatchResult, interval: float) -> dict[str, float | int | None]:
    """Hands for every agent's interval to be at most this wide to each side, if the luck stays as it was."""
    needed = [result.win_rate(seat).hands_for(interval) for seat in range(len(result.setup.specs))]
    return {"bb_per_100": interval, "hands": None if None in needed else max(filter(None, needed))}


def print_match(result: MatchResult, interval: float) -> None:
    """The table and what it rests on."""
    console = Console()
    console = console if console.is_terminal else Console(width=160)
    setup = result.setup
    typer.echo(f"{setup.config.name}, {len(setup.specs)} seats, seed {setup.seed}, {result.method}")
    console.print(_table(result))
    interrupted = "" if result.complete else " (interrupted)"
    engine = "compiled tree walk" if result.compiled else "rules engine"
    pace = f"{result.hands / max(result.seconds, 1e-9):,.0f} hands/s, {engine}"
    typer.echo(
        f"{result.hands:,} hands in {counted(result.deals, 'duplicate deal')}{interrupted}; {pace}; 95 % intervals"
    )
    if result.variance_factor is not None:
        typer.echo(f"the correction makes the variance {result.variance_factor:.1f} times smaller than as dealt")
    luck = result.luck(0)
    if luck is not None:
        dealt = rate_cells(result.win_rate(0, as_dealt=True))[0]
        taken = f"{rate_cells(luck)[0]} of it is taken off as luck, which is zero in the long run"
        typer.echo(f"as dealt {setup.specs[0]} won {dealt} bb/100; {taken}")
    needed = needed_hands(result, interval)["hands"]
    if needed is not None:
        typer.echo(f"± {interval:g} bb/100 would take about {needed:,} hands")
    if len(setup.specs) > 2:
        typer.echo(MANY_SEATS_NOTE)


def _table(result: MatchResult) -> Table:
    table = Table()
    table.add_column("agent", no_wrap=True)
    for name in ("bb/100", "mbb/hand", "verdict"):
        table.add_column(name, justify="right", no_wrap=True)
    for seat, spec in enumerate(result.setup.specs):
        table.add_row(Text(spec), *rate_cells(result.win_rate(seat)))
    return table


def rate_cells(rate: WinRate) -> list[str]:
    """bb/100 and mbb/hand with half intervals, and what they say."""
    half = rate.interval_bb_per_100
    return [f"{rate.bb_per_100:+,.1f} ± {half:,.1f}", f"{rate.mbb_per_hand:+,.0f} ± {10 * half:,.0f}", rate.verdict]


if __name__ == "__main__":
    run_command(command)
