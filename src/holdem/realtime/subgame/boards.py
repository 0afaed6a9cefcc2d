"""The boards of a subgame up to renaming of suits.

Two next cards are one class if some renaming of suits that keeps the board so far and both ranges turns one into the
other. Only one board of each class is solved; at the deal its values are added once for every card of the class, with
the hands renamed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt

from holdem.cards.cards import HOLE_CARDS, NUM_CARDS, Cards
from holdem.util.arrays import Float64

Renaming = tuple[int, int, int, int]

IDENTITY: Renaming = (0, 1, 2, 3)


@dataclass(frozen=True)
class BoardClass:
    """Cards dealt since the root, the renamings that keep them, and one renaming for each card of the last class."""

    dealt: Cards
    group: list[Renaming]
    images: list[Renaming]


@dataclass(frozen=True)
class BoardTree:
    """All boards, level by level (level 0 is the root's board alone); children of a board are neighbours.

    level_start: first board of each level and the end; children: first child of each board and the end
    """

    root: Cards
    boards: list[BoardClass]
    level_start: list[int]
    children: list[int]

    @property
    def level_sizes(self) -> list[int]:
        """Number of boards of each level."""
        return np.diff(self.level_start).tolist()


def renamed_card(card: int, renaming: Renaming) -> int:
    """The card when suit s is called renaming[s]."""
    return (card & ~3) | renaming[card & 3]


def renamed_holes(renaming: Renaming) -> npt.NDArray[np.int64]:
    """(1326,): the hole pair that each becomes."""
    suits = np.array(renaming)
    cards = HOLE_CARDS.astype(np.int64)
    renamed = (cards & ~3) | suits[cards & 3]
    high, low = renamed.max(axis=1), renamed.min(axis=1)
    return np.asarray(high * (high - 1) // 2 + low)


def symmetries(board: Cards, ranges: tuple[Float64, Float64]) -> list[Renaming]:
    """The renamings of suits that keep the board (as a set) and both ranges."""
    kept: list[Renaming] = []
    for a, b, c, d in permutations(range(4)):
        renaming = (a, b, c, d)
        if {renamed_card(card, renaming) for card in board} != set(board):
            continue
        images = renamed_holes(renaming)
        if all(np.array_equal(weights, weights[images]) for weights in ranges):
            kept.append(renaming)
    return kept


def cards_left(board: Sequence[int]) -> list[int]:
    """The deck without a board, in order."""
    return [card for card in range(NUM_CARDS) if card not in board]


def enumerate_boards(root: Cards, ranges: tuple[Float64, Float64], levels: int, symmetric: bool = True) -> BoardTree:
    """The boards of `levels` streets from the root's on."""
    group = symmetries(root, ranges) if symmetric and levels > 1 else [IDENTITY]
    boards = [BoardClass((), group, [IDENTITY])]
    level_start, children = [0, 1], []
    for _ in range(levels - 1):
        for parent in boards[level_start[-2] : level_start[-1]]:
            children.append(len(boards))
            boards += _next_boards(root, parent)
        level_start.append(len(boards))
    children += [len(boards)] * (len(boards) + 1 - len(children))
    return BoardTree(root, boards, level_start, children)


def _next_boards(root: Cards, parent: BoardClass) -> list[BoardClass]:
    result = []
    seen = {*root, *parent.dealt}
    for card in range(NUM_CARDS):
        if card in seen:
            continue
        images: dict[int, Renaming] = {card: IDENTITY}
        for renaming in parent.group:
            images.setdefault(renamed_card(card, renaming), renaming)
        seen.update(images)
        keeping = [renaming for renaming in parent.group if renamed_card(card, renaming) == card]
        result.append(BoardClass((*parent.dealt, card), keeping, list(images.values())))
    return result
