"""What a subgame knows about cards: the hands of both players, the boards that may come, who wins on them.

The solver reads nothing else, so a toy game is another set of these tables.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from holdem.cards.cards import HOLE_CARDS, NUM_CARDS, NUM_HOLE_PAIRS, Cards
from holdem.realtime.subgame.boards import IDENTITY, BoardTree, Renaming, cards_left, renamed_holes
from holdem.realtime.subgame.flat_tree import padded
from holdem.realtime.subgame.kernels.arrays import DealArrays
from holdem.realtime.subgame.kernels.deals import (
    add_all_in_wins,
    clear_impossible,
    group_hands,
    hand_strengths,
    order_hands,
)
from holdem.util.arrays import Float64, Int16, Int32

Hands = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]

FULL_BOARD = 5


@dataclass(frozen=True)
class CardTables:
    """The tables of a subgame and what stands behind them.

    hands: for each player the numbers of the hole pairs that he may hold; weights: of those hands
    """

    arrays: DealArrays
    hands: Hands
    weights: tuple[Float64, Float64]

    @property
    def num_hands(self) -> tuple[int, int]:
        """Hands of either player."""
        return len(self.hands[0]), len(self.hands[1])


def holdem_deals(
    tree: BoardTree, ranges: tuple[Float64, Float64], all_in_levels: Iterable[int], drawn: Int32 | None = None
) -> CardTables:
    """The tables of a hold'em subgame; chances of all-in hands for the boards of `all_in_levels`.

    drawn: (boards, 5), what the root is dealt out to, by default everything
    """
    hands = hands_of(ranges, tree.root)
    boards = tree.boards
    order, count, ends, groups = showdown_tables(_strengths(tree, hands), tree.level_start[-2])
    renamings = sorted({renaming for b in boards for renaming in b.images}, key=lambda r: (r != IDENTITY, r))
    number = {renaming: i for i, renaming in enumerate(renamings)}
    wins, wins_of = _all_in_tables(tree, hands, set(all_in_levels), drawn)
    left = NUM_CARDS - len(tree.root) - 4  # what may come on the next street, for a pair of hands
    missing = FULL_BOARD - len(tree.root)
    levels = range(len(tree.level_sizes))
    ways = [float(comb(left - i, missing - i)) for i in levels]
    if drawn is not None:
        ways[0] *= len(drawn) / comb(NUM_CARDS - len(tree.root), missing)
    arrays = DealArrays(
        cards=_cards_of(hands),
        same=same_hands(hands),
        order=order,
        free=count,
        ends=ends,
        groups=groups,
        children=np.array(tree.children, dtype=np.int32),
        image_start=np.cumsum([0, *(len(b.images) for b in boards)]).astype(np.int32),
        images=np.array([number[renaming] for b in boards for renaming in b.images], dtype=np.int32),
        renamed=_renamed_hands(hands, renamings),
        wins=wins,
        wins_of=wins_of,
        all_in_chance=np.array([1.0 / number for number in ways], dtype=np.float32),
        deal_probability=np.array([1.0 / (left - i) for i in levels], dtype=np.float32),
    )
    return CardTables(arrays, hands, (ranges[0][hands[0]], ranges[1][hands[1]]))


def hands_of(ranges: tuple[Float64, Float64], board: Cards) -> Hands:
    """Hole pairs of either range that the board allows."""
    free = ~np.isin(HOLE_CARDS, board).any(axis=1)
    return np.flatnonzero(free & (ranges[0] > 0)), np.flatnonzero(free & (ranges[1] > 0))


def _cards_of(hands: Hands) -> Int32:
    widest = max(padded(len(h)) for h in hands)
    cards = np.zeros((2, widest, 2), dtype=np.int32)
    for player, own in enumerate(hands):
        cards[player, : len(own)] = HOLE_CARDS[own]
    return cards


def same_hands(hands: Hands) -> Int32:
    """For each hand of a player the other's hand of the same cards, or −1."""
    same = np.full((2, max(padded(len(h)) for h in hands)), -1, dtype=np.int32)
    for player in (0, 1):
        place = np.full(NUM_HOLE_PAIRS, -1, dtype=np.int32)
        place[hands[1 - player]] = np.arange(len(hands[1 - player]))
        same[player, : len(hands[player])] = place[hands[player]]
    return same


def _strengths(tree: BoardTree, hands: Hands) -> list[Int16]:
    """(boards, hands) of each player: real strengths on full boards, before that 0, and −1 for blocked hands."""
    result = []
    full = len(tree.root) + len(tree.boards[-1].dealt) == FULL_BOARD
    first = tree.level_start[-2]
    final = np.array([[*tree.root, *b.dealt] for b in tree.boards[first:]], dtype=np.int32)
    for own in hands:
        cards = HOLE_CARDS[own].astype(np.int32)
        strengths = np.zeros((len(tree.boards), len(own)), dtype=np.int16)
        for number, b in enumerate(tree.boards[: first if full else None]):
            strengths[number] = np.where(np.isin(cards, b.dealt).any(axis=1), -1, 0)
        if full:
            hand_strengths(final, cards, strengths[first:])
        result.append(strengths)
    return result


def showdown_tables(strengths: list[Int16], first_final: int) -> tuple[Int16, Int32, Int16, Int32]:
    """Orders, counts and runs of equal strength for all boards; runs only from board `first_final` on."""
    num_boards = len(strengths[0])
    widest = max(padded(s.shape[1]) for s in strengths)
    order = np.zeros((2, num_boards, widest), dtype=np.int16)
    count = np.zeros((2, num_boards), dtype=np.int32)
    for player in (0, 1):
        own = np.zeros((num_boards, padded(strengths[player].shape[1])), dtype=np.int16)
        order_hands(strengths[player], own, count[player])
        order[player, :, : own.shape[1]] = own
    final = slice(first_final, None)
    most = max(1, sum(s.shape[1] for s in strengths))
    ends = np.zeros((2, num_boards - first_final, most), dtype=np.int16)
    groups = np.zeros(num_boards, dtype=np.int32)
    group_hands(
        strengths[0][final], strengths[1][final], order[0, final], order[1, final], count[:, final].copy(), ends,
        groups[final],
    )  # fmt: skip
    return order, count, ends[:, :, : max(1, int(groups.max()))].copy(), groups


def _renamed_hands(hands: Hands, renamings: list[Renaming]) -> Int16:
    widest = max(padded(len(h)) for h in hands)
    renamed = np.tile(np.arange(widest, dtype=np.int16), (2, len(renamings), 1))
    for player, own in enumerate(hands):
        place = np.full(NUM_HOLE_PAIRS, -1, dtype=np.int64)
        place[own] = np.arange(len(own))
        for i, renaming in enumerate(renamings):
            renamed[player, i, : len(own)] = place[renamed_holes(renaming)[own]]
    return renamed


def _all_in_tables(tree: BoardTree, hands: Hands, levels: set[int], drawn: Int32 | None) -> tuple[Int16, Int32]:
    """Wins less losses of all hands against all others where the board is dealt out, for boards of the given levels."""
    wins_of = np.full(len(tree.boards), -1, dtype=np.int32)
    numbers = [n for level in sorted(levels) for n in range(tree.level_start[level], tree.level_start[level + 1])]
    wins_of[numbers] = np.arange(len(numbers))
    wins = np.zeros((len(numbers), padded(len(hands[0])), padded(len(hands[1]))), dtype=np.int16)
    cards = [HOLE_CARDS[own].astype(np.int32) for own in hands]
    for row, number in enumerate(numbers):
        board = (*tree.root, *tree.boards[number].dealt)
        full = runouts(board) if drawn is None else drawn
        fill_all_in_wins(board, full, cards[0], cards[1], wins[row])
    return wins, wins_of


def runouts(board: Cards) -> Int32:
    """(boards, 5): every way to deal a board out."""
    more = combinations(cards_left(board), FULL_BOARD - len(board))
    return np.array([[*board, *cards] for cards in more], dtype=np.int32)


def fill_all_in_wins(board: Cards, full: Int32, first: Int32, second: Int32, wins: Int16) -> None:
    """Wins less losses of every hand against every other over the full boards, 0 for impossible pairs."""
    add_all_in_wins(full, first, second, wins)
    wins[:, len(second) :] = 0
    clear_impossible(np.array(board, dtype=np.int32), first, second, wins)
