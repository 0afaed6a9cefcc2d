"""Ranges: how likely each of the 1,326 hole pairs is, and the notation people write them in.

    AA, TT-66, 22+        pairs, a run of pairs, pairs from twos up
    AKs, A2s+, AQs-A2s    suited: one hand, kickers from the deuce up to below the ace, a run of kickers
    KTo+, AK, AT+         offsuit; without s or o both
    AhKd                  one combination
    76s:0.5               with a weight between 0 and 1
    random                every hand

Entries are separated by commas or spaces; a later entry overrides an earlier one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from holdem.cards.cards import (
    HOLE_CARDS,
    NUM_CARDS,
    NUM_HOLE_PAIRS,
    RANKS,
    SUITS,
    Cards,
    format_cards,
    hole_cards,
    hole_index,
    parse_cards,
)
from holdem.errors import CardError

NUM_CLASSES = 169
LONGEST_ENTRY = 60
MOST_ENTRIES = 4 * NUM_HOLE_PAIRS
WRITE = "write AhKd, AKs, KTo+, TT-66, AQs-A2s or random"

_HYPHENS = str.maketrans("‐‑‒–—−", "------")
"""What articles and word processors put in its place."""
_BLANKS = re.compile(" ?([-:]) ?")
"""Around what joins the parts of an entry, as other programs write them: `QQ - 99`, `AA: 0.5`."""
_CLASS = rf"([{RANKS}])([{RANKS}])([so]?)"
_ENTRY = re.compile(rf"{_CLASS}(?:(\+)|-{_CLASS})?$", re.IGNORECASE)
_COMBINATION = re.compile(rf"([{RANKS}][{SUITS}]){{2}}$", re.IGNORECASE)

Kind = tuple[int, int, str]
"""High rank, low rank, and `s`, `o` or, for a pair, nothing."""


def class_name(kind: Kind) -> str:
    """`AKs` for (12, 11, "s")."""
    return RANKS[kind[0]] + RANKS[kind[1]] + kind[2]


def _kind_of(index: int) -> Kind:
    low, high = hole_cards(index)
    suffix = "" if low >> 2 == high >> 2 else "s" if low & 3 == high & 3 else "o"
    return high >> 2, low >> 2, suffix


_KINDS = [_kind_of(index) for index in range(NUM_HOLE_PAIRS)]
_COMBINATIONS: dict[Kind, list[int]] = {}
for _index, _kind in enumerate(_KINDS):
    _COMBINATIONS.setdefault(_kind, []).append(_index)


def class_number(kind: Kind) -> int:
    """Number of a class, 0..168, the same as its preflop `hand_index`: suited hands first, then the rest."""
    high, low, suffix = kind
    return high * (high - 1) // 2 + low if suffix == "s" else 78 + high * (high + 1) // 2 + low


CLASS_OF_HOLE = np.array([class_number(kind) for kind in _KINDS], dtype=np.int16)
CLASS_KINDS = tuple(sorted(_COMBINATIONS, key=class_number))
"""(1326,) int16, the class of each hole pair; and what each class is."""
CLASS_NAMES = tuple(class_name(kind) for kind in CLASS_KINDS)
CLASS_SIZES = np.bincount(CLASS_OF_HOLE, minlength=NUM_CLASSES)


def grid_cell(kind: Kind) -> tuple[int, int]:
    """Row and column in the usual 13 × 13 picture: aces first, suited above the diagonal."""
    high, low, suffix = kind
    return (12 - low, 12 - high) if suffix == "o" else (12 - high, 12 - low)


@dataclass(frozen=True, eq=False)
class Range:
    """Weights of the 1,326 hole pairs, `weights: (1326,) float64` between 0 and 1."""

    weights: npt.NDArray[np.float64]

    def __post_init__(self) -> None:
        weights = np.array(self.weights, dtype=np.float64)
        if weights.shape != (NUM_HOLE_PAIRS,):
            raise CardError(f"a range has {NUM_HOLE_PAIRS} weights, not {weights.shape}")
        if not np.all((weights >= 0.0) & (weights <= 1.0)):
            raise CardError("the weights of a range lie between 0 and 1")
        weights.setflags(write=False)
        object.__setattr__(self, "weights", weights)

    @classmethod
    def parse(cls, text: str) -> "Range":
        """A range from its notation; the error names the entry that cannot be read."""
        weights = np.zeros(NUM_HOLE_PAIRS)
        words = " ".join(text.removeprefix("\ufeff").translate(_HYPHENS).split())
        text = _BLANKS.sub(r"\1", words)
        if _COMBINATION.match(text.replace(" ", "")):
            text = text.replace(" ", "")
        entries = [entry for entry in re.split("[ ,;]+", text) if entry]
        if not entries:
            raise CardError("the range is empty; write hands such as `22+, A2s+, KTo+`, or `random`")
        if len(entries) > MOST_ENTRIES:
            raise CardError(f"the range has {len(entries):,} entries, more than {MOST_ENTRIES:,}; name each hand once")
        for entry in entries:
            if len(entry) > LONGEST_ENTRY:
                raise CardError(f"{entry[:LONGEST_ENTRY]!r}... is not a hand or range; {WRITE}")
            weights[_combinations_of(entry)] = _weight_of(entry)
        return cls(weights)

    def __str__(self) -> str:
        return ", ".join(_notation(self.weights))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and bool(np.array_equal(self.weights, other.weights))

    def __hash__(self) -> int:
        return hash(self.weights.tobytes())

    def without(self, cards: Cards) -> "Range":
        """The range with every hand that holds one of these cards removed."""
        blocked = np.isin(HOLE_CARDS, cards).any(axis=1)
        return Range(np.where(blocked, 0.0, self.weights))

    @property
    def combinations(self) -> float:
        """Sum of the weights: how many hands the range holds."""
        return float(self.weights.sum())

    def grid(self) -> npt.NDArray[np.float64]:
        """(13, 13): mean weight of each class, aces first, suited above the diagonal."""
        means = np.bincount(CLASS_OF_HOLE, weights=self.weights, minlength=NUM_CLASSES) / CLASS_SIZES
        grid = np.zeros((13, 13))
        for kind, mean in zip(CLASS_KINDS, means, strict=True):
            grid[grid_cell(kind)] = mean
        return grid


def _weight_of(entry: str) -> float:
    _, colon, text = entry.partition(":")
    if not colon:
        return 1.0
    try:
        weight = float(text)
    except ValueError:
        weight = -1.0
    if not 0.0 <= weight <= 1.0:
        raise CardError(f"{entry!r}: the weight {text!r} is not a number between 0 and 1")
    return weight


def _combinations_of(entry: str) -> list[int]:
    """Hole pairs that an entry names, weight aside."""
    text = entry.partition(":")[0]
    if text.lower() == "random":
        return list(range(NUM_HOLE_PAIRS))
    if _COMBINATION.match(text):
        first, second = parse_cards(text)
        return [hole_index(first, second)]
    match = _ENTRY.match(text)
    if not match:
        raise CardError(f"{entry!r} is not a hand or range; {WRITE}")
    high, low, suffix, plus, high2, low2, suffix2 = match.groups()
    start = _ordered(entry, high, low, suffix)
    if plus:
        kinds = list(_upwards(start))
    elif high2:
        kinds = list(_between(entry, start, _ordered(entry, high2, low2, suffix2)))
    else:
        kinds = [start]
    suffixes = {kind: ("s", "o") if kind[2] == "so" else (kind[2],) for kind in kinds}
    return [c for kind in kinds for s in suffixes[kind] for c in _COMBINATIONS[(kind[0], kind[1], s)]]


def _ordered(entry: str, first: str, second: str, suffix: str) -> Kind:
    ranks = sorted((RANKS.index(first.upper()), RANKS.index(second.upper())), reverse=True)
    if ranks[0] == ranks[1]:
        if suffix:
            raise CardError(f"{entry!r}: a pair is neither suited nor offsuit; write {first}{second}")
        return ranks[0], ranks[1], ""
    return ranks[0], ranks[1], suffix.lower() or "so"


def _upwards(start: Kind) -> Iterator[Kind]:
    high, low, suffix = start
    if high == low:
        yield from ((rank, rank, suffix) for rank in range(low, 13))
    else:
        yield from ((high, rank, suffix) for rank in range(low, high))


def _between(entry: str, start: Kind, end: Kind) -> Iterator[Kind]:
    (high, low, suffix), (high2, low2, suffix2) = start, end
    steps = range(min(low, low2), max(low, low2) + 1)
    if high == low and high2 == low2:
        yield from ((rank, rank, "") for rank in steps)
    elif suffix == suffix2 and high == high2 and "" not in (suffix, suffix2):
        yield from ((high, rank, suffix) for rank in steps)
    elif suffix == suffix2 and high - low == high2 - low2 and "" not in (suffix, suffix2):
        gap = high - low
        yield from ((rank + gap, rank, suffix) for rank in steps)
    else:
        raise CardError(f"{entry!r}: the ends of a run must share the high card or the gap, as in AQs-A2s or JTs-54s")


def _notation(weights: npt.NDArray[np.float64]) -> Iterator[str]:
    """Entries that parse back to exactly these weights: runs of whole classes, then single combinations."""
    if np.all(weights == weights[0]):
        yield "random" + _suffix(float(weights[0]))
        return
    whole = {kind: float(weights[c[0]]) for kind, c in _COMBINATIONS.items() if len({*weights[c].tolist()}) == 1}
    for suffix in ("", "s", "o"):
        for high in range(12, -1, -1) if suffix else (12,):
            lows = range(high - 1, -1, -1) if suffix else range(12, -1, -1)
            column = [(high if suffix else low, low, suffix) for low in lows]
            yield from _runs(column, whole)
    for kind, combinations in _COMBINATIONS.items():
        if kind not in whole:
            for index in combinations:
                if weights[index] > 0:
                    yield format_cards(reversed(hole_cards(index))) + _suffix(float(weights[index]))


def _runs(column: list[Kind], whole: dict[Kind, float]) -> Iterator[str]:
    """Neighbouring classes of one weight as `A5s+`, `AQs-A2s` or `AKs`, best hand first."""
    start = 0
    while start < len(column):
        weight = whole.get(column[start], 0.0)
        end = start
        while end + 1 < len(column) and whole.get(column[end + 1], 0.0) == weight:
            end += 1
        if weight > 0:
            yield _run_name(column, start, end) + _suffix(weight)
        start = end + 1


def _run_name(column: list[Kind], start: int, end: int) -> str:
    if start == end:
        return class_name(column[start])
    if start == 0:
        return class_name(column[end]) + "+"
    return f"{class_name(column[start])}-{class_name(column[end])}"


def _suffix(weight: float) -> str:
    return "" if weight == 1.0 else f":{weight!r}"


def joint_weight(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> float:
    """Sum over all pairs of hands that share no card of the product of their weights, (1326,) each."""
    return float(np.dot(first, opposing_weight(second)))


def opposing_weight(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(1326,): for each hand the weight of all hands of a range that share no card with it.

    The total, less the hands with the one card and with the other; the hand itself was taken away twice.
    """
    by_card = np.zeros(NUM_CARDS)
    np.add.at(by_card, HOLE_CARDS[:, 0], weights)
    np.add.at(by_card, HOLE_CARDS[:, 1], weights)
    against = weights.sum() - by_card[HOLE_CARDS[:, 0]] - by_card[HOLE_CARDS[:, 1]] + weights
    # Inclusion and exclusion leaves rounding noise where the true sum is zero.
    return np.where(against > 1e-9 * weights.sum(), against, 0.0)
