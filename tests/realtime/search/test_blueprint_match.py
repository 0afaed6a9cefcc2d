"""Streets beside the blueprint: both kinds of street tree find the same nodes, and the chips tell which."""

import numpy as np
import pytest

from holdem.abstraction.betting.tree import ActionCode
from holdem.game.actions import Action
from holdem.realtime.multiway.continuations import continued_nodes, leaves_of
from holdem.realtime.search.blueprint_match import matching_child, street_root_in
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.request import Depth, SolveRequest
from holdem.realtime.search.street_tree import Menu, street_tree
from holdem.realtime.vector.blueprint_nodes import match_nodes
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


@pytest.mark.parametrize(("size", "chips"), [(0.1, 300), (0.8, 600), (2.7, 600), (2.8, 2_700)])
def test_a_bet_stands_for_the_nearest_size(size: float, chips: int) -> None:
    """Into a pot of 600 the blueprint bets 300, 600 or the 2,700 that are left: 0.5, 1 and 4.5 pots."""
    blueprint = random_blueprint()
    root = street_root_in(blueprint, state_after([Action.raise_to(300), CALL]))
    assert root is not None
    there = matching_child(blueprint.walk, root, 0, 1, ActionCode.RAISE, size)
    assert there is not None
    put_in = int(blueprint.policy.tree.chips_in[there, 0] - blueprint.policy.tree.chips_in[root, 0])
    assert put_in == chips
    assert matching_child(blueprint.walk, root, 1, 1, ActionCode.CALL, 0.0) is None, "the other player is to act"
    assert matching_child(blueprint.walk, root, 0, 1, ActionCode.FOLD, 0.0) is None, "nothing to fold to"
