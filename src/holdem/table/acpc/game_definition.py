"""Game definitions of the ACPC: what a `.game` file says about stacks, blinds and the order of play.

Players count from 0 in the order of play after the flop, as our positions do. Heads-up the blinds are reversed:
player 0 has the big blind and player 1, the button, the small one and the first word before the flop. Stacks are the
same at the start of every hand.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from holdem.errors import ConfigError
from holdem.game.presets import load_game, preset_names
from holdem.policy.models import find_model
from holdem.types import GameConfig

RANKS = "23456789TJQKA"
MAX_ACTIONS_IN_ROUND = 64
"""The C dealer's arrays: it allows no raise that could make a round longer."""
_NO_CAP = 255
_FIELD = re.compile(r"^\s*([a-z]+)\s*=?\s*(.*)$")
_LISTS = ("stack", "blind", "firstplayer", "maxraises", "numboardcards")
_NUMBERS = ("numplayers", "numrounds", "numsuits", "numranks", "numholecards")


@dataclass(frozen=True)
class GameDefinition:
    """A no-limit game as the dealer knows it; lists are by player, or by round where it says so."""

    name: str
    stacks: tuple[int, ...]
    blinds: tuple[int, ...]
    first_player: tuple[int, ...]
    """Who speaks first, by round."""
    board_cards: tuple[int, ...] = (0, 3, 1, 1)
    """New board cards, by round."""
    max_raises: tuple[int, ...] = (_NO_CAP,) * 4
    """Raises allowed, by round."""
    num_ranks: int = 13

    @property
    def num_players(self) -> int:
        """Seats at the table."""
        return len(self.stacks)

    @property
    def num_rounds(self) -> int:
        """Betting rounds of a hand."""
        return len(self.board_cards)

    @property
    def big_blind(self) -> int:
        """The largest blind."""
        return max(self.blinds)

    def config(self) -> GameConfig:
        """The same game under our rules, with the dealer's that any all-in reopens the betting."""
        small, big = sorted(self.blinds)[-2:]
        total = tuple(sum(self.board_cards[: round_number + 1]) for round_number in range(self.num_rounds))
        same = len(set(self.stacks)) == 1
        return GameConfig(
            name=self.name,
            num_players=self.num_players,
            stacks=self.stacks[:1] if same else self.stacks,
            small_blind=small,
            big_blind=big,
            all_in_reopens=True,
            ranks=RANKS[13 - self.num_ranks :],
            board_cards=total,
        )

    def text(self) -> str:
        """The definition as a `.game` file."""
        lines = ["GAMEDEF", "nolimit", f"numPlayers = {self.num_players}", f"numRounds = {self.num_rounds}"]
        lines += [f"stack = {_words(self.stacks)}", f"blind = {_words(self.blinds)}"]
        lines.append(f"firstPlayer = {_words(player + 1 for player in self.first_player)}")
        if any(cap != _NO_CAP for cap in self.max_raises):
            lines.append(f"maxRaises = {_words(self.max_raises)}")
        lines += ["numSuits = 4", f"numRanks = {self.num_ranks}", "numHoleCards = 2"]
        lines += [f"numBoardCards = {_words(self.board_cards)}", "END GAMEDEF"]
        return "\n".join(lines) + "\n"


def definition_of(config: GameConfig) -> GameDefinition:
    """The definition of one of our games."""
    if config.variant != "holdem" or config.ante or config.straddle or not config.big_blind:
        raise ConfigError(f"{config.name} has antes, a straddle or no blinds, which ACPC does not know; leave them out")
    count = config.num_players
    blinds = (config.small_blind, config.big_blind, *[0] * (count - 2))
    new_cards = tuple(now - before for now, before in zip(config.board_cards, (0, *config.board_cards), strict=False))
    definition = GameDefinition(
        name=config.name,
        stacks=config.starting_stacks,
        blinds=blinds[::-1] if count == 2 else blinds,
        first_player=_usual_order(count, config.num_streets),
        board_cards=new_cards,
        max_raises=(_NO_CAP,) * config.num_streets,
        num_ranks=len(config.ranks),
    )
    if config.ranks != RANKS[13 - len(config.ranks) :]:
        raise ConfigError(f"{config.name} has the ranks {config.ranks}; an ACPC deck takes its ranks from the top")
    return _checked(definition)


def standard_game(num_players: int, stack: int = 20_000) -> GameDefinition:
    """The competition's no-limit game for 2 to 6 seats: blinds 50 and 100, stacks of 200 big blinds."""
    name = f"holdem.nolimit.{num_players}p" + (".reverse_blinds" if num_players == 2 else "")
    return definition_of(GameConfig(name=name, num_players=num_players, stacks=(stack,)))


def load_definition(name_or_path: str | Path) -> GameDefinition:
    """A standard game's name (with or without `.game`), a `.game` file, a preset's name or one of our YAML files."""
    name = str(name_or_path)
    if name.removesuffix(".game") in STANDARD_GAMES and not Path(name).exists():
        return STANDARD_GAMES[name.removesuffix(".game")]
    if not name.endswith(".game"):
        try:
            return definition_of(load_game(name))
        except ConfigError as error:
            _refuse_model(Path(name))
            raise ConfigError(f"{error}; ACPC games: {', '.join(STANDARD_GAMES)}, or a .game file") from None
    path = Path(name)
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ConfigError(f"{path} cannot be read ({reason}); known games: {', '.join(STANDARD_GAMES)}") from None
    return parse_definition(text, path.stem)


def _refuse_model(typed: Path) -> None:
    """ConfigError for the name of a model, with the game that it was trained for."""
    model = find_model(typed)
    if model is None:
        return
    game, games = model.game.name, f"ACPC games: {', '.join(STANDARD_GAMES)}"
    hint = f"did you mean {game}, which it was trained for?" if game in preset_names() else games
    raise ConfigError(f"{typed} is a model, and a game is wanted here; {hint}")


def parse_definition(text: str, name: str = "game") -> GameDefinition:
    """The definition in the text of a `.game` file; what this project cannot play is refused in one sentence."""
    fields: dict[str, list[int]] = {}
    no_limit = False
    for line in text.splitlines():
        lowered = line.lower().strip()
        if lowered.startswith("end gamedef"):
            break
        if lowered.startswith("nolimit"):
            no_limit = True
        match = _FIELD.match(lowered)
        if match and match[1] in (*_LISTS, *_NUMBERS):
            words = match[2].replace("=", " ").split()
            if not words or not all(word.isdecimal() for word in words):
                raise ConfigError(f"{name}: {line.strip()!r} should be numbers; write it as `{match[1]} = 1 2`")
            fields[match[1]] = [int(word) for word in words]
    if not no_limit:
        raise ConfigError(f"{name} is not a no-limit game; this project plays games whose definition says `nolimit`")
    for missing in ("numplayers", "numrounds", "blind", "numsuits", "numranks", "numholecards", "numboardcards"):
        if missing not in fields:
            raise ConfigError(f"{name} does not say {missing}; add the line, as in the competition's .game files")
    if "stack" not in fields:
        raise ConfigError(f"{name} has no stack line, so stacks would be endless; add `stack = 20000 20000`")
    return _definition(name, fields)


def _definition(name: str, fields: dict[str, list[int]]) -> GameDefinition:
    players, rounds = fields["numplayers"][0], fields["numrounds"][0]
    needed = {"stack": players, "blind": players, "firstplayer": rounds, "maxraises": rounds, "numboardcards": rounds}
    defaults = {"firstplayer": [1] * rounds, "maxraises": [_NO_CAP] * rounds}
    lists: dict[str, tuple[int, ...]] = {}
    for key, count in needed.items():
        values = fields.get(key, defaults.get(key, []))
        if len(values) < count:
            raise ConfigError(f"{name}: {key} has {len(values)} numbers and needs {count}")
        lists[key] = tuple(values[:count])
    if fields["numsuits"][0] != 4 or fields["numholecards"][0] != 2:
        raise ConfigError(f"{name} is not hold'em: this project needs numSuits = 4 and numHoleCards = 2")
    if not 1 <= fields["numranks"][0] <= 13:
        raise ConfigError(f"{name}: numRanks = {fields['numranks'][0]} is not possible; use 13, or fewer")
    definition = GameDefinition(
        name=name,
        stacks=lists["stack"],
        blinds=lists["blind"],
        first_player=tuple(player - 1 for player in lists["firstplayer"]),
        board_cards=lists["numboardcards"],
        max_raises=lists["maxraises"],
        num_ranks=fields["numranks"][0],
    )
    return _checked(definition)


def _checked(definition: GameDefinition) -> GameDefinition:
    """The same, or ConfigError if our rules have no such blinds, order of play or stacks."""
    name, count = definition.name, definition.num_players
    if not 2 <= count <= 6:
        raise ConfigError(f"{name} has {count} players; this project seats 2 to 6")
    small, big = sorted(definition.blinds)[-2:]
    usual = (big, small) if count == 2 else (small, big, *[0] * (count - 2))
    if definition.blinds != usual or big == 0:
        raise ConfigError(f"{name}: blinds {_words(definition.blinds)} are not the usual ones, {_words(usual)}")
    if definition.first_player != _usual_order(count, definition.num_rounds):
        order = _words(player + 1 for player in definition.first_player)
        usual_order = _words(player + 1 for player in _usual_order(count, definition.num_rounds))
        raise ConfigError(f"{name}: firstPlayer = {order} is not the usual order, {usual_order}")
    if min(definition.stacks) <= big:
        raise ConfigError(f"{name}: a stack of {min(definition.stacks)} is not above the big blind {big}; use more")
    definition.config()  # board, deck and chips within our limits
    return definition


def _usual_order(count: int, rounds: int) -> tuple[int, ...]:
    return (1 if count == 2 else 2 % count, *[0] * (rounds - 1))


def _words(values: object) -> str:
    return " ".join(map(str, values))  # type: ignore[call-overload]


STANDARD_GAMES = {game.name: game for game in (standard_game(count) for count in range(2, 7))}
"""The competition's games by name; those of two and three seats are the ones of its published files."""
