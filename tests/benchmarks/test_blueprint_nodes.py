"""Streets beside the blueprint: both kinds of street tree find the same nodes, and the chips tell which."""

import numpy as np

from benchmarks.blueprint_nodes import match_nodes
from holdem.game.actions import Action
from holdem.realtime.multiway.continuations import continued_nodes, leaves_of
from holdem.realtime.search.blueprint_match import street_root_in
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.request import Depth, SolveRequest
from holdem.realtime.search.street_tree import Menu, street_tree
from holdem.realtime.vector.search import VectorSearch
from tests.realtime.blueprints import CALL, random_blueprint, state_after

MENU = Menu("100%", "100%", 1)
"""The turn sizes of the blueprint."""


def test_both_kinds_of_street_tree_end_at_the_same_nodes_of_the_blueprint() -> None:
    blueprint = random_blueprint()
    state = state_after([Action.raise_to(300), CALL, CALL, CALL])
    root = street_root_in(blueprint, state)
    assert root is not None
    ranges = SeatRanges.all_hands(2).after_board(state.board).weights * (np.arange(1326) % 9 == 0)
    search = VectorSearch(SolveRequest(state, ranges, MENU, Depth.END))
    matched = match_nodes(search.solver.tree.nodes[0], search.root.pot, blueprint, root)
    chips = blueprint.policy.tree.chips_in
    rivers = set()
    for node in search.solver.tree.nodes:
        if node.street == 2 and id(node) in matched:
            there = matched[id(node)]
            # The blueprint has these sizes, so what was put in on the way is the same.
            assert (chips[there] - chips[root]).tolist() == list(node.chips_in)
            if node.children and node.children[0].street == 3:
                rivers.add(there)
    street = street_tree(state, MENU)
    found = continued_nodes(street.tree, blueprint.walk, root)
    assert rivers == set(found[leaves_of(street.tree)].tolist())
    assert len(rivers) == 3, "checked through, or a bet of either player called"
