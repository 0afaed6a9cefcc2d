"""Strangers by name, beside everything that `holdem match` knows."""

import difflib
from collections.abc import Callable
from pathlib import Path

from benchmarks.strangers.equity_player import EquityPlayer
from benchmarks.strangers.other_blueprint import NAME, open_other_blueprint
from benchmarks.strangers.over_better import OverBetter
from holdem.errors import ConfigError
from holdem.game.agent import Agent
from holdem.realtime.search.specs import open_agent
from holdem.types import GameConfig

STRANGERS: dict[str, Callable[[], Agent]] = {
    NAME: open_other_blueprint,
    EquityPlayer.name: EquityPlayer,
    OverBetter.name: OverBetter,
}


def open_any(spec: str, config: GameConfig | None = None) -> Agent:
    """A stranger, or whoever else plays matches."""
    if spec in STRANGERS:
        return STRANGERS[spec]()
    nearest = difflib.get_close_matches(spec, STRANGERS, n=1, cutoff=0.7)
    if nearest and not Path(spec).exists():
        raise ConfigError(f"{spec!r} is nobody; did you mean {nearest[0]}? strangers are {', '.join(STRANGERS)}")
    return open_agent(spec, config)
