"""`holdem monitor`: follow a run from another terminal."""

import json
import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from holdem.cli.app import run_command
from holdem.cli.chosen_run import refuse_model
from holdem.mccfr.instances.progress import SYMBOLS
from holdem.mccfr.run.directory import PROGRESS_NAME, STATE_NAME
from holdem.mccfr.run.state import RunState, overall, plain_states, read_states
from holdem.policy.run_names import named_run

LIVE_SECONDS = 1.0
LINE_SECONDS = 10.0


def command(
    run: Annotated[Path, typer.Argument(help="The --logdir of a run, of one process or of instances.")],
    once: Annotated[bool, typer.Option("--once", help="Show where it stands and stop.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and stop.")] = False,
    interval: Annotated[float | None, typer.Option(min=0.1, help="Seconds between two looks.")] = None,
) -> None:
    """Follow a run from another terminal.

    Says how far it is, with rates and the time to go, and ends with the run. A live table on a terminal, plain lines
    where the output is piped. It only reads, so any number may watch.

    Examples:

        holdem monitor runs/multi_instance

        holdem monitor runs/blueprint --once

        holdem monitor runs/blueprint --json
    """
    refuse_model(run, "no training to follow")
    run = named_run(run)
    if run.name == PROGRESS_NAME and not (run / STATE_NAME).exists():  # the folder of the progress files
        run = run.parent
    states = read_states(run)
    if as_json:
        typer.echo(json.dumps(plain_states(run, states)))
    elif sys.stdout.isatty():
        _follow_live(run, states, once, interval or LIVE_SECONDS)
    else:
        _follow_in_lines(run, states, once, interval or LINE_SECONDS)


def _follow_live(run: Path, states: list[RunState], once: bool, seconds: float) -> None:
    console = Console()
    if once:
        console.print(make_table(run, states))
        return
    with Live(make_table(run, states), console=console, auto_refresh=False) as live:
        while not all(state.ended for state in states):
            time.sleep(seconds)
            states = read_states(run)
            live.update(make_table(run, states), refresh=True)


def _follow_in_lines(run: Path, states: list[RunState], once: bool, seconds: float) -> None:
    while True:
        for state in states:
            typer.echo(line_of(state))
        typer.echo(f"overall: {100 * overall(states):.1f} %")
        if once or all(state.ended for state in states):
            return
        time.sleep(seconds)
        states = read_states(run)


def make_table(run: Path, states: list[RunState]) -> Table:
    """One row a run."""
    title = Text(f"{run}: {100 * overall(states):.1f} %", style="table.title")
    table = Table(title=title, title_justify="left")
    for name in ("run", "status"):
        table.add_column(name, no_wrap=True)
    for name in ("done", "iteration", "it/s", "M nodes/s", "trained", "ETA"):
        table.add_column(name, justify="right", no_wrap=True)
    for state in states:
        table.add_row(
            Text(state.name),
            Text(f"{SYMBOLS.get(state.status, '')} {status_of(state)}"),
            f"{100 * state.share_done:.1f} %",
            _iterations(state),
            f"{state.iterations_per_second:,.0f}",
            f"{state.nodes_per_second / 1e6:.2f}",
            clock(state.seconds),
            clock(state.eta_seconds),
        )
    return table


def line_of(state: RunState) -> str:
    """One run in one line."""
    return (
        f"{state.name}: {status_of(state)}, {100 * state.share_done:.1f} %, iteration {_iterations(state)}, "
        f"{state.iterations_per_second:,.0f} it/s, {state.nodes_per_second / 1e6:.2f} M nodes/s, "
        f"trained {clock(state.seconds)}, ETA {clock(state.eta_seconds)}"
    )


def status_of(state: RunState) -> str:
    """The status, with what is wrong where something is."""
    if state.error:
        return f"{state.status} ({state.error})"
    return f"{state.status}, silent for {clock(time.time() - state.last_update)}" if state.silent else state.status


def _iterations(state: RunState) -> str:
    return f"{state.iteration:,}" + (f" / {state.iterations:,}" if state.iterations is not None else "")


def clock(seconds: float | None) -> str:
    """`1:02:03`, a dash for nothing."""
    if seconds is None:
        return "–"
    hours, rest = divmod(int(seconds), 3600)
    return f"{hours:d}:{rest // 60:02d}:{rest % 60:02d}"


if __name__ == "__main__":
    run_command(command)
