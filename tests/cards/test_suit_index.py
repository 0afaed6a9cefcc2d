"""The suit-isomorphic index: published sizes, bijection, invariance under renaming suits and reordering cards."""

from itertools import permutations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem.cards import INDEX_SIZES, hand_index, hand_of_index, parse_cards
from holdem.cards.cards import HOLE_CARDS
from holdem.cards.kernels.evaluator import CARD_BITS
from holdem.cards.kernels.index import bits_of_index, index_hands, index_of_bits
from holdem.errors import CardError
from holdem.util.jit import kernel

hands = st.sampled_from((0, 3, 4, 5)).flatmap(
    lambda board: st.lists(st.integers(0, 51), min_size=2 + board, max_size=2 + board, unique=True)
)


def test_sizes() -> None:
    assert INDEX_SIZES == {0: 169, 3: 1_286_792, 4: 13_960_050, 5: 123_156_254}


@kernel
def count_wrong_inverses(num_board: int, first: int, last: int, step: int) -> int:
    """Indices whose representative does not have that index."""
    wrong = 0
    for index in range(first, last, step):
        hole_bits, board_bits = bits_of_index(index, num_board)
        wrong += index_of_bits(hole_bits, board_bits, num_board) != index
    return wrong


@pytest.mark.parametrize(("board", "step"), [(0, 1), (3, 1), (4, 1), (5, 7)])
def test_every_index_has_a_hand_of_its_own(board: int, step: int) -> None:
    # index(hand(i)) == i for all i makes hand() one-to-one, and index() onto.
    assert count_wrong_inverses(board, 0, INDEX_SIZES[board], step) == 0


@kernel
def mark_flop_hands(hole_cards: npt.NDArray[np.int8], seen: npt.NDArray[np.int8]) -> int:
    """Mark the index of every one of the C(52, 2) × C(50, 3) flop hands; returns how many hands there were."""
    hands = 0
    for pair in range(hole_cards.shape[0]):
        hole = CARD_BITS[hole_cards[pair, 0]] | CARD_BITS[hole_cards[pair, 1]]
        for a in range(52):
            for b in range(a):
                for c in range(b):
                    board = CARD_BITS[a] | CARD_BITS[b] | CARD_BITS[c]
                    if board & hole == 0:
                        seen[index_of_bits(hole, board, 3)] += 1
                        hands += 1
    return hands


def test_flop_in_full() -> None:
    # All 25,989,600 hands land on all 1,286,792 indices, each hit by the whole orbit of its hand: at most 24 hands.
    seen = np.zeros(INDEX_SIZES[3], dtype=np.int8)
    assert mark_flop_hands(HOLE_CARDS, seen) == 25_989_600
    assert seen.min() >= 1
    assert seen.max() == 24
    for index in range(0, INDEX_SIZES[3], 9973):
        hole, board = hand_of_index(index, 3)
        assert seen[index] == len(orbit(hole, board))


def orbit(hole: tuple[int, ...], board: tuple[int, ...]) -> set[tuple[frozenset[int], frozenset[int]]]:
    def rename(cards: tuple[int, ...], suits: tuple[int, ...]) -> frozenset[int]:
        return frozenset(4 * (card >> 2) + suits[card & 3] for card in cards)

    return {(rename(hole, suits), rename(board, suits)) for suits in permutations(range(4))}


@given(hands, st.randoms(use_true_random=False))
def test_same_index_under_24_renamings_and_any_order(cards: list[int], random: object) -> None:
    hole, board = tuple(cards[:2]), tuple(cards[2:])
    index = hand_index(hole, board)
    assert 0 <= index < INDEX_SIZES[len(board)]
    for new_hole, new_board in orbit(hole, board):
        shuffled = sorted(new_board, key=lambda _: random.random())  # type: ignore[attr-defined]
        assert hand_index(sorted(new_hole, reverse=True), shuffled) == index


@given(hands)
def test_inverse_gives_an_equivalent_hand(cards: list[int]) -> None:
    hole, board = tuple(cards[:2]), tuple(cards[2:])
    inverse_hole, inverse_board = hand_of_index(hand_index(hole, board), len(board))
    assert (frozenset(inverse_hole), frozenset(inverse_board)) in orbit(hole, board)


def test_different_hands_differ() -> None:
    board = parse_cards("Ks7d2c")
    assert hand_index(parse_cards("AhKd"), board) != hand_index(parse_cards("AhKh"), board)
    assert hand_index(parse_cards("AsQs"), board) != hand_index(parse_cards("AdQd"), board)


def test_many_at_once() -> None:
    cards = np.random.default_rng(3).random((1000, 52)).argpartition(7, axis=1)[:, :7].astype(np.uint8)
    indices = np.empty(1000, dtype=np.int64)
    index_hands(cards, indices)
    assert indices.tolist() == [hand_index(hand[:2], hand[2:]) for hand in cards.tolist()]


@pytest.mark.parametrize(
    ("hole", "board", "said"),
    [("AhKd", "Qs", "board of 1 cards"), ("Ah", "", "two hole cards"), ("AhKd", "Ah7d2c", "Ah appears twice")],
)
def test_bad_hands(hole: str, board: str, said: str) -> None:
    with pytest.raises(CardError, match=said):
        hand_index(parse_cards(hole), parse_cards(board))


def test_index_out_of_range() -> None:
    with pytest.raises(CardError, match="1,286,791"):
        hand_of_index(1_286_792, 3)
