"""AIVAT for the agents of a match: whose values guide it, and whether there are any."""

from collections.abc import Sequence
from contextlib import suppress

from holdem.blueprint.leaf_values import LeafValues
from holdem.errors import ArtifactError, ConfigError
from holdem.evaluation.aivat.many.table import ManyPlayerAivat
from holdem.evaluation.aivat.table import TableAivat
from holdem.game.agent import Agent, RangeAgent
from holdem.policy.policy import AveragePolicy


def open_aivat(agents: Sequence[Agent]) -> TableAivat | ManyPlayerAivat:
    """AIVAT with the leaf values of the first agent that has a blueprint, with three and more players by the blueprints
    themselves; refused in a sentence if it cannot be."""
    if not any(isinstance(agent, RangeAgent) for agent in agents):
        raise ConfigError("AIVAT needs an agent whose strategy is known, such as a blueprint; use --no-aivat")
    policies = [policy for policy in map(blueprint_of, agents) if policy is not None]
    if not policies:
        raise ConfigError("AIVAT needs the values of a blueprint, and none plays here; use --no-aivat")
    for policy in policies:
        if policy.config.num_players != len(agents):
            raise ConfigError(
                f"AIVAT has the values of a policy for {policy.config.num_players} players, and this match has "
                f"{len(agents)}; use --no-aivat"
            )
    if len(agents) > 2:
        return ManyPlayerAivat(agents)
    for policy in policies[:-1]:
        with suppress(ArtifactError):  # the last one says what is missing
            return TableAivat.open(policy)
    return TableAivat.open(policies[-1])


def can_open_aivat(agents: Sequence[Agent]) -> bool:
    """Whether `open_aivat` would find a known strategy and values that fit."""
    if not any(isinstance(agent, RangeAgent) for agent in agents):
        return False
    if len(agents) > 2:
        with suppress(ArtifactError, ConfigError):
            open_aivat(agents)
            return True
        return False
    for policy in map(blueprint_of, agents):
        with suppress(ArtifactError):
            if policy is not None:
                LeafValues.open(policy)
                return True
    return False


def blueprint_of(agent: Agent) -> AveragePolicy | None:
    """The policy behind an agent, if it has one."""
    policy = getattr(agent, "policy", None)
    return policy if isinstance(policy, AveragePolicy) else None
