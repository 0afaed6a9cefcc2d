"""Agents by what people type: a baseline's name, the path of a blueprint, or a blueprint that searches.

always-call                  a baseline (see holdem.evaluation.baselines)
runs/blueprint               the average policy of a run; its avg_policy.json will do too
search:runs/blueprint        the same with real-time search from the flop on
search+root=unsafe+time_budget_ms=200:runs/blueprint
                             with settings of `SearchConfig` of its own; search+preset=strong for a second a decision
python:package.module:Class  an agent of somebody's own (see holdem.game.imported_agent)
"""

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.leaf_values.files import policy_digest
from holdem.errors import ConfigError
from holdem.evaluation.baselines import BASELINES, open_baseline
from holdem.game.agent import Agent
from holdem.game.imported_agent import PYTHON, ImportedAgent, open_imported
from holdem.policy.run_names import NO_NAME, find_run, nearest_run
from holdem.realtime.search.agent import SearchAgent
from holdem.types import GameConfig, SearchConfig
from holdem.util.configs import check_config

_SEARCH = "search"


@dataclass(frozen=True)
class AgentSpec:
    """A spec taken apart: the path or the baseline's name, and whether and with which settings it searches."""

    name: str
    searches: bool = False
    settings: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, spec: str) -> "AgentSpec":
        """ConfigError if a setting is not KEY=VALUE, or nothing is named."""
        head, colon, name = spec.partition(":")
        word, *settings = head.split("+")
        if not spec:
            raise ConfigError(f"{NO_NAME}; name one, such as models/headsup")
        if not colon or word != _SEARCH:
            return cls(spec)
        pairs = [setting.partition("=") for setting in settings]
        for key, equals, value in pairs:
            if not (key and equals and value):
                raise ConfigError(
                    f"{spec!r} has a setting that is not KEY=VALUE; write for example search+root=unsafe:{name}"
                )
        if not name:
            raise ConfigError(f"{NO_NAME} in {spec!r}; name one, such as {spec}models/headsup")
        return cls(name, True, tuple((key, value) for key, _, value in pairs))

    def search_config(self, base: SearchConfig | None) -> SearchConfig:
        """The settings of the spec over others."""
        given = dict(self.settings)
        values = (base or SearchConfig()).model_dump(exclude_unset=True)
        if "preset" in given:
            values.pop("time_budget_ms", None)
        values |= given
        return check_config(SearchConfig, values, f"settings of {_SEARCH}")


def open_agent(
    spec: str,
    config: GameConfig | None = None,
    search: SearchConfig | None = None,
    seed: int = 0,
    may_wait: bool = False,
) -> Agent:
    """The agent that a spec names. `config` is the game it is to play, if that is known; the rest is for agents that
    search: one that `may_wait` begins with its blueprint while the search is compiled.
    """
    if spec in BASELINES:
        return open_baseline(spec)
    if spec.startswith(PYTHON):
        return open_imported(spec, config)
    parsed = AgentSpec.parse(spec)
    path = find_run(Path(parsed.name))
    if path is None:
        raise ConfigError(_unknown(spec, parsed.name))
    if parsed.searches:
        settings = parsed.search_config(search)
        searcher = SearchAgent.open(path, settings, name=spec, seed=seed, may_wait=may_wait)
        check_seats(searcher.controller.blueprint, config)
        return searcher
    agent = BlueprintAgent.open(path, name=spec)
    check_seats(agent, config)
    return agent


def agent_identity(agent: Agent) -> dict[str, Any]:
    """What an agent plays by, as plain JSON data: equal for equal agents, wherever their files lie."""
    if isinstance(agent, SearchAgent):
        settings = agent.controller.config.model_dump(mode="json", exclude={"num_workers"})
        return {"policy": policy_digest(agent.policy), "search": settings}
    if isinstance(agent, BlueprintAgent):
        return {"policy": policy_digest(agent.policy)}
    return agent.identity() if isinstance(agent, ImportedAgent) else {"name": agent.name}


def check_seats(agent: BlueprintAgent, config: GameConfig | None) -> None:
    """Refuse a blueprint for another number of players."""
    players = agent.policy.config.num_players
    if config is not None and config.num_players != players:
        raise ConfigError(
            f"{agent.name} was trained for {players} players, and {config.name} has {config.num_players} seats; "
            f"choose a blueprint for that many, or a game for {players}"
        )


def _unknown(spec: str, name: str) -> str:
    baseline = difflib.get_close_matches(spec, BASELINES, n=1, cutoff=0.6)
    run = nearest_run(Path(name))
    nearest = baseline[0] if baseline else None if run is None else spec.removesuffix(name) + run
    hint = f"did you mean {nearest}? " if nearest else ""
    return (
        f"{spec!r} is neither a file nor a baseline; {hint}name a run directory, an avg_policy.json or a model (holdem "
        "models lists them), each also with search: before it, a class of your own as python:module:Class, or one of "
        f"{', '.join(BASELINES)}"
    )
