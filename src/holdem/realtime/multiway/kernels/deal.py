"""Compiled draws of the sampled solver: the board, the hands of the others, and where each hand stands among them."""

import numpy as np
import numpy.typing as npt

from holdem.cards.kernels.evaluator import CARD_BITS, board_strengths
from holdem.cards.kernels.index import index_of_bits
from holdem.realtime.multiway.kernels.arrays import HANDS, SampledDeal
from holdem.util.arrays import Int64, UInt8, UInt64
from holdem.util.jit import kernel
from holdem.util.kernels.random_numbers import next_below, next_unit, seed_stream


@kernel
def draw_runout(state: UInt64, board: UInt8, known: int) -> None:
    """Fill `board[known:]` with cards that are not on it."""
    used = 0
    for i in range(known):
        used |= 1 << np.int64(board[i])
    for i in range(known, 5):
        card = next_below(state, 52)
        while (used >> card) & 1:
            card = next_below(state, 52)
        used |= 1 << card
        board[i] = card


@kernel
def look_up_buckets(board: UInt8, size: int, table: UInt8, width: int, out: npt.NDArray[np.int32]) -> None:
    """Buckets of all hole pairs with the first `size` board cards into `out: (1326,)`, 0 where they share a card."""
    bits = 0
    for i in range(size):
        bits |= CARD_BITS[board[i]]
    hand = 0
    for high in range(52):
        for low in range(high):
            hole = CARD_BITS[high] | CARD_BITS[low]
            out[hand] = -1
            if not hole & bits:
                out[hand] = index_of_bits(hole, bits, size)
            hand += 1
    for h in range(HANDS):
        place = np.int64(out[h]) * width
        if place < 0:
            out[h] = 0
        elif width == 2:
            out[h] = np.int32(table[place]) | (np.int32(table[place + 1]) << 8)
        else:
            out[h] = table[place]


@kernel
def _number_buckets(buckets: npt.NDArray[np.int32], bucket_of: npt.NDArray[np.int32]) -> int:
    """Number the buckets that occur from 0 on, as they come; how many there are."""
    largest = np.int32(0)
    for h in range(HANDS):
        largest = max(largest, buckets[h])
    number = np.full(largest + 1, -1, np.int32)
    count = 0
    for h in range(HANDS):
        bucket = buckets[h]
        if number[bucket] < 0:
            number[bucket] = count
            bucket_of[count] = bucket
            count += 1
        buckets[h] = number[bucket]
    return count


@kernel
def _draw_hand(state: UInt64, cumulative: npt.NDArray[np.float64]) -> int:
    wanted = next_unit(state) * cumulative[HANDS - 1]
    low, high = 0, HANDS - 1
    while low < high:
        middle = (low + high) >> 1
        if cumulative[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def _draw_others(
    state: UInt64,
    cumulative: npt.NDArray[np.float64],
    folded: int,
    traverser: int,
    masks: Int64,
    board: int,
    deal: SampledDeal,
) -> bool:
    """Hands of the others that share no card; False if one of them shares a card with the board that was dealt out.

    Those draws are given up and not repeated, so that each board counts as often as the hands that go with it.
    """
    players = cumulative.shape[0]
    tries = 0
    while tries < 1000:
        tries += 1
        used, clash = 0, False
        for player in range(players):
            deal.holes[player] = -1
            if player == traverser or (folded >> player) & 1:
                continue
            hand = _draw_hand(state, cumulative[player])
            deal.holes[player] = hand
            if used & masks[hand]:
                clash = True
                break
            used |= masks[hand]
        if not clash:
            if used & board:
                return False
            for h in range(HANDS):
                deal.valid[h] = 0.0 if masks[h] & (used | board) else 1.0
            return True
    return False


@kernel
def _rank_hands(deal: SampledDeal, players: int) -> None:
    """The level of each hand: 2k + 1 above exactly k different strengths of the others, 2k when equal to the k-th."""
    others = np.empty(6, np.int64)
    count = 0
    for player in range(players):
        if deal.holes[player] >= 0:
            strength = np.int64(deal.strengths[deal.holes[player]])
            place = count
            while place > 0 and others[place - 1] > strength:
                place -= 1
            if place > 0 and others[place - 1] == strength:
                continue
            for i in range(count, place, -1):
                others[i] = others[i - 1]
            others[place] = strength
            count += 1
    for k in range(count):
        deal.level_strengths[2 * k] = 2 * others[k] - 1
        deal.level_strengths[2 * k + 1] = 2 * others[k]
    deal.level_strengths[2 * count] = 2 * others[count - 1] + 1
    deal.sizes[0] = 2 * count + 1
    for h in range(HANDS):
        strength = deal.strengths[h]
        level = 0
        for k in range(count):
            level += 2 if strength > others[k] else 1 if strength == others[k] else 0
        deal.level[h] = level


@kernel
def deal_board(
    deal: SampledDeal,
    known: int,
    bucket_tables: tuple[UInt8, UInt8],
    widths: Int64,
    seed: int,
    iteration: int,
    state: UInt64,
) -> None:
    """Start the random stream of an iteration, deal the board out, and look all hands up on it."""
    seed_stream(state, seed, iteration)
    draw_runout(state, deal.board, known)
    board_strengths(deal.board, deal.strengths)
    if known < 5:
        look_up_buckets(deal.board, known + 1, bucket_tables[0], widths[0], deal.buckets[0])
        deal.sizes[1] = _number_buckets(deal.buckets[0], deal.bucket_of[0])
    if known < 4:
        look_up_buckets(deal.board, 5, bucket_tables[1], widths[1], deal.buckets[1])
        deal.sizes[2] = _number_buckets(deal.buckets[1], deal.bucket_of[1])


@kernel
def draw_hands(
    state: UInt64, cumulative: npt.NDArray[np.float64], folded: int, traverser: int, masks: Int64, deal: SampledDeal
) -> bool:
    """Draw the hands of the others and rank the traverser's; False if this draw does not go with the board.

    cumulative: (players, 1326) sums of the ranges; masks: (1326,) cards of a pair as bits
    """
    board = 0
    for i in range(5):
        board |= 1 << np.int64(deal.board[i])
    if not _draw_others(state, cumulative, folded, traverser, masks, board, deal):
        return False
    _rank_hands(deal, cumulative.shape[0])
    return True
