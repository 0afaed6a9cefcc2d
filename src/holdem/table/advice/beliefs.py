"""What everybody can hold by the blueprint, from what they did in this hand (holdem.realtime.search.ranges)."""

from collections.abc import Sequence

import numpy as np

from holdem.blueprint.translation import translate
from holdem.game.actions import Action, ActionKind
from holdem.game.agent import PublicState, RangeAgent
from holdem.realtime.search.history import past_decisions
from holdem.realtime.search.ranges import SeatRanges
from holdem.util.arrays import Float64

NEVER_PLAYED = 1e-9
"""The chance of an action with a hand that the strategy never takes it with: it shows only where no hand takes it, and
no range is empty. What actions are worth is of the strategy itself, without the guard against others that a search
needs."""


def ranges_by_position(agent: RangeAgent, state: PublicState) -> SeatRanges:
    """What every position may hold at `state` if all have played as `agent` does, (players, 1326) by position; the seat
    to act knows its own cards, so its weights are left at one."""
    ranges = SeatRanges.all_hands(state.config.num_players).after_board(state.board)
    for past, action in past_decisions(state):
        if past.seat == state.seat:
            continue
        actions, probabilities = agent.range_policy(past)
        chances = chances_of(action, actions, probabilities, past)
        ranges = ranges.after_action(past.seat, chances, floor=NEVER_PLAYED)
    count = state.config.num_players
    seats = [(state.button + 1 + position) % count for position in range(count)]
    rarest = {position: ranges.rarest[seat] for position, seat in enumerate(seats) if seat in ranges.rarest}
    return SeatRanges(ranges.weights[seats], rarest)


def chances_of(action: Action, actions: list[Action], probabilities: Float64, state: PublicState) -> Float64:
    """(1326,) how likely each hand was to take an action; a raise between two known sizes is shared out to them."""
    shares = shares_of(action, actions, state)
    if not shares:
        return np.ones(len(probabilities))  # the strategy has nothing like it: the action tells nothing
    return np.asarray(sum(share * probabilities[:, place] for place, share in shares))


def shares_of(action: Action, actions: Sequence[Action], state: PublicState) -> list[tuple[int, float]]:
    """Which of `actions` an action stands for: places with shares, none if there is nothing like it."""
    if action in actions:
        return [(actions.index(action), 1.0)]
    raises = [place for place, known in enumerate(actions) if known.kind is ActionKind.RAISE_TO]
    if action.kind is not ActionKind.RAISE_TO or not raises:
        return []
    raises.sort(key=lambda place: actions[place].amount)
    level = max(state.street_bets)
    pot = state.pot + level - state.street_bets[state.seat]
    sizes = [(actions[place].amount - level) / pot for place in raises]
    return [(raises[place], share) for place, share in translate(sizes, (action.amount - level) / pot)]
