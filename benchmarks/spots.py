"""Heads-up spots that instruments are pointed at: states at the start of a street, and ranges of both seats there."""

from collections.abc import Sequence
from itertools import count

import numpy as np

from holdem.blueprint.agent import BlueprintAgent
from holdem.cards.cards import NUM_HOLE_PAIRS
from holdem.game.actions import Action
from holdem.game.agent import PublicState, observe, public_state
from holdem.game.game import Game
from holdem.game.hand import Hand
from holdem.realtime.search.history import action_of, beginning, past_decisions
from holdem.realtime.search.ranges import SeatRanges, free_of
from holdem.realtime.search.street_solution import nearest
from holdem.util.rng import stream


def hand_at(state: PublicState) -> Hand:
    """The hand of a state with nobody's cards known; cards after the state's board are waited for."""
    started = beginning(state)
    hand = Hand(started.config, None, state.board, button=started.button, stacks=started.stacks)
    for record in state.history:
        if (action := action_of(record)) is not None:
            hand.act(action)
    return hand


def after(state: PublicState, *actions: Action) -> PublicState:
    """The state after more actions of the same street."""
    hand = hand_at(state)
    for action in actions:
        hand.act(action)
    return public_state(hand)


def random_state(street: int, number: int) -> PublicState:
    """A heads-up street that was reached by a raise of random size before the flop, and checks."""
    random = stream(number, "search spots")
    hand = Game.from_preset("headsup_100bb").new_hand(number)
    hand.act(Action.raise_to(int(random.integers(200, 3_000))))
    for _ in range(1 + 2 * (street - 1)):
        hand.act(Action.check_or_call())
    return public_state(hand)


def whole_ranges(state: PublicState, number: int) -> SeatRanges:
    """Both seats may hold every hand, with random weights."""
    weights = stream(number, "search ranges").random((2, NUM_HOLE_PAIRS))
    return SeatRanges(0.05 + 0.95 * weights).after_board(state.board)


def few_hands(dead: Sequence[int], hands: int, number: int) -> SeatRanges:
    """Both seats may hold so many random hands without the cards in `dead`, with random weights."""
    random = stream(number, "few hands")
    free = np.flatnonzero(free_of(dead))
    weights = np.zeros((2, NUM_HOLE_PAIRS))
    for seat in (0, 1):
        held = random.choice(free, min(hands, len(free)), replace=False)
        weights[seat, held] = 0.05 + 0.95 * random.random(len(held))
    return SeatRanges(weights).after_board(())


def played_to(street: int, blueprint: BlueprintAgent, number: int) -> PublicState:
    """The start of a street in a hand that the blueprint plays with itself; each number has its own deals."""
    game = Game(blueprint.policy.config)
    for attempt in count():
        deal = 1_000_000 * (number + 1) + attempt
        hand, decisions = game.new_hand(deal), [0, 0]
        while hand.actor is not None and hand.street < street:
            seat = hand.actor
            hand.act(blueprint.act(observe(hand, deal, decisions[seat])))
            decisions[seat] += 1
        if hand.actor is not None:
            return public_state(hand)
    raise AssertionError


def blueprint_ranges(state: PublicState, blueprint: BlueprintAgent) -> SeatRanges:
    """What both seats bring to the start of a street if they play the blueprint: Bayes' rule as in a search."""
    ranges = SeatRanges.all_hands(2)
    for past, action in past_decisions(state):
        actions, policy = blueprint.range_policy(past)
        place = nearest(actions, action)
        assert place is not None
        ranges = ranges.after_board(past.board).after_action(past.seat, policy[:, place])
    return ranges.after_board(state.board)
