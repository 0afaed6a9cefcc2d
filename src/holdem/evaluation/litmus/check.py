"""What every litmus check has in common: its keys in YAML, and what it says when it has looked at a policy.

A kind of check is one class in `checks/`: its fields are its keys in the file, and `judge` looks at the policy.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator, BeforeValidator, Field

from holdem.cards.cards import Cards
from holdem.errors import ConfigError
from holdem.evaluation.litmus.spots import ACTIONS, LitmusSpot, NotInThisGame, PolicySpots
from holdem.types import Config
from holdem.util.arrays import Bools, Float64

TRAINED = 0.9
"""A figure about a whole range is judged if training visited this share of its hands; the rest may hide as much."""

NEVER = 1e-3
"""A hand that plays its own part of the way to a spot more rarely than this does not come there."""


def _known_action(value: str) -> str:
    for word in value.split(" or "):
        if word not in ACTIONS:
            raise ConfigError(f"action {value!r} is not known; write {', '.join(ACTIONS)}, or two as in check or raise")
    return value


ActionName = Annotated[str, AfterValidator(_known_action)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


_TABLES = ("2", "3", "4", "5", "6")


def _one_is_a_list(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


def _player_range(value: Any) -> Any:
    """`2`, `[2, 3]` or `3-6` as a tuple of numbers."""
    if isinstance(value, int):
        return (value,)
    if isinstance(value, str):
        low, dash, high = value.partition("-")
        numbers = [number.strip() for number in ((low, high) if dash else (low,))]
        if not all(number in _TABLES for number in numbers):
            raise ConfigError(f"players {value!r} is not a number of players; write 2, [2, 3] or 3-6")
        return tuple(range(int(numbers[0]), int(numbers[-1]) + 1))
    return value


Lines = Annotated[tuple[str, ...], BeforeValidator(_one_is_a_list), Field(min_length=1)]
Players = Annotated[tuple[int, ...], BeforeValidator(_player_range), Field(min_length=1)]


@dataclass(frozen=True)
class Violation:
    """Where a policy does something absurd, and how much: `found` beyond `limit`, both shares between 0 and 1."""

    where: str
    what: str
    found: float
    limit: float


@dataclass(frozen=True)
class ShareFigure:
    """How often a position does something, and the band that is wanted; `found` is None where nothing is known.

    line: the spot in the words of the file; trained: the share of its hands whose rows training visited
    """

    position: str
    line: str
    found: float | None
    low: float
    high: float
    trained: float


@dataclass
class Findings:
    """What a check saw. `judged` and `unvisited` count hands; `closest` is the figure nearest to its limit.

    untrained: places that it could not judge because training visited too few of their rows, a sentence each
    figures: what a check of shares measured, position by position
    """

    judged: int = 0
    unvisited: int = 0
    violations: list[Violation] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    untrained: list[str] = field(default_factory=list)
    figures: list[ShareFigure] = field(default_factory=list)
    closest: tuple[float, float] | None = None

    def compare(self, found: float, limit: float, at_most: bool, where: str, what: str) -> None:
        """Note a figure, and a violation if it is beyond its limit."""
        beyond = found - limit if at_most else limit - found
        if self.closest is None or beyond > self._worst:
            self.closest, self._worst = (found, limit), beyond
        if beyond > 1e-9:
            self.violations.append(Violation(where, what, found, limit))

    _worst: float = float("-inf")


class LitmusCheck(Config, ABC):
    """Keys that every check has. `cause` says what usually makes it fail, in words for whoever has to mend it."""

    kind: str
    name: str
    players: Players = (2, 3, 4, 5, 6)
    """Tables that it is for."""
    cause: str

    @abstractmethod
    def judge(self, spots: PolicySpots) -> Findings:
        """Look at a policy."""


def judge_lines(
    spots: PolicySpots, lines: Sequence[str], findings: Findings, judge: Callable[[LitmusSpot, Findings], None]
) -> Findings:
    """Judge every spot once; those that the game does not have are left out. Returns the findings."""
    seen: set[tuple[tuple[int, ...], Cards]] = set()
    for line in lines:
        try:
            spot = spots.at(line)
            if (spot.nodes, spot.board) not in seen:  # at a small table two lines may be the same
                seen.add((spot.nodes, spot.board))
                judge(spot, findings)
                findings.notes += spot.replaced
        except NotInThisGame as error:
            findings.left_out.append(str(error))
    return findings


def is_trained(
    spot: LitmusSpot, frequency: Float64, findings: Findings, hands: Bools | None = None, enough: float = TRAINED
) -> bool:
    """Count the hands of a spot as judged and as never visited; too few visited: say so, and judge nothing there.

    What counts is the range that comes to the spot by its own strategy: training need not visit hands that never do.
    """
    asked = spot.possible if hands is None else spot.possible & hands
    known = asked & ~np.isnan(frequency)
    findings.unvisited += int((asked & ~known).sum())
    if not known.any() and spot.own_reach[asked].max() < NEVER:
        return False
    share = trained_share(spot, asked, known)
    if not known.any() or share < enough:
        findings.untrained.append(f"{spot.where}: training visited {percent(share)} of its range")
        return False
    findings.judged += int(known.sum())
    return True


def trained_share(spot: LitmusSpot, asked: Bools, known: Bools) -> float:
    """How much of the range that comes to a spot is known; of all hands asked for if none of them ever comes."""
    weights = np.where(asked, spot.own_reach, 0.0)
    weights = weights if weights.any() else asked.astype(np.float64)
    return float(weights[known].sum() / weights.sum())


def percent(share: float) -> str:
    """`4.2 %`, with as many digits as a small share needs."""
    return f"{100 * share:.3g} %" if abs(share) < 0.1 else f"{100 * share:.1f} %"
