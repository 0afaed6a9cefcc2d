"""`holdem autoplay`: the bot plays at a table that its user owns or is invited to."""

from typing import Annotated

import typer

from holdem.blueprint.agent import BlueprintAgent
from holdem.cli import table_options as options
from holdem.cli.advice_display import AdviceDisplay
from holdem.cli.app import run_command
from holdem.cli.chosen_run import chosen_run
from holdem.errors import ConfigError
from holdem.table.advice.open_advisor import DEALS, open_bot, trained_game
from holdem.table.history.observed_hand import SeatObserver
from holdem.table.profiles.open_table import check_profile, make_local_table, seated
from holdem.table.profiles.profiles import TableProfile, game_of
from holdem.table.session.acpc_session import play_at_dealer
from holdem.table.session.autoplay import AutoPlayer
from holdem.table.session.leave_signals import LeaveSignals
from holdem.table.session.session import LOST, HistoryKeeper, Limits
from holdem.types import SearchConfig


def command(
    profile: options.Profile = None,
    policy: options.Policy = None,
    preset: options.Preset = "fast",
    time_budget_ms: options.TimeBudget = None,
    min_iters: options.MinIters = 100,
    num_workers: options.NumWorkers = 1,
    search: options.Search = True,
    worth: options.Worth = False,
    max_hands: options.MaxHands = None,
    stop_loss: Annotated[int | None, typer.Option(min=1, help="Leave when so many chips are lost.")] = None,
    history: options.History = None,
    seed: options.Seed = None,
    as_json: options.AsJson = False,
    log_level: options.LogLevel = "info",
    understood: Annotated[
        bool, typer.Option("--i-understand-the-tos", help="You own this table or its owner lets a program play.")
    ] = False,
) -> None:
    """Let the bot play at a table that you own or are invited to.

    Every decision is printed as in `holdem dry-run`, and done. Tables are the built-in one and ACPC dealers. Ctrl+C
    leaves at the end of the hand, a second one at once, with a fold where an answer is due. Every hand is appended to a
    .phhs file.

    Examples:

        holdem autoplay --i-understand-the-tos --max-hands 1000

        holdem autoplay --i-understand-the-tos --policy runs/blueprint --num-workers 4

        holdem autoplay --i-understand-the-tos --profile assets/table_profiles/default_profile.json
    """
    if not understood:
        raise ConfigError(
            "autoplay acts at a table, and does so only where a program may: add --i-understand-the-tos if you own "
            "this table or its owner has agreed"
        )
    options.start_table_logging(log_level)
    table = options.open_profile(profile)
    policy = chosen_run(policy, "", *options.table_size(table))
    check_profile(table, trained_game(policy))
    config = options.search_config(search, preset, time_budget_ms, min_iters, num_workers)
    display = AdviceDisplay(as_json)
    limits = Limits(options.least(max_hands, table.max_hands), stop_loss)
    bot = open_bot(policy, config, DEALS if worth else 0, options.somebody_waits())
    with bot as (blueprint, advisor), LeaveSignals() as leave:
        player = AutoPlayer("holdem", advisor, leave, display.show)
        keeper = HistoryKeeper(options.open_history(history, policy, "autoplay"), leave)
        why = LOST
        try:
            if table.table == "acpc":
                why = play_at_dealer(table, blueprint, player, [keeper, display], limits, leave, seed)
            else:
                why = _play_locally(table, blueprint, config, player, [keeper, display], limits, leave, seed)
        finally:
            keeper.close()
            display.summary(advisor, keeper.hands, keeper.history.path, why)
    raise typer.Exit(leave.exit_status)


def _play_locally(
    profile: TableProfile,
    blueprint: BlueprintAgent,
    search: SearchConfig | None,
    player: AutoPlayer,
    observers: list[SeatObserver],
    limits: Limits,
    leave: LeaveSignals,
    seed: int | None,
) -> str:
    """Play until a limit or a signal; why it ended."""
    game = game_of(profile, blueprint.policy.config)
    options.warn_of_differences(profile, game, blueprint)
    with seated(profile, game, player, search, options.somebody_waits()) as seats:
        table = make_local_table(profile, game, seats, leave, seed)
        for observer in observers:
            table.add_observer(profile.hero_seat, observer)
        while True:
            table.play_hand()
            if leave.after_hand:
                return "asked to leave"
            if why := limits.reached(table.hands_played, table.winnings[profile.hero_seat]):
                return why


if __name__ == "__main__":
    run_command(command)
