"""Strength against strangers: an agent and another beside it play the same deals against players unlike our blueprint.

    python -m benchmarks.bench_strangers make                       train the other blueprint, once, some six minutes
    python -m benchmarks.bench_strangers --hands 2000               search, the blueprint beside it
    python -m benchmarks.bench_strangers --agent runs/blueprint --no-aivat --hands 20000

Matches are duplicate, with AIVAT unless --no-aivat; the difference is taken deal by deal, so luck that both had is not
in it. The same agent twice is played once. Ctrl+C prints what there is.
"""

import math
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from benchmarks.measurement import Measurement
from benchmarks.strangers.opening import STRANGERS, open_any
from benchmarks.strangers.other_blueprint import NAME, RUN, is_made, make
from benchmarks.strangers.paired import PairedResult, play_paired, setups_of
from holdem.cli.app import run_command
from holdem.cli.match import rate_cells
from holdem.cli.output_paths import writable_file
from holdem.errors import ConfigError
from holdem.evaluation.aivat.opening import blueprint_of
from holdem.evaluation.match.win_rates import WinRate
from holdem.game.presets import PRESET_BY_PLAYERS, load_preset
from holdem.realtime.search.specs import AgentSpec
from holdem.types import GameConfig
from holdem.util.artifacts import write_json
from holdem.util.logs import start_logging
from holdem.util.progress import ProgressBar
from holdem.util.signals import StopSignals

BLUEPRINT = "runs/blueprint"
HANDS = 2_000
TABLE_HANDS = 400
"""For the table of all benchmarks, which is about speed."""


class Task(Enum):
    """What to do."""

    MEASURE = "measure"
    MAKE = "make"


def command(
    task: Annotated[Task, typer.Argument(help="measure, or make the other blueprint first.")] = Task.MEASURE,
    agent: Annotated[str, typer.Option(help="Who is measured, as in holdem match.")] = f"search:{BLUEPRINT}",
    beside: Annotated[str, typer.Option(help="Who plays the same deals, to compare with.")] = BLUEPRINT,
    stranger: Annotated[
        list[str] | None, typer.Option(help=f"Against whom; may be repeated. Left out: {', '.join(STRANGERS)}.")
    ] = None,
    hands: Annotated[int, typer.Option(min=2, help="Hands of each match.")] = HANDS,
    seed: Annotated[int, typer.Option(help="Which deals.")] = 0,
    num_workers: Annotated[int, typer.Option(min=0, help="Processes; 0 is every core.")] = 1,
    aivat: Annotated[bool, typer.Option("--aivat/--no-aivat", help="Take luck out with AIVAT.")] = True,
    out: Annotated[Path | None, typer.Option(help="Write the figures to a JSON file.", callback=writable_file)] = None,
) -> None:
    """Measure an agent against strangers, beside another agent on the same deals."""
    if task is Task.MAKE:
        said, status = make()
        typer.echo(said)
        raise typer.Exit(status)
    start_logging("warning")
    agents, strangers = list(dict.fromkeys([agent, beside])), stranger or list(STRANGERS)
    setups = setups_of(game_of(agents), agents, strangers, seed, aivat)
    with StopSignals() as stop, ProgressBar("hands", 2 * -(-hands // 2) * len(setups)) as bar:
        results = play_paired(setups, hands, num_workers, bar, lambda: stop.received is not None)
    if not results[0].agent.deals:
        typer.echo("interrupted before the first deal was played", err=True)
        raise typer.Exit(stop.exit_status)
    print_results(agents, results)
    if out is not None:
        write_json(out, {"agent": agent, "beside": beside, "against": [result.to_plain() for result in results]})
    raise typer.Exit(stop.exit_status)


def game_of(agents: Sequence[str]) -> GameConfig:
    """The game of the first blueprint among the agents, else the preset."""
    for agent in agents:
        policy = blueprint_of(open_any(AgentSpec.parse(agent).name))  # without its search
        if policy is None:
            continue
        if policy.config.num_players != 2:
            raise ConfigError(f"{agent} plays with {policy.config.num_players}, and strangers with two; name another")
        return policy.config
    return load_preset(PRESET_BY_PLAYERS[2])


def print_results(agents: Sequence[str], results: Sequence[PairedResult]) -> None:
    """One line for each stranger, in bb/100 with 95 % intervals."""
    console = Console()
    console = console if console.is_terminal else Console(width=160)
    table = Table("against")
    for name in [*agents, "difference"] if len(agents) > 1 else agents:
        table.add_column(Text(name), justify="right", no_wrap=True)
    for result in results:
        rates = [result.agent.win_rate(0)]
        if len(agents) > 1:
            rates += [result.beside.win_rate(0), result.difference]
        table.add_row(result.stranger, *map(rate_text, rates))
    first = results[0].agent
    console.print(table)
    end = "" if first.complete else " (interrupted)"
    total, seconds = first.hands * len(agents) * len(results), first.seconds
    typer.echo(
        f"bb/100, {first.method}, {first.hands:,} hands a match{end}, seed {first.setup.seed}; "
        f"{total:,} hands in {seconds:,.0f} s, {total / max(seconds, 1e-9):,.1f} hands/s; 95 % intervals"
    )


def rate_text(rate: WinRate) -> str:
    """bb/100 with half of its interval, and what it says."""
    return f"{rate_cells(rate)[0]} {rate.verdict}" if math.isfinite(rate.standard_error) else f"{rate.bb_per_100:+,.1f}"


def run() -> list[Measurement]:
    """Speed alone, of the blueprint against whoever is there: so few hands say nothing of strength."""
    if not Path(BLUEPRINT).exists():
        return []
    strangers = [name for name in STRANGERS if name != NAME or is_made(RUN)]
    setups = setups_of(game_of([BLUEPRINT]), [BLUEPRINT], strangers, 0, False)
    results = play_paired(setups, TABLE_HANDS)
    pace = TABLE_HANDS * len(results) / results[0].agent.seconds
    return [Measurement("blueprint against strangers, one core", pace, "hands/s")]


if __name__ == "__main__":
    run_command(command)
