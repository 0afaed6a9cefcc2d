"""Groups of hands on the rivers of a turn: by strength on that board, with thresholds that both players share."""

from collections.abc import Sequence

import numpy as np

from holdem.cards.cards import HOLE_CARDS, Cards
from holdem.realtime.subgame.boards import cards_left
from holdem.realtime.subgame.deals import Hands
from holdem.realtime.subgame.groups.hands import Weights, board_stream, group_hands_of_cards, own_columns
from holdem.realtime.subgame.kernels.arrays import GroupArrays
from holdem.realtime.subgame.kernels.deals import hand_strengths
from holdem.realtime.subgame.kernels.grouping import fill_showdowns
from holdem.util.arrays import Int32, Int64

POWER = 1.3
"""Strong hands get finer groups, see `kernels.grouping.cut_into_groups`."""


def river_groups(board: Cards, hands: Hands, weights: Weights, groups: int) -> GroupArrays:
    """Groups of both players' hands on all rivers of a turn, and what they win from each other."""
    boards = np.array([[*board, card] for card in cards_left(board)], dtype=np.int32)
    return _groups_of(boards, hands, weights, groups, 1)


def drawn_river_groups(turns: Sequence[Cards], rivers: int, hands: Hands, weights: Weights, groups: int) -> GroupArrays:
    """The same for some rivers of several turns: so many are drawn below each of them, and stand for all."""
    boards = [[*turn, *river] for turn in turns for river in _drawn(turn, rivers)]
    made = _groups_of(np.array(boards, dtype=np.int32), hands, weights, groups, len(turns))
    return made._replace(chance=np.float32(48.0 / 44.0 / rivers))


def _drawn(turn: Cards, rivers: int) -> Int64:
    """(rivers, 1) cards that may follow a turn, the same for the same turn."""
    return board_stream(turn, "rivers to bet on").choice(cards_left(turn), rivers, replace=False)[:, None]


def _groups_of(boards: Int32, hands: Hands, weights: Weights, groups: int, turns: int) -> GroupArrays:
    either = np.union1d(hands[0], hands[1])
    strengths = np.zeros((len(boards), len(either)), dtype=np.int16)
    hand_strengths(boards, HOLE_CARDS[either].astype(np.int32), strengths)
    made = group_hands_of_cards(strengths, either, hands, weights, groups, POWER, turns)
    own, cards = own_columns(strengths, either, hands), [HOLE_CARDS[own].astype(np.int32) for own in hands]
    for me, other in ((0, 1), (1, 0)):
        fill_showdowns(
            own[me], own[other], made.order[me], made.ends[me], made.order[other], made.ends[other], cards[me],
            cards[other], weights[me], weights[other], made.meet[me], made.win[me],
        )  # fmt: skip
    return made
