"""From a profile to a table with everybody in their seats."""

import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from holdem.errors import HoldemError
from holdem.evaluation.baselines import BASELINES
from holdem.game.actions import Action
from holdem.game.agent import Agent, Observation, close_agent
from holdem.game.game import Game
from holdem.game.imported_agent import PROCESS
from holdem.policy.run_names import find_run
from holdem.realtime.search.specs import AgentSpec
from holdem.table.profiles.profiles import TableProfile, game_of, opponents_by_seat, stacks_by_seat
from holdem.table.session.leave_signals import LeaveSignals
from holdem.table.session.local_table import LocalTable
from holdem.table.session.named_agents import open_named
from holdem.types import GameConfig, SearchConfig


def check_profile(profile: TableProfile, policy_game: GameConfig) -> None:
    """Refuse at once what would fail later: seats that do not fit the policy, agents that do not exist."""
    if profile.table != "local":
        return
    game = game_of(profile, policy_game)
    for spec in {*profile.opponents, profile.watched_player}:
        if not (spec.startswith(PROCESS) or spec in BASELINES or find_run(Path(AgentSpec.parse(spec).name))):
            with opened(spec, profile, game):
                pass


@contextmanager
def seated(
    profile: TableProfile, game: GameConfig, hero: Agent, search: SearchConfig | None = None, may_wait: bool = False
) -> Iterator[list[Agent]]:
    """The agents of a local table by seat, the hero in its own; those that hold processes let go of them at the end.

    Those that search may wait until that is compiled, and begin with their blueprints.
    """
    with ExitStack() as stack:
        players = {profile.hero_seat: hero}
        for seat, spec in opponents_by_seat(profile, game.num_players).items():
            players[seat] = stack.enter_context(opened(spec, profile, game, search, seat, may_wait))
        yield [players[seat] for seat in range(game.num_players)]


@contextmanager
def opened(
    spec: str,
    profile: TableProfile,
    game: GameConfig,
    search: SearchConfig | None = None,
    seat: int = 0,
    may_wait: bool = False,
) -> Iterator[Agent]:
    """One agent by its name, closed at the end; one that is not known is refused with the profile's name, if any."""
    try:
        agent = open_named(spec, game, search, seat, may_wait)
    except HoldemError as error:
        raise type(error)(f"{profile.name}: {error}" if profile.name else str(error)) from None
    try:
        yield agent
    finally:
        close_agent(agent)


class Renamed:
    """An agent under another name."""

    def __init__(self, agent: Agent, name: str) -> None:
        self._agent, self._name = agent, name

    @property
    def name(self) -> str:
        """The other name."""
        return self._name

    def act(self, observation: Observation) -> Action:
        """What the agent does."""
        return self._agent.act(observation)


def renamed(players: list[Agent], hero_seat: int, name: str) -> list[Agent]:
    """The same players with everybody but the hero called `name`, numbered clockwise from the hero where there are
    several.
    """
    others = [(hero_seat + step) % len(players) for step in range(1, len(players))]
    names = {seat: f"{name} {number}" if len(others) > 1 else name for number, seat in enumerate(others, start=1)}
    return [Renamed(player, names[seat]) if seat in names else player for seat, player in enumerate(players)]


def make_local_table(
    profile: TableProfile, game: GameConfig, players: list[Agent], leave: LeaveSignals, seed: int | None = None
) -> LocalTable:
    """The table of a local profile; without a seed, here or in the profile, the cards differ every time."""
    chosen = seed if seed is not None else profile.seed
    return LocalTable(
        Game(game),
        players,
        seed=secrets.randbits(63) if chosen is None else chosen,
        stacks=stacks_by_seat(profile, game),
        carry_on=profile.between_hands == "carry_on",
        pace_seconds=profile.pace_seconds,
        pause=leave.pause,
    )
