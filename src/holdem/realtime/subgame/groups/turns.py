"""Groups of hands on the turns of a flop, where rivers are checked down: by how a hand stands on the rivers after it.

Rivers are drawn once, so many below each turn, and kept: two cards that come as turn and river make the same board in
either order, so the drawn boards are pairs of cards in which every card is in as many.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from holdem.cards import NUM_CARDS
from holdem.cards.cards import HOLE_CARDS, Cards
from holdem.errors import ConfigError
from holdem.realtime.subgame.boards import cards_left
from holdem.realtime.subgame.deals import Hands
from holdem.realtime.subgame.flat_tree import padded
from holdem.realtime.subgame.groups.hands import Weights, board_stream, both_weights, group_hands_of_cards
from holdem.realtime.subgame.kernels.arrays import CheckDowns, GroupArrays
from holdem.realtime.subgame.kernels.deals import hand_strengths
from holdem.realtime.subgame.kernels.grouping import add_check_downs, add_hand_shares, order_boards
from holdem.util.arrays import Float32, Int16, Int32, Int64

POWER = 1.0
STEPS = 6000
"""Standings are compared as whole numbers up to this."""
FEWEST_RIVERS, MOST_RIVERS = 4, 48


def drawn_pairs(board: Cards, rivers: int) -> Int32:
    """(pairs, 2) places in the deck that is left after a flop: every card is in `rivers` pairs; all pairs at 48.

    The cards lie in a random circle, and each is paired with its nearest neighbours.
    """
    if rivers % 2 or not FEWEST_RIVERS <= rivers <= MOST_RIVERS:
        raise ConfigError(f"{rivers} rivers cannot be drawn below each turn; an even number from 4 to 48 can")
    left = NUM_CARDS - len(board)
    circle = board_stream(sorted(board), "drawn rivers").permutation(left)
    neighbours = [np.stack([circle, np.roll(circle, -step)], axis=1) for step in range(1, rivers // 2 + 1)]
    return np.concatenate(neighbours).astype(np.int32)


def drawn_boards(board: Cards, pairs: Int32) -> Int32:
    """(pairs, 5): the full boards of pairs of places in the deck."""
    deck = np.array(cards_left(board), dtype=np.int32)
    return np.concatenate([np.tile(np.array(board, dtype=np.int32), (len(pairs), 1)), deck[pairs]], axis=1)


@dataclass(frozen=True)
class Standings:
    """The drawn boards of a flop: who holds what, in which order, and how each hand stands after each turn.

    either: the hands of both players; own: (2, hands) weights of either player; steps: (turns, hands)
    """

    pairs: Int32
    either: Int64
    holes: Int32
    own: Float32
    strengths: Int16
    order: Int16
    free: Int32
    steps: Int16

    @classmethod
    def of(cls, board: Cards, pairs: Int32, hands: Hands, weights: Weights) -> "Standings":
        """Evaluate and order all hands on the boards that `drawn_pairs` drew."""
        either = np.union1d(hands[0], hands[1])
        holes = HOLE_CARDS[either].astype(np.int32)
        strengths = np.zeros((len(pairs), len(either)), dtype=np.int16)
        hand_strengths(drawn_boards(board, pairs), holes, strengths)
        order, free = np.zeros_like(strengths), np.zeros(len(pairs), dtype=np.int32)
        standing = np.zeros((NUM_CARDS - len(board), len(either)), dtype=np.float32)
        seen = np.zeros(standing.shape, dtype=np.int32)
        order_boards(strengths, both_weights(either, hands, weights), pairs, order, free, standing, seen)
        steps = np.where(seen > 0, STEPS * standing / np.maximum(seen, 1), -1).astype(np.int16)
        own = np.zeros((2, len(either)), dtype=np.float32)
        for player in (0, 1):
            own[player, np.searchsorted(either, hands[player])] = weights[player]
        return cls(pairs, either, holes, own, strengths, order, free, steps)

    @property
    def rivers(self) -> float:
        """How many rivers a pair of hands sees below a turn: of those drawn four in 48 are blocked."""
        return 2 * len(self.pairs) / len(self.steps) * 44.0 / 48.0

    def groups(self, hands: Hands, weights: Weights, groups: int) -> GroupArrays:
        """Groups on every turn, with nothing won yet."""
        return group_hands_of_cards(self.steps, self.either, hands, weights, groups, POWER)


def turn_groups(board: Cards, pairs: Int32, hands: Hands, weights: Weights, groups: int) -> GroupArrays:
    """Groups of both players' hands on all turns of a flop, and what they win from each other by checking down."""
    drawn = Standings.of(board, pairs, hands, weights)
    made = drawn.groups(hands, weights, groups)
    group_of = _group_of_either(made, drawn.either, hands)
    count = made.ends.shape[2]
    ahead = np.zeros((len(group_of), count, padded(count)), dtype=np.float32)
    behind = np.zeros_like(ahead)
    add_check_downs(drawn.strengths, drawn.order, drawn.free, pairs, drawn.holes, group_of, drawn.own, ahead, behind)
    totals = _totals(group_of, drawn.own, count)
    _fill_wins(made, ahead[:, :, :count], behind[:, :, :count], totals, drawn.rivers)
    return made


def turn_check_downs(
    board: Cards, pairs: Int32, turns: Sequence[int], hands: Hands, weights: Weights, groups: int, stakes: Float32
) -> CheckDowns:
    """What every hand wins by checking down against groups of the other's hands, on the turns that are asked for."""
    drawn = Standings.of(board, pairs, hands, weights)
    made = drawn.groups(hands, weights, groups)
    group_of = _group_of_either(made, drawn.either, hands)
    count = made.ends.shape[2]
    sums = np.zeros((2, *group_of.shape, padded(count)), dtype=np.float32)
    add_hand_shares(drawn.strengths, drawn.order, drawn.free, pairs, drawn.holes, group_of, drawn.own, sums)
    totals = _totals(group_of, drawn.own, count)
    places = np.searchsorted(cards_left(board), turns)
    width = made.order.shape[2]
    shares = np.zeros((2, len(places), width, padded(count)), dtype=np.float32)
    means = np.zeros((2, len(places), padded(count), padded(count)), dtype=np.float32)
    own_groups = np.zeros((2, len(places), width), dtype=np.int16)
    for player in (0, 1):
        columns = np.searchsorted(drawn.either, hands[player])
        other = drawn.rivers * totals[1 - player][places][:, None, :]
        own = sums[player][np.ix_(places, columns)][:, :, :count]
        shares[player, :, : own.shape[1], :count] = np.divide(own, other, out=np.zeros_like(own), where=other > 0.0)
        groups_here = group_of[np.ix_(places, columns)]
        own_groups[player, :, : own.shape[1]] = np.maximum(groups_here, 0)
        for turn, row in enumerate(groups_here):
            members = np.where(row >= 0, weights[player], 0.0)
            summed = np.zeros((count, padded(count)))
            np.add.at(summed, np.maximum(row, 0), members[:, None] * shares[player, turn, : len(row)])
            total = np.bincount(np.maximum(row, 0), members, count)[:, None]
            means[player, turn, :count] = np.divide(summed, total, out=np.zeros_like(summed), where=total > 0.0)
    order, ends = (np.ascontiguousarray(table[:, places]) for table in (made.order, made.ends))
    return CheckDowns(order, ends, own_groups, shares, means, stakes)


def _group_of_either(made: GroupArrays, either: Int64, hands: Hands) -> Int16:
    """(cards, hands of either player) the group of each hand; −1 for those that a card blocks."""
    cards, count = made.ends.shape[1:]
    group_of = np.full((cards, len(either)), -1, dtype=np.int16)
    for player in (0, 1):
        groups = made.places[player, 0, : len(hands[player])].T - np.arange(cards)[:, None] * (count + 1)
        group_of[:, np.searchsorted(either, hands[player])] = np.where(groups < count, groups, -1)
    return group_of


def _totals(group_of: Int16, own: Float32, count: int) -> Float32:
    """(2, cards, groups) weight of each player's groups."""
    totals = [[np.bincount(row + 1, weights, count + 1)[1:] for row in group_of] for weights in own]
    return np.array(totals, dtype=np.float32)


def _fill_wins(made: GroupArrays, ahead: Float32, behind: Float32, totals: Float32, rivers: float) -> None:
    """Wins less losses as shares of all pairs of two groups, for both players."""
    lead = ahead - behind.transpose(0, 2, 1)
    pairs = rivers * totals[0][:, :, None] * totals[1][:, None, :]
    shares = np.divide(lead, pairs, out=np.zeros_like(lead), where=pairs > 0.0)
    made.win[0, :, :, : lead.shape[1]] = shares.transpose(0, 2, 1)
    made.win[1, :, :, : lead.shape[1]] = -shares
