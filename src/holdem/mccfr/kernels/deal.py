"""Compiled dealers: they fill `rows` and `strengths` for a run of iterations, and no other kernel knows cards.

rows: (iterations, streets * players) int64, the bucket times the stride of that slot (street * players + player)
strengths: (iterations, players) int64, showdown order

The cards of iteration t come from the random stream (seed, 2t), whatever was dealt before; the traversal of that
iteration draws from (seed, 2t + 1). Dealing many hands in one go lets their reads of the bucket tables overlap.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from holdem.cards.kernels.evaluator import CARD_BITS, CARD_KEYS, START_KEYS, strength_of
from holdem.cards.kernels.index import index_of_bits
from holdem.util.arrays import Int64, UInt64
from holdem.util.jit import inline_kernel, kernel
from holdem.util.kernels.random_numbers import next_below, seed_stream

MAX_PLAYERS, MAX_BOARD = 6, 5

_BINOMIAL = np.array([[1] + [0] * 7] * 53, dtype=np.int64)
for _n in range(1, 53):
    for _k in range(1, 8):
        _BINOMIAL[_n, _k] = _BINOMIAL[_n - 1, _k - 1] + _BINOMIAL[_n - 1, _k]


class BucketTables(NamedTuple):
    """Buckets of the flop, the turn and the river by hand index, as bytes: (hands * width,) uint8 each, read-only.

    A bucket is one byte or two, the lower one first; widths: (3,) int64. A street that is not used has no bytes.
    """

    flop: npt.NDArray[np.uint8]
    turn: npt.NDArray[np.uint8]
    river: npt.NDArray[np.uint8]
    widths: Int64


@kernel
def deal_listed(
    seed: int, first: int, deal_rows: Int64, deal_strengths: Int64, state: UInt64, rows: Int64, strengths: Int64
) -> None:
    """Deals drawn from a list: deal_rows (deals, slots), deal_strengths (deals, players)."""
    for i in range(rows.shape[0]):
        seed_stream(state, seed, 2 * (first + i))
        deal = next_below(state, deal_rows.shape[0])
        for slot in range(rows.shape[1]):
            rows[i, slot] = deal_rows[deal, slot]
        for player in range(strengths.shape[1]):
            strengths[i, player] = deal_strengths[deal, player]


@inline_kernel
def draw_card(state: UInt64, deck_size: int, dealt: int) -> int:
    """A card that is not among the bits of `dealt`."""
    card = next_below(state, deck_size)
    while (dealt >> card) & 1:
        card = next_below(state, deck_size)
    return card


@kernel
def hand_index(hole_bits: int, board_bits: int, num_board: int) -> int:
    """`index_of_bits`, compiled once for all streets."""
    return index_of_bits(hole_bits, board_bits, num_board)


@inline_kernel
def bucket_at(table: npt.NDArray[np.uint8], width: int, index: int) -> int:
    """The bucket of a hand index."""
    bucket = np.int64(table[index * width])
    if width == 2:
        bucket |= np.int64(table[index * width + 1]) << 8
    return bucket


@kernel
def _look_up(
    table: npt.NDArray[np.uint8], width: int, first_slot: int, players: int, strides: Int64, rows: Int64
) -> None:
    """Turn the hand indices of one street in `rows` into rows. The reads do not wait for each other."""
    for i in range(rows.shape[0]):
        for slot in range(first_slot, first_slot + players):
            rows[i, slot] = bucket_at(table, width, rows[i, slot]) * strides[slot]


@kernel
def deal_holdem(
    seed: int,
    first: int,
    board_cards: Int64,
    streets_used: int,
    strides: Int64,
    tables: BucketTables,
    state: UInt64,
    rows: Int64,
    strengths: Int64,
) -> None:
    """Hold'em with 52 cards: 169 hands before the flop, buckets by table on later streets.

    board_cards: (streets,); streets_used: streets with decisions, the others need no bucket; strides: (slots,)
    """
    players = strengths.shape[1]
    board_size = board_cards[board_cards.shape[0] - 1]
    hole_bits = np.zeros(MAX_PLAYERS, dtype=np.int64)
    hole_keys = np.zeros(MAX_PLAYERS, dtype=np.int64)
    board_bits = np.zeros(MAX_BOARD + 1, dtype=np.int64)
    for i in range(rows.shape[0]):
        # Draw the cards; their bits are for the index, their keys for the evaluator.
        seed_stream(state, seed, 2 * (first + i))
        dealt, key = 0, START_KEYS[2 + board_size]
        for player in range(players):
            one = draw_card(state, 52, dealt)
            dealt |= 1 << one
            two = draw_card(state, 52, dealt)
            dealt |= 1 << two
            hole_bits[player] = CARD_BITS[one] | CARD_BITS[two]
            hole_keys[player] = CARD_KEYS[one] + CARD_KEYS[two]
        for j in range(board_size):
            card = draw_card(state, 52, dealt)
            dealt |= 1 << card
            key += CARD_KEYS[card]
            board_bits[j + 1] = board_bits[j] | CARD_BITS[card]
        # What a showdown needs, and the index of each hand on every street that has decisions.
        for player in range(players):
            strengths[i, player] = strength_of(key + hole_keys[player], hole_bits[player] | board_bits[board_size])
        for street in range(streets_used):
            num_board = board_cards[street]
            for player in range(players):
                rows[i, street * players + player] = hand_index(hole_bits[player], board_bits[num_board], num_board)
    # Indices become rows street by street, so that reads of a table overlap; before the flop the index is the bucket.
    for i in range(rows.shape[0]):
        for player in range(players):
            rows[i, player] *= strides[player]
    if streets_used > 1:
        _look_up(tables.flop, tables.widths[0], players, players, strides, rows)
    if streets_used > 2:
        _look_up(tables.turn, tables.widths[1], 2 * players, players, strides, rows)
    if streets_used > 3:
        _look_up(tables.river, tables.widths[2], 3 * players, players, strides, rows)


@inline_kernel
def _places(dealt: int, taken: int) -> int:
    """Colexicographic number of the set `dealt` of places when the places of `taken` are closed up."""
    number, size, place = 0, 0, 0
    while dealt:
        if dealt & 1:
            size += 1
            number += _BINOMIAL[place, size]
        if not taken & 1:
            place += 1
        dealt >>= 1
        taken >>= 1
    return number


@kernel
def deal_lossless(
    seed: int,
    first: int,
    cards: Int64,
    board_cards: Int64,
    strides: Int64,
    state: UInt64,
    rows: Int64,
    strengths: Int64,
) -> None:
    """Hold'em with the deck `cards`, every view of the cards its own bucket (`toy_games.bucket_of`)."""
    players, streets, deck_size = strengths.shape[1], board_cards.shape[0], cards.shape[0]
    holes = np.zeros(MAX_PLAYERS, dtype=np.int64)
    for i in range(rows.shape[0]):
        seed_stream(state, seed, 2 * (first + i))
        dealt = 0
        for player in range(players):
            one = 1 << draw_card(state, deck_size, dealt)
            two = 1 << draw_card(state, deck_size, dealt | one)
            holes[player] = one | two
            dealt |= one | two
        # On each street a hand's bucket is the number of its hole cards times the boards, plus that of the board.
        board, on_board = 0, 0
        for street in range(streets):
            while on_board < board_cards[street]:
                card = 1 << draw_card(state, deck_size, dealt)
                board |= card
                dealt |= card
                on_board += 1
            boards = _BINOMIAL[deck_size - 2, on_board]
            for player in range(players):
                bucket = _places(holes[player], 0) * boards + _places(board, holes[player])
                slot = street * players + player
                rows[i, slot] = bucket * strides[slot]
        # The strength on the last board, with the deck's places as cards again.
        for player in range(players):
            key, bits = START_KEYS[2 + on_board], 0
            for place in range(deck_size):
                if ((holes[player] | board) >> place) & 1:
                    key += CARD_KEYS[cards[place]]
                    bits |= CARD_BITS[cards[place]]
            strengths[i, player] = strength_of(key, bits)
