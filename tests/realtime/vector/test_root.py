"""From the state of a hand to the spot that is solved: nothing is rounded, nothing is lost."""

from dataclasses import replace

import numpy as np
import pytest

from holdem.cards import Range, hole_index, parse_cards
from holdem.errors import HoldemError
from holdem.game.actions import Action
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.request import Depth, SolveRequest
from holdem.realtime.search.street_resolver import StreetResolver
from holdem.realtime.search.street_tree import Menu
from holdem.realtime.subgame.nodes.moves import Move, move_of
from holdem.realtime.vector.root import SubgameRoot
from tests.realtime.blueprints import CALL, random_blueprint, state_after

TO_RIVER = [Action.raise_to(300), CALL, CALL, CALL, CALL, CALL]
SMALL = Menu("75%", "a", 2)


def labels(moves: tuple[Move, ...]) -> tuple[str, ...]:
    return tuple(map(str, moves))


def request_at(actions: list[Action], **changes: object) -> SolveRequest:
    state = state_after(actions)
    ranges = SeatRanges.all_hands(2).after_board(state.board)
    return SolveRequest(state, ranges.weights, SMALL, Depth.END, iterations=40, **changes)  # type: ignore[arg-type]


def test_the_root_is_the_start_of_the_street() -> None:
    root = SubgameRoot.of(state_after([*TO_RIVER, Action.raise_to(137)]))
    # 300 chips from each before the flop; the bet of 137 is on the street, not in the pot of its start.
    assert (root.pot, root.effective_stack, root.chips_before) == (600, 2_700, (300, 300))
    assert root.seats == (0, 1)
    assert root.player == 1
    assert labels(root.moves()) == ("Bet(137)",)


def test_bets_that_no_menu_has_are_in_the_tree() -> None:
    solution = StreetResolver(random_blueprint()).solve(request_at([*TO_RIVER, Action.raise_to(137)]))
    assert Action.raise_to(137) in solution.decisions[()][0]
    assert Action.raise_to(450) in solution.decisions[()][0]  # 75 % of 600
    actions, policy = solution.options
    assert actions[:2] == (Action.fold(), CALL)
    assert policy.sum(axis=1) == pytest.approx(np.ones(1326), abs=1e-5)


def test_a_bet_beyond_the_other_stack_is_all_in_of_the_shorter_one() -> None:
    root = SubgameRoot.of(state_after([*TO_RIVER, Action.raise_to(2_700)]))
    assert labels(root.moves()) == ("AllIn(2700)",)
    assert root.action(move_of("AllIn(2700)")) == Action.raise_to(2_700)
    assert root.action(move_of("Call"), asked=True) == CALL


def test_raises_of_the_played_line_follow_each_other() -> None:
    actions = [*TO_RIVER, Action.raise_to(137), Action.raise_to(411)]
    root = SubgameRoot.of(state_after(actions))
    assert labels(root.moves()) == ("Bet(137)", "Raise(411)")
    assert labels(root.moves([CALL, Action.raise_to(100), CALL])) == ("Check", "Bet(100)", "Call")


def test_locked_decisions_stay_as_they_were_played() -> None:
    checked = np.zeros((1326, 2), dtype=np.float32)
    checked[:, 0], checked[::2, 0], checked[::2, 1] = 1.0, 0.25, 0.75
    locked = {(): ((CALL, Action.raise_to(450)), checked)}
    request = request_at([*TO_RIVER, CALL, Action.raise_to(333)], locked=locked)
    solution = StreetResolver(random_blueprint()).solve(request)
    actions, policy = solution.decisions[()]
    held = request.ranges[0] > 0
    assert policy[held][:, actions.index(CALL)] == pytest.approx(checked[held][:, 0], abs=1e-5)
    # What was not locked was learnt: nobody folds and calls the same share of all hands.
    assert np.ptp(solution.options[1][held][:, 0]) > 0.5


def test_action_values_count_from_the_decision() -> None:
    request = request_at([*TO_RIVER, CALL, Action.raise_to(300)])
    solution = StreetResolver(random_blueprint()).solve(request)
    actions, _ = solution.options
    held = request.ranges[0] > 0
    assert np.isnan(solution.action_values[~held]).all(), "nothing is known of hands that were not solved"
    values = solution.action_values[held]
    assert values[:, actions.index(Action.fold())] == pytest.approx(np.zeros(held.sum()), abs=0.1)
    # A call of 300 into 900 wins at most 900 and loses at most 300.
    calls = values[:, actions.index(CALL)]
    assert -300.1 <= calls.min() < -250.0
    assert 800.0 < calls.max() <= 900.1


def test_a_hand_that_cannot_meet_the_other_range_has_no_values() -> None:
    request = request_at([*TO_RIVER, CALL, Action.raise_to(300)])
    ranges = np.stack([Range.parse(text).weights for text in ("AsQs, 5s3s", "AsKd, QsKd")])
    solution = StreetResolver(random_blueprint()).solve(replace(request, ranges=ranges))
    blocked, free = (hole_index(*parse_cards(hand)) for hand in ("AsQs", "5s3s"))
    assert np.isnan(solution.action_values[blocked]).all()
    assert np.isfinite(solution.action_values[free]).all()


def test_three_players_are_no_spot_of_two() -> None:
    with pytest.raises(HoldemError, match="3 players entered"):
        SubgameRoot.of(state_after([CALL] * 3, num_players=3))
