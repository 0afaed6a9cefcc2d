"""Compiled all-in shares of two to six hands: what part of a pot each of its contenders wins on average, exactly.

A pot has some of the players as contenders, so there are up to 2**players - 1 of them. Every complete board is looked
at once, and only the order of the hands is counted: how many players beat each one, a number below the number of
players, and all of these as the digits of one number. What every group of contenders wins follows from these counts.
"""

import numpy as np

from holdem.cards.kernels.evaluator import CARD_BITS, CARD_KEYS, START_KEYS, strength_of
from holdem.util.arrays import Float64, Int64, UInt8
from holdem.util.jit import kernel

MAX_SEATS, BOARD = 6, 5
PARTS = 60
"""Pots are counted in sixtieths, which two to six winners can split: sums of whole numbers are exact."""


@kernel
def count_orders(holes: UInt8, board: UInt8, deck: UInt8, orders: Int64) -> int:
    """Count how the hands rank on every completion of a board; returns the number of completions.

    holes: (players, 2); board: (up to 5,); deck: the cards that may come; orders: (players ** players,), cleared here
    """
    players, given = holes.shape[0], board.shape[0]
    missing = BOARD - given
    orders[:] = 0
    powers = np.ones(MAX_SEATS, dtype=np.int64)
    for p in range(1, players):
        powers[p] = powers[p - 1] * players
    hole_keys, hole_bits = np.zeros(MAX_SEATS, dtype=np.int64), np.zeros(MAX_SEATS, dtype=np.int64)
    for p in range(players):
        hole_keys[p] = CARD_KEYS[holes[p, 0]] + CARD_KEYS[holes[p, 1]]
        hole_bits[p] = CARD_BITS[holes[p, 0]] | CARD_BITS[holes[p, 1]]
    # Keys and bits of the board with its first so many missing cards.
    keys, bits = np.zeros(BOARD + 1, dtype=np.int64), np.zeros(BOARD + 1, dtype=np.int64)
    keys[0] = START_KEYS[7]
    for card in board:
        keys[0] += CARD_KEYS[card]
        bits[0] |= CARD_BITS[card]
    choice = np.arange(BOARD)
    strengths = np.zeros(MAX_SEATS, dtype=np.int64)
    for j in range(missing):
        keys[j + 1] = keys[j] + CARD_KEYS[deck[choice[j]]]
        bits[j + 1] = bits[j] | CARD_BITS[deck[choice[j]]]
    boards, left = 0, deck.shape[0]
    while True:
        boards += 1
        for p in range(players):
            strengths[p] = strength_of(keys[missing] + hole_keys[p], bits[missing] | hole_bits[p])
        order = 0
        for p in range(players):
            for q in range(p):
                order += powers[p] * np.int64(strengths[q] > strengths[p])
                order += powers[q] * np.int64(strengths[p] > strengths[q])
        orders[order] += 1
        # The next set of missing cards, the last one moving fastest.
        j = missing - 1
        while j >= 0 and choice[j] == left - missing + j:
            j -= 1
        if j < 0:
            return boards
        choice[j] += 1
        for k in range(j + 1, missing):
            choice[k] = choice[k - 1] + 1
        for k in range(j, missing):
            keys[k + 1] = keys[k] + CARD_KEYS[deck[choice[k]]]
            bits[k + 1] = bits[k] | CARD_BITS[deck[choice[k]]]


@kernel
def shares_of_orders(orders: Int64, boards: int, shares: Float64) -> None:
    """The mean share of every player in every pot. shares: (2 ** players, players), 0 where it is no contender."""
    groups, players = shares.shape
    parts = np.zeros((groups, players), dtype=np.int64)
    beaten_by = np.zeros(MAX_SEATS, dtype=np.int64)
    for order in range(orders.shape[0]):
        if orders[order] == 0:
            continue
        rest = order
        for p in range(players):
            beaten_by[p] = rest % players
            rest //= players
        for group in range(1, groups):
            best, winners = players, 0
            for p in range(players):
                if (group >> p) & 1:
                    if beaten_by[p] < best:
                        best, winners = beaten_by[p], 1
                    elif beaten_by[p] == best:
                        winners += 1
            for p in range(players):
                if (group >> p) & 1 and beaten_by[p] == best:
                    parts[group, p] += orders[order] * (PARTS // winners)
    for group in range(groups):
        for p in range(players):
            shares[group, p] = parts[group, p] / (np.float64(PARTS) * boards)


@kernel
def shares_by_street(holes: UInt8, board: UInt8, board_cards: Int64, shares: Float64) -> None:
    """The shares of a whole deal on each street, by the cards that lie there, from a deck of 52.

    holes: (players, 2); board: (5,); board_cards: (streets,); shares: (streets, 2 ** players, players)
    """
    players = holes.shape[0]
    orders = np.zeros(players**players, dtype=np.int64)
    deck = np.zeros(52, dtype=np.uint8)
    for street in range(board_cards.shape[0]):
        shown = board[: board_cards[street]]
        dealt = 0
        for p in range(players):
            dealt |= CARD_BITS[holes[p, 0]] | CARD_BITS[holes[p, 1]]
        for card in shown:
            dealt |= CARD_BITS[card]
        left = 0
        for card in range(52):
            if not dealt & CARD_BITS[card]:
                deck[left] = card
                left += 1
        boards = count_orders(holes, shown, deck[:left], orders)
        shares_of_orders(orders, boards, shares[street])
