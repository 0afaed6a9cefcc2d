"""`holdem play`: a person against the bot, in the terminal."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from holdem.cli import table_options as options
from holdem.cli.app import run_command
from holdem.cli.play_person import Terminal
from holdem.cli.play_screen import PlayScreen
from holdem.table.person.person import Person, play_hands
from holdem.table.person.table import plan_table
from holdem.table.profiles.profiles import load_profile
from holdem.table.session.leave_signals import LeaveSignals
from holdem.table.session.session import HistoryKeeper, Limits
from holdem.util.logs import LOGGER, start_logging
from holdem.util.words import counted, shell_command


def command(
    policy: options.Policy = None,
    opponent: options.Opponent = None,
    profile: options.Profile = None,
    seats: options.Seats = None,
    hands: Annotated[int | None, typer.Option("--hands", "--max-hands", min=1, help="Stop after so many.")] = None,
    search: options.Search = True,
    preset: options.Preset = "fast",
    time_budget_ms: options.TimeBudget = None,
    min_iters: options.MinIters = 100,
    num_workers: options.NumWorkers = 1,
    history: options.History = None,
    seed: options.Seed = None,
) -> None:
    """Play against the bot in this terminal.

    Type f, c, r 600, h, p, a; ? lists the letters, q leaves. After a hand, `w` shows what the bot would have done in
    your place. All hands are kept in a .phhs file, which `holdem replay` steps through and `holdem review` compares
    with the blueprint.

    Examples:

        holdem play

        holdem play --seats 6

        holdem play --policy models/headsup_200bb

        holdem play --opponent tight-aggressive --hands 20

        holdem play --profile assets/table_profiles/home_game.json
    """
    start_logging("warning")
    console = Console(highlight=False)
    config = options.search_config(search, preset, time_budget_ms, min_iters, num_workers)
    known = load_profile(profile) if profile else None
    policy = options.run_for_table(policy, opponent, "play", known, seats)
    at_once = options.deals_at_once(config, seed, None if known is None else known.seed)
    plan = plan_table(policy, opponent, known, config, at_once, seats)
    if words := plan.translation_words():
        LOGGER.warning("%s", words)
    with ExitStack() as stack:
        advisor = stack.enter_context(plan.advisor())
        leave = stack.enter_context(LeaveSignals(at_once=True))
        keeper = HistoryKeeper(options.open_history(history, plan.policy or Path("runs/play"), "play"), leave)
        stack.callback(keeper.close)
        screen = PlayScreen(console)
        person = Person(Terminal(screen, leave), advisor, plan.blueprint)
        table = stack.enter_context(plan.seat(person, leave, (keeper, screen), seed))
        play_hands(table, person, Limits(options.least(hands, plan.profile.max_hands)), leave)
    result = f"{counted(screen.hands, 'hand')}, {screen.total:+,} chips"
    typer.echo(f"{result}; look back with: {shell_command('holdem', 'review', keeper.history.path)}")
    raise typer.Exit(leave.exit_status)


if __name__ == "__main__":
    run_command(command)
