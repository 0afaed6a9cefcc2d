"""Features against brute force with somebody else's evaluator, and the same for any number of threads."""

from itertools import combinations

import numpy as np
import pytest
from phevaluator import evaluate_cards

from holdem.abstraction.buckets.boards import canonical_boards
from holdem.abstraction.buckets.clustering.k_medians import assign
from holdem.abstraction.buckets.features.ochs import opponent_clusters
from holdem.abstraction.buckets.features.potential import bin_of_score, turn_bin_width
from holdem.abstraction.kernels.distance import BLOCK
from holdem.abstraction.kernels.features import (
    flop_potential,
    river_score,
    sample_hands,
    score_boards,
    score_rivers,
    turn_potential,
)
from holdem.abstraction.kernels.ochs import assign_rivers, river_cluster_rows
from holdem.cards import INDEX_SIZES, hand_equities, hand_index, hand_of_index, hole_cards, hole_index
from holdem.cards.kernels.evaluator import CARD_BITS, CARD_KEYS, START_KEYS
from holdem.cards.ranges import CLASS_NAMES, CLASS_OF_HOLE

Hand = tuple[tuple[int, ...], tuple[int, ...]]


def random_hand(board: int, seed: int) -> Hand:
    cards = np.random.default_rng(seed).permutation(52)[: 2 + board].tolist()
    return tuple(cards[:2]), tuple(cards[2:])


def brute_force_score(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    mine = evaluate_cards(*hole, *board)
    rest = [card for card in range(52) if card not in hole + board]
    theirs = [evaluate_cards(*pair, *board) for pair in combinations(rest, 2)]
    return sum(2 if mine < other else int(mine == other) for other in theirs)


def bits_and_key(hole: tuple[int, ...], board: tuple[int, ...]) -> tuple[int, int, int]:
    key = int(START_KEYS[7] + CARD_KEYS[list(board)].sum())
    return int(CARD_BITS[list(hole)].sum()), int(CARD_BITS[list(board)].sum()), key


def test_numbers_of_boards() -> None:
    assert [len(canonical_boards(size)[0]) for size in (3, 4, 5)] == [1755, 16_432, 134_459]
    assert [int(canonical_boards(size)[1].sum()) for size in (3, 4, 5)] == [22_100, 270_725, 2_598_960]


@pytest.mark.parametrize("seed", range(20))
def test_river_score_is_exact(seed: int) -> None:
    hole, board = random_hand(5, seed)
    assert river_score(*bits_and_key(hole, board)) == brute_force_score(hole, board)


def test_board_pass_is_exact_for_every_hand_of_a_board() -> None:
    # Boards with a flush possible, a pair, a straight, and dry ones; equities by the range kernel, itself brute-forced.
    boards = canonical_boards(5)[0][::16_411].copy()
    table, histogram = np.full(INDEX_SIZES[5], 65535, dtype=np.uint16), np.zeros(1981, dtype=np.int64)
    score_rivers(boards, np.ones(len(boards), dtype=np.int64), table, histogram)
    for board in boards:
        equities = hand_equities("random", board.tolist())
        for index in range(0, 1326, 7):
            if not np.isnan(equities[index]):
                assert table[hand_index(hole_cards(index), board.tolist())] == round(1980 * equities[index])
    assert histogram.sum() == 1081 * len(boards)
    assert score_boards(boards) == histogram @ np.arange(1981)


def test_scores_of_a_board_add_up() -> None:
    # Every pair of hands that share no card splits two points: 1,081 × 990 over all hands.
    assert score_boards(canonical_boards(5)[0][:1].copy()) == 1081 * 990


def test_turn_histogram_counts_river_scores() -> None:
    hole, board = random_hand(4, 5)
    row = np.empty(32, dtype=np.uint8)
    total = turn_potential(*bits_and_key(hole, board), bin_of_score(32), row)
    rivers = [card for card in range(52) if card not in hole + board]
    scores = [river_score(*bits_and_key(hole, (*board, card))) for card in rivers]
    assert total == sum(scores)
    counts = np.bincount([score * 32 // 1981 for score in scores], minlength=32)
    assert row.tolist() == np.cumsum(counts).tolist()


def test_flop_histogram_counts_turn_sums() -> None:
    hole, board = random_hand(3, 6)
    row, scratch = np.empty(32, dtype=np.uint8), np.empty(32, dtype=np.uint8)
    total = flop_potential(*bits_and_key(hole, board), bin_of_score(32), turn_bin_width(32), row)
    turns = [card for card in range(52) if card not in hole + board]
    sums = [turn_potential(*bits_and_key(hole, (*board, card)), bin_of_score(32), scratch) for card in turns]
    assert total == sum(sums)
    counts = np.bincount([value // turn_bin_width(32) for value in sums], minlength=32)
    assert row.tolist() == np.cumsum(counts).tolist()


def test_samples_are_deals() -> None:
    indices = np.empty(50_000, dtype=np.int64)
    sample_hands(0, 1, 0, indices)
    # A suited class has 4 of 1,326 hands, a pair 6, an offsuit class 12: compare with five standard errors.
    for number, name in enumerate(CLASS_NAMES):
        expected = np.count_nonzero(number == CLASS_OF_HOLE) / 1326
        error = np.sqrt(expected * (1 - expected) / len(indices))
        assert abs(np.mean(indices == number) - expected) < 5 * error, name


def test_opponent_clusters_follow_equity() -> None:
    groups = opponent_clusters(8)
    equities = hand_equities("random")
    assert sorted(set(groups.tolist())) == list(range(8))
    for group in range(7):
        assert equities[groups == group].max() < equities[groups == group + 1].min()


def test_equity_against_opponent_clusters_is_exact() -> None:
    groups = (CLASS_OF_HOLE % 5).astype(np.uint8)
    indices = np.array([hand_index(*random_hand(5, seed)) for seed in range(6)], dtype=np.int64)
    rows = np.empty((6, BLOCK), dtype=np.uint8)
    river_cluster_rows(indices, groups, 5, rows)
    for index, row in zip(indices.tolist(), rows, strict=True):
        hole, board = hand_of_index(index, 5)
        rest = [card for card in range(52) if card not in hole + board]
        scores, opponents = np.zeros(5, dtype=int), np.zeros(5, dtype=int)
        for pair in combinations(rest, 2):
            difference = evaluate_cards(*pair, *board) - evaluate_cards(*hole, *board)
            group = groups[hole_index(*pair)]
            scores[group] += 2 if difference > 0 else int(difference == 0)
            opponents[group] += 1
        assert row[:5].tolist() == (127 * scores // opponents).tolist()
        assert not row[5:].any()


def test_board_pass_and_single_hands_agree_on_opponent_clusters() -> None:
    groups = (CLASS_OF_HOLE % 5).astype(np.uint8)
    boards = canonical_boards(5)[0][::40_000].copy()
    centroids = np.random.default_rng(0).integers(0, 255, (17, BLOCK), dtype=np.uint8)
    labels = np.full(INDEX_SIZES[5], 65535, dtype=np.uint16)
    assign_rivers(boards, groups, 5, centroids, labels)
    met = np.flatnonzero(labels != 65535)
    rows = np.empty((len(met), BLOCK), dtype=np.uint8)
    river_cluster_rows(met, groups, 5, rows)
    assert np.array_equal(assign(rows, centroids)[0], labels[met])
