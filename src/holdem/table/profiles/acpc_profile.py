"""The game of an ACPC profile."""

from holdem.blueprint.agent import BlueprintAgent
from holdem.errors import ConfigError
from holdem.table.acpc.game_definition import GameDefinition, load_definition, standard_game
from holdem.table.profiles.profiles import TableProfile, differences
from holdem.util.logs import LOGGER


def definition_of(profile: TableProfile, blueprint: BlueprintAgent) -> GameDefinition:
    """The game of an ACPC profile; refused where the policy is for another number of players."""
    assert profile.acpc is not None
    trained = blueprint.policy.config
    name = profile.acpc.game
    definition = standard_game(trained.num_players) if name is None else load_definition(name)
    if definition.num_players != trained.num_players:
        raise ConfigError(
            f"{profile.name} is a game of {definition.num_players}, and the policy was trained for "
            f"{trained.num_players} players; choose a policy for that many"
        )
    if found := differences(definition.config(), trained):
        LOGGER.warning("the policy was trained for another game and translates: %s", "; ".join(found))
    return definition
