"""`holdem play`: a person against the bot, in the terminal."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from holdem.cli import table_options as options
from holdem.cli.app import run_command
from holdem.cli.play_person import Person
from holdem.cli.play_screen import PlayScreen
from holdem.errors import ArtifactError
from holdem.game.presets import load_preset
from holdem.table.advisor import Advisor
from holdem.table.hand_history import HandHistory
from holdem.table.leave_signals import LeaveSignals
from holdem.table.local_table import LocalTable
from holdem.table.open_advisor import DEFAULT_POLICY, open_bot
from holdem.table.open_table import make_local_table, renamed, seated
from holdem.table.profiles import game_of
from holdem.table.session import HistoryKeeper, Limits
from holdem.types import GameConfig
from holdem.util.logs import start_logging

DEFAULT_GAME = "headsup_100bb"


def command(
    policy: options.Policy = DEFAULT_POLICY,
    opponent: Annotated[
        str | None, typer.Option(help="Play somebody else: a baseline, another run, or search:RUN.")
    ] = None,
    profile: options.Profile = None,
    hands: Annotated[int | None, typer.Option("--hands", "--max-hands", min=1, help="Stop after so many.")] = None,
    search: options.Search = True,
    time_budget_ms: options.TimeBudget = 80.0,
    min_iters: options.MinIters = 100,
    num_workers: options.NumWorkers = 1,
    history: options.History = None,
    seed: options.Seed = None,
) -> None:
    """Play against the bot. Type f, c, r 600, h, p, a; ? lists the letters, q leaves.

    After a hand, `w` shows what the bot would have done in your place. All hands are kept in a .phhs file, which
    `holdem replay` steps through and `holdem review` compares with the blueprint.

    Examples:

        holdem play

        holdem play --opponent tight-aggressive --hands 20

        holdem play --profile assets/table_profiles/home_game.json
    """
    start_logging("warning")
    console = Console(highlight=False)
    table = options.open_profile(profile)
    config = options.search_config(search, time_budget_ms, min_iters, num_workers)
    with ExitStack() as stack:
        advisor, trained = _open_bot(stack, policy, opponent)
        leave = stack.enter_context(LeaveSignals(at_once=True))
        path = options.history_path(history, policy if policy.exists() else Path("runs/play"), "play")
        keeper = HistoryKeeper(HandHistory.open(path), leave)
        stack.callback(keeper.close)
        screen = PlayScreen(console)
        person = Person(screen, advisor, leave)
        if opponent or profile is None:
            spec = opponent or (f"search:{policy}" if search else str(policy))
            table = table.model_copy(update={"opponents": (spec,)})
        game = game_of(table, trained)
        seats = renamed(stack.enter_context(seated(table, game, person, config)), table.hero_seat, "bot")
        local = make_local_table(table, game, seats, leave, seed)
        for observer in (keeper, screen):
            local.add_observer(table.hero_seat, observer)
        _play(local, person, Limits(options.least(hands, table.max_hands)), leave)
    result = f"{screen.hands} hand(s), {screen.total:+,} chips"
    console.print(f"{result}; look back with: holdem review {path}", soft_wrap=True)
    raise typer.Exit(leave.exit_status)


def _open_bot(stack: ExitStack, policy: Path, opponent: str | None) -> tuple[Advisor | None, GameConfig]:
    """Who tells what the bot would do, and the game; without a blueprint there is only a baseline to play."""
    if policy.exists():
        blueprint, advisor = stack.enter_context(open_bot(policy))
        return advisor, blueprint.policy.config
    if opponent is None or policy != DEFAULT_POLICY:
        raise ArtifactError(
            f"there is no blueprint at {policy}; make train makes one in two minutes, or play a baseline: "
            "holdem play --opponent tight-aggressive"
        )
    return None, load_preset(DEFAULT_GAME)


def _play(table: LocalTable, person: Person, limits: Limits, leave: LeaveSignals) -> None:
    while not (person.leaving or leave.after_hand or limits.reached(table.hands_played, 0.0)):
        table.play_hand()
        person.between_hands()


if __name__ == "__main__":
    run_command(command)
