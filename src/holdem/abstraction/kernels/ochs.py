"""Compiled equities against clusters of opponents' hands on the river (opponent cluster hand strength).

A hand's row has one byte for each cluster: 127 × (2 × wins + ties) // opponents, 0 to 254, and 127 where the cards
leave the cluster no hand. Rows are padded with zeros to the width that the distance works in.
"""

import numpy as np
import numpy.typing as npt

from holdem.abstraction.kernels.distance import BLOCK, block_distance
from holdem.abstraction.kernels.features import SHIFT, live_cards, sort_hands
from holdem.cards.kernels.evaluator import CARD_BITS, CARD_KEYS, START_KEYS, strength_of
from holdem.cards.kernels.index import bits_of_index, index_of_bits
from holdem.util.arrays import Int64, UInt8
from holdem.util.jit import inline_kernel, kernel

_LOW = (1 << SHIFT) - 1
EVEN = 127


@inline_kernel
def _hole_number(first: int, second: int) -> int:
    low, high = min(first, second), max(first, second)
    return high * (high - 1) // 2 + low


@kernel
def river_cluster_row(
    hole_bits: int, board_bits: int, key: int, cluster_of_hole: UInt8, clusters: int, row: UInt8
) -> None:
    """The row of one hand, one opponent at a time: `row: (BLOCK,)`; `key` is the board's evaluator key."""
    taken = hole_bits | board_bits
    my_key = key
    for card in range(52):
        if hole_bits & CARD_BITS[card]:
            my_key += CARD_KEYS[card]
    mine = np.int64(strength_of(my_key, taken))
    scores = np.zeros(BLOCK, dtype=np.int64)
    opponents = np.zeros(BLOCK, dtype=np.int64)
    for high in range(52):
        if taken & CARD_BITS[high]:
            continue
        for low in range(high):
            if taken & CARD_BITS[low]:
                continue
            bits = board_bits | CARD_BITS[high] | CARD_BITS[low]
            theirs = np.int64(strength_of(key + CARD_KEYS[high] + CARD_KEYS[low], bits))
            cluster = cluster_of_hole[_hole_number(low, high)]
            opponents[cluster] += 1
            scores[cluster] += 2 if mine > theirs else 1 if mine == theirs else 0
    row[:] = 0
    for c in range(clusters):
        row[c] = EVEN * scores[c] // opponents[c] if opponents[c] else EVEN


@kernel
def river_cluster_rows(indices: Int64, cluster_of_hole: UInt8, clusters: int, rows: UInt8) -> None:
    """Rows of river hands given by index: `rows: (n, BLOCK)`."""
    for n in range(len(indices)):
        hole_bits, board_bits = bits_of_index(indices[n], 5)
        key = START_KEYS[7]
        for card in range(52):
            if board_bits & CARD_BITS[card]:
                key += CARD_KEYS[card]
        river_cluster_row(hole_bits, board_bits, key, cluster_of_hole, clusters, rows[n])


@kernel
def assign_rivers(
    boards: UInt8, cluster_of_hole: UInt8, clusters: int, centroids: UInt8, labels: npt.NDArray[np.uint16]
) -> None:
    """Nearest centroid of every hand on the given river boards, written through the index.

    boards: (n, 5); cluster_of_hole: (1326,); centroids: (buckets, BLOCK); labels: (123,156,254,) uint16.
    """
    deck = np.empty(52, dtype=np.uint8)
    sorted_keys, spare = np.empty(1128, dtype=np.int32), np.empty(1128, dtype=np.int32)
    firsts, seconds = np.empty(1128, dtype=np.uint8), np.empty(1128, dtype=np.uint8)
    own = np.empty(1128, dtype=np.uint8)
    seen, totals = np.empty(clusters, dtype=np.int32), np.empty(clusters, dtype=np.int32)
    seen_by_card, totals_by_card = np.empty((52, clusters), dtype=np.int32), np.empty((52, clusters), dtype=np.int32)
    scores = np.empty((1128, clusters), dtype=np.int32)
    row = np.zeros(BLOCK, dtype=np.uint8)
    flat = centroids.reshape(-1)
    for n in range(len(boards)):
        key = START_KEYS[7]
        bits = 0
        for card in boards[n]:
            key += CARD_KEYS[card]
            bits |= CARD_BITS[card]
        cards = live_cards(bits, deck)
        pairs = cards * (cards - 1) // 2
        sort_hands(key, bits, deck, cards, sorted_keys, spare, firsts, seconds)
        seen[:] = 0
        totals[:] = 0
        seen_by_card[:] = 0
        totals_by_card[:] = 0
        for pair in range(pairs):
            i, j = firsts[pair], seconds[pair]
            own[pair] = cluster_of_hole[_hole_number(deck[i], deck[j])]
            totals[own[pair]] += 1
            totals_by_card[i, own[pair]] += 1
            totals_by_card[j, own[pair]] += 1
        start = 0
        while start < pairs:
            strength = sorted_keys[start] >> SHIFT
            end = start
            while end < pairs and sorted_keys[end] >> SHIFT == strength:
                pair = sorted_keys[end] & _LOW
                i, j = firsts[pair], seconds[pair]
                for c in range(clusters):
                    scores[pair, c] = seen[c] - seen_by_card[i, c] - seen_by_card[j, c]
                end += 1
            for k in range(start, end):
                pair = sorted_keys[k] & _LOW
                seen[own[pair]] += 1
                seen_by_card[firsts[pair], own[pair]] += 1
                seen_by_card[seconds[pair], own[pair]] += 1
            for k in range(start, end):
                pair = sorted_keys[k] & _LOW
                i, j = firsts[pair], seconds[pair]
                for c in range(clusters):
                    scores[pair, c] += seen[c] - seen_by_card[i, c] - seen_by_card[j, c]
                scores[pair, own[pair]] += 1
            start = end
        for pair in range(pairs):
            i, j = firsts[pair], seconds[pair]
            for c in range(clusters):
                opponents = totals[c] - totals_by_card[i, c] - totals_by_card[j, c] + (c == own[pair])
                row[c] = EVEN * scores[pair, c] // opponents if opponents else EVEN
            best, nearest = 1 << 60, 0
            for b in range(centroids.shape[0]):
                distance = block_distance(row, 0, flat, b * BLOCK)
                if distance < best:
                    best, nearest = distance, b
            hole_bits = CARD_BITS[deck[i]] | CARD_BITS[deck[j]]
            labels[index_of_bits(hole_bits, bits, 5)] = nearest
