"""Where a hand stands as far as its value is concerned: over, all-in, or at nodes of the blueprint's tree."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Folded:
    """Somebody folded: position 0 has won this many chips."""

    won: float


@dataclass(frozen=True)
class Showdown:
    """No more betting: the better hand wins `stake` from the other when the board is complete."""

    stake: float


@dataclass(frozen=True)
class StillBetting:
    """The betting goes on, at the nodes of the blueprint's tree that the real betting stands for.

    nodes: with their shares, which add up to 1; empty if the tree has no similar node; pot: chips in the middle;
    paid: what position 0 put in
    """

    nodes: tuple[tuple[int, float], ...]
    pot: float
    paid: float


Point = Folded | Showdown | StillBetting
