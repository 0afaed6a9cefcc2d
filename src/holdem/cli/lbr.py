"""`holdem lbr`: what a strategy loses at least, by local best response."""

import json
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from holdem.cli.app import run_command
from holdem.cli.lbr_match import OneSettingMatch
from holdem.cli.lbr_published import PublishedMatch, mean_text, run_published
from holdem.cli.output_paths import writable_file, write_figures
from holdem.errors import ConfigError
from holdem.evaluation.response.local.actions import parse_menus
from holdem.evaluation.response.local.match import (
    LocalBestResponseResult,
    as_range_agent,
    check_game,
)
from holdem.game.agent import Agent, close_agent
from holdem.game.imported_agent import PROCESS, runs_code
from holdem.game.presets import load_game
from holdem.realtime.search.specs import agent_identity, open_agent
from holdem.types import STREET_NAMES, GameConfig
from holdem.util.logs import start_logging
from holdem.util.signals import StopSignals

DEFAULT_GAME = "headsup_100bb"
DEFAULT_ACTIONS = "fcpa"
DEFAULT_STREETS = "turn,river"


def command(
    opponent: Annotated[
        str, typer.Argument(help="A run, a model, search:RUN, a baseline, or python:module:Class that is a RangeAgent.")
    ],
    actions: Annotated[
        str,
        typer.Option(help="What LBR may do: c, fc, fcpa, eight (sizes) or wide (56); or four of them, one a street."),
    ] = DEFAULT_ACTIONS,
    streets: Annotated[
        str, typer.Option(help="Where it may do so; elsewhere it checks and calls. Some of the four streets, or all.")
    ] = DEFAULT_STREETS,
    published: Annotated[
        bool, typer.Option("--published", help="The four published settings, and their figures beside them.")
    ] = False,
    hands: Annotated[
        int, typer.Option(min=2, help="Hands to play, two for each deal; with --published in each setting.")
    ] = 20_000,
    seed: Annotated[int, typer.Option(help="Which deals.")] = 0,
    num_workers: Annotated[int, typer.Option(min=0, help="Processes; 0 is every core.")] = 1,
    game: Annotated[str | None, typer.Option(help="Stakes and stacks; the blueprint's own game if left out.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Write the figures to a JSON file; deals are kept too, and the same command goes on from them.",
            callback=writable_file,
        ),
    ] = None,
) -> None:
    """Measure what a strategy loses at least: local best response.

    A lower bound on what it loses in the real game to somebody who knows it (Lisý and Bowling 2017). Local best
    response follows the opponent's range exactly and takes, at each decision, what is best if everybody checks from
    there on. Each deal is played in both positions. Ctrl+C prints what there is so far.

    With --out lbr.json the deals are kept in lbr.deals.json until all are played: whatever ends the command, the same
    command goes on from there.

    Before the turn it calls, never folds; --actions fc,fc,fcpa,fcpa lets it fold.

    Examples:

        holdem lbr runs/blueprint

        holdem lbr runs/blueprint --actions wide --hands 50000 --num-workers 0

        holdem lbr runs/blueprint --actions c,c,fc,fcpa --json

        holdem lbr search:runs/blueprint --published --hands 400 --out lbr.json
    """
    start_logging("warning")
    menus = parse_menus(actions, streets)
    opener = partial(open_agent, opponent, _told_game(opponent, game))
    agent = as_range_agent(opener())
    close_agent(agent)  # players open their own
    config = game_for(agent, game)
    check_game(config)
    deals = (hands + 1) // 2
    identity = agent_identity(agent)
    if published:
        _check_alone(actions, streets)
        settings = PublishedMatch(opponent, opener, identity, config, deals, seed, num_workers)
        raise typer.Exit(run_published(settings, out, as_json))
    match = OneSettingMatch(opponent, opener, identity, config, deals, seed, num_workers, menus)
    with StopSignals() as stop, match.kept(out) as kept:
        played = match.play(kept, lambda: stop.received is not None)
        result = match.result(kept)
        if result is None:
            played.check()
            typer.echo("interrupted before the first deal was played", err=True)
            raise typer.Exit(stop.exit_status)
        figures = {**match.to_plain(result), "hands_per_second": played.hands_per_second}
        match.keep(kept, figures)
        if out is not None:
            write_figures(out, figures)
        match.remove_if_done(kept, figures)
    typer.echo(json.dumps(figures) if as_json else "\n".join(_sentences(result, deals)))
    played.check()
    raise typer.Exit(stop.exit_status)


def _told_game(opponent: str, name: str | None) -> GameConfig | None:
    """The game that an agent is opened for; a blueprint knows its own."""
    if opponent.startswith(PROCESS):
        raise ConfigError(
            f"{opponent} is a program, which tells its actions and not its strategy, so its range cannot be followed: "
            "a RangeAgent is needed, such as a class of yours with range_policy(public_state), as python:module:Class"
        )
    if name is None:
        return load_game(DEFAULT_GAME) if runs_code(opponent) else None
    return load_game(name)


def game_for(agent: Agent, name: str | None) -> GameConfig:
    """The game that is named, else the one that the agent was trained for."""
    if name is not None:
        return load_game(name)
    policy = getattr(agent, "policy", None)
    return load_game(DEFAULT_GAME) if policy is None else policy.config


def _check_alone(actions: str, streets: str) -> None:
    if (actions, streets) != (DEFAULT_ACTIONS, DEFAULT_STREETS):
        raise ConfigError("--published says what LBR may do on each street; leave out --actions and --streets")


def _sentences(result: LocalBestResponseResult, asked: int) -> list[str]:
    menus = ", ".join(f"{street} {menu}" for street, menu in zip(STREET_NAMES, result.menus, strict=True))
    played = f"{result.hands:,} hands" + ("" if result.hands == 2 * asked else f" of {2 * asked:,} (interrupted)")
    low = result.won.ci95[0]
    meaning = "so it is exploitable by at least about that much" if low > 0 else "which proves nothing about it"
    return [
        f"{result.opponent} loses {mean_text(result.won)} mbb/hand to local best response, {meaning}",
        f"  {result.game}, {played}, seed {result.seed}; LBR's actions: {menus}",
        f"  LBR in the big blind {mean_text(result.in_big_blind)}, on the button {mean_text(result.on_button)}",
        f"  luck included, as dealt: {mean_text(result.as_dealt)}; taking it out saved {_factor(result)} hands",
        "  intervals are 95 %; a lower bound on exploitability in the real game, all bet sizes included",
    ]


def _factor(result: LocalBestResponseResult) -> str:
    factor = result.variance_factor
    return "no" if factor is None or factor < 1.05 else f"{factor:.1f} times as many"


if __name__ == "__main__":
    run_command(command)
