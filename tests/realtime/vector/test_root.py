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
from holdem.realtime.subgame.groups.street import StreetGroups
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
    assert (root.pot, root.effective_stack, root.bets, root.to_act, root.skipped) == (600, 2_700, (0, 0), 0, 0)
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
    with pytest.raises(HoldemError, match="3 players have not folded; a subgame of two needs exactly two"):
        SubgameRoot.of(state_after([CALL] * 3, num_players=3))


FOLD, BET, RAISE = Action.fold(), Action.raise_to(200), Action.raise_to(600)
FOLDED_TO_TWO = {
    # the line of the flop; who of the three is left, the pot without both bets, the bets, who acts
    "the second folds to a bet": ([BET, FOLD], (0, 2), 300, (200, 0), 1),
    "the third folds to the second": ([CALL, BET, FOLD], (0, 1), 300, (0, 200), 0),
    "the third folds to a raise": ([BET, RAISE, FOLD], (0, 1), 300, (200, 600), 0),
    "the first gives up a bet": ([BET, RAISE, Action.raise_to(1_800), FOLD], (1, 2), 500, (600, 1_800), 0),
    "all-in": ([Action.raise_to(2_900), FOLD], (0, 2), 300, (2_900, 0), 1),
}


@pytest.mark.parametrize("name", FOLDED_TO_TWO)
def test_two_who_are_left_of_three_begin_where_the_third_folded(name: str) -> None:
    """A hundred chips from each of three before the flop, of 3,000."""
    line, places, pot, bets, to_act = FOLDED_TO_TWO[name]
    state = state_after([CALL] * 3 + line, num_players=3)
    root = SubgameRoot.of(state)
    assert root.seats == tuple((state.button + 1 + place) % 3 for place in places)
    assert (root.pot, root.effective_stack) == (pot, 2_900)
    assert (root.bets, root.to_act, root.skipped) == (bets, to_act, len(line))
    assert root.player == to_act and root.moves() == ()
    assert root.pot + sum(root.bets) == state.pot


def test_the_next_street_of_two_begins_at_its_start() -> None:
    root = SubgameRoot.of(state_after([CALL] * 3 + [BET, CALL, FOLD], num_players=3))
    assert (root.state.street, root.pot, root.effective_stack) == (2, 700, 2_700)
    assert (root.bets, root.to_act, root.skipped) == ((0, 0), 0, 0)


def test_actions_after_the_fold_are_moves_from_the_root_on() -> None:
    root = SubgameRoot.of(state_after([CALL] * 3 + [BET, FOLD, RAISE], num_players=3))
    assert (root.bets, root.to_act, root.skipped, root.player) == ((200, 0), 1, 2, 0)
    assert labels(root.moves()) == ("Raise(600)",)


def test_a_fold_gives_up_what_was_bet_before_it_and_no_more() -> None:
    """Values count from what the seat has behind now, so that folding is worth 0 also after own bets."""
    state = state_after([CALL] * 3 + [BET, FOLD, RAISE], num_players=3)
    ranges = SeatRanges.all_hands(3).after_board(state.board).weights
    menu = Menu("75%", "75%", 1)
    request = SolveRequest(state, ranges, menu, Depth.GROUPS, menu, StreetGroups(4, 8), iterations=10)
    solution = StreetResolver(random_blueprint(3)).solve(request)
    actions, _ = solution.options
    assert actions[:2] == (FOLD, CALL) and solution.line == (BET, FOLD, RAISE)
    held = request.ranges[state.seat] > 0
    # Single precision: a ten-thousandth of the 1,100 chips in the pot.
    assert solution.action_values[held][:, 0] == pytest.approx(np.zeros(held.sum()), abs=0.11)
