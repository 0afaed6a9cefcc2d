"""A request to a solver: everything that it needs, and nothing that cannot be sent to another process."""

from dataclasses import dataclass, field
from enum import Enum

from holdem.game.actions import Action
from holdem.game.agent import PublicState
from holdem.realtime.search.street_solution import Line, Options
from holdem.realtime.search.street_tree import Menu
from holdem.realtime.subgame.groups.street import StreetGroups
from holdem.util.arrays import Float64


class Depth(Enum):
    """How far a tree goes."""

    END = "to the end"
    GROUPS = "with groups on the next street"
    DRAWN = "with groups on drawn rivers"
    THREE = "to the end, three players"
    SAMPLED = "sampled"


@dataclass(frozen=True)
class SolveRequest:
    """One solve. `ranges`: (seats, 1326) weights at the start of the street."""

    state: PublicState
    ranges: Float64
    menu: Menu
    depth: Depth
    later: Menu | None = None
    """Sizes of the streets after this one."""
    grouping: StreetGroups | None = None
    """Of the hands of a later street, if it is in groups."""
    locked: dict[Line, Options] = field(default_factory=dict)
    """The seat's own past decisions of this street, locked as they were played."""
    root: str = "unsafe"
    """Without a promise every root is unsafe."""
    promised: Float64 | None = None
    """(1326,) what the opponent's hands may take in place of entering, in chips × reach of the own range."""
    iterations: int | None = None
    """Exactly this number, whatever the time."""
    min_iterations: int = 100
    deadline: float | None = None
    """Of `time.monotonic`; the iterations above have priority."""
    seed: int = 0
    with_accuracy: bool = False
    """Whether the answer tells what a best response would gain: a traversal more, which only advice waits for."""
    own: Action | None = None
    """What somebody did at the decision asked about: a choice there, whatever the menu; with two players."""
