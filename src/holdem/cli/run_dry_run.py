"""`holdem dry-run`: watch a table and print what the bot would do; it never acts."""

import typer

from holdem.blueprint.agent import BlueprintAgent
from holdem.cli import table_options as options
from holdem.cli.advice_display import AdviceDisplay
from holdem.cli.app import run_command
from holdem.cli.chosen_run import chosen_run
from holdem.table.advice.open_advisor import DEALS, open_bot, trained_game
from holdem.table.history.observed_hand import SeatObserver
from holdem.table.profiles.acpc_profile import definition_of
from holdem.table.profiles.open_table import check_profile, opened, seated
from holdem.table.profiles.profiles import TableProfile, game_of
from holdem.table.session.acpc_watch import watch_at_dealer
from holdem.table.session.dry_run import Watcher, watched_hands
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
    worth: options.Worth = True,
    max_hands: options.MaxHands = None,
    history: options.History = None,
    seed: options.Seed = None,
    as_json: options.AsJson = False,
    log_level: options.LogLevel = "info",
) -> None:
    """Watch a table and print what the bot would do; it never acts.

    It looks on from beside one seat. A named baseline plays the seat. Ctrl+C stops at the end of the hand, a second one
    at once. Every hand is appended to a .phhs file. An ACPC dealer is watched through a proxy that another agent
    connects to.

    Examples:

        holdem dry-run

        holdem dry-run --policy runs/blueprint --time-budget-ms 80 --num-workers 2

        holdem dry-run --profile assets/table_profiles/default_profile.json

        holdem dry-run --max-hands 100 --json > advice.jsonl
    """
    options.start_table_logging(log_level)
    table = options.open_profile(profile)
    policy = chosen_run(policy, "", *options.table_size(table))
    check_profile(table, trained_game(policy))
    config = options.search_config(search, preset, time_budget_ms, min_iters, num_workers)
    display = AdviceDisplay(as_json)
    limits = Limits(max_hands=options.least(max_hands, table.max_hands))
    at_once = options.deals_at_once(config, seed, table.seed)
    bot = open_bot(policy, config, DEALS if worth else 0, at_once, advises=True)
    with bot as (blueprint, advisor), LeaveSignals() as leave:
        keeper = HistoryKeeper(options.open_history(history, policy, "dry_run"), leave)
        observers = [keeper, display, Watcher(advisor, leave, display.show)]
        why = LOST
        try:
            if table.table == "acpc":
                why = watch_at_dealer(table, definition_of(table, blueprint), observers, leave, limits.max_hands)
            else:
                why = _watch(table, blueprint, config, observers, limits, leave, seed, at_once)
        finally:
            keeper.close()
            display.summary(advisor, keeper.hands, keeper.history.path, why)
    raise typer.Exit(leave.exit_status)


def _watch(
    profile: TableProfile,
    blueprint: BlueprintAgent,
    search: SearchConfig | None,
    observers: list[SeatObserver],
    limits: Limits,
    leave: LeaveSignals,
    seed: int | None,
    at_once: bool,
) -> str:
    """Look on at a local table, a baseline in the hero's seat, until a limit or a signal; why it ended."""
    game = game_of(profile, blueprint.policy.config)
    options.warn_of_differences(profile, game, blueprint)
    with (
        opened(profile.watched_player, profile, game, search, profile.hero_seat, at_once) as baseline,
        seated(profile, game, baseline, search, at_once) as players,
    ):
        for number, _ in enumerate(watched_hands(profile, game, players, observers, leave, seed), start=1):
            if leave.after_hand:
                return "asked to leave"
            if why := limits.reached(number, 0.0):
                return why
    return ""


if __name__ == "__main__":
    run_command(command)
