"""The card tables of a subgame: all-in chances, showdown orders, classes of boards, discount factors."""

from itertools import pairwise
from math import comb

import numpy as np
import pytest

from holdem.cards import evaluate, format_cards, hole_cards, parse_cards
from holdem.cards.cards import HOLE_CARDS
from holdem.cards.equity import equity
from holdem.realtime.subgame.boards import enumerate_boards, symmetries
from holdem.realtime.subgame.deals import fill_all_in_wins, hands_of, holdem_deals, runouts
from holdem.realtime.subgame.schedules import SCHEDULES, Schedule
from tests.realtime.spots import FLOP, RIVER, spot


@pytest.mark.parametrize("board", ["Ks Qd 7h 4c", "Ks Qd 7h"])
def test_all_in_chances_are_equities(board: str) -> None:
    cards = parse_cards(board)
    first = [parse_cards(hand) for hand in ("AsAh", "JhTh", "QsQh")]
    second = [parse_cards(hand) for hand in ("AcKd", "7c7d", "AhKh", "9s8s")]
    tables = [np.array([sorted(hand) for hand in hands], dtype=np.int32) for hands in (first, second)]
    wins = np.zeros((8, 8), dtype=np.int16)
    fill_all_in_wins(cards, runouts(cards), tables[0], tables[1], wins)
    ways = comb(52 - len(cards) - 4, 5 - len(cards))
    for i, mine in enumerate(first):
        for j, theirs in enumerate(second):
            if set(mine) & set(theirs):
                assert wins[i, j] == 0
            else:
                exact = equity(format_cards(mine), format_cards(theirs), board=cards).equity
                assert wins[i, j] / ways == pytest.approx(2 * exact - 1, abs=1e-9)


def test_showdown_orders_are_by_strength() -> None:
    at = spot(RIVER)
    hands = hands_of(at.ranges, at.board)
    arrays = holdem_deals(enumerate_boards(at.board, at.ranges, 1), at.ranges, ()).arrays
    for player in (0, 1):
        strengths = [evaluate((*hole_cards(int(hand)), *at.board)) for hand in hands[player]]
        ordered = [strengths[h] for h in arrays.order[player, 0, : arrays.free[player, 0]]]
        assert ordered == sorted(strengths)
        starts = [0, *arrays.ends[player, 0, : arrays.groups[0]]]
        assert starts[-1] == len(strengths)
        for start, end in pairwise(starts):
            assert len(set(ordered[start:end])) <= 1


def test_every_card_is_dealt_once_through_its_class() -> None:
    at = spot(FLOP)
    tree = enumerate_boards(at.board, at.ranges, 3)
    for board in range(tree.level_start[2]):
        images = [
            (card & ~3) | renaming[card & 3]
            for child in range(tree.children[board], tree.children[board + 1])
            for card in [tree.boards[child].dealt[-1]]
            for renaming in tree.boards[child].images
        ]
        taken = {*at.board, *tree.boards[board].dealt}
        assert sorted(images) == [card for card in range(52) if card not in taken]


def test_a_range_of_one_suit_breaks_the_symmetry() -> None:
    board = parse_cards("Ks8s3s")
    even = np.ones(1326)
    assert len(symmetries(board, (even, even))) == 6
    hearts = np.where((HOLE_CARDS & 3 == 2).all(axis=1), 1.0, 0.5)
    assert len(symmetries(board, (even, hearts))) == 2


@pytest.mark.parametrize("name", SCHEDULES)
def test_factors_are_the_formulas(name: str) -> None:
    """The share of an iteration in the average, unrolled, is its weight in sums that fade by (t / (t + 1))^gamma."""
    schedule: Schedule = SCHEDULES[name]
    factors = schedule.factors(0, 60).astype(np.float64)
    total = 0.0
    for t in range(60):
        restart = schedule.restart and t in (1, 4, 16)
        since = t - max((s for s in (1, 4, 16) if s <= t), default=0) if schedule.restart else t
        total = 1.0 + (0.0 if restart else total * (since / (since + 1.0)) ** schedule.gamma)
        assert factors[t, 2] == pytest.approx(1.0 / total, rel=1e-5)
        power = max(t - 1, 0) ** schedule.alpha
        fades = t < schedule.fading
        assert factors[t, 0] == pytest.approx(power / (power + 1.0) if fades else 1.0, rel=1e-5)
    assert np.array_equal(schedule.factors(25, 15), schedule.factors(0, 40)[25:])
