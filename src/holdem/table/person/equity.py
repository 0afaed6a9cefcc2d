"""How often the own hand would win if all cards were dealt now: an option of a person at a turn.

The others hold what the betting leaves them if they play as the blueprint does (`table/advice/beliefs.py`), or any hand
where there is no blueprint or following it takes too long; which of the two is said with the figure. Deals are sampled,
so it has an error.
"""

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from holdem.cards.cards import HOLE_CARDS, NUM_HOLE_PAIRS
from holdem.game.actions import Action
from holdem.game.agent import Observation, PublicState, RangeAgent
from holdem.game.deal import deck_of
from holdem.realtime.search.ranges import free_of
from holdem.table.advice.beliefs import ranges_by_position
from holdem.util.arrays import Float64
from holdem.util.rng import stream

DEALS = 5_000
RANGE_SECONDS = 0.06
"""For working out what the others may hold; a table should not be held up by more than a tenth of a second."""
BY_BETTING = "against what the betting leaves the others, if they play as the blueprint does"
ANY_HANDS = "against any hands"
OTHER_RANGES = "the bot's search finds ranges of its own, so what it says an action is worth can differ"


@dataclass(frozen=True)
class OwnEquity:
    """The share of the pot that the hand wins at showdown, ties shared."""

    share: float
    standard_error: float
    against: str


class TooLong(Exception):
    """Following the betting takes too long."""


class _InTime:
    """A `RangeAgent` that is asked for a while only."""

    def __init__(self, agent: RangeAgent, seconds: float) -> None:
        self._agent, self._until = agent, time.monotonic() + seconds
        self.name = agent.name
        self.act = agent.act

    def range_policy(self, public_state: PublicState) -> tuple[list[Action], Float64]:
        """What the agent says, as long as there is time."""
        if time.monotonic() > self._until:
            raise TooLong
        return self._agent.range_policy(public_state)


def own_equity(
    observation: Observation, blueprint: RangeAgent | None, deals: int = DEALS, seconds: float = RANGE_SECONDS
) -> OwnEquity:
    """How often the seat to act wins with its cards."""
    weights, against = _weights(observation, blueprint, seconds)
    count, seat = observation.config.num_players, observation.seat
    others = [other for other in range(count) if observation.live[other] and other != seat]
    rows = weights[[(other - observation.button - 1) % count for other in others]]
    generator = stream(observation.deal, "equity", observation.decision)
    shares = _shares(observation, rows, deals, generator)
    if not len(shares):  # the others hold what cannot be held at the same time: the betting was not the blueprint's
        shares, against = _shares(observation, np.ones_like(rows), deals, generator), ANY_HANDS
    return OwnEquity(float(shares.mean()), float(shares.std() / np.sqrt(len(shares))), against)


def _weights(observation: Observation, blueprint: RangeAgent | None, seconds: float) -> tuple[Float64, str]:
    """(players, 1326) by position, and what they are."""
    if blueprint is not None:
        try:
            return ranges_by_position(_InTime(blueprint, seconds), observation.public()).weights, BY_BETTING
        except TooLong:
            pass
    return np.ones((observation.config.num_players, NUM_HOLE_PAIRS)), ANY_HANDS


def _shares(
    observation: Observation, weights: Float64, deals: int, generator: np.random.Generator
) -> npt.NDArray[np.float64]:
    """Shares of the pot in random deals of the game's deck; `weights`: (opponents, 1326)."""
    from holdem.cards.kernels.evaluator import evaluate_hands, evaluate_seven_card_hands  # compiled: loaded when needed

    board_size, deck = observation.config.board_cards[-1], deck_of(observation.config.ranks)
    evaluate = evaluate_seven_card_hands if board_size == 5 else evaluate_hands
    cannot_come = [*observation.hole_cards, *observation.board, *(card for card in range(52) if card not in deck)]
    possible = weights * free_of(cannot_come)
    chances = possible / possible.sum(axis=1, keepdims=True)
    holes = np.stack([HOLE_CARDS[generator.choice(NUM_HOLE_PAIRS, deals, p=row)] for row in chances], axis=1)
    taken = np.zeros((deals, 52), np.int8)
    np.add.at(taken, (np.arange(deals)[:, None], holes.reshape(deals, -1)), 1)
    fits = taken.max(axis=1) <= 1  # no card twice
    holes, taken = holes[fits], taken[fits]
    missing = board_size - len(observation.board)
    keys = generator.random(taken.shape)
    keys[:, cannot_come] = 2.0
    keys[taken > 0] = 2.0
    drawn = np.argpartition(keys, max(missing - 1, 0), axis=1)[:, :missing]
    boards = np.concatenate([np.tile(np.array(observation.board, np.int64), (len(holes), 1)), drawn], axis=1)
    strengths = []
    for pair in (np.tile(np.array(observation.hole_cards), (len(holes), 1)), *np.moveaxis(holes, 1, 0)):
        found = np.empty(len(holes), np.int16)
        evaluate(np.concatenate([pair, boards], axis=1).astype(np.uint8), found)
        strengths.append(found)
    best = np.max(strengths, axis=0)
    winners = np.sum([strength == best for strength in strengths], axis=0)
    return np.where(strengths[0] == best, 1.0 / winners, 0.0)
