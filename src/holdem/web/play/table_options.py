"""The table that a page asks for: seats, stacks, opponents and search, from what the server lists.

A page sends names of these lists and bounded numbers. What a name stands for (a path, a spec) stays here, and a table
that cannot be is refused before anything is opened. The server's own policy plays at the server's own table, of which a
page changes what it chooses; another policy plays the game that it was trained for.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from holdem.errors import ConfigError, HoldemError
from holdem.evaluation.baselines import BASELINES
from holdem.mccfr.run.directory import SNAPSHOTS_NAME
from holdem.policy.files import POLICY
from holdem.policy.models import ShippedModel, unpack
from holdem.policy.models.unpacking import unpacked_folder
from holdem.policy.run_names import MANIFEST_NAME
from holdem.table.person.table import PersonTable
from holdem.table.profiles.open_table import check_profile
from holdem.table.profiles.profiles import TableProfile, game_of
from holdem.types import GameConfig, SearchConfig
from holdem.util.configs import check_config
from holdem.web.play.table_view import Message
from holdem.web.run_folder import RunFolder

LEAST_BLINDS, MOST_BLINDS = 5, 400
LEAST_MS, MOST_MS = 20, 2_000
WITH_SEARCH = " with search"
LONGEST_NAME = 300

Name = Annotated[str, Field(max_length=LONGEST_NAME)]
Tell = Callable[[str], None]


class TableOptions(BaseModel):
    """What a page may choose; what is left out is as the server was started."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    seats: int | None = Field(default=None, ge=2, le=6)
    stack_blinds: int | None = Field(default=None, ge=LEAST_BLINDS, le=MOST_BLINDS)
    policy: Name | None = None
    """Of the coach, and of the bots unless others are named."""
    opponents: list[Name] | None = Field(default=None, max_length=5)
    """One for every other seat, clockwise from the person's, or one for all; an empty list: the bot of the policy."""
    search: bool | None = None
    time_ms: int | None = Field(default=None, ge=LEAST_MS, le=MOST_MS)


@dataclass(frozen=True)
class Listed:
    """A policy of the list; its folder is asked for when it is chosen, since a model may have to be unpacked."""

    folder: Callable[[], Path]
    game: GameConfig


def _nobody(sentence: str) -> None:
    """Nobody is told."""


class TableChoices:
    """What there is to choose from, and tables made of it."""

    def __init__(self, plan: PersonTable, runs: RunFolder) -> None:
        self.plan, self._runs = plan, runs

    def policies(self, tell: Tell = _nobody) -> dict[str, Listed]:
        """Policies of hold'em by the names that all pages use; what cannot be read is left out.

        Somebody is told when a model that is chosen must be unpacked first.
        """
        found = {}
        for name, path in self._runs.policies().items():
            game = _game_of(path)
            if game is not None and len(name) <= LONGEST_NAME - len(WITH_SEARCH):
                found[name] = Listed(path.resolve, game)  # a path from the root is never taken for another spec
        for name, model in self._runs.models().items():
            found[name] = Listed(partial(_unpacked, model, tell), model.game)
        return found

    def to_plain(self) -> Message:
        """The lists as a page shows them."""
        policies, own = self.policies(), self._runs.played_name
        plan, search = self.plan, self.plan.search or SearchConfig()
        own_stacks = _in_blinds(plan.profile.stacks or plan.game.starting_stacks, plan.game)
        seats = sorted({listed.game.num_players for listed in policies.values()} | {plan.game.num_players})
        return {
            "seats": seats,
            "baselines": list(BASELINES),
            "policies": [
                {
                    "name": name,
                    "seats": one.game.num_players,
                    "stacks": own_stacks if name == own else _in_blinds(one.game.starting_stacks, one.game),
                }
                for name, one in policies.items()
            ],
            "with_search": WITH_SEARCH,
            "stack_blinds": [LEAST_BLINDS, MOST_BLINDS],
            "time_ms": [LEAST_MS, MOST_MS],
            "default": {
                "seats": plan.game.num_players,
                "stacks": own_stacks,
                "policy": own,
                "opponents": self._listed_opponents(),
                "search": plan.search is not None,
                "time_ms": round(search.time_budget_ms),
            },
        }

    def table(self, options: TableOptions, tell: Tell = _nobody) -> PersonTable:
        """The table of some options; ConfigError with what to choose instead if it cannot be."""
        if options == TableOptions():
            return self.plan
        policies = self.policies(tell)
        name, chosen = self._policy(options, policies)
        seats = options.seats or chosen.game.num_players
        if seats != chosen.game.num_players:
            raise ConfigError(_not_for(name, chosen, seats))
        searches = self.plan.search is not None if options.search is None else options.search
        named_search, own = self._search(options), name in ("", self._runs.played_name)
        search = named_search if searches else None
        if options.opponents:
            opponents = self._specs(options.opponents, policies, seats)
        elif not name or (own and options.opponents is None and not self._plays_its_bot):
            opponents = self.plan.profile.opponents
        else:
            opponents = (_spec_of(chosen, searches),)
        profile = self._profile(own, opponents, options.stack_blinds, chosen.game)
        game = game_of(profile, chosen.game)
        check_profile(profile, chosen.game)
        policy = chosen.folder() if name else self.plan.policy
        return replace(self.plan, profile=profile, game=game, search=search, policy=policy, named_search=named_search)

    def _policy(self, options: TableOptions, policies: dict[str, Listed]) -> tuple[str, Listed]:
        """The policy that is named, or the server's own, or the first for that many seats; no name without one."""
        if options.policy is not None:
            if options.policy not in policies:
                raise ConfigError(f"there is no policy called {options.policy!r:.100}; choose one of the list")
            return options.policy, policies[options.policy]
        own = self._runs.played_name
        if options.seats in (None, self.plan.game.num_players):
            if own in policies:
                return own, policies[own]
            return "", Listed(Path, self.plan.game)
        fitting = [name for name, one in policies.items() if one.game.num_players == options.seats]
        if not fitting:
            raise ConfigError(f"there is no policy for {options.seats} seats; choose another number of seats")
        models = self._runs.models()

        def place(name: str) -> tuple[bool, bool, float]:
            """Runs before models, of which the one with the nearest stacks is taken."""
            wanted = options.stack_blinds if name in models else None
            distance = 0.0 if wanted is None else abs(models[name].stack_blinds - wanted)
            return SNAPSHOTS_NAME in name.split("/"), name in models, distance

        best = min(fitting, key=place)
        return best, policies[best]

    @property
    def _plays_its_bot(self) -> bool:
        """Whether only the bot of its own policy sits at the server's own table: it searches if that is chosen."""
        policy = self.plan.policy
        return policy is not None and {*self.plan.profile.opponents} <= {str(policy), f"search:{policy}"}

    def _listed_opponents(self) -> list[str] | None:
        """Who sits at the server's own table, as a page chooses it; None where that cannot be chosen from its lists."""
        others = self.plan.profile.opponents
        if self._plays_its_bot:
            return []
        return list(others) if {*others} <= {*BASELINES} else None

    def _search(self, options: TableOptions) -> SearchConfig:
        """Of whoever searches at the table."""
        base = self.plan.named_search or self.plan.search or SearchConfig()
        return base if options.time_ms is None else base.model_copy(update={"time_budget_ms": float(options.time_ms)})

    def _specs(self, names: list[str], policies: dict[str, Listed], seats: int) -> tuple[str, ...]:
        if len(names) not in (1, seats - 1):
            raise ConfigError(f"{len(names)} opponents for {seats - 1} seats; choose one for all, or one for each")
        return tuple(self._spec(name, policies, seats) for name in names)

    def _spec(self, name: str, policies: dict[str, Listed], seats: int) -> str:
        """What a name of the list of opponents stands for."""
        if name in BASELINES:
            return name
        searches = name not in policies and name.endswith(WITH_SEARCH)
        listed = policies.get(name.removesuffix(WITH_SEARCH) if searches else name)
        if listed is None:
            raise ConfigError(f"there is no opponent called {name!r:.100}; choose one of the list")
        if listed.game.num_players != seats:
            raise ConfigError(_not_for(name, listed, seats))
        return _spec_of(listed, searches)

    def _profile(
        self, own: bool, opponents: tuple[str, ...], stack_blinds: int | None, game: GameConfig
    ) -> TableProfile:
        """The server's own table with what was chosen; at another policy's only its pace and its end."""
        usual = self.plan.profile
        if not own:
            usual = TableProfile(
                pace_seconds=usual.pace_seconds, between_hands=usual.between_hands, max_hands=usual.max_hands
            )
        profile = usual.model_copy(update={"name": "the table", "opponents": opponents})
        if stack_blinds is None:
            return profile
        chips = stack_blinds * game_of(profile, game).big_blind
        return profile.model_copy(update={"stacks": (chips,)})


def _unpacked(model: ShippedModel, tell: Tell) -> Path:
    if not (unpacked_folder(model) / MANIFEST_NAME).is_file():
        tell(f"models/{model.name} is being unpacked, once; that takes some seconds")
    return unpack(model)


def _spec_of(listed: Listed, searches: bool) -> str:
    folder = listed.folder()
    return f"search:{folder}" if searches else str(folder)


def _not_for(name: str, listed: Listed, seats: int) -> str:
    trained = listed.game.num_players
    return f"{name} was trained for {trained} seats, and this table has {seats}; choose another one, or {trained} seats"


def _in_blinds(stacks: Sequence[int], game: GameConfig) -> str:
    """Stacks in big blinds: `100`, or `50/100` where they differ; in chips where there is no big blind."""
    blinds = [f"{chips / max(game.big_blind, 1):g}" for chips in stacks]
    return "/".join(blinds if len({*blinds}) > 1 else blinds[:1])


def _game_of(folder: Path) -> GameConfig | None:
    """The game of a policy by its manifest; None for one that is not hold'em or cannot be read."""
    try:
        changed = (folder / MANIFEST_NAME).stat().st_mtime_ns
    except OSError:
        return None
    return _read_game(folder, changed)


@lru_cache(maxsize=1_000)
def _read_game(folder: Path, changed: int) -> GameConfig | None:
    try:
        game = check_config(GameConfig, POLICY.read(folder / MANIFEST_NAME)["game"])
    except (HoldemError, OSError, KeyError, TypeError, ValueError):
        return None
    return game if game.variant == "holdem" else None
