"""Ranges by Bayes' rule, against sums over all pairs of hands."""

import numpy as np
import pytest

from holdem.cards.cards import HOLE_CARDS, hole_index, parse_cards
from holdem.cards.ranges import opposing_weight
from holdem.errors import HoldemError
from holdem.game.actions import Action
from holdem.game.agent import public_state
from holdem.game.game import Game
from holdem.realtime.search.history import line_of, past_decisions
from holdem.realtime.search.ranges import FLOOR, SeatRanges, free_of


def test_bayes_rule_against_the_joint_distribution_of_two_seats() -> None:
    generator = np.random.default_rng(2)
    board = parse_cards("AhKd7c2s9h")
    strategy = generator.random((2, 1326))
    ranges = SeatRanges.all_hands(2).after_board(board)
    for seat in (0, 1):
        ranges = ranges.after_action(seat, strategy[seat], floor=0.0)
    chances = ranges.weights[0] * opposing_weight(ranges.weights[1])
    chances /= chances.sum()
    # Brute force: every pair of hands once, with the chance of both actions.
    free = np.flatnonzero(free_of(board))
    cards = HOLE_CARDS[free]
    apart = ~(cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
    joint = np.outer(strategy[0][free], strategy[1][free]) * apart
    np.testing.assert_allclose(chances[free], joint.sum(axis=1) / joint.sum(), rtol=1e-10)
    assert chances.sum() == pytest.approx(1.0)
    assert chances[hole_index(*parse_cards("AhQs"))] == 0.0


def test_an_impossible_action_leaves_the_range_as_it_was() -> None:
    before = SeatRanges.all_hands(2).after_action(0, np.linspace(0.0, 1.0, 1326))
    after = before.after_action(0, np.zeros(1326))
    np.testing.assert_allclose(after.weights, before.weights)
    assert before.weights[0, 0] == pytest.approx(FLOOR)


def test_other_seats_are_not_touched_and_empty_ranges_are_refused() -> None:
    ranges = SeatRanges.all_hands(3).after_action(1, np.eye(1, 1326)[0], floor=0.0)
    assert (ranges.weights[[0, 2]] == 1.0).all()
    with pytest.raises(HoldemError, match="no hand left"):
        ranges.after_board(HOLE_CARDS[0].tolist())
    with pytest.raises(HoldemError, match="1326 chances"):
        ranges.after_action(0, np.ones(5))


def test_past_decisions_are_the_states_that_the_players_saw() -> None:
    game = Game.from_preset("headsup_100bb")
    hand = game.new_hand(4)
    actions = [Action.raise_to(250), Action.check_or_call(), Action.check_or_call(), Action.raise_to(137)]
    seen = []
    for action in actions:
        seen.append(public_state(hand))
        hand.act(action)
    replayed = past_decisions(public_state(hand))
    assert [action for _, action in replayed] == actions
    assert [state for state, _ in replayed] == seen
    assert len({line_of(state) for state in seen}) == len(actions)


def test_the_rarest_share_of_each_seat_is_remembered() -> None:
    """As the chance of the action over the range that is left, whatever floor the weights have."""
    generator = np.random.default_rng(4)
    first, second = generator.random(1326), 0.1 * generator.random(1326)
    ranges = SeatRanges.all_hands(3).after_action(0, second).after_action(1, first)
    again = ranges.after_board(parse_cards("AhKd7c")).after_action(0, first)
    assert ranges.rarest == pytest.approx({0: second.mean(), 1: first.mean()})
    assert again.rarest == pytest.approx(ranges.rarest), "what came later was not as rare"
    assert again.rarest_of_others(0) == pytest.approx(first.mean())
    assert again.rarest_of_others(2) == pytest.approx(second.mean())
    assert SeatRanges.all_hands(2).rarest_of_others(0) == 1.0
