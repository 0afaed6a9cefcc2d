"""Strangers by name, beside everything that `holdem match` knows."""

from collections.abc import Callable

from benchmarks.strangers.equity_player import EquityPlayer
from benchmarks.strangers.other_blueprint import NAME, open_other_blueprint
from benchmarks.strangers.over_better import OverBetter
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
    return STRANGERS[spec]() if spec in STRANGERS else open_agent(spec, config)
