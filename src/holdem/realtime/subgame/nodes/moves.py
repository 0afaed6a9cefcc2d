"""What a player may do in the tree of a subgame: a kind, and an amount where there is one.

A label (`Bet(45)`, `Call`) is a move as people read and write it: in paths, in files and on screens, and nowhere else.
"""

from enum import Enum
from typing import NamedTuple


class MoveKind(Enum):
    """Kinds of moves with the words of their labels."""

    FOLD = "Fold"
    CHECK = "Check"
    CALL = "Call"
    BET = "Bet"
    RAISE = "Raise"
    ALL_IN = "AllIn"


RAISING = (MoveKind.BET, MoveKind.RAISE, MoveKind.ALL_IN)


class Move(NamedTuple):
    """`amount`: the total of the street after a bet or raise; an all-in that people name may lack it."""

    kind: MoveKind
    amount: int | None = None

    @property
    def raises(self) -> bool:
        """Whether it is a bet or a raise."""
        return self.kind in RAISING

    def __str__(self) -> str:
        return self.kind.value if self.amount is None else f"{self.kind.value}({self.amount})"


FOLD, CHECK, CALL = Move(MoveKind.FOLD), Move(MoveKind.CHECK), Move(MoveKind.CALL)


def move_of(label: str) -> Move:
    """The move of a label as `parse_path` writes it."""
    word, _, rest = label.partition("(")
    return Move(MoveKind(word), int(rest.rstrip(")")) if rest else None)
