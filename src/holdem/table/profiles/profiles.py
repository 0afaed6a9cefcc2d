"""Table profiles: where a table is, who sits there, and for how long; the keys of `assets/table_profiles/*.json`.

What a profile leaves out comes from the policy that plays: its number of seats, blinds, ante and stacks. So the
default profile fits every policy. A table is `local` (dealt in this process, docs/tables.md) or `acpc` (a dealer of the
Annual Computer Poker Competition's protocol, anywhere on the network).
"""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from holdem.errors import ConfigError
from holdem.policy.models import model_for
from holdem.types import Chips, Config, GameConfig
from holdem.util.configs import check_config
from holdem.util.shipped import PROFILES

RULES = ("small_blind", "big_blind", "ante")


def _one_is_a_list(value: Any) -> Any:
    return (value,) if isinstance(value, int | str) else value


class AcpcDealer(Config):
    """Where an ACPC dealer listens."""

    host: str = Field(default="127.0.0.1", min_length=1)
    """The dealer's address."""
    port: int = Field(ge=1, le=65535)
    """The port that the dealer gave to this seat."""
    game: str | None = None
    """The game that the dealer deals: a `.game` file (beside the profile unless the path is absolute), a standard
    game's name, or a preset; left out: the competition's no-limit game for the policy's number of players."""
    timeout_seconds: float = Field(default=600.0, gt=0.0)
    """How long the dealer may be silent before the table counts as lost."""
    listen_port: int | None = Field(default=None, ge=1, le=65535)
    """For a dry run: where another agent connects, to be passed on to the dealer and watched."""


class TableProfile(Config):
    """One table. Lists by seat have one entry for everybody or one per seat."""

    name: str = "table"
    """For people."""
    description: str = ""
    """For people."""
    table: Literal["local", "acpc"] = "local"
    """Dealt in this process, or by a dealer of the ACPC protocol."""
    seats: int | None = Field(default=None, ge=2, le=6)
    """Left out: as many as the policy was trained for."""
    small_blind: Chips | None = None
    """Chips; left out: the policy's."""
    big_blind: Chips | None = None
    """Chips; left out: the policy's."""
    ante: Chips | None = None
    """Chips that everybody posts; left out: the policy's."""
    stacks: Annotated[tuple[Annotated[int, Field(ge=1, le=1_000_000_000)], ...], BeforeValidator(_one_is_a_list)] = ()
    """Chips by seat at the start. Blinds, ante and stacks that are left out are the policy's."""
    between_hands: Literal["reset", "carry_on"] = "reset"
    """Whether every hand starts with the same stacks, or with what the last one left; players without chips buy in."""
    hero_seat: int = Field(default=0, ge=0, le=5)
    """The seat that is watched, or that the bot plays."""
    opponents: Annotated[tuple[str, ...], BeforeValidator(_one_is_a_list), Field(min_length=1)] = ("tight-aggressive",)
    """Who sits in the other seats, clockwise from the hero: a baseline, a run or avg_policy.json, `search:PATH`,
    `python:module:Class`, or `process:COMMAND`, a program that speaks ACPC; one name serves every seat."""
    watched_player: str = "pot-odds"
    """In a dry run: the baseline, or another agent, who plays the hero's seat."""
    pace_seconds: float = Field(default=0.0, ge=0.0, le=60.0)
    """A pause after every action, for people who watch."""
    max_hands: int | None = Field(default=None, ge=1)
    """Hands at most; left out: until somebody stops it."""
    seed: int | None = Field(default=None, ge=0, lt=2**63)
    """The cards; left out: different cards every time."""
    acpc: AcpcDealer | None = None
    """The dealer of an `acpc` table; a local one has none."""

    @model_validator(mode="after")
    def _consistent(self) -> "TableProfile":
        if (self.table == "acpc") != (self.acpc is not None):
            what = "needs" if self.table == "acpc" else "does not use"
            raise ValueError(f'a {self.table} table {what} the key acpc, as in "acpc": {{"port": 18791}}')
        if self.seats is not None:
            check_seats(self, self.seats)
        return self


def check_seats(profile: TableProfile, seats: int) -> None:
    """ValueError if the lists of a profile do not fit a number of seats."""
    if profile.hero_seat >= seats:
        raise ValueError(f"hero_seat {profile.hero_seat} does not exist at a table of {seats}; seats count from 0")
    if len(profile.opponents) not in (1, seats - 1):
        raise ValueError(f"{len(profile.opponents)} opponents for {seats - 1} other seats; name one, or one per seat")
    if len(profile.stacks) not in (0, 1, seats):
        raise ValueError(f"{len(profile.stacks)} stacks for {seats} seats; give one number, or one per seat")


def load_profile(path: Path | str) -> TableProfile:
    """The profile of a file or of a shipped name, checked; a game file that it names is looked for beside it."""
    path = PROFILES.find(Path(path))
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from None
    except json.JSONDecodeError as error:
        raise ConfigError(f"{path} is not valid JSON at line {error.lineno}: {error.msg}") from None
    if not isinstance(content, dict):
        raise ConfigError(f"{path} must hold one JSON object, not a {type(content).__name__}")
    profile = check_config(TableProfile, content, path.name)
    if profile.acpc is None or profile.acpc.game is None or not (path.parent / profile.acpc.game).is_file():
        return profile
    acpc = profile.acpc.model_copy(update={"game": str(path.parent / profile.acpc.game)})
    return profile.model_copy(update={"acpc": acpc})


def game_of(profile: TableProfile, policy_game: GameConfig) -> GameConfig:
    """The rules of a local table: the policy's with what the profile changes; refused where the seats do not fit."""
    seats = profile.seats or policy_game.num_players
    if seats != policy_game.num_players:
        model = model_for(seats)
        instead = f"train with --num-players {seats}" if model is None else f"take --policy models/{model.name}"
        raise ConfigError(
            f"the table has {seats} seats and the policy was trained for {policy_game.num_players}; "
            f"leave the number of seats out, or {instead}"
        )
    try:
        check_seats(profile, seats)
    except ValueError as error:
        raise ConfigError(f"{profile.name}: {error}") from None
    changes: dict[str, Any] = {name: value for name in RULES if (value := getattr(profile, name)) is not None}
    if profile.stacks:
        changes["stacks"] = (max(profile.stacks),)  # by position; a table of unequal stacks gives them by seat
    return check_config(GameConfig, {**policy_game.model_dump(), **changes}, profile.name)


def stacks_by_seat(profile: TableProfile, game: GameConfig) -> tuple[int, ...] | None:
    """Starting stacks by seat, None where the game's own apply."""
    if not profile.stacks:
        return None
    return profile.stacks * game.num_players if len(profile.stacks) == 1 else profile.stacks


def opponents_by_seat(profile: TableProfile, seats: int) -> dict[int, str]:
    """The agent specs of every seat but the hero's."""
    others = [(profile.hero_seat + step) % seats for step in range(1, seats)]
    specs = profile.opponents * (seats - 1) if len(profile.opponents) == 1 else profile.opponents
    return dict(zip(others, specs, strict=True))


def translation_words(game: GameConfig, trained: GameConfig, stacks: tuple[int, ...] | None = None) -> str:
    """A sentence about a table that is not what a policy was trained for; empty if it is."""
    found = differences(game, trained, stacks)
    return f"the policy was trained for another game and translates: {'; '.join(found)}" if found else ""


_CHIPS = ("small_blind", "big_blind", "ante", "straddle", "stacks")


def differences(game: GameConfig, trained: GameConfig, stacks: tuple[int, ...] | None = None) -> list[str]:
    """How a table differs from the game that a policy was trained for, a few words each.

    The same game with other chips is the same: then amounts are compared, and told, in big blinds.
    """
    if game.big_blind != trained.big_blind and game.big_blind and trained.big_blind:
        return _other_chips(game, trained, stacks)
    names = ["num_players", "small_blind", "big_blind", "ante", "straddle", "ranks", "board_cards"]
    if game.num_players > 2:
        names.append("all_in_reopens")  # heads-up it makes no difference
    pairs = [(name, getattr(game, name), getattr(trained, name)) for name in names]
    found = [f"{name} {value} (trained: {before})" for name, value, before in pairs if value != before]
    here = stacks or game.starting_stacks
    if set(here) != set(trained.starting_stacks):
        found.append(f"stacks {'/'.join(map(str, here))} (trained: {'/'.join(map(str, trained.starting_stacks))})")
    return found


def _other_chips(game: GameConfig, trained: GameConfig, stacks: tuple[int, ...] | None) -> list[str]:
    """As `differences`, in big blinds."""
    found = []
    for name in ("small_blind", "ante", "straddle"):
        value, before = getattr(game, name) / game.big_blind, getattr(trained, name) / trained.big_blind
        if value != before:
            found.append(f"{name} {value:g} bb (trained: {before:g} bb)")
    here = [chips / game.big_blind for chips in stacks or game.starting_stacks]
    there = [chips / trained.big_blind for chips in trained.starting_stacks]
    if set(here) != set(there):
        words = ["/".join(f"{blinds:g}" for blinds in some) for some in (here, there)]
        found.append(f"stacks {words[0]} bb (trained: {words[1]} bb)")
    same_chips = game.model_copy(update={name: getattr(trained, name) for name in _CHIPS})
    return [*differences(same_chips, trained, trained.starting_stacks), *found]
