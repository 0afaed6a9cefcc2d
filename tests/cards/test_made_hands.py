"""Names of hands against a judge that knows nothing but sets of cards, and against phevaluator from straights up."""

import numpy as np
import phevaluator
import pytest

from holdem.cards.cards import HOLE_CARDS, NUM_HOLE_PAIRS, format_card, hole_index, parse_cards
from holdem.cards.made_hands import DRAW_NAMES, MADE_NAMES, made_hands
from holdem.errors import CardError

BOARDS = ["Ks7d2c", "KsKd7c", "7s7d7c", "9h8h7h", "Ah5c4d", "JhTh9h8s", "KsKd7c7h", "5c6d7h8s", "AsKsQsJs", "2c2d2h2s",
          "Ks7d2c5h9s", "5c6d7h8s9c", "KsKd7c7h2d", "AhKhQhJhTh", "7s7d7cKhKd", "4h4d9c9d9s", "QcJc9d8d2s"]  # fmt: skip
PHEVALUATOR_WORST = {"straight flush": 10, "quads": 166, "full house": 322, "flush": 1599, "straight": 1609}
"""The weakest rank of each category, from 1 (royal flush) on; https://github.com/HenryRLee/PokerHandEvaluator."""


def best_straight(ranks: set[int]) -> int:
    runs = [{12, 0, 1, 2, 3}, *({*range(low, low + 5)} for low in range(9))]
    return max((place for place, run in enumerate(runs) if run <= ranks), default=-1)


def judge_made(hole: list[int], board: list[int]) -> str:
    rank = phevaluator.evaluate_cards(*map(format_card, [*hole, *board]))
    for name, worst in PHEVALUATOR_WORST.items():
        if rank <= worst:
            return name
    own, theirs = [card >> 2 for card in hole], [card >> 2 for card in board]
    order = sorted(set(theirs), reverse=True)
    hits = sorted({one for one in own if one in theirs}, reverse=True)
    if own[0] == own[1] and hits:
        return "set"
    if any(theirs.count(hit) > 1 for hit in hits):
        return "trips"
    on_board = [one for one in order if theirs.count(one) > 1]
    if len(hits) == 2 and not on_board:
        return "two pair"
    best = own[0] if own[0] == own[1] else max(hits, default=-1)
    if best >= 0 and sum(one > best for one in on_board) < 2:
        if hits:
            return (["top pair", "middle pair"] + ["weak pair"] * 3)[order.index(best)]
        return (["overpair", "underpair"] + ["weak pair"] * 4)[sum(one > best for one in order)]
    return {12: "ace high", 11: "king high"}.get(max(own), "nothing")


def judge_draw(hole: list[int], board: list[int], made: str) -> str:
    if len(board) == 5:
        return "no draw"
    to_a_flush = False
    for suit in range(4):
        own = sum(card & 3 == suit for card in hole)
        if own and own + sum(card & 3 == suit for card in board) == 4 and MADE_NAMES.index(made) > 3:
            to_a_flush = True
    to_a_straight = judge_straight_draw(hole, board, made)
    if to_a_flush:
        return "flush draw" if to_a_straight == "no draw" else "combo draw"
    return to_a_straight


def judge_straight_draw(hole: list[int], board: list[int], made: str) -> str:
    if MADE_NAMES.index(made) <= MADE_NAMES.index("straight"):
        return "no draw"
    theirs = {card >> 2 for card in board}
    every = theirs | {card >> 2 for card in hole}
    outs = sum(best_straight(every | {rank}) > best_straight(theirs | {rank}) for rank in range(13))
    return "no draw" if not outs else "gutshot" if outs == 1 else "straight draw"


@pytest.mark.parametrize("text", BOARDS)
def test_every_hand_by_the_judge(text: str) -> None:
    board = parse_cards(text)
    made, draws = made_hands(board)
    for hand, hole in enumerate(HOLE_CARDS.tolist()):
        if set(hole) & set(board):
            assert (made[hand], draws[hand]) == (-1, -1)
            continue
        name = judge_made(hole, list(board))
        assert MADE_NAMES[made[hand]] == name, (hole, text)
        assert DRAW_NAMES[draws[hand]] == judge_draw(hole, list(board), name), (hole, text)


def test_random_boards_by_the_judge() -> None:
    generator = np.random.default_rng(4)
    for _ in range(30):
        board = tuple(generator.choice(52, int(generator.integers(3, 6)), replace=False).tolist())
        made, draws = made_hands(board)
        for hand in generator.choice(NUM_HOLE_PAIRS, 60, replace=False).tolist():
            hole = HOLE_CARDS[hand].tolist()
            if not set(hole) & set(board):
                name = judge_made(hole, list(board))
                assert MADE_NAMES[made[hand]] == name
                assert DRAW_NAMES[draws[hand]] == judge_draw(hole, list(board), name)


@pytest.mark.parametrize(
    ("board", "hand", "made", "draw"),
    [
        ("Ks7d2c", "KhQh", "top pair", "no draw"),
        ("KsKd7c", "AhQh", "ace high", "no draw"),
        ("KsKd7c", "Ah7h", "middle pair", "no draw"),
        ("KsKd7c", "QhQd", "underpair", "no draw"),
        ("KsKd7c", "6h6d", "weak pair", "no draw"),
        ("7s2dKhKc3s", "7h2h", "middle pair", "no draw"),  # kings and sevens, as 75 has
        ("KsKd7h7c2s", "3h3d", "nothing", "no draw"),  # kings and sevens, and a three beside
        ("KsKd7h7c2s", "Ah2d", "ace high", "no draw"),
        ("2hKh4h9cKd", "QsQd", "underpair", "no draw"),
        ("Kh9c8s4h4d", "9d8d", "middle pair", "no draw"),  # KQ has kings and fours
        ("9h8h2c", "JhTh", "nothing", "combo draw"),
        ("9h8h2c", "QhJh", "nothing", "combo draw"),  # a gutshot beside
        ("9h8h2c", "Kh4h", "king high", "flush draw"),
        ("Th9h8h7s", "Jc3c", "straight", "no draw"),
        ("Th9h8h7s", "Jh3c", "straight", "flush draw"),
        ("9h8h2c", "JcTd", "nothing", "straight draw"),
        ("9h8h2c", "QcJd", "nothing", "gutshot"),
        ("Ah3c4d", "5c6d", "nothing", "straight draw"),  # a deuce or a seven
        ("5c6d7h8s", "AcKd", "ace high", "no draw"),  # what comes is everybody's straight
    ],
)
def test_names_that_people_would_give(board: str, hand: str, made: str, draw: str) -> None:
    kinds = made_hands(parse_cards(board))
    number = hole_index(*parse_cards(hand))
    assert (MADE_NAMES[kinds[0][number]], DRAW_NAMES[kinds[1][number]]) == (made, draw)


def test_no_hand_on_a_river_loses_to_one_with_a_later_name() -> None:
    generator = np.random.default_rng(8)
    rivers = [tuple(generator.choice(52, 5, replace=False).tolist()) for _ in range(20)]
    for river in [parse_cards(text) for text in BOARDS if len(text) == 10] + rivers:
        made, _ = made_hands(river)
        worst_so_far = 0  # phevaluator's best hand is 1
        for kind in range(len(MADE_NAMES)):
            holes = HOLE_CARDS[made == kind].tolist()
            ranks = [phevaluator.evaluate_cards(*map(format_card, [*hole, *river])) for hole in holes]
            assert min(ranks, default=worst_so_far) >= worst_so_far, (river, MADE_NAMES[kind])
            worst_so_far = max([worst_so_far, *ranks])


def test_only_boards_after_the_flop() -> None:
    for text in ("", "Ks7d", "Ks7d2c5h9s3d"):
        with pytest.raises(CardError, match="3, 4 or 5"):
            made_hands(parse_cards(text))
