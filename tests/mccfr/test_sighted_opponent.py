"""Training the river against an opponent who sees the board: the kernels against plain Python, and where it applies."""

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

from holdem.abstraction.betting_tree import NodeKind
from holdem.cards import evaluate, hand_index
from holdem.cards.cards import NUM_HOLE_PAIRS, hole_cards
from holdem.game.presets import load_preset
from holdem.mccfr._kernels_sighted import (
    NUM_HANDS,
    RIVER,
    BoardHands,
    answer_river,
    deal_board,
    gather_ranges,
    learn_river,
    sort_hands,
    walk_to_river,
)
from holdem.mccfr.dealers import HoldemDealer
from holdem.mccfr.fingerprint import fingerprint
from holdem.mccfr.reference_sighted import ReferenceSighted
from holdem.mccfr.regret_tracker import RegretTracker
from holdem.mccfr.sighted_opponent import SightedOpponent, empty_hands, empty_scratch, tree_nodes
from holdem.mccfr.solver import MCCFRSolver
from holdem.mccfr.training_game import TrainingGame
from holdem.types import GameConfig, MCCFRConfig
from tests.mccfr.test_deal import Buckets

BOARD = (3, 17, 22, 40, 51)


@pytest.fixture(scope="module")
def game() -> TrainingGame:
    """Heads-up hold'em with a small tree and buckets that know nothing about poker."""
    config = load_preset("headsup_100bb").model_dump()
    config["betting"] |= {"sizes": dict.fromkeys(("preflop", "flop", "turn", "river"), "100%, a"), "max_raises": 2}
    return TrainingGame.from_config(GameConfig(**config), Buckets(False))


@pytest.fixture
def tracker(game: TrainingGame) -> RegretTracker:
    generator = np.random.default_rng(5)
    tracker = RegretTracker.allocate(game)
    tracker.table[:] = generator.integers(-1_000, 1_000, tracker.table.shape)
    return tracker


def sorted_hands(game: TrainingGame, board: tuple[int, ...]) -> BoardHands:
    hands = empty_hands()
    assert isinstance(game.dealer, HoldemDealer)
    sort_hands(np.array(board, dtype=np.uint8), game.dealer.tables, hands)
    return hands


def holes_left(board: tuple[int, ...]) -> list[tuple[int, int]]:
    return [hole for hole in map(hole_cards, range(NUM_HOLE_PAIRS)) if not set(hole) & set(board)]


@pytest.mark.parametrize("board", [BOARD, (0, 13, 26, 39, 4), (8, 9, 10, 11, 12), (51, 3, 40, 22, 17)])
def test_hands_are_sorted_into_cells_of_equal_strength_and_bucket(game: TrainingGame, board: tuple[int, ...]) -> None:
    hands = sorted_hands(game, board)
    cells, ties = hands.sizes.tolist()
    tables = Buckets(False).tables
    holes = holes_left(board)
    strengths = [evaluate((*hole, *board)) for hole in holes]
    for number, hole in enumerate(holes):
        assert hands.bucket[0, number] == hand_index(hole, ())
        assert hands.bucket[1, number] == tables[0][hand_index(hole, board[:3])]
        assert hands.bucket[2, number] == tables[1][hand_index(hole, board[:4])]
        assert hands.cell_bucket[hands.cell[number]] == tables[2][hand_index(hole, board)]
    members = np.bincount(hands.cell, minlength=cells)
    assert members.tolist() == hands.cell_size[:cells].tolist()
    tie_of_cell = np.repeat(np.arange(ties), np.diff(hands.tie[: ties + 1]))
    different = sorted(set(strengths))
    assert tie_of_cell[hands.cell].tolist() == [different.index(strength) for strength in strengths]


def river_roots(game: TrainingGame) -> list[int]:
    tree = game.tree
    decisions = np.flatnonzero((tree.kind == NodeKind.DECISION) & (tree.street == RIVER))
    return [node for node in decisions.tolist() if tree.street[tree.parent[node]] < RIVER]


@pytest.mark.parametrize("learner", [0, 1])
def test_regrets_are_those_of_the_plain_twin(game: TrainingGame, tracker: RegretTracker, learner: int) -> None:
    nodes, scratch, hands = tree_nodes(game), empty_scratch(game), sorted_hands(game, BOARD)
    generator = np.random.default_rng(learner)
    holes = holes_left(BOARD)
    strengths = np.array([evaluate((*hole, *BOARD)) for hole in holes])
    buckets = hands.cell_bucket[hands.cell].astype(np.int64)
    twin = ReferenceSighted(game.tree, learner, lambda node: rows_of(game, current, node), strengths, buckets)
    weight = 100.0  # large enough for rounding to whole numbers not to matter
    for root in generator.choice(river_roots(game), 4, replace=False).tolist():
        current = tracker.current_strategy_table()
        scratch.reach[:] = generator.random((2, NUM_HANDS)) ** 4
        assert gather_ranges(hands, learner, scratch)
        reach = scratch.reach.astype(np.float64)
        other = 0.75 * reach[1 - learner] / reach[1 - learner].sum() + 0.25 / NUM_HANDS
        expected = twin.learn(root, reach[learner] / reach[learner].sum(), other)
        before = tracker.regrets.astype(np.float64)
        state = np.array([1, 2], dtype=np.uint64)
        answer_river(nodes, tracker.table, hands, root, learner, scratch)
        learn_river(nodes, tracker.table, hands, root, learner, weight, -(1 << 30), state, scratch, None)
        added = tracker.regrets - before
        for node, gains in expected.items():
            scale = np.abs(gains).max() * weight
            np.testing.assert_allclose(rows_of(game, added, node), gains * weight, atol=1.0 + 1e-5 * scale, rtol=1e-4)
            added[places_of(game, node)] = 0.0
        assert not added.any()  # nothing else was touched
        tracker.table[:, 0] = np.round(before)


def places_of(game: TrainingGame, node: int) -> npt.NDArray[np.int64]:
    buckets = np.arange(game.buckets_per_street[game.tree.street[node]])
    starts = game.layout.offset[node] + buckets * game.layout.stride[node]
    return np.asarray(starts[:, None] + np.arange(game.tree.num_actions[node]))


def rows_of(game: TrainingGame, entries: npt.NDArray[np.float64], node: int) -> npt.NDArray[np.float64]:
    return np.asarray(entries[places_of(game, node)])


def test_the_way_to_the_river_is_drawn_by_the_average_strategy(game: TrainingGame, tracker: RegretTracker) -> None:
    """The learner's first action, and how often each hand takes the line."""
    nodes, scratch, hands = tree_nodes(game), empty_scratch(game), sorted_hands(game, BOARD)
    average = tracker.average_strategy_table()
    first = int(game.tree.player[0])
    state = np.array([3, 4], dtype=np.uint64)
    taken = np.zeros(int(game.tree.num_actions[0]))
    for _ in range(3_000):
        root = walk_to_river(nodes, tracker.table, hands, first, state, scratch)
        assert game.tree.street[root] == RIVER and game.tree.street[game.tree.parent[root]] < RIVER
        line = [root]
        while game.tree.parent[line[-1]] >= 0:
            line.append(int(game.tree.parent[line[-1]]))
        taken[line[-2] - int(game.tree.first_child[0])] += 1
    reach = np.ones((2, NUM_HANDS))
    for child, parent in pairwise(line):
        street, action = int(game.tree.street[parent]), child - int(game.tree.first_child[parent])
        reach[game.tree.player[parent]] *= rows_of(game, average, parent)[hands.bucket[street], action]
    np.testing.assert_allclose(scratch.reach, reach, rtol=1e-4)
    wanted = rows_of(game, average, 0)[hands.bucket[0]].mean(axis=0)
    wanted[~nodes.leads_to_river[list(game.tree.children(0))]] = 0.0
    wanted /= wanted.sum()
    error = np.sqrt(wanted * (1.0 - wanted) / taken.sum())
    assert (np.abs(taken / taken.sum() - wanted) <= 4.0 * error + 1e-12).all()


def test_betting_that_ends_before_the_river_is_left_out(game: TrainingGame) -> None:
    tree, leads = game.tree, tree_nodes(game).leads_to_river
    for node in range(tree.num_nodes):
        below = [n for n in (node, *tree.descendants(node)) if tree.kind[n] == NodeKind.DECISION]
        assert leads[node] == any(tree.street[n] == RIVER for n in below)


def test_boards_are_dealt_evenly() -> None:
    """Every card in every place as often as any other: 25,000 boards, within 5 standard errors."""
    state, board = np.array([5, 6], dtype=np.uint64), np.zeros(5, dtype=np.uint8)
    seen = np.zeros((5, 52))
    for _ in range(25_000):
        deal_board(state, board)
        assert len(set(board.tolist())) == 5
        seen[np.arange(5), board] += 1
    expected = 25_000 / 52
    assert np.abs(seen - expected).max() < 5.0 * np.sqrt(expected)


def test_a_run_cut_anywhere_meets_the_same_opponent(game: TrainingGame) -> None:
    config = MCCFRConfig(seed=3, sighted_interval=40)
    whole, cut = MCCFRSolver(config, game), MCCFRSolver(config, game)
    whole.run(200)
    for iterations in (39, 1, 1, 79, 80):
        cut.run(iterations)
    np.testing.assert_array_equal(whole.tracker.table, cut.tracker.table)
    without = MCCFRSolver(MCCFRConfig(seed=3, sighted_interval=0), game)
    without.run(200)
    assert (whole.tracker.table != without.tracker.table).any()


def test_regrets_stay_within_their_bounds(game: TrainingGame) -> None:
    """However much the opponent counts, no entry leaves the range that leaves room for other processes."""
    solver = MCCFRSolver(MCCFRConfig(sighted_interval=10, sighted_weight=1_000.0), game)
    solver.run(2_000)
    assert np.abs(solver.tracker.regrets.astype(np.int64)).max() <= (1 << 30) + (1 << 24)


@pytest.mark.parametrize("name", ["kuhn", "leduc", "jam_or_fold_10bb", "short_rank"])
def test_other_games_have_no_such_opponent(name: str) -> None:
    game, config = TrainingGame.from_preset(name), MCCFRConfig(sighted_interval=500)
    assert SightedOpponent.of(config, RegretTracker.allocate(game), None, 0) is None
    content = fingerprint(game.config, game.buckets_per_street, game.bucketing_hash, config.model_dump(mode="json"))
    assert "sighted_interval" not in content["training"]


def test_it_belongs_to_the_fingerprint_where_it_acts(game: TrainingGame) -> None:
    def training(**settings: object) -> dict[str, object]:
        config = MCCFRConfig.model_validate(settings).model_dump(mode="json")
        content = fingerprint(game.config, game.buckets_per_street, "test", config)["training"]
        assert isinstance(content, dict)
        return content

    content = training(sighted_interval=250, sighted_weight=2.0)
    assert (content["sighted_interval"], content["sighted_weight"]) == (250, 2.0)
    assert "sighted_interval" not in training()
    for settings in ({"sighted_weight": 0.0}, {"sampling": "outcome"}):
        assert "sighted_interval" not in training(sighted_interval=9, **settings)


def test_three_players_have_no_such_opponent() -> None:
    game = load_preset("threemax_100bb")
    settings = MCCFRConfig(num_players=3, sighted_interval=500).model_dump(mode="json")
    content = fingerprint(game, (169, 50, 50, 50), "test", settings)
    assert "sighted_interval" not in content["training"]
