"""Compiled sums of AIVAT over hold'em ranges: buckets of all holes on many boards, means over boards, showdowns.

Ranges are (1326,) weights in the numbering of hole pairs. Pairs of holes that share a card are taken out by inclusion
and exclusion: against (a, b) can be held everything less the holes with a, less those with b, plus (a, b) itself.
"""

import numpy as np
import numpy.typing as npt

from holdem.cards.kernels.evaluator import CARD_BITS, CARD_KEYS, START_KEYS, strength_of
from holdem.cards.kernels.index import index_of_bits
from holdem.util.arrays import Float64, UInt8, UInt16
from holdem.util.jit import kernel

BLOCKED = 65_535
"""In place of a bucket: the hole shares a card with the board."""


@kernel
def _index(hole_bits: int, board_bits: int, num_board: int) -> int:
    """`index_of_bits`, compiled once for all streets."""
    return index_of_bits(hole_bits, board_bits, num_board)


@kernel
def buckets_on_boards(
    boards: UInt8, holes: npt.NDArray[np.int8], table: npt.NDArray[np.integer], buckets: UInt16
) -> None:
    """Buckets of every hole on each board.

    boards: (n, 3 to 5) uint8; holes: (1326, 2); table: bucket by hand index; buckets: (n, 1326)
    """
    num_board = boards.shape[1]
    for n in range(boards.shape[0]):
        board_bits = 0
        for j in range(num_board):
            board_bits |= CARD_BITS[boards[n, j]]
        row = buckets[n]
        for h in range(holes.shape[0]):
            hole_bits = CARD_BITS[holes[h, 0]] | CARD_BITS[holes[h, 1]]
            if hole_bits & board_bits:
                row[h] = BLOCKED
            else:
                row[h] = table[_index(hole_bits, board_bits, num_board)]


@kernel
def against(weights: Float64, holes: npt.NDArray[np.int8], out: Float64) -> None:
    """The weight that can be held against each hole. weights, out: (1326,)"""
    by_card = np.zeros(52)
    total = 0.0
    for h in range(len(weights)):
        by_card[holes[h, 0]] += weights[h]
        by_card[holes[h, 1]] += weights[h]
        total += weights[h]
    for h in range(len(weights)):
        out[h] = total - by_card[holes[h, 0]] - by_card[holes[h, 1]] + weights[h]


@kernel
def values_on_boards(
    buckets: UInt16,
    holes: npt.NDArray[np.int8],
    first: Float64,
    second: Float64,
    matrix: Float64,
    masses: Float64,
    values: Float64,
) -> None:
    """For each board the weight of all pairs of holes, and the mean of the matrix over both ranges' buckets.

    buckets: (n, 1326); first, second: (1326,); matrix: (buckets, buckets); masses, values: (n,), 0 where there are no
    pairs
    """
    ones, twos = np.flatnonzero(first), np.flatnonzero(second)
    size = matrix.shape[0]
    shares_1, shares_2 = np.zeros(size), np.zeros(size)
    by_card = np.zeros(52)
    on_board = np.zeros(len(second))
    for n in range(buckets.shape[0]):
        row = buckets[n]
        shares_1[:], shares_2[:], by_card[:] = 0.0, 0.0, 0.0
        total_1, total_2, mass = 0.0, 0.0, 0.0
        for h in twos:
            on_board[h] = 0.0
            if row[h] != BLOCKED:
                weight = second[h]
                on_board[h] = weight
                shares_2[row[h]] += weight
                by_card[holes[h, 0]] += weight
                by_card[holes[h, 1]] += weight
                total_2 += weight
        for h in ones:
            if row[h] != BLOCKED:
                weight = first[h]
                shares_1[row[h]] += weight
                total_1 += weight
                mass += weight * (total_2 - by_card[holes[h, 0]] - by_card[holes[h, 1]] + on_board[h])
        masses[n], values[n] = 0.0, 0.0
        if mass > 1e-14 * total_1 * total_2:  # less is rounding: no pair can be held
            value = 0.0
            for i in range(size):
                if shares_1[i] > 0.0:
                    inner = 0.0
                    chips = matrix[i]
                    for j in range(size):
                        inner += shares_2[j] * chips[j]
                    value += shares_1[i] * inner
            masses[n], values[n] = mass, value / (total_1 * total_2)


@kernel
def mean_with_one_hole(
    buckets: UInt16,
    boards: npt.NDArray[np.int64],
    times: npt.NDArray[np.int64],
    hole: int,
    weights: Float64,
    columns: Float64,
) -> float:
    """The mean over boards of a range's value against one hole that shares no card with the range.

    buckets: (n, 1326); boards: which of them, each counted `times`; weights: (1326,); columns: (buckets, buckets), the
    hole's bucket first
    """
    held = np.flatnonzero(weights)
    total, mass = 0.0, 0.0
    for i in range(len(boards)):
        row = buckets[boards[i]]
        if row[hole] != BLOCKED:
            column = columns[row[hole]]
            value, weight = 0.0, 0.0
            for h in held:
                if row[h] != BLOCKED:
                    value += weights[h] * column[row[h]]
                    weight += weights[h]
            total += times[i] * value
            mass += times[i] * weight
    return total / mass


@kernel
def showdowns_on_boards(
    boards: UInt8,
    holes: npt.NDArray[np.int8],
    first: Float64,
    second: Float64,
    masses: Float64,
    wins: Float64,
) -> None:
    """For each complete board the weight of all pairs of holes, and of those won minus those lost by the first range.

    boards: (n, 5); first, second: (1326,); masses, wins: (n,)
    """
    held = np.flatnonzero((first > 0.0) | (second > 0.0))
    strengths = np.empty(len(held), dtype=np.int64)
    below, group, everything = np.zeros(52), np.zeros(52), np.zeros(52)
    for n in range(boards.shape[0]):
        key, bits = START_KEYS[7], 0
        for j in range(5):
            key += CARD_KEYS[boards[n, j]]
            bits |= CARD_BITS[boards[n, j]]
        everything[:], below[:] = 0.0, 0.0
        total, count = 0.0, 0
        for h in held:
            a, b = holes[h, 0], holes[h, 1]
            hole_bits = CARD_BITS[a] | CARD_BITS[b]
            if not hole_bits & bits:
                strengths[count] = strength_of(key + CARD_KEYS[a] + CARD_KEYS[b], bits | hole_bits) << 11 | h
                count += 1
                everything[a] += second[h]
                everything[b] += second[h]
                total += second[h]
        order = np.sort(strengths[:count])
        mass, won, weaker, start = 0.0, 0.0, 0.0, 0
        while start < count:
            end, equal = start, 0.0
            while end < count and order[end] >> 11 == order[start] >> 11:
                h = order[end] & 2047
                group[holes[h, 0]] += second[h]
                group[holes[h, 1]] += second[h]
                equal += second[h]
                end += 1
            for i in range(start, end):
                h = order[i] & 2047
                a, b = holes[h, 0], holes[h, 1]
                possible = total - everything[a] - everything[b] + second[h]
                beaten = weaker - below[a] - below[b]
                tied = equal - group[a] - group[b] + second[h]
                mass += first[h] * possible
                won += first[h] * (2.0 * beaten + tied - possible)
            for i in range(start, end):
                h = order[i] & 2047
                a, b = holes[h, 0], holes[h, 1]
                below[a] += second[h]
                below[b] += second[h]
                group[a], group[b] = 0.0, 0.0
            weaker += equal
            start = end
        masses[n], wins[n] = mass, won
