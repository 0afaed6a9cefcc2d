"""What every litmus check has in common: its keys in YAML, and what it says when it has looked at a policy.

A kind of check is one class in `litmus_checks/`: its fields are its keys in the file, and `judge` looks at the policy.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from holdem.cards.cards import Cards
from holdem.errors import ConfigError
from holdem.evaluation.litmus.spots import LitmusSpot, NotInThisGame, PolicySpots
from holdem.types import Config

ActionName = Literal["fold", "check", "call", "raise", "all-in", "play"]
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


@dataclass
class Findings:
    """What a check saw. `judged` and `unvisited` count hands; `closest` is the figure nearest to its limit."""

    judged: int = 0
    unvisited: int = 0
    violations: list[Violation] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
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
    seen: set[tuple[int, Cards]] = set()
    for line in lines:
        try:
            spot = spots.at(line)
            if (spot.node, spot.board) not in seen:  # at a small table two lines may be the same
                seen.add((spot.node, spot.board))
                judge(spot, findings)
                findings.notes += spot.replaced
        except NotInThisGame as error:
            findings.left_out.append(str(error))
    return findings


def percent(share: float) -> str:
    """`4.2 %`, with as many digits as a small share needs."""
    return f"{100 * share:.3g} %" if abs(share) < 0.1 else f"{100 * share:.1f} %"
