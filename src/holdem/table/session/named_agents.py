"""Agents by every kind of name that people type: also `process:COMMAND`, a program that speaks ACPC.

Matches and profiles open agents here. A name may start a program or import a module, so it is always one that the
person at this machine wrote; pages of the server send no names of agents.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from holdem.errors import ConfigError
from holdem.game.agent import Agent, close_agent
from holdem.game.imported_agent import PROCESS
from holdem.realtime.search.specs import open_agent
from holdem.table.session.process_agent import ProcessAgent
from holdem.types import GameConfig, SearchConfig


def open_named(
    spec: str,
    config: GameConfig | None = None,
    search: SearchConfig | None = None,
    seed: int = 0,
    may_wait: bool = False,
) -> Agent:
    """The agent of a name, as `open_agent`, or another program."""
    if not spec.startswith(PROCESS):
        return open_agent(spec, config, search, seed, may_wait)
    if config is None:
        raise ConfigError(f"{spec} must be told the game; name one with --game")
    return ProcessAgent(spec.removeprefix(PROCESS), config)


@contextmanager
def opened_named(spec: str, config: GameConfig, search: SearchConfig | None = None, seed: int = 0) -> Iterator[Agent]:
    """The same, closed at the end if it knows how."""
    agent = open_named(spec, config, search, seed)
    try:
        yield agent
    finally:
        close_agent(agent)
