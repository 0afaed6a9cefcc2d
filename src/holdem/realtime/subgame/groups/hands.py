"""Which hand is in which group, for all cards of a street, and which pairs of groups can meet."""

from collections.abc import Sequence

import numpy as np

from holdem.cards.cards import HOLE_CARDS, NUM_HOLE_PAIRS
from holdem.realtime.subgame.deals import Hands, same_hands
from holdem.realtime.subgame.flat_tree import padded
from holdem.realtime.subgame.kernels.arrays import GroupArrays
from holdem.realtime.subgame.kernels.grouping import cut_into_groups, fill_meetings, order_by_group
from holdem.util.arrays import Float32, Float64, Int16, Int64
from holdem.util.rng import stream

Weights = tuple[Float64, Float64]
"""Of the hands of both players."""


def group_hands_of_cards(
    strengths: Int16, either: Int64, hands: Hands, weights: Weights, groups: int, power: float, boards: int = 1
) -> GroupArrays:
    """Groups by strength, with nothing won yet, for the cards after each of some boards.

    strengths: (cards, hands of either player), −1 where a card blocks a hand; either: the numbers of those hands
    """
    group_of = np.zeros_like(strengths)
    cut_into_groups(strengths, both_weights(either, hands, weights), power, groups, group_of)
    count, cards = int(group_of.max()) + 1, len(strengths)
    order = np.zeros((2, cards, max(padded(len(own)) for own in hands)), dtype=np.int16)
    ends = np.zeros((2, cards, count), dtype=np.int16)
    columns, own_groups = own_columns(strengths, either, hands), own_columns(group_of, either, hands)
    for player in (0, 1):
        order_by_group(columns[player], own_groups[player], order[player], ends[player])
    meet = np.zeros((2, cards, count, padded(count)), dtype=np.float32)
    holes, same = [HOLE_CARDS[own].astype(np.int32) for own in hands], same_hands(hands)
    for me, other in ((0, 1), (1, 0)):
        fill_meetings(
            order[me], ends[me], order[other], ends[other], holes[me], holes[other], same[me], weights[me],
            weights[other], meet[me],
        )  # fmt: skip
    places = np.full((2, boards, order.shape[2], cards // boards), count, dtype=np.int16)
    for player in (0, 1):
        own = own_groups[player].reshape(boards, -1, len(hands[player])).transpose(0, 2, 1)
        places[player, :, : own.shape[1]] = np.where(own >= 0, own, count)
    places += np.arange(cards // boards, dtype=np.int16) * (count + 1)
    # A pair of hands holds four cards, and sees as many fewer.
    return GroupArrays(order, ends, places, meet, np.zeros_like(meet), np.float32(1.0 / (cards // boards - 4)))


def board_stream(board: Sequence[int], what: str) -> np.random.Generator:
    """Random numbers that are the same for the same board."""
    return stream(int("".join(f"{card:02d}" for card in board)), what)


def both_weights(either: Int64, hands: Hands, weights: Weights) -> Float32:
    """(hands of either player,): the weight of both ranges together, each of them as one."""
    mass = np.zeros(NUM_HOLE_PAIRS)
    for own, weight in zip(hands, weights, strict=True):
        mass[own] += weight / weight.sum()
    return mass[either].astype(np.float32)


def own_columns(table: Int16, either: Int64, hands: Hands) -> list[Int16]:
    """(cards, hands) of each player, from (cards, hands of either)."""
    return [np.ascontiguousarray(table[:, np.searchsorted(either, own)]) for own in hands]
