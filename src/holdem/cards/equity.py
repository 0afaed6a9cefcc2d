"""Equity: the share of the pot that a hand or range wins at showdown, ties counted half.

Exact by enumeration from any board, or by sampling with a standard error. Enumeration visits the completions of the
board up to the renamings of suits that leave the board and one of the ranges as they are: before the flop, 134,459
boards instead of 2,598,960 against a range that treats all suits alike. A board stands for its whole orbit, so what a
hand meets on all boards is the mean over the hand's own orbit of what is met on the boards that were visited.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import permutations
from math import comb, sqrt

import numpy as np
import numpy.typing as npt

from holdem.cards.cards import HOLE_CARDS, NUM_HOLE_PAIRS, Cards, check_distinct, hole_index, parse_cards
from holdem.cards.ranges import Range, joint_weight
from holdem.errors import CardError
from holdem.util.arrays import Float64
from holdem.util.parallel import run_chunks

HandOrRange = str | Iterable[int] | Range

_BOARDS_PER_CHUNK = 4096
_SAMPLES_PER_CHUNK = 250_000


@dataclass(frozen=True)
class Equity:
    """Chances of the first hand or range; those of the second are the mirror image."""

    equity: float
    win: float
    tie: float
    standard_error: float
    deals: float
    """Deals that were counted, hands times boards, or samples."""
    exact: bool

    @property
    def lose(self) -> float:
        return 1.0 - self.win - self.tie


def equity(
    hero: HandOrRange,
    villain: HandOrRange = "random",
    board: str | Iterable[int] = "",
    samples: int | None = None,
    seed: int = 0,
    threads: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Equity:
    """Equity of `hero` against `villain`: exact by default, by `samples` random deals if given.

    `progress`, if given, hears (finished, total) as the work goes on.
    """
    cards = _board_cards(board)
    first = _without_board(as_range(hero), cards)
    second = _without_board(as_range(villain), cards)
    if not joint_weight(first.weights, second.weights):
        raise CardError("the two hands cannot be dealt together: every combination shares a card")
    if samples is None:
        if len(suit_symmetries(first, cards)) > len(suit_symmetries(second, cards)):
            return _mirrored(_exact(second, first, cards, threads, progress))
        return _exact(first, second, cards, threads, progress)
    if samples < 2:
        raise CardError(f"{samples} samples give no standard error; use at least 2, or none for the exact value")
    return _sampled_result(*_sample(first, second, cards, samples, seed, threads, progress), samples)


def hand_equities(
    villain: HandOrRange = "random",
    board: str | Iterable[int] = "",
    threads: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Float64:
    """(1326,): exact equity of every hole pair against a range; NaN where the pair cannot be dealt."""
    cards = _board_cards(board)
    against = _without_board(as_range(villain), cards)
    everyone = _without_board(Range.parse("random"), cards)
    wins, ties, totals = _enumerate(against, cards, everyone, threads, progress)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(totals > 0, (wins + ties / 2) / totals, np.nan)


def equities_of_ranges(first: Float64, second: Float64, board: Cards, threads: int = 1) -> tuple[Float64, Float64]:
    """(1326,) of either range: exact equity of each of its hands against the other range, NaN where they never meet.

    first, second: (1326,) weights between 0 and 1. All rivers of a flop take about 0.1 s for two wide ranges.
    """
    ranges = [Range(weights).without(board) for weights in (first, second)]
    found = []
    for own, other in (ranges, ranges[::-1]):
        wins, ties, totals = _enumerate(other, board, own, threads, None)
        with np.errstate(invalid="ignore", divide="ignore"):
            found.append(np.where((own.weights > 0) & (totals > 0), (wins + ties / 2) / totals, np.nan))
    return found[0], found[1]


def as_range(hands: HandOrRange) -> Range:
    """A range from itself, its notation, or two cards."""
    if isinstance(hands, Range):
        return hands
    if isinstance(hands, str):
        return Range.parse(hands)
    cards = check_distinct(hands)
    if len(cards) != 2:
        raise CardError(f"a hand has two cards, not {len(cards)}")
    weights = np.zeros(NUM_HOLE_PAIRS)
    weights[hole_index(*cards)] = 1.0
    return Range(weights)


def _board_cards(board: str | Iterable[int]) -> Cards:
    cards = parse_cards(board) if isinstance(board, str) else check_distinct(board)
    if len(cards) > 5:
        raise CardError(f"a board of {len(cards)} cards is too large; give at most 5")
    return cards


def _without_board(hands: Range, board: Cards) -> Range:
    left = hands.without(board)
    if left.combinations <= 0.0:
        raise CardError(f"no hand of {str(hands)[:60]!r} can be dealt with that board; they share cards")
    return left


def suit_symmetries(hands: Range, board: Cards) -> npt.NDArray[np.int64]:
    """(group, 4): the renamings of suits that leave the board and the range as they are."""
    kept = []
    for renaming in permutations(range(4)):
        if {4 * (card >> 2) + renaming[card & 3] for card in board} != set(board):
            continue
        if np.array_equal(hands.weights, hands.weights[_renamed_holes(renaming)]):
            kept.append(renaming)
    return np.array(kept, dtype=np.int64)


def _renamed_holes(renaming: Iterable[int]) -> npt.NDArray[np.int64]:
    """(1326,): the hole pair that each becomes when suit s is called renaming[s]."""
    suits = np.array(tuple(renaming))
    cards = HOLE_CARDS.astype(np.int64)
    renamed = (cards & ~3) | suits[cards & 3]
    high, low = renamed.max(axis=1), renamed.min(axis=1)
    images: npt.NDArray[np.int64] = high * (high - 1) // 2 + low
    return images


def _enumerate(
    against: Range, board: Cards, hero: Range, threads: int, progress: Callable[[int, int], None] | None
) -> Float64:
    """(3, 1326): weight of `against` beaten, tied and met by each hand of `hero`, summed over all boards."""
    from holdem.cards.kernels.equity import add_board_equities, complete_boards  # compiled: see `holdem.cards`

    room = comb(52 - len(board), 5 - len(board))
    boards, multiplicities = np.empty((room, 5), dtype=np.uint8), np.empty(room, dtype=np.int64)
    renamings = suit_symmetries(against, board)
    count = complete_boards(np.array(board, dtype=np.uint8), renamings, boards, multiplicities)
    images = np.stack([_renamed_holes(renaming) for renaming in renamings])
    asked = (hero.weights[images] > 0).any(axis=0)
    hands = np.flatnonzero((against.weights > 0) | asked)
    low, high = HOLE_CARDS[hands, 0].astype(np.uint8), HOLE_CARDS[hands, 1].astype(np.uint8)
    parts: dict[int, Float64] = {}

    def work(start: int, stop: int) -> None:
        sums = np.zeros((3, len(hands)))
        add_board_equities(boards[start:stop], multiplicities[start:stop], low, high, against.weights[hands], *sums)
        parts[start] = sums

    run_chunks(work, count, _BOARDS_PER_CHUNK, threads, _counting(progress, count))
    visited = np.zeros((3, NUM_HOLE_PAIRS))
    for start in sorted(parts):
        visited[:, hands] += parts[start]
    everywhere: Float64 = visited[:, images].mean(axis=1)
    return everywhere


def _exact(
    hero: Range, villain: Range, board: Cards, threads: int, progress: Callable[[int, int], None] | None
) -> Equity:
    wins, ties, totals = _enumerate(villain, board, hero, threads, progress) @ hero.weights
    win, tie = float(wins / totals), float(ties / totals)
    return Equity(win + tie / 2, win, tie, 0.0, float(totals), exact=True)


def _mirrored(result: Equity) -> Equity:
    return replace(result, equity=1.0 - result.equity, win=result.lose)


def _sample(
    first: Range,
    second: Range,
    board: Cards,
    samples: int,
    seed: int,
    threads: int,
    progress: Callable[[int, int], None] | None,
) -> tuple[int, int]:
    from holdem.cards.kernels.equity import sample_equity

    mine, theirs = np.flatnonzero(first.weights > 0), np.flatnonzero(second.weights > 0)
    my_sums, their_sums = np.cumsum(first.weights[mine]), np.cumsum(second.weights[theirs])
    cards = np.array(board, dtype=np.uint8)
    counts: list[tuple[int, int]] = []

    def work(start: int, stop: int) -> None:
        counts.append(sample_equity(cards, mine, my_sums, theirs, their_sums, HOLE_CARDS, stop - start, seed, start))

    run_chunks(work, samples, _SAMPLES_PER_CHUNK, threads, _counting(progress, samples))
    return sum(wins for wins, _ in counts), sum(ties for _, ties in counts)


def _sampled_result(wins: int, ties: int, samples: int) -> Equity:
    win, tie = wins / samples, ties / samples
    mean = win + tie / 2
    variance = (win + tie / 4 - mean * mean) * samples / (samples - 1)
    return Equity(mean, win, tie, sqrt(max(variance, 0.0) / samples), samples, exact=False)


def _counting(progress: Callable[[int, int], None] | None, total: int) -> Callable[[int], None] | None:
    if progress is None:
        return None
    done = 0

    def count(finished: int) -> None:
        nonlocal done
        done += finished
        progress(done, total)

    return count
