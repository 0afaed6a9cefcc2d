"""Exact equities of all 169 × 169 preflop all-ins, from counts that come with the package.

table = preflop_equities()
table.equity[class_index("AA"), class_index("KK")]    # 0.8194...
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from holdem.cards.cards import HOLE_MASKS
from holdem.cards.equity import Equity
from holdem.cards.ranges import CLASS_NAMES, CLASS_OF_HOLE, CLASS_SIZES, NUM_CLASSES, Range
from holdem.errors import CardError
from holdem.util.arrays import Float64

TABLE_PATH = Path(__file__).with_name("preflop_table.npz")
BOARDS_PER_PAIR = 1_712_304
"""Boards that two hands leave: 48 choose 5."""


@dataclass(frozen=True)
class PreflopEquities:
    """Class against class, all (169, 169), in the numbering of `holdem.cards.ranges`.

    wins: int64, deals that the row's class wins, of `combinations * BOARDS_PER_PAIR`
    ties: int64
    combinations: int64, pairs of hands of the two classes that share no card
    equity: float64, of the row's class against the column's, ties counted half
    """

    wins: npt.NDArray[np.int64]
    ties: npt.NDArray[np.int64]
    combinations: npt.NDArray[np.int64]
    equity: npt.NDArray[np.float64]


@cache
def preflop_equities() -> PreflopEquities:
    """The table, read once."""
    with np.load(TABLE_PATH) as file:
        wins = file["wins"].astype(np.int64)
    combinations = joint_combinations()
    deals = combinations * BOARDS_PER_PAIR
    ties = deals - wins - wins.T
    table = PreflopEquities(wins, ties, combinations, (wins + ties / 2) / deals)
    for array in (table.wins, table.ties, table.combinations, table.equity):
        array.setflags(write=False)
    return table


@cache
def class_equities() -> Float64:
    """(169,): equity of each class against a random hand."""
    table = preflop_equities()
    equities: Float64 = (table.equity * table.combinations).sum(axis=1) / table.combinations.sum(axis=1)
    equities.setflags(write=False)
    return equities


def class_weights(hands: Range) -> Float64 | None:
    """(169,): the weight of each class; None if hands of one class differ, as the table knows classes only, or if there
    is no hand at all.
    """
    weights: Float64 = np.bincount(CLASS_OF_HOLE, weights=hands.weights, minlength=NUM_CLASSES) / CLASS_SIZES
    whole = np.allclose(weights[CLASS_OF_HOLE], hands.weights, rtol=0.0, atol=1e-12)
    return weights if whole and weights.any() else None


def preflop_equity(first: Float64, second: Float64) -> Equity:
    """Before the flop, of a range against another, both (169,) weights of classes: the same as counting all deals."""
    table = preflop_equities()
    deals = float(first @ (table.combinations * BOARDS_PER_PAIR) @ second)
    win, tie = float(first @ table.wins @ second) / deals, float(first @ table.ties @ second) / deals
    return Equity(win + tie / 2, win, tie, 0.0, deals, exact=True)


def joint_combinations() -> npt.NDArray[np.int64]:
    """(169, 169): how many pairs of hands of two classes share no card, by going through all pairs."""
    disjoint = (HOLE_MASKS[:, None] & HOLE_MASKS[None, :]) == 0
    first, second = np.nonzero(disjoint)
    cells = CLASS_OF_HOLE[first].astype(np.int64) * NUM_CLASSES + CLASS_OF_HOLE[second]
    return np.bincount(cells, minlength=NUM_CLASSES**2).reshape(NUM_CLASSES, NUM_CLASSES).astype(np.int64)


def class_index(name: str) -> int:
    """Number of a class by its name: `AA`, `AKs`, `72o`."""
    try:
        return CLASS_NAMES.index(name)
    except ValueError:
        raise CardError(f"{name!r} is not one of the 169 classes; write AA, AKs or AKo") from None
