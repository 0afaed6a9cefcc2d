"""Values of depth-limited leaves: the kernel against sums over all pairs of hands, and iterations in one go."""

import numpy as np
import pytest

from holdem.blueprint.leaf_values import LeafValues
from holdem.blueprint.leaf_values.tables import Layout
from holdem.cards.cards import HOLE_CARDS
from holdem.game.actions import Action
from holdem.realtime.search.blueprint_match import street_root_in
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.request import Depth, SolveRequest
from holdem.realtime.search.street_tree import Menu
from holdem.realtime.subgame.kernels.leaves import leaf_values
from holdem.realtime.subgame.kernels.traversal import UPDATE
from holdem.realtime.subgame.schedules import Schedule
from holdem.realtime.subgame.traversal import Traversals
from holdem.realtime.vector.search import VectorSearch
from tests.realtime.blueprints import BUCKETS, CALL, random_blueprint, state_after

MENU = Menu("100%", "100%", 1)
NARROW = np.arange(1326) % 9 == 0


def random_tables() -> LeafValues:
    """Leaf values out of thin air: what is tested is how they are read."""
    policy = random_blueprint().policy
    layout = Layout.of(policy.tree, BUCKETS)
    table = np.random.default_rng(2).integers(-30_000, 30_000, layout.entries).astype(np.int16)
    return LeafValues(policy, table, dict.fromkeys(layout.offset, 0.05), {})


def turn_search() -> VectorSearch:
    state = state_after([Action.raise_to(300), CALL, CALL, CALL])
    ranges = SeatRanges.all_hands(2).after_board(state.board).weights * NARROW
    request = SolveRequest(state, ranges, MENU, Depth.LEAVES)
    blueprint = random_blueprint()
    return VectorSearch(request, blueprint, random_tables(), street_root_in(blueprint, state)).allocate()


@pytest.mark.parametrize("player", [0, 1])
def test_a_leaf_is_the_mean_over_buckets_times_the_hands_that_can_be_met(player: int) -> None:
    search = turn_search()
    solver, space = search.solver, search.solver.workspace
    assert search.unmatched_leaves == 0 and space.leaves is not None
    arrays, memory, work = space.tree.arrays, space.memory, space.works[0]
    own, other = solver.hands[player], solver.hands[1 - player]
    rows = int(arrays.sizes[player, 0, 0])
    width = int(arrays.player_hands[1 - player])
    reach = np.zeros((rows, width), dtype=np.float32)
    reach[:, : len(other)] = np.random.default_rng(3).random((rows, len(other)))
    work[int(memory.reach_at[0]) :][: rows * width] = reach.ravel()
    leaf_values(arrays, memory, player, space.leaves, 0, len(solver.leaves), work)
    apart = np.array([[not set(HOLE_CARDS[a]) & set(HOLE_CARDS[b]) for b in other] for a in own])
    buckets = random_blueprint().buckets.of_holes(tuple(sorted(search.root.state.board)))
    for number, leaf in enumerate(solver.leaves):
        chips = np.array(space.leaves.tables[player, number]).T[buckets[own]][:, buckets[other]]
        row = reach[arrays.row[player, solver.tree.leaves[number]], : len(other)]
        expected = chips @ row / row.sum() * (apart @ row)
        assert space.values(player, solver.tree.leaves[number]) == pytest.approx(expected, rel=1e-3, abs=0.5)
        assert leaf.leaf[1] in (-1, 0, 1, 2, 3)


def test_all_in_one_go_is_what_step_by_step_gives() -> None:
    quick, stepwise = turn_search(), turn_search()
    quick.run(15)
    traversals = Traversals(stepwise.solver.workspace)
    for row in Schedule().factors(0, 15):
        for player in (0, 1):
            traversals._step(player, UPDATE, row)
    first, second = (search.solver.workspace.storage.averages for search in (quick, stepwise))
    assert first.any() and np.array_equal(first, second)


def test_leaves_are_zero_sum() -> None:
    search = turn_search()
    search.run(10)
    first, second = (search.solver.root_values(player) for player in (0, 1))
    weights = [np.asarray(weights) for weights in search.request.ranges]
    # The mean over buckets ignores which cards are gone, so both players' values agree only about.
    size = np.abs(first @ weights[0]) + np.abs(second @ weights[1])
    assert abs(first @ weights[0] + second @ weights[1]) < 0.2 * size
