"""Values of depth-limited leaves: the kernel against sums over all pairs of hands, and iterations in one go."""

import numpy as np
import pytest

from holdem.blueprint.leaf_values import LeafValues
from holdem.blueprint.leaf_values.tables import Layout
from holdem.cards.cards import HOLE_CARDS
from holdem.game.actions import Action
from holdem.realtime.multiway.continuations import street_root_in
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.request import Depth, SolveRequest
from holdem.realtime.search.street_tree import Menu
from holdem.realtime.subgame.traversal import Crew
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
    solver, evaluator = search.solver, search.evaluator
    assert evaluator is not None and evaluator.unmatched == 0
    arrays, plan, work = solver.tree.arrays, solver.plan, solver.work[0]
    own, other = solver.hands[player], solver.hands[1 - player]
    rows = int(arrays.sizes[player, 0, 0])
    width = int(arrays.player_hands[1 - player])
    reach = np.zeros((rows, width), dtype=np.float32)
    reach[:, : len(other)] = np.random.default_rng(3).random((rows, len(other)))
    work[int(plan.reach_at[0]) :][: rows * width] = reach.ravel()
    values = evaluator(player, reach)
    apart = np.array([[not set(HOLE_CARDS[a]) & set(HOLE_CARDS[b]) for b in other] for a in own])
    buckets = random_blueprint().buckets.of_holes(tuple(sorted(search.root.state.board)))
    for number, leaf in enumerate(solver.leaves):
        chips = np.array(evaluator.leaves.tables[player, number]).T[buckets[own]][:, buckets[other]]
        row = reach[arrays.row[player, solver.tree.leaves[number]], : len(other)]
        expected = chips @ row / row.sum() * (apart @ row)
        assert values[number] == pytest.approx(expected, rel=1e-3, abs=0.5)
        assert leaf.leaf[1] in (-1, 0, 1, 2, 3)


def test_all_in_one_go_is_what_step_by_step_gives() -> None:
    quick, stepwise = turn_search(), turn_search()
    stepwise.solver.make_crew = Crew
    for search in (quick, stepwise):
        search.run(15)
    assert np.array_equal(quick.solver.storage.averages, stepwise.solver.storage.averages)


def test_leaves_are_zero_sum() -> None:
    search = turn_search()
    search.run(10)
    first, second = (search.solver.root_values(player) for player in (0, 1))
    weights = [np.asarray(weights) for weights in search.request.ranges]
    # The mean over buckets ignores which cards are gone, so both players' values agree only about.
    size = np.abs(first @ weights[0]) + np.abs(second @ weights[1])
    assert abs(first @ weights[0] + second @ weights[1]) < 0.2 * size
