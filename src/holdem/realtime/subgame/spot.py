"""A spot: the question that a subgame solve answers, checked once so that the solver need not doubt it.

As a file (JSON) a spot is one object, or `{"spots": [...]}` holds several:

    {"id": "PR1", "board": "Ah 9c 4d 7s 2h", "pot": 90, "effective_stack": 300,
     "range_oop": "22+, A2s+", "range_ip": "random",
     "bet_sizes": {"river": {"bet": "50%, a", "raise": "60%, a"}}}

`bet_sizes` has a menu per street for both players, or `{"oop": {...}, "ip": {...}}` with such menus for each. A
`raise` may be a list of menus by the number of the raise, the last one serving all later raises; an empty menu ends
raising. Optional: `locks`, see `node_lock`.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.sizes import BetSize, SizeKind, parse_menu
from holdem.cards import NUM_HOLE_PAIRS, Cards, Range, format_cards, parse_cards
from holdem.cards.cards import HOLE_CARDS, check_distinct
from holdem.cards.ranges import joint_weight
from holdem.errors import CardError, ConfigError
from holdem.realtime.subgame.nodes.moves import Move, MoveKind, move_of
from holdem.realtime.subgame.nodes.path import parse_path
from holdem.realtime.subgame.tree import OOP, Root, StreetSizes
from holdem.types import STREET_NAMES
from holdem.util.arrays import Float64

PLAYER_NAMES = ("oop", "ip")
INFORMATION = frozenset({"combos", "reference", "speed_of_the_best_open_solver", "description"})
"""Keys of a spot file that the solver does not read."""
MOST_CHIPS = 1_000_000_000
LONGEST_SHOWN = 60
MOVE_WORDS = frozenset(kind.value for kind in MoveKind)
EXAMPLES = {"id": "PR1", "board": "Ks 8s 3s", "range_oop": "22+, A2s+", "range_ip": "22+, A2s+"}
"""Fields that are written as text."""

SpotSizes = Mapping[tuple[int, int], StreetSizes]
"""Sizes by (player, street); what is missing only checks and calls."""


@dataclass(frozen=True, eq=False)
class Spot:
    """A heads-up spot after the flop. Chips are whole numbers; player 0 is out of position.

    ranges: two arrays (1326,) of weights, any scale; hands that touch the board are dropped
    bets, to_act: chips already bet on this street and whose turn it is, for a root inside a street
    played: the moves of a line really played, whose sizes are added to the tree
    """

    board: Cards
    pot: int
    effective_stack: int
    ranges: tuple[Float64, Float64]
    sizes: SpotSizes
    id: str = ""
    bets: tuple[int, int] = (0, 0)
    to_act: int = OOP
    min_bet: int = 1
    played: tuple[Move, ...] = ()
    locks: tuple[Mapping[str, Any], ...] = ()
    plain: Mapping[str, Any] = field(default_factory=dict)
    """The object that the spot was read from, if any."""

    def __post_init__(self) -> None:
        board = check_distinct(self.board)
        if not 3 <= len(board) <= 5:
            raise CardError(f"the board has {len(board)} cards; a spot is a flop, turn or river with 3, 4 or 5")
        _check_chips("pot", self.pot, 1)
        _check_chips("effective_stack", self.effective_stack, 1)
        _check_chips("min_bet", self.min_bet, 1)
        self._check_bets()
        free = np.asarray(~np.isin(HOLE_CARDS, board).any(axis=1))
        ranges = tuple(_checked_range(weights, free, i, board) for i, weights in enumerate(self.ranges))
        object.__setattr__(self, "ranges", ranges)
        if not joint_weight(ranges[0], ranges[1]):
            raise CardError("range_oop and range_ip cannot meet: each pair of their hands shares a card")

    def _check_bets(self) -> None:
        for bet in self.bets:
            _check_chips("a bet of the root", bet, 0)
        if min(self.bets) >= self.effective_stack:
            raise ConfigError(f"both players are all-in for {self.effective_stack}: nothing is left to decide")
        if max(self.bets) > self.effective_stack:
            raise ConfigError(f"a bet of the root is {max(self.bets)}, more than the stack of {self.effective_stack}")
        if self.bets[self.to_act] > self.bets[1 - self.to_act]:
            me, other = PLAYER_NAMES[self.to_act], PLAYER_NAMES[1 - self.to_act]
            raise ConfigError(f'{me} has bet more than {other}, so {other} is to act; write "to_act": "{other}"')

    @property
    def street(self) -> int:
        """1 for the flop, 2 for the turn, 3 for the river."""
        return len(self.board) - 2

    @property
    def name(self) -> str:
        """The id, or the board where there is none."""
        return self.id or format_cards(self.board)

    def root(self) -> Root:
        """The betting at the root."""
        return Root(self.street, self.pot, self.effective_stack, self.bets, self.to_act, self.min_bet)

    def sizes_of(self, player: int, street: int) -> StreetSizes:
        """Sizes of a player on a street."""
        return self.sizes.get((player, street), StreetSizes())

    @classmethod
    def from_plain(cls, content: Mapping[str, Any]) -> "Spot":
        """A spot from the object of a file."""
        if not isinstance(content, Mapping):
            raise ConfigError(f"a spot is an object with board, pot and so on, not {type(content).__name__}")
        known = {"id", "street", "board", "pot", "effective_stack", "range_oop", "range_ip", "bet_sizes", "locks",
                 "bets", "to_act", "min_bet", "played"}  # fmt: skip
        for key in content:
            if key not in known | INFORMATION:
                raise ConfigError(f"{key!r} is not a field of a spot; they are {', '.join(sorted(known))}")
        texts = {key: _text(content.get(key, ""), key) for key in EXAMPLES}
        missing = [key for key in ("board", "pot", "effective_stack", "range_oop", "range_ip") if key not in content]
        if missing:
            named = f"the spot {texts['id']}" if texts["id"] else "the spot"
            raise ConfigError(f"{named} has no {missing[0]!r}")
        board = parse_cards(texts["board"])
        ranges = [_parse_range(texts[f"range_{name}"], name) for name in PLAYER_NAMES]
        bets = _listed(content, "bets", "[50, 0]", (0, 0))
        if len(bets) != 2:
            raise ConfigError(f"bets is {list(bets)}; write the chips of both players, such as [50, 0]")
        to_act = content.get("to_act", "oop")
        if to_act not in PLAYER_NAMES:
            raise ConfigError(f"to_act is {to_act!r}; it is 'oop' or 'ip'")
        spot = cls(
            board=board,
            pot=content["pot"],
            effective_stack=content["effective_stack"],
            ranges=(ranges[0], ranges[1]),
            sizes=parse_sizes(content.get("bet_sizes", {})),
            id=texts["id"],
            bets=(bets[0], bets[1]),
            to_act=PLAYER_NAMES.index(to_act),
            min_bet=content.get("min_bet", 1),
            played=tuple(_played_action(item) for item in _listed(content, "played", '["Check", "Bet(37)"]')),
            locks=_listed(content, "locks", '[{"node": "bet 45", "strategy": {"Fold": 1}}]'),
            plain=dict(content),
        )
        named = content.get("street", STREET_NAMES[spot.street])
        if named != STREET_NAMES[spot.street]:
            raise ConfigError(f"the street is {named!r}, but {content['board']} is a {STREET_NAMES[spot.street]}")
        return spot

    def to_plain(self) -> dict[str, Any]:
        """The object of a file that reads back as this spot."""
        if self.plain:
            return dict(self.plain)
        menus: dict[str, dict[str, Any]] = {name: {} for name in PLAYER_NAMES}
        for (player, street), sizes in self.sizes.items():
            menus[PLAYER_NAMES[player]][STREET_NAMES[street]] = format_street(sizes)
        return {
            "id": self.id,
            "board": format_cards(self.board, " "),
            "pot": int(self.pot),
            "effective_stack": int(self.effective_stack),
            **{f"range_{name}": str(Range(self.ranges[player])) for player, name in enumerate(PLAYER_NAMES)},
            "bet_sizes": menus,
            "bets": [int(bet) for bet in self.bets],
            "to_act": PLAYER_NAMES[self.to_act],
            "min_bet": int(self.min_bet),
            "played": list(map(str, self.played)),
            "locks": [dict(lock) for lock in self.locks],
        }

    def question(self) -> dict[str, Any]:
        """The object without what the solver does not read."""
        return {key: value for key, value in self.to_plain().items() if key not in INFORMATION}


def _check_chips(name: str, value: object, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ConfigError(f"{name} is {value!r}; it must be a whole number of chips, at least {least}")
    if value > MOST_CHIPS:
        raise ConfigError(f"{name} is {value}; at most {MOST_CHIPS:,} chips can be solved")


def _listed(content: Mapping[str, Any], key: str, example: str, default: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    value = content.get(key, default)
    if not isinstance(value, list | tuple):
        raise ConfigError(f"{key} is {value!r}; it must be a list, such as {example}")
    return tuple(value)


def _played_action(item: Any) -> Move:
    """An action that was played; an amount is needed where there is one."""
    tokens = parse_path(item) if isinstance(item, str) else ()
    word = tokens[0].partition("(")[0] if len(tokens) == 1 else ""
    if word not in MOVE_WORDS or tokens[0] in ("Bet", "Raise"):
        raise ConfigError(f"played has {_shown(item)}; write actions with their amounts, such as Check or Bet(37)")
    amount = tokens[0].partition("(")[2].rstrip(")")
    if len(amount) > len(str(MOST_CHIPS)) or int(amount or 0) > MOST_CHIPS:
        raise ConfigError(f"played has {_shown(item)}; at most {MOST_CHIPS:,} chips can be bet")
    return move_of(tokens[0])


def _text(value: Any, key: str) -> str:
    """A field that is written as text; a number may be the name of a spot, and null is no name."""
    if key == "id" and (value is None or type(value) is int):
        return "" if value is None else str(value)
    if not isinstance(value, str):
        raise ConfigError(f'{key} is {_shown(value)}; write it as text, such as "{EXAMPLES[key]}"')
    return value


def _shown(value: Any) -> str:
    """A value as an error names it, cut short."""
    text = repr(value)
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"


def _parse_range(text: str, name: str) -> Float64:
    try:
        return np.array(Range.parse(text).weights)
    except CardError as error:
        raise CardError(f"range_{name}: {error}") from None


def _checked_range(weights: Float64, free: npt.NDArray[np.bool_], player: int, board: Cards) -> Float64:
    name = f"range_{PLAYER_NAMES[player]}"
    weights = np.asarray(weights, dtype=np.float64)
    if weights.shape != (NUM_HOLE_PAIRS,) or not np.isfinite(weights).all() or (weights < 0).any():
        raise CardError(f"{name} must have {NUM_HOLE_PAIRS} finite weights of at least 0")
    kept = np.where(free, weights, 0.0)
    if not kept.any():
        raise CardError(f"{name} is empty: no hand of it is possible on the board {format_cards(board, ' ')}")
    return np.asarray(kept / kept.max())


def parse_sizes(content: Any) -> SpotSizes:
    """Sizes by player and street from the object of a file."""
    if not isinstance(content, Mapping):
        raise ConfigError('bet_sizes is an object of streets, as in {"river": {"bet": "50%, a", "raise": "60%"}}')
    by_player = set(content) & set(PLAYER_NAMES)
    if by_player and set(content) - set(PLAYER_NAMES):
        raise ConfigError("bet_sizes names players and streets side by side; write streets inside oop and ip")
    result: dict[tuple[int, int], StreetSizes] = {}
    for player, name in enumerate(PLAYER_NAMES):
        streets = content.get(name, {}) if by_player else content
        where = f"bet_sizes.{name}" if by_player else "bet_sizes"
        if not isinstance(streets, Mapping):
            raise ConfigError(f'{where} is an object of streets, as in {{"river": {{"bet": "50%, a"}}}}')
        for street, menus in streets.items():
            if street not in STREET_NAMES[1:]:
                raise ConfigError(f"{where}: {street!r} is not a street; they are flop, turn and river")
            result[player, STREET_NAMES.index(street)] = _parse_street(menus, f"{where}.{street}")
    return result


def _parse_street(menus: Any, where: str) -> StreetSizes:
    if not isinstance(menus, Mapping) or set(menus) - {"bet", "raise"}:
        raise ConfigError(f'{where} has a menu `bet` and a menu `raise`, such as {{"bet": "50%, a", "raise": "60%"}}')
    raises = menus.get("raise", "")
    raises = raises if isinstance(raises, list | tuple) else [raises]
    return StreetSizes(
        parse_menu(str(menus.get("bet", "")), f"{where}.bet"),
        tuple(parse_menu(str(menu), f"{where}.raise") for menu in raises) or ((),),
    )


def format_street(sizes: StreetSizes) -> dict[str, Any]:
    """The menus of one player on one street as a file writes them."""
    return {"bet": _format_menu(sizes.bet), "raise": [_format_menu(menu) for menu in sizes.raises]}


def _format_menu(menu: tuple[BetSize, ...]) -> str:
    return ", ".join(_format_size(size) for size in menu)


def _format_size(size: BetSize) -> str:
    value = repr(size.value).removesuffix(".0")
    if size.kind is SizeKind.GEOMETRIC:
        cap = "" if math.isinf(size.cap) else repr(size.cap).removesuffix(".0") + "%"
        return ("" if value == "0" else value) + "e" + cap
    return {SizeKind.POT: f"{value}%", SizeKind.TIMES: f"{value}x", SizeKind.CHIPS: f"{value}c"}.get(size.kind, "a")


def read_spots(path: Path) -> list[Spot]:
    """The spots of a JSON file: one object, or a list under `spots`."""
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise ConfigError(f"{path} is missing; give a JSON file with a spot, or a saved solve") from None
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f'{path} cannot be read as JSON ({error}); give a spot, or {{"spots": [...]}}') from None
    objects = content["spots"] if isinstance(content, dict) and "spots" in content else [content]
    if not isinstance(objects, list):
        raise ConfigError(f"{path}: spots is a list of spots, not {type(objects).__name__}")
    if not objects:
        raise ConfigError(f"{path} holds no spot")
    return [Spot.from_plain(one) for one in objects]
