"""Groups of hands on the turns of a flop, where rivers are checked down: by how a hand stands on the rivers after it.

Rivers are drawn once, so many below each turn, and kept: two cards that come as turn and river make the same board in
either order, so the drawn boards are pairs of cards in which every card is in as many.
"""

import numpy as np

from holdem.cards import NUM_CARDS
from holdem.cards.cards import HOLE_CARDS, Cards
from holdem.errors import ConfigError
from holdem.realtime.subgame.deals import Hands
from holdem.realtime.subgame.flat_tree import padded
from holdem.realtime.subgame.groups.hands import Weights, both_weights, group_hands_of_cards
from holdem.realtime.subgame.kernels.arrays import GroupArrays
from holdem.realtime.subgame.kernels.deals import hand_strengths
from holdem.realtime.subgame.kernels.grouping import add_check_downs, order_boards
from holdem.util.arrays import Float32, Int16, Int32, Int64
from holdem.util.rng import stream

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
    circle = stream(int("".join(f"{card:02d}" for card in sorted(board))), "drawn rivers").permutation(left)
    steps = range(1, rivers // 2 + 1)
    return np.array([[circle[i], circle[(i + step) % left]] for step in steps for i in range(left)], dtype=np.int32)


def drawn_boards(board: Cards, pairs: Int32) -> Int32:
    """(pairs, 5): the full boards of pairs of places in the deck."""
    deck = np.array([card for card in range(NUM_CARDS) if card not in board], dtype=np.int32)
    return np.concatenate([np.tile(np.array(board, dtype=np.int32), (len(pairs), 1)), deck[pairs]], axis=1)


def turn_groups(board: Cards, pairs: Int32, hands: Hands, weights: Weights, groups: int) -> GroupArrays:
    """Groups of both players' hands on all turns of a flop, and what they win from each other by checking down."""
    either = np.union1d(hands[0], hands[1])
    holes = HOLE_CARDS[either].astype(np.int32)
    cards, rivers = NUM_CARDS - len(board), 2 * len(pairs) // (NUM_CARDS - len(board))
    strengths = np.zeros((len(pairs), len(either)), dtype=np.int16)
    hand_strengths(drawn_boards(board, pairs), holes, strengths)
    order, free = np.zeros_like(strengths), np.zeros(len(pairs), dtype=np.int32)
    standing = np.zeros((cards, len(either)), dtype=np.float32)
    seen = np.zeros(standing.shape, dtype=np.int32)
    order_boards(strengths, both_weights(either, hands, weights), pairs, order, free, standing, seen)
    steps = np.where(seen > 0, STEPS * standing / np.maximum(seen, 1), -1).astype(np.int16)
    made = group_hands_of_cards(steps, either, hands, weights, groups, POWER)
    group_of = _group_of_either(made, either, hands)
    own = np.zeros((2, len(either)), dtype=np.float32)
    for player in (0, 1):
        own[player, np.searchsorted(either, hands[player])] = weights[player]
    count = made.ends.shape[2]
    ahead = np.zeros((cards, count, padded(count)), dtype=np.float32)
    behind = np.zeros_like(ahead)
    add_check_downs(strengths, order, free, pairs, holes, group_of, own, ahead, behind)
    # Of a pair's rivers four are blocked.
    _fill_wins(made, ahead[:, :, :count], behind[:, :, :count], _totals(group_of, own, count), rivers * 44.0 / 48.0)
    return made


def _group_of_either(made: GroupArrays, either: Int64, hands: Hands) -> Int16:
    """(cards, hands of either player) the group of each hand; −1 for those that a card blocks."""
    cards, count = made.ends.shape[1:]
    group_of = np.full((cards, len(either)), -1, dtype=np.int16)
    for player in (0, 1):
        groups = made.places[player, : len(hands[player])].T - np.arange(cards)[:, None] * (count + 1)
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
