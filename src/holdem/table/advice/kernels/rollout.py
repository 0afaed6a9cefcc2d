"""Compiled rollouts: deals drawn from ranges, and what each action is worth when everybody plays a policy from there.

Small subtrees are walked whole, so that only the cards are random; in large ones one line of play is drawn.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from holdem.abstraction.kernels.payoffs import payoffs_into
from holdem.policy.kernels.played import played_total, played_weight, row_total
from holdem.util.arrays import Float64, Int64, UInt64
from holdem.util.jit import inline_kernel, kernel
from holdem.util.kernels.random_numbers import next_below, next_unit


class PolicyArrays(NamedTuple):
    """A tree, where its rows lie, and the quantised probabilities, as kernels take them; all but table are (nodes,).

    num_passive: the first so many actions do not raise
    """

    player: npt.NDArray[np.int8]
    street: npt.NDArray[np.int8]
    kind: npt.NDArray[np.int8]
    num_actions: npt.NDArray[np.int8]
    num_passive: npt.NDArray[np.int8]
    first_child: npt.NDArray[np.int32]
    end: npt.NDArray[np.int32]
    folded: npt.NDArray[np.uint8]
    chips_in: npt.NDArray[np.int32]
    offset: Int64
    stride: Int64
    table: npt.NDArray[np.uint16]


@kernel
def deal_from_ranges(
    state: UInt64,
    cumulative: Float64,
    pairs: npt.NDArray[np.int8],
    position: int,
    known: int,
    board: npt.NDArray[np.uint8],
    tries: int,
    holes: npt.NDArray[np.int16],
    boards: npt.NDArray[np.uint8],
) -> int:
    """Draw hole pairs of everybody but `position` and the rest of the board; returns how many deals were found.

    cumulative: (players, 1326) running sums of the weights; pairs: (1326, 2) the cards of a pair; known: bits of the
    cards of `position` and of the board; holes: (deals, players) numbers of pairs, the column of `position` is not
    written; boards: (deals, 5). A deal in which two seats hold one card is drawn again, so that the deals have the
    ranges' joint distribution.
    """
    players = cumulative.shape[0]
    done = 0
    for _ in range(tries):
        if done == holes.shape[0]:
            break
        # Hole pairs of the others, each from its own range; two seats with one card spoil the deal.
        dealt = known
        possible = True
        for p in range(players):
            if p == position:
                continue
            sums = cumulative[p]
            pair = np.searchsorted(sums, next_unit(state) * sums[-1], side="right")
            pair = min(pair, sums.shape[0] - 1)
            bits = (1 << np.int64(pairs[pair, 0])) | (1 << np.int64(pairs[pair, 1]))
            if dealt & bits:
                possible = False
                break
            dealt |= bits
            holes[done, p] = pair
        if not possible:
            continue
        # The rest of the board, from the cards that nobody holds.
        for place in range(5):
            if place < board.shape[0]:
                boards[done, place] = board[place]
                continue
            card = next_below(state, 52)
            while (dealt >> card) & 1:
                card = next_below(state, 52)
            dealt |= 1 << card
            boards[done, place] = card
        done += 1
    return done


@inline_kernel
def _row(arrays: PolicyArrays, node: int, buckets: Int64) -> int:
    """Where the row of the player to act begins; buckets: (players, streets)."""
    bucket = buckets[arrays.player[node], arrays.street[node]]
    return arrays.offset[node] + bucket * arrays.stride[node]


@kernel
def walk_subtree(
    arrays: PolicyArrays, node: int, position: int, buckets: Int64, strengths: Int64, scratch: Float64, values: Float64
) -> None:
    """Exact worth of each action of `node` for one deal into `values`: (actions,); scratch: (descendants,)."""
    first = arrays.first_child[node]
    payoff = np.empty(strengths.shape[0])
    # Descendants are one slice with parents first: from its end back, children are known before their parent.
    for below in range(arrays.end[node] - 1, first - 1, -1):
        count = arrays.num_actions[below]
        if count == 0:
            payoffs_into(arrays.chips_in[below], arrays.folded[below], strengths, payoff)
            scratch[below - first] = payoff[position]
            continue
        # The mean over the actions by the policy; a row that was never visited plays all actions alike.
        row = _row(arrays, below, buckets)
        child = arrays.first_child[below] - first
        total, passive, worth = row_total(arrays.table, row, count), arrays.num_passive[below], 0.0
        for a in range(count):
            worth += played_weight(arrays.table, row, a, passive, total) * scratch[child + a]
        scratch[below - first] = worth / played_total(passive, total)
    for a in range(arrays.num_actions[node]):
        values[a] = scratch[a]


@kernel
def draw_lines(
    arrays: PolicyArrays, node: int, position: int, buckets: Int64, strengths: Int64, state: UInt64, values: Float64
) -> None:
    """The result of one drawn line of play behind each action of `node` into `values`: (actions,)."""
    payoff = np.empty(strengths.shape[0])
    for a in range(arrays.num_actions[node]):
        # Behind each action, draw one action after the other until the hand is over.
        here = arrays.first_child[node] + a
        while arrays.num_actions[here] > 0:
            row = _row(arrays, here, buckets)
            total, passive = row_total(arrays.table, row, arrays.num_actions[here]), arrays.num_passive[here]
            left = float(next_below(state, int(played_total(passive, total))))
            choice = 0
            while left >= played_weight(arrays.table, row, choice, passive, total):
                left -= played_weight(arrays.table, row, choice, passive, total)
                choice += 1
            here = arrays.first_child[here] + choice
        payoffs_into(arrays.chips_in[here], arrays.folded[here], strengths, payoff)
        values[a] = payoff[position]


@kernel
def worth_of_actions(
    arrays: PolicyArrays,
    node: int,
    position: int,
    buckets: Int64,
    strengths: Int64,
    whole: bool,
    state: UInt64,
    values: Float64,
) -> None:
    """`values`: (deals, actions) for many deals; buckets: (deals, players, streets); strengths: (deals, players)."""
    scratch = np.empty(arrays.end[node] - arrays.first_child[node] if whole else 1)
    for deal in range(values.shape[0]):
        if whole:
            walk_subtree(arrays, node, position, buckets[deal], strengths[deal], scratch, values[deal])
        else:
            draw_lines(arrays, node, position, buckets[deal], strengths[deal], state, values[deal])
