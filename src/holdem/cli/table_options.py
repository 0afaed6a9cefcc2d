"""What the verbs of tables have in common: their options, and how a session is opened."""

import logging
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from holdem.blueprint.agent import BlueprintAgent
from holdem.cli.chosen_run import chosen_run, usual_run
from holdem.cli.flags import help_of
from holdem.errors import ConfigError
from holdem.evaluation.baselines import BASELINES
from holdem.game.imported_agent import runs_code
from holdem.policy.file_names import HANDS_NAME
from holdem.policy.run_names import find_run
from holdem.policy.unpacked_models import run_name, written_beside
from holdem.realtime.search.specs import AgentSpec
from holdem.table.acpc.game_definition import load_definition
from holdem.table.advice.open_advisor import trained_game
from holdem.table.history.hand_history import HandHistory
from holdem.table.profiles.profiles import TableProfile, load_profile, stacks_by_seat, translation_words
from holdem.types import GameConfig, SearchConfig, playable_stack
from holdem.util.configs import check_config
from holdem.util.logs import LOGGER, start_logging
from holdem.util.parallel import workers_for
from holdem.util.words import shell_command

SEARCH = "Search"
"""The heading of what a search may do, in the help."""

USUAL_BIG_BLIND = GameConfig().big_blind
"""Chips. A profile without one has the policy's, and stacks choose the policy: this is that of the presets."""


def _searching(key: str, least: float | None = None) -> Any:
    """The option of a setting of the search."""
    return typer.Option(
        f"--{key.replace('_', '-')}", min=least, help=help_of(SearchConfig, key), rich_help_panel=SEARCH
    )


Profile = Annotated[
    Path | None,
    typer.Option(help="The table: a JSON file or a shipped name; left out: a local one with baselines."),
]
Policy = Annotated[
    Path | None,
    typer.Option(help="The blueprint: a run or a model; left out: the newest under runs/, else a shipped model."),
]
Seats = Annotated[
    int | None, typer.Option(min=2, max=6, help="How many sit at the table; left out: as the blueprint was trained.")
]
Opponent = Annotated[
    str | None,
    typer.Option(help="Play another opponent: a baseline, another run or model, search:RUN, or python:module:Class."),
]
TimeBudget = Annotated[float | None, _searching("time_budget_ms", 1)]
Preset = Annotated[str, _searching("preset")]
MinIters = Annotated[int, _searching("min_iters", 1)]
NumWorkers = Annotated[int, _searching("num_workers", 0)]
Search = Annotated[
    bool,
    typer.Option("--search/--no-search", help="Solve from the flop on, or play the blueprint.", rich_help_panel=SEARCH),
]
Worth = Annotated[
    bool,
    typer.Option(
        "--ev/--no-ev", help="Estimate what actions are worth where nothing was solved.", rich_help_panel=SEARCH
    ),
]
MaxHands = Annotated[int | None, typer.Option("--max-hands", min=1, help="Stop after so many hands.")]
History = Annotated[
    Path | None, typer.Option(help="The .phhs file that hands are appended to; left out: a new one beside the policy.")
]
Seed = Annotated[int | None, typer.Option(min=0, help="The cards; left out: different cards every time.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON lines.")]
LogLevel = Annotated[str, typer.Option(help="debug, info, warning or error.")]


def open_profile(path: Path | None) -> TableProfile:
    """The profile of a file, or the built-in one."""
    return TableProfile(name="default") if path is None else load_profile(path)


def run_for_table(
    given: Path | None, opponent: str | None, verb: str, profile: TableProfile | None, seats: int | None
) -> Path | None:
    """The blueprint of a table with a person: the one that is named, else an opponent's own, else the usual one.

    Against a baseline there may be none.
    """
    wanted = table_size(profile, seats)
    if given is None and opponent is not None:
        return _run_of(opponent) or usual_run(*wanted)
    flag = "" if seats is None else f"--seats {seats} "
    policy = chosen_run(given, f"play a baseline: holdem {verb} {flag}--opponent tight-aggressive", *wanted)
    if opponent is not None:
        _check_opponent(opponent, policy, verb)
    return policy


def _run_of(opponent: str) -> Path | None:
    """The run or model that an opponent's name has, if any; an agent of somebody's own is not looked for."""
    return None if runs_code(opponent) else find_run(Path(AgentSpec.parse(opponent).name))


def _check_opponent(opponent: str, policy: Path, verb: str) -> None:
    """ConfigError if an opponent's own blueprint is for another number of players than the table's."""
    named = None if opponent in BASELINES else _run_of(opponent)
    if named is None:
        return
    players, seats = trained_game(named).num_players, trained_game(policy).num_players
    if players != seats:
        alone = shell_command("holdem", verb, "--seats", players, "--opponent", opponent)
        raise ConfigError(
            f"{opponent} was trained for {players} players, and {run_name(policy)} for {seats}; choose an opponent for "
            f"{seats}, or leave --policy out: {alone}"
        )


def table_size(profile: TableProfile | None, seats: int | None = None) -> tuple[int | None, float | None]:
    """Seats and stacks in big blinds that a table asks for, None for what it leaves to the policy.

    `seats` were given beside the profile, which may not say otherwise.
    """
    if profile is None:
        return seats, None
    if profile.acpc is not None:
        return _dealer_size(profile.acpc.game)
    own = profile.seats
    if own is None and len(profile.stacks) > 1:
        own = len(profile.stacks)
    if own is None and len(profile.opponents) > 1:
        own = 1 + len(profile.opponents)
    if seats is not None and own not in (None, seats):
        raise ConfigError(f"{profile.name} has {own} seats, and --seats says {seats}; leave one of them out")
    big_blind = USUAL_BIG_BLIND if profile.big_blind is None else profile.big_blind
    blinds = playable_stack(profile.stacks) / big_blind if profile.stacks and big_blind else None
    return seats or own, blinds


def _dealer_size(game: str | None) -> tuple[int | None, float | None]:
    """Of the game that an ACPC dealer deals; one that is not named is the policy's."""
    if game is None:
        return None, None
    definition = load_definition(game)
    return definition.num_players, playable_stack(definition.stacks) / definition.big_blind


def open_history(given: Path | None, policy: Path, verb: str) -> HandHistory:
    """Where hands go: the file given, or a new one under `hands/` beside the policy."""
    if given is not None:
        return HandHistory.open(given)
    return HandHistory.begin(written_beside(policy) / HANDS_NAME / time.strftime(f"{verb}_%Y%m%d_%H%M%S.phhs"))


def search_config(
    search: bool, preset: str, time_budget_ms: float | None, min_iters: int, num_workers: int
) -> SearchConfig | None:
    """The search that the options ask for, None if they ask for none."""
    workers_for(num_workers)  # absurdly many are refused before anything is opened
    if not search:
        return None
    given = {} if time_budget_ms is None else {"time_budget_ms": time_budget_ms}
    settings = {"preset": preset, "min_iters": min_iters, "num_workers": num_workers, **given}
    return check_config(SearchConfig, settings, "the search")


def warn_of_differences(profile: TableProfile, game: GameConfig, blueprint: BlueprintAgent) -> None:
    """One line if the table is not the game that the policy was trained for."""
    if words := translation_words(game, blueprint.policy.config, stacks_by_seat(profile, game)):
        LOGGER.warning("%s", words)


def somebody_waits() -> bool:
    """Whether there is a person, who would rather play the blueprint than watch a compiler.

    Scripts that say which hands they want get the same whatever lies in the cache (`deals_at_once`).
    """
    return sys.stdin.isatty() and sys.stdout.isatty()


def deals_at_once(search: SearchConfig | None, *seeds: int | None) -> bool:
    """Whether the blueprint plays until the search is compiled: also for a script that asks neither for certain cards
    nor for a search of its own.
    """
    asks = search != SearchConfig() or any(seed is not None for seed in seeds)
    return somebody_waits() or not asks


def least(*limits: int | None) -> int | None:
    """The smallest of the limits that are set."""
    known = [limit for limit in limits if limit is not None]
    return min(known) if known else None


def start_table_logging(level: str) -> None:
    """Log lines for people at a table: what a search remarks at every decision is for `debug`, and counted anyway."""
    start_logging(level)
    if level.lower() == "info":
        logging.getLogger("holdem.realtime").setLevel(logging.WARNING)
