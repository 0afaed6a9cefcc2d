"""Agents by what people type: a baseline's name, or the path of a blueprint.

always-call                  a baseline (see holdem.evaluation.baselines)
runs/blueprint               the average policy of a run; its avg_policy.json will do too
"""

import difflib
from pathlib import Path

from holdem.errors import ConfigError
from holdem.evaluation.baselines import BASELINES, open_baseline
from holdem.evaluation.blueprint_agent import BlueprintAgent
from holdem.game.agent import Agent
from holdem.types import GameConfig, SearchConfig


def open_agent(spec: str, config: GameConfig | None = None, search: SearchConfig | None = None, seed: int = 0) -> Agent:
    """The agent that a spec names. `config` is the game it is to play, if that is known; `search` and `seed` are for
    agents that search.
    """
    if spec in BASELINES:
        return open_baseline(spec)
    path = Path(spec)
    if not path.exists():
        raise ConfigError(_unknown(spec))
    agent = BlueprintAgent.open(path, name=spec)
    check_seats(agent, config)
    return agent


def check_seats(agent: BlueprintAgent, config: GameConfig | None) -> None:
    """Refuse a blueprint for another number of players."""
    players = agent.policy.config.num_players
    if config is not None and config.num_players != players:
        raise ConfigError(
            f"{agent.name} was trained for {players} players, and {config.name} has {config.num_players} seats; "
            "choose a blueprint for that many, or another --game"
        )


def _unknown(spec: str) -> str:
    nearest = difflib.get_close_matches(spec, BASELINES, n=1, cutoff=0.6)
    hint = f"did you mean {nearest[0]}? " if nearest else ""
    return (
        f"{spec!r} is neither a file nor a baseline; {hint}name a run directory, an avg_policy.json, or one of "
        f"{', '.join(BASELINES)}"
    )
