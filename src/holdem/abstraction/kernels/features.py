"""Compiled passes over all boards: exact river scores, and what they say about earlier streets.

The *score* of a hand on the river is 2 × wins + ties against the 990 hole pairs that an opponent can hold:
0 to 1,980, its exact equity against a uniform range in steps of 1/1,980. Everything here is integer arithmetic, so
every machine and every number of threads gives the same features.
"""

import numpy as np
import numpy.typing as npt

from holdem.cards.kernels.equity import sort_by_strength
from holdem.cards.kernels.evaluator import CARD_BITS, CARD_KEYS, START_KEYS, strength_of, strength_of_ranks
from holdem.cards.kernels.index import index_of_bits
from holdem.util.arrays import Int32, Int64, UInt8
from holdem.util.jit import kernel
from holdem.util.kernels.random_numbers import next_below, seed_stream

MAX_SCORE = 1980
SHIFT = 11
_LOW = (1 << SHIFT) - 1
_ONES = 0x1111 << 32
_EIGHTS = 0x8888 << 32


@kernel
def live_cards(bits: int, deck: UInt8) -> int:
    """Write the cards that are not in a set (as `CARD_BITS`) into `deck: (52,)`; returns how many."""
    count = 0
    for card in range(52):
        if not bits & CARD_BITS[card]:
            deck[count] = card
            count += 1
    return count


@kernel
def sort_hands(
    key: int, bits: int, deck: UInt8, cards: int, sorted_keys: Int32, spare: Int32, firsts: UInt8, seconds: UInt8
) -> None:
    """Sort the pairs of `deck[:cards]` by their strength with the board that has this key and these bits.

    sorted_keys: (pairs,) strength above SHIFT bits of pair number; pair j(j − 1)/2 + i is deck[i], deck[j];
    firsts, seconds: (pairs,) i and j of each pair number.
    """
    # With fewer than three cards of each suit on the board no pair makes a flush: no test in the inner loop.
    counters = (key & ~0xFFFFFFFF) + 2 * _ONES
    pair = 0
    if counters & _EIGHTS:
        for j in range(1, cards):
            key_j = key + CARD_KEYS[deck[j]]
            bits_j = bits | CARD_BITS[deck[j]]
            for i in range(j):
                strength = strength_of(key_j + CARD_KEYS[deck[i]], bits_j | CARD_BITS[deck[i]])
                sorted_keys[pair] = (strength << SHIFT) | pair
                firsts[pair] = i
                seconds[pair] = j
                pair += 1
    else:
        for j in range(1, cards):
            key_j = key + CARD_KEYS[deck[j]]
            for i in range(j):
                sorted_keys[pair] = (np.int64(strength_of_ranks(key_j + CARD_KEYS[deck[i]])) << SHIFT) | pair
                firsts[pair] = i
                seconds[pair] = j
                pair += 1
    sort_by_strength(sorted_keys, pair, spare)


@kernel
def scores_of_sorted(
    pairs: int, sorted_keys: Int32, firsts: UInt8, seconds: UInt8, by_card: Int32, scores: Int32
) -> None:
    """Score of every pair from the sorted order: `scores: (pairs,)`, `by_card: (52,)` scratch.

    Twice the wins plus the ties of a hand is the number of weaker hands plus the number of hands not stronger, each
    less those that share a card; walking up the order, `by_card` counts both at once.
    """
    by_card[:] = 0
    start = 0
    while start < pairs:
        strength = sorted_keys[start] >> SHIFT
        end = start
        while end < pairs and sorted_keys[end] >> SHIFT == strength:
            pair = sorted_keys[end] & _LOW
            i, j = firsts[pair], seconds[pair]
            scores[pair] = start - by_card[i] - by_card[j]
            end += 1
        for k in range(start, end):
            pair = sorted_keys[k] & _LOW
            by_card[firsts[pair]] += 1
            by_card[seconds[pair]] += 1
        for k in range(start, end):
            pair = sorted_keys[k] & _LOW
            # The hand itself is among the `end` hands and in both of its cards' counts.
            scores[pair] += end - by_card[firsts[pair]] - by_card[seconds[pair]] + 1
        start = end


@kernel
def score_boards(boards: UInt8) -> int:
    """Sum of the scores of all hands on complete boards: the bare work of a pass, nothing stored."""
    deck = np.empty(52, dtype=np.uint8)
    sorted_keys, spare = np.empty(1128, dtype=np.int32), np.empty(1128, dtype=np.int32)
    firsts, seconds = np.empty(1128, dtype=np.uint8), np.empty(1128, dtype=np.uint8)
    by_card, scores = np.empty(52, dtype=np.int32), np.empty(1128, dtype=np.int32)
    total = 0
    for n in range(len(boards)):
        key = START_KEYS[7]
        bits = 0
        for card in boards[n]:
            key += CARD_KEYS[card]
            bits |= CARD_BITS[card]
        cards = live_cards(bits, deck)
        pairs = cards * (cards - 1) // 2
        sort_hands(key, bits, deck, cards, sorted_keys, spare, firsts, seconds)
        scores_of_sorted(pairs, sorted_keys, firsts, seconds, by_card, scores)
        total += scores[:pairs].sum()
    return total


@kernel
def scores_of_boards(boards: UInt8, scores: Int32) -> None:
    """The score of every hole pair on complete boards, 0 where a card is taken: boards (n, 5), scores (n, 1326)."""
    deck = np.empty(52, dtype=np.uint8)
    sorted_keys, spare = np.empty(1128, dtype=np.int32), np.empty(1128, dtype=np.int32)
    firsts, seconds = np.empty(1128, dtype=np.uint8), np.empty(1128, dtype=np.uint8)
    by_card, by_pair = np.empty(52, dtype=np.int32), np.empty(1128, dtype=np.int32)
    for n in range(len(boards)):
        key = START_KEYS[7]
        bits = 0
        for card in boards[n]:
            key += CARD_KEYS[card]
            bits |= CARD_BITS[card]
        cards = live_cards(bits, deck)
        pairs = cards * (cards - 1) // 2
        sort_hands(key, bits, deck, cards, sorted_keys, spare, firsts, seconds)
        scores_of_sorted(pairs, sorted_keys, firsts, seconds, by_card, by_pair)
        scores[n, :] = 0
        for pair in range(pairs):
            low, high = np.int64(deck[firsts[pair]]), np.int64(deck[seconds[pair]])
            scores[n, high * (high - 1) // 2 + low] = by_pair[pair]


@kernel
def score_rivers(boards: UInt8, multiplicities: Int64, table: npt.NDArray[np.uint16], histogram: Int64) -> None:
    """Write the score of every hand on the given river boards through the index, and count scores over deals.

    boards: (n, 5); multiplicities: (n,); table: (123,156,254,) uint16; histogram: (1981,).
    """
    deck = np.empty(52, dtype=np.uint8)
    sorted_keys, spare = np.empty(1128, dtype=np.int32), np.empty(1128, dtype=np.int32)
    firsts, seconds = np.empty(1128, dtype=np.uint8), np.empty(1128, dtype=np.uint8)
    by_card, scores = np.empty(52, dtype=np.int32), np.empty(1128, dtype=np.int32)
    for n in range(len(boards)):
        key = START_KEYS[7]
        bits = 0
        for card in boards[n]:
            key += CARD_KEYS[card]
            bits |= CARD_BITS[card]
        cards = live_cards(bits, deck)
        pairs = cards * (cards - 1) // 2
        sort_hands(key, bits, deck, cards, sorted_keys, spare, firsts, seconds)
        scores_of_sorted(pairs, sorted_keys, firsts, seconds, by_card, scores)
        for pair in range(pairs):
            hole_bits = CARD_BITS[deck[firsts[pair]]] | CARD_BITS[deck[seconds[pair]]]
            table[index_of_bits(hole_bits, bits, 5)] = scores[pair]
            histogram[scores[pair]] += multiplicities[n]


@kernel
def turn_potentials(boards: UInt8, bin_of_score: UInt8, features: UInt8, sums: npt.NDArray[np.uint32]) -> None:
    """For every hand on the given turn boards, its river scores: cumulative histogram and sum.

    boards: (n, 4); bin_of_score: (1981,); features: (13,960,050, width) uint8, entry b of a row counts the river
    cards (of 46) whose score falls in bins 0..b; sums: (13,960,050,) uint32.
    """
    deck, rest = np.empty(52, dtype=np.uint8), np.empty(52, dtype=np.uint8)
    sorted_keys, spare = np.empty(1128, dtype=np.int32), np.empty(1128, dtype=np.int32)
    firsts, seconds = np.empty(1128, dtype=np.uint8), np.empty(1128, dtype=np.uint8)
    by_card, scores = np.empty(52, dtype=np.int32), np.empty(1128, dtype=np.int32)
    width = features.shape[1]
    counts = np.empty((1128, width), dtype=np.uint8)
    totals = np.empty(1128, dtype=np.int32)
    for n in range(len(boards)):
        key = START_KEYS[7]
        bits = 0
        for card in boards[n]:
            key += CARD_KEYS[card]
            bits |= CARD_BITS[card]
        cards = live_cards(bits, deck)
        counts[:] = 0
        totals[:] = 0
        for r in range(cards):
            left = 0
            for c in range(cards):
                if c != r:
                    rest[left] = deck[c]
                    left += 1
            pairs = left * (left - 1) // 2
            river = deck[r]
            sort_hands(key + CARD_KEYS[river], bits | CARD_BITS[river], rest, left, sorted_keys, spare, firsts, seconds)
            scores_of_sorted(pairs, sorted_keys, firsts, seconds, by_card, scores)
            for pair in range(pairs):
                i, j = np.int64(firsts[pair]), np.int64(seconds[pair])
                i += i >= r
                j += j >= r
                on_turn = j * (j - 1) // 2 + i
                counts[on_turn, bin_of_score[scores[pair]]] += 1
                totals[on_turn] += scores[pair]
        pair = 0
        for j in range(1, cards):
            for i in range(j):
                hole_bits = CARD_BITS[deck[i]] | CARD_BITS[deck[j]]
                index = index_of_bits(hole_bits, bits, 4)
                sums[index] = totals[pair]
                running = 0
                for b in range(width):
                    running += counts[pair, b]
                    features[index, b] = running
                pair += 1


@kernel
def flop_potentials(
    boards: UInt8, turn_sums: npt.NDArray[np.uint32], bin_width: int, features: UInt8, sums: npt.NDArray[np.uint32]
) -> None:
    """For every hand on the given flops, its turn sums: cumulative histogram over the 47 turn cards, and total.

    boards: (n, 3); turn_sums: (13,960,050,) uint32; a sum s falls into bin s // bin_width; features: (1,286,792, width)
    uint8; sums: (1,286,792,) uint32.
    """
    deck = np.empty(52, dtype=np.uint8)
    width = features.shape[1]
    counts = np.empty(width, dtype=np.uint8)
    for n in range(len(boards)):
        bits = 0
        for card in boards[n]:
            bits |= CARD_BITS[card]
        cards = live_cards(bits, deck)
        for j in range(1, cards):
            for i in range(j):
                hole_bits = CARD_BITS[deck[i]] | CARD_BITS[deck[j]]
                counts[:] = 0
                total = 0
                for t in range(cards):
                    if t not in (i, j):
                        turn_sum = turn_sums[index_of_bits(hole_bits, bits | CARD_BITS[deck[t]], 4)]
                        counts[turn_sum // bin_width] += 1
                        total += turn_sum
                index = index_of_bits(hole_bits, bits, 3)
                sums[index] = total
                running = 0
                for b in range(width):
                    running += counts[b]
                    features[index, b] = running


@kernel
def river_score(hole_bits: int, board_bits: int, key: int) -> int:
    """Score of one hand on a complete board, one opponent at a time; `key` is the board's evaluator key."""
    mine = 0
    taken = hole_bits | board_bits
    my_key = key
    for card in range(52):
        if hole_bits & CARD_BITS[card]:
            my_key += CARD_KEYS[card]
    mine = np.int64(strength_of(my_key, taken))
    score = 0
    for high in range(52):
        if taken & CARD_BITS[high]:
            continue
        high_key = key + CARD_KEYS[high]
        high_bits = board_bits | CARD_BITS[high]
        for low in range(high):
            if taken & CARD_BITS[low]:
                continue
            theirs = np.int64(strength_of(high_key + CARD_KEYS[low], high_bits | CARD_BITS[low]))
            score += 2 if mine > theirs else 1 if mine == theirs else 0
    return score


@kernel
def turn_potential(hole_bits: int, board_bits: int, key: int, bin_of_score: UInt8, feature: UInt8) -> int:
    """Cumulative histogram of one turn hand into `feature: (width,)`; returns the sum of its river scores."""
    feature[:] = 0
    total = 0
    for card in range(52):
        if (hole_bits | board_bits) & CARD_BITS[card]:
            continue
        score = river_score(hole_bits, board_bits | CARD_BITS[card], key + CARD_KEYS[card])
        feature[bin_of_score[score]] += 1
        total += score
    for b in range(1, len(feature)):
        feature[b] += feature[b - 1]
    return total


@kernel
def flop_potential(
    hole_bits: int, board_bits: int, key: int, bin_of_score: UInt8, bin_width: int, feature: UInt8
) -> int:
    """Cumulative histogram of one flop hand into `feature: (width,)`; returns the total over turns and rivers."""
    scratch = np.empty(len(feature), dtype=np.uint8)
    feature[:] = 0
    total = 0
    for card in range(52):
        if (hole_bits | board_bits) & CARD_BITS[card]:
            continue
        turn_sum = turn_potential(hole_bits, board_bits | CARD_BITS[card], key + CARD_KEYS[card], bin_of_score, scratch)
        feature[turn_sum // bin_width] += 1
        total += turn_sum
    for b in range(1, len(feature)):
        feature[b] += feature[b - 1]
    return total


@kernel
def sample_hands(num_board: int, seed: int, stream: int, indices: Int64) -> None:
    """Indices of random deals of a street, each deal as likely as any other: `indices: (n,) int64`."""
    state = np.empty(2, dtype=np.uint64)
    seed_stream(state, seed, stream)
    for n in range(len(indices)):
        hole_bits = 0
        board_bits = 0
        for k in range(2 + num_board):
            card = CARD_BITS[next_below(state, 52)]
            while (hole_bits | board_bits) & card:
                card = CARD_BITS[next_below(state, 52)]
            if k < 2:
                hole_bits |= card
            else:
                board_bits |= card
        indices[n] = index_of_bits(hole_bits, board_bits, num_board)
