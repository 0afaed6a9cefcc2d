"""Safe roots: what the opponent's best response gains beyond the blueprint's promise, hand by hand."""

import numpy as np
import pytest

from holdem.game.actions import Action
from holdem.realtime.search.blueprint_match import street_root_in
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.request import Depth, SolveRequest
from holdem.realtime.search.street_tree import Menu
from holdem.realtime.subgame.kernels.traversal import BEST
from holdem.realtime.vector.blueprint_nodes import match_nodes
from holdem.realtime.vector.gadgets import MaxMarginGadget, ResolveGadget
from holdem.realtime.vector.search import VectorSearch
from tests.realtime.blueprints import CALL, random_blueprint, state_after

ALL_IN = Menu("a", "a", 1)
"""The river sizes of the blueprint, so that it plays in the same tree."""
NARROW = np.arange(1326) % 5 == 0


def excess(root: str, iterations: int) -> np.ndarray:
    """(hands,) what the opponent's best response wins beyond the promise, in chips × opposing reach."""
    blueprint = random_blueprint()
    state = state_after([Action.raise_to(300), CALL, CALL, CALL, CALL, CALL])
    ranges = SeatRanges.all_hands(2).after_board(state.board).weights * NARROW
    request = SolveRequest(state, ranges, ALL_IN, Depth.END, root=root)
    street_root = street_root_in(blueprint, state)
    search = VectorSearch(request, blueprint, None, street_root).allocate()
    found = match_nodes(search.solver.tree.nodes[0], search.root.pot, blueprint, street_root)
    promised = search._promised(found, blueprint, 1)
    search.run(iterations)
    search.solver.gadget = None
    return search.solver.root_values(1, BEST)[search.solver.hands[1]] - promised


def test_gadgets_keep_the_promise_better_than_an_unsafe_root() -> None:
    unsafe, resolved, margin = (excess(root, 400) for root in ("unsafe", "resolve", "max-margin"))
    # CFR-D bounds the sum of what hands gain beyond the promise, max-margin the largest gain.
    assert np.maximum(resolved, 0.0).sum() <= np.maximum(unsafe, 0.0).sum()
    assert margin.max() <= unsafe.max()
    assert not np.array_equal(unsafe, resolved)


def test_resolving_enters_with_the_hands_that_gain() -> None:
    gadget = ResolveGadget(1, np.ones(3, np.float32), np.array([0.0, 0.0, 0.0], np.float32))
    assert gadget.entering() == pytest.approx([0.5, 0.5, 0.5])
    for _ in range(5):
        gadget.learn(np.array([1.0, -1.0, 0.0], np.float32))
    assert gadget.entering() == pytest.approx([1.0, 0.0, 0.5])


def test_max_margin_enters_where_the_margin_is_smallest() -> None:
    gadget = MaxMarginGadget(1, np.ones(3, np.float32), np.array([1.0, 2.0, 3.0], np.float32))
    assert gadget.entering() == pytest.approx([1.0, 1.0, 1.0])
    for _ in range(5):
        gadget.learn(np.array([1.5, 1.0, 0.0], np.float32))  # gains +0.5, -1, -3
    assert gadget.entering() == pytest.approx([3.0, 0.0, 0.0])
