"""Dealers against the cards that they stand for."""

from functools import lru_cache
from itertools import combinations

import numpy as np
import pytest

from holdem.cards import evaluate, hand_index
from holdem.cards.suit_index import INDEX_SIZES
from holdem.errors import ConfigError
from holdem.game.presets import load_preset
from holdem.game.toy_games import bucket_of, deal_count, deals, toy_game
from holdem.mccfr.dealers import bucket_tables, slot_strides
from holdem.mccfr.training_game import TrainingGame
from holdem.types import GameConfig
from holdem.util.kernels.random_numbers import next_below, seed_stream
from tests.mccfr.games import kuhn


@lru_cache
def scrambled(board: int, count: int) -> np.ndarray:
    """A bucket table in which neighbours differ."""
    numbers = np.random.default_rng(board).permutation(count).astype(np.uint16 if count > 256 else np.uint8)
    return np.resize(numbers, INDEX_SIZES[board])


class Buckets:
    """A bucketing in which every street is told apart; `wide` has more buckets than a byte can hold."""

    content_hash = "test"

    def __init__(self, wide: bool) -> None:
        self.buckets_per_street = (169, 1000 if wide else 251, 250, 241)
        self.tables = tuple(
            scrambled(board, count) for board, count in zip((3, 4, 5), self.buckets_per_street[1:], strict=True)
        )


def deal(game: TrainingGame, count: int, seed: int = 5, first: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rows = np.full((count, game.num_slots), -1, dtype=np.int64)
    strengths = np.full((count, game.num_players), -1, dtype=np.int64)
    game.dealer.deal(seed, first, rows, strengths)
    return rows, strengths


def drawn_cards(seed: int, iteration: int, deck_size: int, count: int) -> list[int]:
    """The cards of an iteration, in the order in which they are drawn."""
    state = np.zeros(2, dtype=np.uint64)
    seed_stream(state, seed, 2 * iteration)
    cards: list[int] = []
    while len(cards) < count:
        card = int(next_below(state, deck_size))
        if card not in cards:
            cards.append(card)
    return cards


SMALL_GAMES = [kuhn(2), kuhn(3), TrainingGame.from_preset("leduc")]


@pytest.mark.parametrize("game", SMALL_GAMES, ids=lambda game: game.config.name)
def test_listed_deals_are_the_game(game: TrainingGame) -> None:
    cards = toy_game(game.config)
    strides = slot_strides(game.tree, game.layout)
    expected = []
    for each in deals(cards):
        boards = [each.board[:size] for size in game.config.board_cards]
        views = [bucket_of(cards, hole, board) for board in boards for hole in each.holes]
        expected.append((*(strides * views).tolist(), *(cards.strength(hole, each.board) for hole in each.holes)))
    rows, strengths = deal(game, 60_000)
    drawn = [tuple(line) for line in np.concatenate([rows, strengths], axis=1).tolist()]
    assert set(drawn) == set(expected)
    count = deal_count(cards)
    assert len(expected) == count
    # Each deal is binomial: five standard deviations around its share.
    frequencies = np.array([drawn.count(line) for line in sorted(set(drawn))])
    share = len(drawn) * np.array([expected.count(line) for line in sorted(set(expected))]) / count
    assert (np.abs(frequencies - share) < 5 * np.sqrt(share)).all()


@pytest.mark.parametrize("num_players", [2, 3, 6])
@pytest.mark.parametrize("wide", [False, True])
def test_holdem_deals(num_players: int, wide: bool) -> None:
    names = {2: "headsup_100bb", 3: "threemax_100bb"}
    base = load_preset(names.get(num_players, "sixmax_100bb")).model_dump()
    betting = {**base["betting"], "max_raises": 1, "max_flop_players": 2 if num_players > 2 else 6}
    config = GameConfig.model_validate({**base, "betting": betting})
    bucketing = Buckets(wide)
    game = TrainingGame.from_config(config, bucketing)
    assert game.bucketing_hash == "test"
    strides = slot_strides(game.tree, game.layout).reshape(4, num_players)
    rows, strengths = deal(game, 50, first=1_000)
    for i in range(len(rows)):
        cards = drawn_cards(5, 1_000 + i, 52, 2 * num_players + 5)
        holes, board = [cards[2 * p : 2 * p + 2] for p in range(num_players)], cards[2 * num_players :]
        for player, hole in enumerate(holes):
            assert strengths[i, player] == evaluate([*hole, *board])
            buckets = [hand_index(hole)] + [
                bucketing.tables[street][hand_index(hole, board[: 3 + street])] for street in range(3)
            ]
            expected = [int(bucket) * int(strides[street, player]) for street, bucket in enumerate(buckets)]
            assert rows[i].reshape(4, num_players)[:, player].tolist() == expected


def test_short_rank_deals() -> None:
    game = TrainingGame.from_preset("short_rank")
    cards = toy_game(game.config)
    strides = slot_strides(game.tree, game.layout).reshape(2, 2)
    rows, strengths = deal(game, 200)
    for i in range(len(rows)):
        drawn = [cards.deck[place] for place in drawn_cards(5, i, 20, 7)]
        holes, board = (tuple(drawn[0:2]), tuple(drawn[2:4])), tuple(drawn[4:])
        for player, hole in enumerate(holes):
            assert strengths[i, player] == cards.strength(hole, board)
            for street, visible in enumerate(((), board)):
                expected = bucket_of(cards, hole, visible) * int(strides[street, player])
                assert rows[i, 2 * street + player] == expected


def test_deals_depend_on_seed_and_iteration_only() -> None:
    game = TrainingGame.from_preset("jam_or_fold_10bb")
    all_rows, all_strengths = deal(game, 100)
    rows, strengths = deal(game, 40, first=60)
    assert np.array_equal(rows, all_rows[60:])
    assert np.array_equal(strengths, all_strengths[60:])
    assert not np.array_equal(deal(game, 100, seed=6)[0], all_rows)


def test_every_hole_pair_is_dealt() -> None:
    game = TrainingGame.from_preset("jam_or_fold_10bb")
    rows, _ = deal(game, 30_000)
    hands, counts = np.unique(rows[:, 1], return_counts=True)
    width = slot_strides(game.tree, game.layout)[1]
    assert (hands // width).tolist() == list(range(169))
    combos = np.zeros(169)
    for pair in combinations(range(52), 2):
        combos[hand_index(pair)] += 1
    share = combos / combos.sum() * len(rows)
    assert (np.abs(counts - share) < 5 * np.sqrt(share)).all()


def test_missing_buckets_are_refused() -> None:
    with pytest.raises(ConfigError, match="holdem buckets build"):
        TrainingGame.from_preset("headsup_100bb")
    with pytest.raises(ConfigError, match="do not cover street 2"):
        bucket_tables([np.zeros(INDEX_SIZES[3], np.uint8)], 3)
    with pytest.raises(ConfigError, match="uint8 or uint16"):
        bucket_tables([np.zeros(INDEX_SIZES[3], np.int32)], 2)
    bucketing = Buckets(False)
    bucketing.buckets_per_street = (20, 251, 250, 241)
    with pytest.raises(ConfigError, match="20 groups"):
        TrainingGame.from_preset("headsup_100bb", bucketing)
