"""The bet-size language: which of the legal bets a tree contains, per street and raise number.

A menu is a comma-separated list of sizes; an empty menu means that one can only check or call.

    50%      bet half of the pot; as a raise: to the previous bet plus 50 % of the pot after calling
    2.5x     raise to 2.5 times the current bet on this street; before the flop the big blind (or the
             straddle) is a bet
    100c     a total of 100 chips on this street
    e        geometric: the pot fraction that, bet and called on every street left, ends all-in on the last
    2e, 3e   the same over two or three streets, this one included; `3e200%` stops at 200 % of the pot
    a        all-in

Amounts are rounded to the nearest chip, half a chip up. A size below the legal minimum is lifted to it, one
at or above the effective stack is all-in, and equal sizes are one. Text and objects stay in this file:
`compile_menus` turns a configuration into the small arrays that the tree builder reads.
"""

import math
import re
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from holdem.errors import ConfigError
from holdem.types import STREET_NAMES, GameConfig, StreetMenus
from holdem.util.words import counted


class SizeKind(IntEnum):
    """What the number of a size means; `NONE` pads the arrays."""

    NONE = 0
    POT = 1
    TIMES = 2
    CHIPS = 3
    GEOMETRIC = 4
    ALL_IN = 5


@dataclass(frozen=True)
class BetSize:
    """One size: `value` is per cent of the pot, a factor, chips or a number of streets (0: all left)."""

    kind: SizeKind
    value: float = 0.0
    cap: float = math.inf
    """Upper limit of a geometric size, in per cent of the pot."""


@dataclass(frozen=True)
class CompiledMenus:
    """Every menu of a game as numbers; the axes are [table, street, raise number, size].

    Table 0 is `sizes`, 1 `multiway_sizes`, 2 `crowd_sizes`; for the first raise before the flop, 3 has the menu after
    a limp and 4 + position that of the position.

    kinds: (4 + players, streets, raise numbers, sizes) int8, a `SizeKind`
    values, caps: the same shape, float64, as in `BetSize`
    """

    kinds: npt.NDArray[np.int8]
    values: npt.NDArray[np.float64]
    caps: npt.NDArray[np.float64]


LARGEST_NUMBER = 1e12
"""Of a size: more than any stack, and chips stay whole numbers of 64 bits."""
_NUMBER = r"(\d+(?:\.\d+)?)"
_PATTERNS = (
    (SizeKind.POT, re.compile(_NUMBER + "%")),
    (SizeKind.TIMES, re.compile(_NUMBER + "x")),
    (SizeKind.CHIPS, re.compile(r"(\d+)c")),
    (SizeKind.GEOMETRIC, re.compile(rf"(\d*)e(?:{_NUMBER}%)?")),
    (SizeKind.ALL_IN, re.compile("a()")),
)


def parse_size(token: str, where: str = "") -> BetSize:
    """One size of the language; `where` (such as `flop, raise 2`) goes into the error message."""
    text = token.strip().lower().replace(" ", "")
    for kind, pattern in _PATTERNS:
        match = pattern.fullmatch(text)
        if match is None:
            continue
        value = float(match[1] or 0)
        cap = float(match[2]) if kind is SizeKind.GEOMETRIC and match[2] else math.inf
        if any(float(number) > LARGEST_NUMBER for number in match.groups() if number):
            raise ConfigError(f"bet size {token.strip():.20}{_at(where)} is too large; write a, which is all-in")
        zero = value == 0 and match[1] != ""
        if zero or cap == 0 or (kind is SizeKind.TIMES and value <= 1):
            least = "more than 1x" if kind is SizeKind.TIMES else "more than 0"
            raise ConfigError(f"bet size {token.strip()!r}{_at(where)} is too small; write {least}")
        return BetSize(kind, value, cap)
    raise ConfigError(
        f"bet size {token.strip()!r}{_at(where)} is not understood; write 50% (of the pot), 2.5x (the bet), "
        "100c (chips), e, 2e or 3e (geometric) or a (all-in)"
    )


def parse_menu(text: str, where: str = "") -> tuple[BetSize, ...]:
    """The sizes of a comma-separated menu, in the order written."""
    if not text.strip():
        return ()
    return tuple(parse_size(token, where) for token in text.split(","))


def _at(where: str) -> str:
    return f" ({where})" if where else ""


def street_menus(menus: StreetMenus, street: int, opens_unbet: bool, field: str) -> list[tuple[BetSize, ...]]:
    """The parsed menus of a street by raise number; `opens_unbet`: its first bet has no bet to multiply."""
    name = STREET_NAMES[street]
    texts = menus.street(street)
    parsed = [parse_menu(text, f"{field}.{name}, raise {i + 1}") for i, text in enumerate(texts)]
    if not opens_unbet or not parsed[0]:
        return parsed
    times = [i for i, size in enumerate(parsed[0]) if size.kind is SizeKind.TIMES]
    # One menu may serve every raise number: its factors then wait for a raise, if something else opens.
    if times and (len(parsed) > 1 or len(times) == len(parsed[0])):
        token = texts[0].split(",")[times[0]].strip()
        raise ConfigError(
            f"bet size {token!r} ({field}.{name}, raise 1) multiplies a bet, and the opening bet of a street "
            "has none before it; open with a share of the pot such as 50% and keep x for raises: "
            f'{name}: ["50%", "{token}"]'
        )
    return parsed


def compile_menus(config: GameConfig) -> CompiledMenus:
    """Parse and check every menu of a game, and lay them out as arrays for the tree builder."""
    betting = config.betting
    _check_unused(config)
    streets = range(config.num_streets)
    opens_unbet = [street > 0 or config.big_blind == 0 for street in streets]
    plain = [street_menus(betting.sizes, s, opens_unbet[s], "sizes") for s in streets]
    tables = [plain]
    for field in ("multiway_sizes", "crowd_sizes"):
        menus: StreetMenus | None = getattr(betting, field)
        later = [street_menus(menus, s, True, field) for s in streets[1:]] if menus is not None else tables[-1][1:]
        tables.append([plain[0], *later])
    for limped, position in [(True, 0), *((False, position) for position in range(config.num_players))]:
        first = first_raise_menu(config, limped, position)
        tables.append(plain if first is None else [[first, *(plain[0][1:] or plain[0])], *plain[1:]])
    raise_numbers = max(len(menus) for table in tables for menus in table)
    widest = max(1, max(len(menu) for table in tables for menus in table for menu in menus))
    shape = (len(tables), config.num_streets, raise_numbers, widest)
    kinds = np.zeros(shape, dtype=np.int8)
    values = np.zeros(shape)
    caps = np.full(shape, math.inf)
    for which, street, number in np.ndindex(shape[:3]):
        by_number = tables[which][street]
        for i, size in enumerate(by_number[min(number, len(by_number) - 1)]):
            kinds[which, street, number, i] = size.kind
            values[which, street, number, i] = size.value
            caps[which, street, number, i] = size.cap
    return CompiledMenus(kinds, values, caps)


def first_raise_menu(config: GameConfig, limped: bool, position: int) -> tuple[BetSize, ...] | None:
    """The menu of the first raise before the flop that `isolation` or `opens` gives, None where `sizes` serves."""
    betting = config.betting
    if limped:
        return None if betting.isolation is None else parse_menu(betting.isolation, "isolation")
    if betting.opens is None:
        return None
    name = config.position_names[position]
    text = betting.opens.position(name)
    return None if text is None else parse_menu(text, f"opens.{name}")


def _check_unused(config: GameConfig) -> None:
    """Refuse menus that no node would ever read: they are a misunderstanding."""
    betting = config.betting
    later = {"multiway_sizes": betting.multiway_sizes, "crowd_sizes": betting.crowd_sizes}
    for field, menus in later.items():
        if menus is not None and any(text.strip() for text in menus.preflop):
            raise ConfigError(
                f"{field}.preflop is {list(menus.preflop)}, but before the flop `sizes` always serves; leave it out"
            )
    if betting.isolation is not None and (betting.limps is False or config.big_blind == 0):
        raise ConfigError(f"isolation is {betting.isolation!r}, but nobody may limp; leave it out or allow limps")
    for field, menus in ({"sizes": betting.sizes} | later).items():
        for street in range(config.num_streets, len(STREET_NAMES)):
            if menus is not None and any(text.strip() for text in menus.street(street)):
                raise ConfigError(
                    f"{field}.{STREET_NAMES[street]} is {list(menus.street(street))}, but the game has only "
                    f"{counted(config.num_streets, 'street')}; leave it out or lengthen board_cards"
                )


@dataclass(frozen=True)
class BettingSpot:
    """What a size needs to become chips. Totals count from the start of the hand, antes included."""

    level: int
    """The total that a player must have put in to stay."""
    street_base: int
    """The part of `level` that was put in before this street (before the blinds: the ante)."""
    chips_in: int
    """What the player to act has put in."""
    pot_after_call: int
    min_raise: int
    effective_stack: int
    """The largest total that this player can put in and some opponent can match."""
    streets_left: int
    """Streets still to bet on, this one included."""


def raise_totals(
    menu: tuple[BetSize, ...], spot: BettingSpot, merge_threshold: float = 0.0, all_in_threshold: float = 1.0
) -> list[int]:
    """The totals to which a menu raises in a spot, ascending: the plain form of the kernel of that name."""
    if spot.effective_stack <= spot.level:
        return []
    minimum = spot.level + spot.min_raise
    all_in_from = spot.chips_in + all_in_threshold * (spot.effective_stack - spot.chips_in)
    totals = set()
    for size in menu:
        if size.kind is SizeKind.TIMES and spot.level == spot.street_base:
            continue
        total = max(_wanted_total(size, spot), minimum)
        totals.add(spot.effective_stack if total >= all_in_from else total)
    kept: list[int] = []
    for total in sorted(totals):
        if kept and total - kept[-1] < merge_threshold * spot.pot_after_call:
            if total < spot.effective_stack:
                continue
            kept.pop()
        kept.append(total)
    return kept


def _wanted_total(size: BetSize, spot: BettingSpot) -> int:
    """The total that a size asks for, before the legal minimum and the stack have their say."""
    pot = spot.pot_after_call
    if size.kind is SizeKind.POT:
        return spot.level + math.floor(size.value * pot / 100 + 0.5)
    if size.kind is SizeKind.TIMES:
        return spot.street_base + math.floor(size.value * (spot.level - spot.street_base) + 0.5)
    if size.kind is SizeKind.CHIPS:
        return spot.street_base + int(size.value)
    if size.kind is SizeKind.GEOMETRIC:
        streets = size.value or float(spot.streets_left)
        behind = spot.effective_stack - spot.level
        percent = 50 * (((pot + 2 * behind) / pot) ** (1 / streets) - 1) if pot else 0.0
        return spot.level + math.floor(min(percent, size.cap) * pot / 100 + 0.5)
    return spot.effective_stack
