"""`holdem acpc`: one of our agents at any dealer of the ACPC protocol."""

import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from holdem.cli.app import run_command
from holdem.cli.chosen_run import chosen_run
from holdem.cli.table_options import MinIters, NumWorkers, Preset, TimeBudget, search_config
from holdem.game.actions import Action
from holdem.game.agent import Agent, Observation, close_agent
from holdem.game.hand import Hand
from holdem.policy.unpacked_models import run_name
from holdem.realtime.search.specs import open_agent
from holdem.table.acpc.client import ClientResult, DealerLost, play_match, warm_up
from holdem.table.acpc.game_definition import GameDefinition, load_definition
from holdem.table.history.hand_history import HandHistory
from holdem.table.session.leave_signals import LeaveSignals
from holdem.util.logs import LOGGER, start_logging
from holdem.util.words import counted

NEWS_SECONDS = 10.0


def command(
    host: Annotated[str, typer.Argument(help="Where the dealer is.")],
    port: Annotated[int, typer.Argument(min=1, max=65535, help="The port of this player's seat.")],
    agent: Annotated[
        str | None,
        typer.Option(
            help="A baseline, a run, a model, search:RUN, or python:module:Class; left out: the newest run or a model."
        ),
    ] = None,
    game: Annotated[
        str, typer.Option(help="The dealer's game: a standard game, a .game file, a preset or a YAML file.")
    ] = "holdem.nolimit.2p.reverse_blinds",
    max_hands: Annotated[int | None, typer.Option(min=1, help="Leave after this many hands.")] = None,
    history: Annotated[Path | None, typer.Option(help="Append every hand to this .phhs file.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the agent's random choices.")] = 0,
    connect_seconds: Annotated[float, typer.Option(min=0.1, help="How long to try to connect.")] = 10.0,
    silence_seconds: Annotated[float, typer.Option(min=0.1, help="How long the dealer may be silent.")] = 600.0,
    preset: Preset = "fast",
    time_budget_ms: TimeBudget = None,
    min_iters: MinIters = 100,
    num_workers: NumWorkers = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Play a match at a dealer of the ACPC protocol.

    The dealer is the competition's own or `holdem dealer`, on this machine or another; host and port are taken as the
    competition's startme scripts do. Stacks are the same every hand, 200 big blinds in the standard games; a blueprint
    trained with other stacks plays them by translating bets. Ctrl+C leaves at the end of the hand, again at once.

    Examples:

        holdem acpc localhost 18791 --agent runs/blueprint --history hands.phhs

        holdem acpc localhost 18792 --agent always-call
    """
    start_logging("info")
    definition = load_definition(game)
    search = search_config(True, preset, time_budget_ms, min_iters, num_workers)
    if agent is None:
        stack_blinds = max(definition.stacks) / definition.big_blind
        agent = run_name(chosen_run(None, "", definition.num_players, stack_blinds))
    player = open_agent(agent, definition.config(), search, seed)
    warm_up(player, definition)
    recorder = _Recorder(definition, player.name, history)
    try:
        with LeaveSignals() as leave:
            result = play_match(
                host, port, _Interruptible(player, leave), definition, on_hand=recorder, max_hands=max_hands, seed=seed,
                should_stop=lambda: leave.after_hand, while_waiting=leave.interruptible,
                connect_seconds=connect_seconds, silence_seconds=silence_seconds,
            )  # fmt: skip
    except DealerLost as error:
        _print_result(error.result, definition, as_json)
        raise
    except KeyboardInterrupt:
        recorder.report()
        raise
    finally:
        recorder.close()
        close_agent(player)
    _print_result(result, definition, as_json)
    if leave.received is not None:
        raise typer.Exit(leave.exit_status)


class _Interruptible:
    """An agent whose thinking a second Ctrl+C ends; the client then checks or folds for it."""

    def __init__(self, agent: Agent, leave: LeaveSignals) -> None:
        self.agent, self.leave, self.name = agent, leave, agent.name

    def act(self, observation: Observation) -> Action:
        with self.leave.interruptible():
            return self.agent.act(observation)


class _Recorder:
    """Keeps every hand and says now and then how it goes."""

    def __init__(self, game: GameDefinition, name: str, path: Path | None) -> None:
        self.game = game
        others = [f"player {number}" for number in range(2, game.num_players + 1)]
        self.players = (name, *others)
        self.history = HandHistory.open(path) if path is not None else None
        self.hands = 0
        self.chips = 0.0
        self._news = time.monotonic() + NEWS_SECONDS

    def __call__(self, hand: Hand, chips: float) -> None:
        if self.history is not None:
            self.history.append(hand, players=self.players, hero_seat=0)
        self.hands += 1
        self.chips += chips
        if time.monotonic() >= self._news:
            self._news = time.monotonic() + NEWS_SECONDS
            self.report()

    def report(self) -> None:
        """One line in the log."""
        rate = 100 * self.chips / max(self.hands, 1) / self.game.big_blind
        LOGGER.info("%s hands, %+.0f chips, %+.1f big blinds a hundred hands", f"{self.hands:,}", self.chips, rate)

    def close(self) -> None:
        if self.history is not None:
            self.history.close()


def _print_result(result: ClientResult, game: GameDefinition, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(asdict(result)))
        return
    rate = 100 * result.chips / max(result.hands, 1) / game.big_blind
    typer.echo(f"{counted(result.hands, 'hand')}, {result.chips:+,.6g} chips, {rate:+.1f} big blinds a hundred hands")
    typer.echo(f"{result.seconds:.1f} s, slowest decision {1000 * result.slowest_decision_seconds:.1f} ms")
    if result.unreadable_states or result.faults:
        typer.echo(
            f"not understood: {counted(result.unreadable_states, 'message')}; the agent failed "
            f"{counted(result.faults, 'time')}; the log has the whole text"
        )


if __name__ == "__main__":
    run_command(command)
