"""All-in shares of many hands against listing boards and hands one by one."""

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from phevaluator import evaluate_cards

from holdem.cards import parse_cards
from holdem.cards.cards import Cards, format_card
from holdem.cards.equity import equity
from holdem.evaluation.kernels.shares import count_orders, shares_by_street, shares_of_orders

FloatArray = npt.NDArray[np.float64]
DECK = parse_cards("2h3d8c8dTsThJcAc")
"""What may come in these tests; with all 52 cards listing takes too long."""
HANDS = ("AhKh", "AdKd", "8h8s", "QcJd", "9s8s", "7c2d")
"""The first two often split; no card is in `DECK`, and the two hands with 8s never play together."""


def shares(holes: list[Cards], board: Cards, deck: Cards) -> FloatArray:
    players = len(holes)
    orders = np.zeros(players**players, dtype=np.int64)
    boards = count_orders(
        np.array(holes, dtype=np.uint8), np.array(board, dtype=np.uint8), np.array(deck, dtype=np.uint8), orders
    )
    out = np.zeros((1 << players, players))
    shares_of_orders(orders, boards, out)
    return out


def listed(holes: list[Cards], board: Cards, deck: Cards) -> FloatArray:
    """The plain twin, ranks by phevaluator, where the smaller one wins."""
    players = len(holes)
    total, boards = np.zeros((1 << players, players)), 0
    for rest in combinations(deck, 5 - len(board)):
        ranks = [evaluate_cards(*map(format_card, (*hole, *board, *rest))) for hole in holes]
        boards += 1
        for group in range(1, 1 << players):
            contenders = [p for p in range(players) if group >> p & 1]
            best = min(ranks[p] for p in contenders)
            winners = [p for p in contenders if ranks[p] == best]
            total[group, winners] += 1.0 / len(winners)
    return total / boards


@pytest.mark.parametrize("names", [HANDS[:2], HANDS[:3], (*HANDS[:2], *HANDS[3:5], HANDS[5])])
@pytest.mark.parametrize("board", ["", "8c8dTs", "2h3d8cAc", "2h3d8cAcTs"])
def test_shares_are_those_of_a_list(names: tuple[str, ...], board: str) -> None:
    holes, shown = [parse_cards(name) for name in names], parse_cards(board)
    deck = tuple(card for card in DECK if card not in shown)
    found = shares(holes, shown, deck)
    assert found == pytest.approx(listed(holes, shown, deck), abs=1e-12)
    assert found[1:].sum(axis=1) == pytest.approx(1.0)


def test_six_hands_split_what_the_board_gives_all() -> None:
    holes = [parse_cards(name) for name in ("2c3c", "2d3d", "2h3h", "4c5d", "4d5h", "4h5s")]
    found = shares(holes, parse_cards("AsKsQsJsTs"), ())
    assert found[63] == pytest.approx(1.0 / 6.0)
    assert found[0b100101].tolist() == pytest.approx([1 / 3, 0, 1 / 3, 0, 0, 1 / 3])


def test_the_mean_over_the_next_cards_is_the_share_before_them() -> None:
    """The whole deck: this is what makes board luck have the mean zero. 16,215 flops are too many, so 3 of them."""
    holes = np.array([parse_cards(name) for name in ("AhKh", "QcQd", "9s8s")], dtype=np.uint8)
    board_cards, used = np.array([0, 3, 4, 5]), set(holes.ravel().tolist())
    found = np.zeros((4, 8, 3))
    for flop in ("Qs7h2d", "ThJs3h", "9c9d9h"):
        shown = parse_cards(flop)
        means = np.zeros((8, 3))
        free = [card for card in range(52) if card not in used | set(shown)]
        for turn in free:
            river = next(card for card in free if card != turn)
            shares_by_street(holes, np.array([*shown, turn, river], dtype=np.uint8), board_cards[1:], found[1:])
            means += found[2]
        assert means / len(free) == pytest.approx(found[1], abs=1e-12)


def test_before_the_flop_two_hands_have_the_exact_equity() -> None:
    """Beside the equities of `cards`, which go through ranges and boards up to suits."""
    found = np.zeros((4, 4, 2))
    holes = np.array([parse_cards("AhKh"), parse_cards("QcQd")], dtype=np.uint8)
    shares_by_street(holes, np.array(parse_cards("2c3d4h5s9c"), dtype=np.uint8), np.array([0, 3, 4, 5]), found)
    assert found[0, 3, 0] == pytest.approx(equity("AhKh", "QcQd").equity, abs=1e-9)
    assert found[1, 3, 0] == pytest.approx(equity("AhKh", "QcQd", "2c3d4h").equity, abs=1e-9)
    assert found[0, 3].sum() == pytest.approx(1.0)
