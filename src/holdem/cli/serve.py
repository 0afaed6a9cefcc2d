"""`holdem serve`: play, look into strategies and follow training in a browser."""

import os
import sys
import webbrowser
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from holdem.cli import table_options as options
from holdem.cli.app import run_command
from holdem.policy.models import shipped_models, unreadable_models
from holdem.table.person.table import plan_table
from holdem.table.profiles.profiles import load_profile
from holdem.util.logs import LOGGER, start_logging
from holdem.util.signals import StopSignals
from holdem.util.words import counted, shell_command

LOOK_SECONDS = 0.2


def command(
    policy: options.Policy = None,
    opponent: options.Opponent = None,
    profile: options.Profile = None,
    seats: options.Seats = None,
    search: options.Search = True,
    preset: options.Preset = "fast",
    time_budget_ms: options.TimeBudget = None,
    min_iters: options.MinIters = 100,
    num_workers: options.NumWorkers = 1,
    history: options.History = None,
    seed: options.Seed = None,
    runs: Annotated[Path, typer.Option(help="The folder whose runs the other pages show.")] = Path("runs"),
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 8000,
    token: Annotated[
        str | None,
        typer.Option(envvar="HOLDEM_TOKEN", help="The token in links; random if --host is not this machine alone."),
    ] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Another name of this server; may be given repeatedly.")
    ] = None,
    most_solves: Annotated[
        int | None, typer.Option(min=1, max=256, help="Spots that pages may solve at once; as many as cores.")
    ] = None,
    solve_memory: Annotated[
        float | None,
        typer.Option(min=0.01, max=100_000, metavar="GB", help="Memory of one solve; all together half the machine's."),
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
) -> None:
    """Play, look into strategies and follow training in a browser.

    Ctrl+C ends it. Every page that is open is a table of its own. All hands are kept in one .phhs file, which `holdem
    replay` steps through and `holdem review` compares with the blueprint.

    Examples:

        holdem serve

        holdem serve --seats 3

        holdem serve --policy runs/overnight --no-search --port 8080

        holdem serve --opponent tight-aggressive

        holdem serve --host 0.0.0.0 --allow-host poker.example
    """
    # Imported here: no other verb should pay for it.
    from holdem.web.app import make_app
    from holdem.web.hosts import own_names
    from holdem.web.play.sessions import PlaySessions
    from holdem.web.run_folder import RunFolder
    from holdem.web.server import address_of, chosen_token, guarded, link_of, listen, running
    from holdem.web.solve.rooms import SolveRooms

    start_logging("warning")
    config = options.search_config(search, preset, time_budget_ms, min_iters, num_workers)
    known = load_profile(profile) if profile else None
    policy = options.run_for_table(policy, opponent, "serve", known, seats)
    plan = plan_table(policy, opponent, known, config, may_wait=True, seats=seats)
    token, names = chosen_token(host, token), own_names(host, allow_host or ())
    with ExitStack() as stack:
        stop = stack.enter_context(StopSignals())
        listener = stack.enter_context(listen(host, port))
        hands = stack.enter_context(options.open_history(history, plan.policy or Path("runs/play"), "serve"))
        sessions = PlaySessions(plan, hands, seed)
        stack.callback(sessions.close)
        solves = SolveRooms(most_solves, None if solve_memory is None else int(solve_memory * 1e9))
        stack.callback(solves.close)
        for error in unreadable_models():
            LOGGER.warning("a model is left out: %s", error)
        app = make_app(sessions, RunFolder(runs, plan.policy, tuple(shipped_models())), solves)
        server = stack.enter_context(running(guarded(app, listener, host, token, names), listener))
        link = link_of(address_of(listener), token)
        typer.echo(f"serving at {link}; Ctrl+C ends it")
        if token is not None:
            typer.echo(
                "whoever has the link can play; on other machines, put the name or the address of this one into it"
            )
        if open_browser and _has_screen():
            webbrowser.open(link)
        while stop.received is None and server.is_alive():
            server.join(LOOK_SECONDS)
        if sessions.dismiss():
            typer.echo("hands that are going on are played to their end; Ctrl+C again does not wait for them")
    if sessions.hands_played:
        played = counted(sessions.hands_played, "hand")
        typer.echo(f"{played}; look back with: {shell_command('holdem', 'review', hands.path)}")
    elif history is None:
        hands.path.unlink(missing_ok=True)  # nobody played, and nobody asked for the file
    raise typer.Exit(stop.exit_status)


def _has_screen() -> bool:
    """Whether a browser would have a window; without one, some systems start a text browser in the terminal."""
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


if __name__ == "__main__":
    run_command(command)
