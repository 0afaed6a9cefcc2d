"""Compiled sums over pairs of hands of two opponents on a river, for every hand of a third player, exact.

What a hand h wins in a showdown of three is a sum over hands a and b of the others that share no card with h or with
each other. Among hands without a card of h, the pairs that share one are Σ_c A_c·B_c over cards c, where A_c is the
weight of the hands a with card c; pairs of the same hand were counted twice and come off once. So

    F(A, B) = A·B − Σ_c A_c·B_c + Σ_k a_k·b_k

with all sums over hands without a card of h. A set is all hands, or those that h beats with hands that tie at half
weight. With M the latter and D the ties, the share of a pot that three may win is F(M_A, M_B) + F(D_A, D_B) / 12:
1 above both, 1/2 in a tie with one and above the other, 1/3 in a tie with both.

Hands are in order of strength, so that one pass adds them as it goes. `_CARDS` cards are numbered without the board's.
"""

import numpy as np

from holdem.realtime.subgame.kernels.lanes import WIDTH, load8, spread8, store8, sum8, transpose8
from holdem.util.arrays import Float32, Int32, Int64
from holdem.util.jit import inline_kernel, kernel

CARDS = 48
"""A river leaves 47; the last one is padding."""
ALL, BELOW_FIRST, BELOW_SECOND, BELOW_BOTH = 0, 1, 2, 3
"""Which of the two others has to be beaten; as bits."""
_MATRIX = CARDS * CARDS
_SET = _MATRIX + CARDS
"""A set of hands: weights by both cards, then sums by one card."""
SCRATCH = 4 * _SET + 2 * CARDS
_TIE_SHARE = np.float32(1.0 / 12.0)


@inline_kernel
def _enter(scratch: Float32, start: int, first: int, second: int, weight: float) -> None:
    """Add to the weight of a hand in a set."""
    scratch[start + first * CARDS + second] += weight
    scratch[start + second * CARDS + first] += weight
    scratch[start + _MATRIX + first] += weight
    scratch[start + _MATRIX + second] += weight


@inline_kernel
def _forget(scratch: Float32, start: int, first: int, second: int) -> None:
    """Take everything with these cards out of a set."""
    scratch[start + first * CARDS + second] = 0.0
    scratch[start + second * CARDS + first] = 0.0
    scratch[start + _MATRIX + first] = 0.0
    scratch[start + _MATRIX + second] = 0.0


@inline_kernel
def _apart(
    scratch: Float32, one: int, other: int, first: int, second: int, sum_one: float, sum_other: float, same: float
) -> float:
    """F of two sets for the hand with these two cards; `same` is the weight of pairs of the same hand."""
    cards_one, cards_other = one + _MATRIX, other + _MATRIX
    row, second_row = first * CARDS, second * CARDS
    shared = spread8(np.float32(0.0))
    for c in range(0, CARDS, WIDTH):
        left = load8(scratch, cards_one + c) - load8(scratch, one + row + c) - load8(scratch, one + second_row + c)
        right = (
            load8(scratch, cards_other + c) - load8(scratch, other + row + c) - load8(scratch, other + second_row + c)
        )
        shared = shared + left * right
    # Two lanes are cards of the hand itself.
    both, both_other = scratch[one + row + second], scratch[other + row + second]
    with_first, with_second = scratch[cards_one + first], scratch[cards_one + second]
    other_first, other_second = scratch[cards_other + first], scratch[cards_other + second]
    own = (with_first - both) * (other_first - both_other) + (with_second - both) * (other_second - both_other)
    left_sum = sum_one - with_first - with_second + both
    right_sum = sum_other - other_first - other_second + both_other
    return left_sum * right_sum - (sum8(shared) - own) + same


@kernel
def pair_sums(
    kind: int, first_reach: Float32, second_reach: Float32, cards: Int32, ends: Int32, scratch: Float32, out: Float32
) -> None:
    """F for every hand into `out`, of two reaches; with `BELOW_BOTH`, the share of a pot of three.

    first_reach, second_reach, out: (hands,); cards: (hands, 2); ends: (groups,) of equal strength; scratch: (SCRATCH,)
    """
    for i in range(SCRATCH):
        scratch[i] = 0.0
    one, other, tied, tied_other = 0, _SET, 2 * _SET, 3 * _SET
    same_at, tied_same_at = 4 * _SET, 4 * _SET + CARDS
    half, whole = np.float32(0.5), np.float32(1.0)
    first_step = half if kind & BELOW_FIRST else whole
    second_step = half if kind & BELOW_SECOND else whole
    sum_one, sum_other, same = np.float32(0.0), np.float32(0.0), np.float32(0.0)
    count = ends[ends.shape[0] - 1]
    # A set of all hands is complete before the pass begins.
    for k in range(count):
        if not kind & BELOW_FIRST:
            _enter(scratch, one, cards[k, 0], cards[k, 1], first_reach[k])
            sum_one += first_reach[k]
        if not kind & BELOW_SECOND:
            _enter(scratch, other, cards[k, 0], cards[k, 1], second_reach[k])
            sum_other += second_reach[k]
        if kind == ALL:
            product = first_reach[k] * second_reach[k]
            scratch[same_at + cards[k, 0]] += product
            scratch[same_at + cards[k, 1]] += product
            same += product
    start = 0
    for group in range(ends.shape[0]):
        end = ends[group]
        ties = kind == BELOW_BOTH and end - start > 2
        tied_one, tied_sum_other, tied_same = np.float32(0.0), np.float32(0.0), np.float32(0.0)
        # Hands of this strength enter by half.
        for k in range(start, end):
            a, b, left, right = cards[k, 0], cards[k, 1], first_reach[k], second_reach[k]
            if kind & BELOW_FIRST:
                _enter(scratch, one, a, b, half * left)
                sum_one += half * left
            if kind & BELOW_SECOND:
                _enter(scratch, other, a, b, half * right)
                sum_other += half * right
            if kind != ALL:
                product = first_step * second_step * left * right
                scratch[same_at + a] += product
                scratch[same_at + b] += product
                same += product
            if ties:
                _enter(scratch, tied, a, b, left)
                _enter(scratch, tied_other, a, b, right)
                scratch[tied_same_at + a] += left * right
                scratch[tied_same_at + b] += left * right
                tied_one += left
                tied_sum_other += right
                tied_same += left * right
        for k in range(start, end):
            a, b, product = cards[k, 0], cards[k, 1], first_reach[k] * second_reach[k]
            own = first_step * second_step * product
            alike = same - scratch[same_at + a] - scratch[same_at + b] + own
            value = _apart(scratch, one, other, a, b, sum_one, sum_other, alike)
            if ties:
                alike = tied_same - scratch[tied_same_at + a] - scratch[tied_same_at + b] + product
                value += _TIE_SHARE * _apart(scratch, tied, tied_other, a, b, tied_one, tied_sum_other, alike)
            out[k] = value if value > 0.0 else np.float32(0.0)
        # The other half, for stronger hands.
        for k in range(start, end):
            a, b, left, right = cards[k, 0], cards[k, 1], first_reach[k], second_reach[k]
            if kind & BELOW_FIRST:
                _enter(scratch, one, a, b, half * left)
                sum_one += half * left
            if kind & BELOW_SECOND:
                _enter(scratch, other, a, b, half * right)
                sum_other += half * right
            if kind != ALL:
                product = (whole - first_step * second_step) * left * right
                scratch[same_at + a] += product
                scratch[same_at + b] += product
                same += product
            if ties:
                _forget(scratch, tied, a, b)
                _forget(scratch, tied_other, a, b)
                scratch[tied_same_at + a] = 0.0
                scratch[tied_same_at + b] = 0.0
        start = end
    for k in range(count, out.shape[0]):
        out[k] = 0.0


@kernel
def sweep_rows(
    reach: Float32, first: int, last: int, cards: Int32, ends: Int32, columns: Float32, beaten: Float32, every: Float32
) -> None:
    """The weight of one opponent that each hand beats (ties by half), and all of it, for rows `first` to `last`.

    reach, beaten, every: (rows, hands) flat, rows and hands in multiples of eight; columns: (2 * hands + CARDS, 8) flat
    """
    hands = cards.shape[0]
    count = ends[ends.shape[0] - 1]
    sums, found = hands * WIDTH, (hands + CARDS) * WIDTH
    half = spread8(np.float32(0.5))
    for row in range(first, last, WIDTH):
        for k in range(0, hands, WIDTH):
            transpose8(reach, row * hands + k, hands, columns, k * WIDTH, WIDTH)
        for i in range(sums, sums + CARDS * WIDTH):
            columns[i] = 0.0
        total = spread8(np.float32(0.0))
        start = 0
        for group in range(ends.shape[0]):
            end = ends[group]
            # What is below, then what is not above; the mean of both counts ties by half.
            for k in range(start, end):
                with_first, with_second = sums + cards[k, 0] * WIDTH, sums + cards[k, 1] * WIDTH
                store8(columns, found + k * WIDTH, total - load8(columns, with_first) - load8(columns, with_second))
            for k in range(start, end):
                with_first, with_second = sums + cards[k, 0] * WIDTH, sums + cards[k, 1] * WIDTH
                weight = load8(columns, k * WIDTH)
                store8(columns, with_first, load8(columns, with_first) + weight)
                store8(columns, with_second, load8(columns, with_second) + weight)
                total = total + weight
            for k in range(start, end):
                with_first, with_second = sums + cards[k, 0] * WIDTH, sums + cards[k, 1] * WIDTH
                upto = total - load8(columns, with_first) - load8(columns, with_second) + load8(columns, k * WIDTH)
                store8(columns, found + k * WIDTH, (load8(columns, found + k * WIDTH) + upto) * half)
            start = end
        for k in range(count):
            with_first, with_second = sums + cards[k, 0] * WIDTH, sums + cards[k, 1] * WIDTH
            whole = total - load8(columns, with_first) - load8(columns, with_second) + load8(columns, k * WIDTH)
            store8(columns, k * WIDTH, whole)
        for k in range(count, hands):
            store8(columns, k * WIDTH, spread8(np.float32(0.0)))
            store8(columns, found + k * WIDTH, spread8(np.float32(0.0)))
        for k in range(0, hands, WIDTH):
            transpose8(columns, found + k * WIDTH, WIDTH, beaten, row * hands + k, hands)
            transpose8(columns, k * WIDTH, WIDTH, every, row * hands + k, hands)


@kernel
def corrections(
    pairs: Int64, kinds: Int64, rows: Int64, reach: Float32, beaten: Float32, every: Float32, cards: Int32,
    ends: Int32, scratch: Float32, out: Float32,
) -> None:  # fmt: skip
    """For some pairs of reaches, by hand: the exact sum over the product of both sums taken alone, into `out`.

    pairs: which ones; kinds: (pairs,); rows: (pairs, 2) of `reach`, `beaten`, `every`; out: (pairs, hands)
    """
    for pair in pairs:
        kind, first, second = kinds[pair], rows[pair, 0], rows[pair, 1]
        found = out[pair]
        pair_sums(kind, reach[first], reach[second], cards, ends, scratch, found)
        left = beaten[first] if kind & BELOW_FIRST else every[first]
        right = beaten[second] if kind & BELOW_SECOND else every[second]
        for k in range(found.shape[0]):
            product = left[k] * right[k]
            found[k] = min(found[k] / product, np.float32(1.5)) if product > 0.0 else np.float32(1.0)
