"""What the solve of a street carries on to the next: promises to the opponent, by line and card."""

from dataclasses import replace

import numpy as np
import pytest

from holdem.cards.cards import HOLE_CARDS
from holdem.game.actions import Action
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.request import Depth, SolveRequest
from holdem.realtime.search.street_solution import CarriedValues
from holdem.realtime.search.street_tree import Menu
from holdem.realtime.subgame.groups.street import StreetGroups
from holdem.realtime.vector.search import VectorSearch
from tests.realtime.blueprints import CALL, state_after

BET = Action.raise_to(450)
MENU = Menu("75%", "75%", 1)


def turn_search(actions: list[Action], root: str = "resolve") -> VectorSearch:
    state = state_after([Action.raise_to(300), CALL, CALL, CALL, *actions])
    ranges = SeatRanges.all_hands(2).after_board(state.board).weights * (np.arange(1326) % 7 == 0)
    search = VectorSearch(SolveRequest(state, ranges, MENU, Depth.GROUPS, MENU, StreetGroups(8), root=root))
    search.run(20)
    return search


def carried_after(actions: list[Action]) -> CarriedValues:
    carried = turn_search(actions).solution().carried
    assert carried is not None
    return carried


def test_every_line_that_may_close_the_street_is_carried_on() -> None:
    assert set(carried_after([]).values) == {(CALL, CALL), (CALL, BET, CALL), (BET, CALL)}
    assert set(carried_after([BET]).values) == {(BET, CALL)}


def test_an_unsafe_root_carries_nothing_on() -> None:
    assert turn_search([], root="unsafe").solution().carried is None


def test_the_reach_of_a_line_is_the_own_range_times_the_own_strategy() -> None:
    search = turn_search([])
    solution = search.solution()
    carried, own = solution.carried, search.request.ranges[search.root.state.seat]
    assert carried is not None
    actions, policy = solution.options
    expected = own * policy[:, actions.index(BET)]
    assert carried.reach[BET, CALL] == pytest.approx(expected, abs=1e-6)


def test_a_promise_grows_with_the_own_range() -> None:
    carried, line = carried_after([]), (BET, CALL)
    card = carried.cards[7]
    free = np.array([card not in pair for pair in HOLE_CARDS.tolist()])
    own = carried.reach[line].astype(np.float64) * free
    promised = carried.promised(line, card, own)
    assert promised is not None and promised.any()
    # The same range as in the solve is promised what the solve found; half of it, half as much.
    assert promised[carried.hands] == pytest.approx(carried.values[line][7], rel=1e-5)
    assert carried.promised(line, card, own / 2.0) == pytest.approx(promised / 2.0)
    others = np.ones(1326, dtype=bool)
    others[carried.hands] = False
    assert not promised[others].any()


def test_what_a_solve_does_not_know_is_not_promised() -> None:
    carried, line = carried_after([BET]), (BET, CALL)
    own = carried.reach[line].astype(np.float64)
    board_card = next(card for card in range(52) if card not in carried.cards)
    assert carried.promised((CALL, CALL), carried.cards[0], own) is None
    assert carried.promised(line, board_card, own) is None
    assert carried.promised(line, carried.cards[0], np.zeros(1326)) is None
    nobody = replace(carried, reach={line: np.zeros(1326, dtype=np.float32)})
    assert nobody.promised(line, carried.cards[0], own) is None
