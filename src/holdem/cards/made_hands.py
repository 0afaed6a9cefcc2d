"""What people call a hand on a board: top pair, a set, a flush draw; for all 1,326 hole pairs at once.

From a straight up a hand is its best five cards. Below that only what the own two cards bring counts, because what
lies on the board is everybody's: on KK7, AQ is ace high and A7 a middle pair. A pair that is not among the best five
cards is none (33 on KK772), and where the board is paired, everybody with a pair has two, so that a hand is named by
the higher one of its own. On a river no hand loses to one with a later name.

    made, draws = made_hands(parse_cards("Ks7d2c"))
    MADE_NAMES[made[hole_index(*parse_cards("KhQh"))]]     # "top pair"
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from holdem.cards.cards import HOLE_CARDS, NUM_CARDS, NUM_HOLE_PAIRS, Cards, check_distinct
from holdem.errors import CardError
from holdem.util.arrays import Int8, Int64

MADE_NAMES = (
    "straight flush", "quads", "full house", "flush", "straight", "set", "trips", "two pair", "overpair", "top pair",
    "underpair", "middle pair", "weak pair", "ace high", "king high", "nothing",
)  # fmt: skip
"""Best first. An underpair is in the hole, between the two highest ranks of the board; a middle pair has the second
rank of the board; a weak pair is any other one, also in the hole."""
DRAW_NAMES = ("combo draw", "flush draw", "straight draw", "gutshot", "no draw")
"""Best first; a straight draw is open-ended or a double gutshot, a combo draw is a flush draw with any of the two that
make a straight. On the river nobody draws."""
(STRAIGHT_FLUSH, QUADS, FULL_HOUSE, FLUSH, STRAIGHT, SET, TRIPS, TWO_PAIR, OVERPAIR, TOP_PAIR, UNDERPAIR, MIDDLE_PAIR,
 WEAK_PAIR, ACE_HIGH, KING_HIGH, NOTHING) = range(16)  # fmt: skip
COMBO_DRAW, FLUSH_DRAW, STRAIGHT_DRAW, GUTSHOT, NO_DRAW = range(5)
IMPOSSIBLE = -1

ACE, KING = 12, 11
RIVER_CARDS = 5


@lru_cache(maxsize=256)
def made_hands(board: Cards) -> tuple[Int8, Int8]:
    """(1326,) places in MADE_NAMES and (1326,) in DRAW_NAMES on a board of 3 to 5 cards; -1 for hands that touch it."""
    if not 3 <= len(check_distinct(board)) <= RIVER_CARDS:
        raise CardError(f"the board has {len(board)} cards; hands have names on 3, 4 or 5")
    held = np.zeros((NUM_HOLE_PAIRS, NUM_CARDS), dtype=np.int8)
    held[np.arange(NUM_HOLE_PAIRS), HOLE_CARDS[:, 0]] = held[np.arange(NUM_HOLE_PAIRS), HOLE_CARDS[:, 1]] = 1
    cards = held.copy()
    cards[:, list(board)] += 1
    touching = np.asarray((cards > 1).any(axis=1))
    made = _made(held.reshape(-1, 13, 4), cards.reshape(-1, 13, 4), board)
    draws = _draws(held.reshape(-1, 13, 4), cards.reshape(-1, 13, 4), board, made)
    made[touching] = draws[touching] = IMPOSSIBLE
    made.setflags(write=False)
    draws.setflags(write=False)
    return made, draws


def _made(held: Int8, cards: Int8, board: Cards) -> Int8:
    """held, cards: (hands, ranks, suits), without and with the board."""
    ranks = cards.sum(axis=2)
    flush_suit = cards.sum(axis=1) >= 5
    of_a_suit = np.stack([_straight(_rank_bits(cards[:, :, suit])) >= 0 for suit in range(4)], axis=1)
    pairs = (ranks >= 2).sum(axis=1)
    three = (ranks >= 3).any(axis=1)
    conditions = [
        of_a_suit.any(axis=1),
        (ranks >= 4).any(axis=1),
        three & (pairs >= 2),
        flush_suit.any(axis=1),
        _straight(_rank_bits(ranks)) >= 0,
    ]
    return np.select(conditions, list(range(SET)), _below_a_straight(held, board)).astype(np.int8)


def _below_a_straight(held: Int8, board: Cards) -> Int8:
    """What the own cards bring, full houses and better aside."""
    own = held.sum(axis=2)
    on_board = np.bincount([card >> 2 for card in board], minlength=13)
    different = np.flatnonzero(on_board)[::-1]
    pocket = (own == 2).any(axis=1)
    highest = ACE - np.argmax(own[:, ::-1] > 0, axis=1)
    paired = (own > 0) & (on_board > 0)
    best_paired = np.where(paired.any(axis=1), ACE - np.argmax(paired[:, ::-1], axis=1), -1)
    pairs = np.flatnonzero(on_board >= 2)
    plays = np.where(pocket, highest, best_paired) > (pairs[-2] if len(pairs) > 1 else -1)
    second = different[1] if len(different) > 1 else ACE
    conditions = [
        pocket & paired.any(axis=1),
        (paired & (on_board >= 2)).any(axis=1),
        (paired.sum(axis=1) == 2) & (len(pairs) == 0),
        pocket & (highest > different[0]),
        best_paired == different[0],
        pocket & (highest > second),
        (best_paired == second) & plays,
        plays,
        highest == ACE,
        highest == KING,
    ]
    return np.select(conditions, list(range(SET, NOTHING)), NOTHING).astype(np.int8)


def _draws(held: Int8, cards: Int8, board: Cards, made: Int8) -> Int8:
    """Draws in which an own card takes part, to something better than what is there."""
    if len(board) == RIVER_CARDS:
        return np.full(len(made), NO_DRAW, dtype=np.int8)
    flush_draw = ((cards.sum(axis=1) == 4) & (held.sum(axis=1) > 0)).any(axis=1) & (made > FLUSH)
    bits = _rank_bits(cards.sum(axis=2))
    board_bits = np.array([sum(1 << rank for rank in {card >> 2 for card in board})])
    outs = np.zeros(len(made), dtype=np.int64)
    for rank in range(13):
        outs += _straight(bits | 1 << rank) > _straight(board_bits | 1 << rank)
    outs[made <= STRAIGHT] = 0
    conditions = [flush_draw & (outs > 0), flush_draw, outs >= 2, outs == 1]
    return np.select(conditions, [COMBO_DRAW, FLUSH_DRAW, STRAIGHT_DRAW, GUTSHOT], NO_DRAW).astype(np.int8)


def _rank_bits(ranks: npt.NDArray[np.integer]) -> Int64:
    """(hands, ranks) counts as one bit for each rank that is there."""
    return np.asarray((ranks > 0) @ (1 << np.arange(13)))


def _straight(bits: Int64) -> Int64:
    """The highest rank of the best straight in rank bits, -1 without one; an ace is also below the deuce."""
    with_low_ace = (bits << 1) | (bits >> ACE)
    best = np.full(bits.shape, -1)
    for low in range(10):
        best = np.where(with_low_ace >> low & 31 == 31, low + 3, best)
    return best
