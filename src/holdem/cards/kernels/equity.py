"""Compiled equities: every hand against a range on one board in linear time after a sort.

Hands are sorted by strength. Walking up the order, the weight of all weaker hands and, for each card, of the
weaker hands that hold it are known; what a hand (a, b) beats is the total less the parts with a and with b, since
no weaker hand holds both. Within a group of equal strength the hand itself is in both parts and is added back.
"""

import numpy as np
import numpy.typing as npt

from holdem.cards.kernels.evaluator import CARD_BITS, CARD_KEYS, START_KEYS, strength_of
from holdem.util.arrays import Float64, Int64, UInt8
from holdem.util.jit import inline_kernel, kernel
from holdem.util.kernels.random_numbers import next_below, next_unit, seed_stream

_STRENGTH_SHIFT = 11
_PLACE_MASK = (1 << _STRENGTH_SHIFT) - 1


@kernel
def sort_by_strength(keys: npt.NDArray[np.int32], count: int, spare: npt.NDArray[np.int32]) -> None:
    """Sort `keys[:count]`, each a strength above `_STRENGTH_SHIFT` bits of place, by strength; stable."""
    if count <= 32:
        for i in range(1, count):
            key = keys[i]
            j = i
            while j > 0 and keys[j - 1] > key:
                keys[j] = keys[j - 1]
                j -= 1
            keys[j] = key
        return
    starts = np.zeros((2, 129), dtype=np.int32)
    for i in range(count):
        strength = keys[i] >> _STRENGTH_SHIFT
        starts[0, (strength & 127) + 1] += 1
        starts[1, (strength >> 7) + 1] += 1
    for digit in range(1, 129):
        starts[0, digit] += starts[0, digit - 1]
        starts[1, digit] += starts[1, digit - 1]
    for i in range(count):
        digit = (keys[i] >> _STRENGTH_SHIFT) & 127
        spare[starts[0, digit]] = keys[i]
        starts[0, digit] += 1
    for i in range(count):
        digit = spare[i] >> (_STRENGTH_SHIFT + 7)
        keys[starts[1, digit]] = spare[i]
        starts[1, digit] += 1


@kernel
def add_board_equities(
    boards: UInt8,
    multiplicities: Int64,
    low_cards: UInt8,
    high_cards: UInt8,
    weights: Float64,
    wins: Float64,
    ties: Float64,
    totals: Float64,
) -> None:
    """Add to each hand's wins, ties and total against the weighted hands, over complete boards.

    boards: (n, 5) uint8; multiplicities: (n,) how often each board counts; low_cards, high_cards: (hands,) uint8;
    weights: (hands,) of the opponent's range; wins, ties, totals: (hands,) sums of opposing weight.
    """
    hands = len(low_cards)
    keys = np.empty(hands, dtype=np.int32)
    spare = np.empty(hands, dtype=np.int32)
    all_by_card = np.empty(52)
    below_by_card = np.empty(52)
    group_by_card = np.empty(52)
    for n in range(len(boards)):
        board_key = START_KEYS[7]
        board_bits = 0
        for j in range(5):
            board_key += CARD_KEYS[boards[n, j]]
            board_bits |= CARD_BITS[boards[n, j]]
        count = 0
        all_by_card[:] = 0.0
        below_by_card[:] = 0.0
        group_by_card[:] = 0.0
        everything = 0.0
        for h in range(hands):
            low, high = low_cards[h], high_cards[h]
            bits = CARD_BITS[low] | CARD_BITS[high]
            if bits & board_bits:
                continue
            strength = strength_of(board_key + CARD_KEYS[low] + CARD_KEYS[high], board_bits | bits)
            keys[count] = (strength << _STRENGTH_SHIFT) | h
            count += 1
            all_by_card[low] += weights[h]
            all_by_card[high] += weights[h]
            everything += weights[h]
        sort_by_strength(keys, count, spare)
        times = np.float64(multiplicities[n])
        below = 0.0
        start = 0
        while start < count:
            strength = keys[start] >> _STRENGTH_SHIFT
            end = start
            group = 0.0
            while end < count and keys[end] >> _STRENGTH_SHIFT == strength:
                h = keys[end] & _PLACE_MASK
                group_by_card[low_cards[h]] += weights[h]
                group_by_card[high_cards[h]] += weights[h]
                group += weights[h]
                end += 1
            for i in range(start, end):
                h = keys[i] & _PLACE_MASK
                low, high = low_cards[h], high_cards[h]
                wins[h] += times * (below - below_by_card[low] - below_by_card[high])
                ties[h] += times * (group - group_by_card[low] - group_by_card[high] + weights[h])
                totals[h] += times * (everything - all_by_card[low] - all_by_card[high] + weights[h])
            for i in range(start, end):
                h = keys[i] & _PLACE_MASK
                low, high = low_cards[h], high_cards[h]
                below_by_card[low] += weights[h]
                below_by_card[high] += weights[h]
                group_by_card[low] = 0.0
                group_by_card[high] = 0.0
            below += group
            start = end


@inline_kernel
def _renamed(bits: int, suits: npt.NDArray[np.int64]) -> int:
    """A set of cards with its suits renamed: suit s becomes suits[s]."""
    return (
        ((bits & 8191) << (13 * suits[0]))
        | (((bits >> 13) & 8191) << (13 * suits[1]))
        | (((bits >> 26) & 8191) << (13 * suits[2]))
        | (((bits >> 39) & 8191) << (13 * suits[3]))
    )


@kernel
def complete_boards(board: UInt8, renamings: npt.NDArray[np.int64], boards: UInt8, multiplicities: Int64) -> int:
    """All completions of a board to the width of `boards` up to the given suit renamings; returns how many.

    board: (0 to 5,) uint8; renamings: (group, 4), a group that keeps the board; boards: (room, 3 to 5) and
    multiplicities: (room,) receive one completion of each orbit and the size of its orbit.
    """
    given = len(board)
    missing = boards.shape[1] - given
    board_bits = 0
    deck = np.empty(52, dtype=np.uint8)
    for j in range(given):
        board_bits |= CARD_BITS[board[j]]
    left = 0
    for card in range(52):
        if not board_bits & CARD_BITS[card]:
            deck[left] = card
            left += 1
    choice = np.arange(missing)
    count = 0
    while True:
        bits = board_bits
        for j in range(missing):
            bits |= CARD_BITS[deck[choice[j]]]
        smallest = True
        fixed = 0
        for g in range(len(renamings)):
            image = _renamed(bits, renamings[g])
            if image < bits:
                smallest = False
                break
            if image == bits:
                fixed += 1
        if smallest:
            for j in range(given):
                boards[count, j] = board[j]
            for j in range(missing):
                boards[count, given + j] = deck[choice[j]]
            multiplicities[count] = len(renamings) // fixed
            count += 1
        j = missing - 1
        while j >= 0 and choice[j] == left - missing + j:
            j -= 1
        if j < 0:
            return count
        choice[j] += 1
        for k in range(j + 1, missing):
            choice[k] = choice[k - 1] + 1


@kernel
def sample_equity(
    board: UInt8,
    hero_hands: Int64,
    hero_cumulative: Float64,
    villain_hands: Int64,
    villain_cumulative: Float64,
    hole_cards: npt.NDArray[np.int8],
    samples: int,
    seed: int,
    stream: int,
) -> tuple[int, int]:
    """Wins and ties of the first range in random deals; ranges as hole pairs with cumulative weights."""
    state = np.empty(2, dtype=np.uint64)
    seed_stream(state, seed, stream)
    board_key = START_KEYS[7]
    board_bits = 0
    for card in board:
        board_key += CARD_KEYS[card]
        board_bits |= CARD_BITS[card]
    wins = 0
    ties = 0
    done = 0
    while done < samples:
        hero = hero_hands[np.searchsorted(hero_cumulative, next_unit(state) * hero_cumulative[-1], side="right")]
        other = villain_hands[
            np.searchsorted(villain_cumulative, next_unit(state) * villain_cumulative[-1], side="right")
        ]
        a, b, c, d = hole_cards[hero, 0], hole_cards[hero, 1], hole_cards[other, 0], hole_cards[other, 1]
        hero_bits = CARD_BITS[a] | CARD_BITS[b]
        other_bits = CARD_BITS[c] | CARD_BITS[d]
        if hero_bits & other_bits:
            continue
        used = hero_bits | other_bits | board_bits
        key = board_key
        bits = board_bits
        for _ in range(5 - len(board)):
            card = next_below(state, 52)
            while used & CARD_BITS[card]:
                card = next_below(state, 52)
            used |= CARD_BITS[card]
            bits |= CARD_BITS[card]
            key += CARD_KEYS[card]
        mine = strength_of(key + CARD_KEYS[a] + CARD_KEYS[b], bits | hero_bits)
        theirs = strength_of(key + CARD_KEYS[c] + CARD_KEYS[d], bits | other_bits)
        wins += mine > theirs
        ties += mine == theirs
        done += 1
    return wins, ties
