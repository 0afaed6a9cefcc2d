"""Evaluator, index and equities beside bare loops of the same shape."""

import numpy as np
import numpy.typing as npt
from phevaluator import evaluate_cards

from benchmarks.measurement import Measurement, best_seconds
from holdem.cards.cards import HOLE_CARDS
from holdem.cards.equity import suit_symmetries
from holdem.cards.kernels.equity import add_board_equities, complete_boards
from holdem.cards.kernels.evaluator import (
    CARD_KEYS,
    COLUMN_MASK,
    ROW_SHIFT,
    STRENGTH,
    board_strengths,
    count_seven_card_strengths,
    evaluate_seven_card_hands,
)
from holdem.cards.kernels.evaluator_tables import COLUMN_BITS
from holdem.cards.kernels.index import index_hands
from holdem.cards.ranges import Range
from holdem.util.jit import kernel

HANDS = 2_000_000


@kernel
def bare_lookups(hands: npt.NDArray[np.uint8], results: npt.NDArray[np.int16]) -> None:
    """What any table evaluator must do: seven card reads, a sum, and one read of the packed table."""
    for i in range(hands.shape[0]):
        hand = hands[i]
        key = (
            CARD_KEYS[hand[0]]
            + CARD_KEYS[hand[1]]
            + CARD_KEYS[hand[2]]
            + CARD_KEYS[hand[3]]
            + CARD_KEYS[hand[4]]
            + CARD_KEYS[hand[5]]
            + CARD_KEYS[hand[6]]
        ) & 0xFFFFFFFF
        results[i] = STRENGTH[ROW_SHIFT[key >> COLUMN_BITS] + (key & COLUMN_MASK)]


@kernel
def evaluate_all_boards(boards: npt.NDArray[np.uint8], strengths: npt.NDArray[np.int16]) -> None:
    for i in range(boards.shape[0]):
        board_strengths(boards[i], strengths)


def run() -> list[Measurement]:
    return [*_evaluator(), *_index(), *_river()]


def _evaluator() -> list[Measurement]:
    hands = np.random.default_rng(1).random((HANDS, 52)).argpartition(7, axis=1)[:, :7].astype(np.uint8)
    strengths = np.empty(HANDS, dtype=np.int16)
    histogram = np.zeros(7463, dtype=np.int64)
    ours = best_seconds(lambda: evaluate_seven_card_hands(hands, strengths)) / HANDS
    bare = best_seconds(lambda: bare_lookups(hands, strengths)) / HANDS
    some = hands[:20_000].tolist()
    oracle = best_seconds(lambda: [evaluate_cards(*hand) for hand in some], 1) / len(some)
    census = best_seconds(lambda: count_seven_card_strengths(0, 52, histogram))
    return [
        Measurement("random 7-card hand", ours * 1e9, "ns", "bare table loop", bare * 1e9, "≤ 1.5×"),
        Measurement("random 7-card hand", ours * 1e9, "ns", "phevaluator from Python", oracle * 1e9),
        Measurement("all 133,784,560 hands", census, "s", "at 3.3 ns a hand", 133_784_560 * 3.3e-9, "seconds"),
    ]


def _index() -> list[Measurement]:
    lines = []
    for board in (3, 4, 5):
        hands = np.random.default_rng(board).random((HANDS // 2, 52)).argpartition(7, axis=1)
        hands = hands[:, : 2 + board].astype(np.uint8)
        indices = np.empty(len(hands), dtype=np.int64)
        seconds = best_seconds(lambda hands=hands, indices=indices: index_hands(hands, indices)) / len(hands)  # type: ignore[misc]
        lines.append(Measurement(f"index of hole + {board} cards", seconds * 1e9, "ns", target="< 200 ns"))
    return lines


def _river() -> list[Measurement]:
    everyone = Range.parse("random")
    boards, multiplicities = np.empty((2_598_960, 5), dtype=np.uint8), np.empty(2_598_960, dtype=np.int64)
    count = complete_boards(np.empty(0, dtype=np.uint8), suit_symmetries(everyone, ()), boards, multiplicities)
    low, high = HOLE_CARDS[:, 0].astype(np.uint8), HOLE_CARDS[:, 1].astype(np.uint8)
    strengths = np.empty(1326, dtype=np.int16)
    bare = best_seconds(lambda: evaluate_all_boards(boards[:count], strengths), 1)
    sums = np.zeros((3, 1326))
    ours = best_seconds(
        lambda: add_board_equities(boards[:count], multiplicities[:count], low, high, everyone.weights, *sums),
        1,
    )
    return [
        Measurement(f"all hands on {count:,} rivers: equities", ours, "s", "strengths only", bare, "≤ 10×"),
    ]
