"""Safe roots: what the opponent's best response gains beyond what it was promised, hand by hand."""

from dataclasses import replace

import numpy as np
import pytest

from holdem.game.actions import Action
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.request import Depth, SolveRequest
from holdem.realtime.search.street_tree import Menu
from holdem.realtime.subgame.kernels.traversal import BEST
from holdem.realtime.vector.gadgets import MaxMarginGadget, ResolveGadget
from holdem.realtime.vector.search import VectorSearch
from tests.realtime.blueprints import CALL, state_after

MENU = Menu("75%, a", "a", 2)
NARROW = np.arange(1326) % 5 == 0
UNLIKELY = np.arange(1326) % 3 == 0
"""Hands of the opponent that the second solve believes to be rare."""


def request() -> SolveRequest:
    state = state_after([Action.raise_to(300), CALL, CALL, CALL, CALL, CALL])
    ranges = SeatRanges.all_hands(2).after_board(state.board).weights * NARROW
    return SolveRequest(state, ranges, MENU, Depth.END)


def excess(root: str, iterations: int) -> np.ndarray:
    """(hands,) what the opponent's best response wins beyond the promise, in chips × opposing reach.

    The promise is what his best response wins from a strategy that was solved against his whole range, so it can be
    kept; then the street is solved again against a range in which a third of his hands is rare.
    """
    whole = request()
    known = VectorSearch(whole)
    known.run(300)
    promised = known.solver.root_values(1, BEST)
    ranges = whole.ranges.copy()
    ranges[1, UNLIKELY] *= 0.02
    search = VectorSearch(replace(whole, ranges=ranges, root=root, promised=promised)).allocate()
    search.run(iterations)
    assert (search.solver.gadget is None) == (root == "unsafe")
    search.solver.gadget = None
    return (search.solver.root_values(1, BEST) - promised)[search.solver.hands[1]]


def test_gadgets_keep_the_promise_better_than_an_unsafe_root() -> None:
    unsafe, resolved, margin = (excess(root, 400) for root in ("unsafe", "resolve", "max-margin"))
    # CFR-D bounds the sum of what hands gain beyond the promise, max-margin the largest gain. Measured, an unsafe root
    # gives away eleven times as much in sum and forty times as much with one hand.
    assert np.maximum(resolved, 0.0).sum() < np.maximum(unsafe, 0.0).sum() / 4
    assert margin.max() < unsafe.max() / 10


def test_without_a_promise_every_root_is_unsafe() -> None:
    safe, unsafe = (VectorSearch(replace(request(), root=root)).allocate() for root in ("resolve", "unsafe"))
    assert safe.solver.gadget is None
    for search in (safe, unsafe):
        search.run(5)
    assert np.array_equal(safe.solution().options[1], unsafe.solution().options[1])


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
