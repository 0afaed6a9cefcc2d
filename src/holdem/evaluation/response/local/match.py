"""Hands of local best response against an agent, and what they say: mbb a hand with an interval.

Each deal is played twice, LBR on the button and in the big blind, with everybody's cards staying where they were dealt.
The opponent holds real cards and draws its actions from its own strategy. What is counted is the result without luck:
a showdown is worth its mean over the hands that the opponent plays this way and the boards that may come, and what
cards and draws gave beyond their mean is taken off (`local_best_response_luck`). The mean stays what it is, with far
less noise. The chips as dealt are reported beside it.
"""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from holdem.blueprint.buckets import prepare_tables
from holdem.cards.cards import hole_index
from holdem.errors import ConfigError
from holdem.evaluation.match.piece_workers import run_pieces
from holdem.evaluation.match.win_rates import half_interval
from holdem.evaluation.response.local.actions import Menus
from holdem.evaluation.response.local.luck import action_luck, board_luck, hole_luck, without_luck
from holdem.evaluation.response.local.response import LocalBestResponse
from holdem.game.agent import Agent, RangeAgent, close_agent, public_state
from holdem.game.game import Game
from holdem.game.records import PotAwarded
from holdem.types import STREET_NAMES, GameConfig
from holdem.util.arrays import Float64
from holdem.util.rng import derived_seed, stream

OpenAgent = Callable[[], Agent]

COLUMNS = 5
METHOD = "local best response (Lisý and Bowling 2017): a lower bound on exploitability in the real game"


@dataclass(frozen=True)
class MeasuredMean:
    """A mean with half of its 95 % interval, mbb a hand."""

    mbb_per_hand: float
    interval: float

    @property
    def ci95(self) -> list[float]:
        """Both ends."""
        return [self.mbb_per_hand - self.interval, self.mbb_per_hand + self.interval]

    def to_plain(self) -> dict[str, Any]:
        """As JSON; null where a single deal gives no interval."""
        return {"mbb_per_hand": self.mbb_per_hand, "ci95": self.ci95 if math.isfinite(self.interval) else None}


@dataclass(frozen=True)
class LocalBestResponseResult:
    """What LBR won. Intervals are over deals, each of two hands.

    won: the lower bound on exploitability; as_dealt: the same hands, luck included; in_big_blind, on_button: by LBR's
    position, without luck; variance_factor: how much larger the variance of `as_dealt` is than that of `won`, None if
    nothing varies.
    """

    opponent: str
    game: str
    menus: Menus
    hands: int
    seed: int
    won: MeasuredMean
    as_dealt: MeasuredMean
    in_big_blind: MeasuredMean
    on_button: MeasuredMean
    variance_factor: float | None

    def to_plain(self) -> dict[str, Any]:
        """As JSON."""
        plain = asdict(self)
        for name in ("won", "as_dealt", "in_big_blind", "on_button"):
            estimate: MeasuredMean = getattr(self, name)
            plain[name] = estimate.to_plain()
        plain["menus"] = dict(zip(STREET_NAMES, self.menus, strict=True))
        plain["method"] = METHOD
        return plain


def check_game(config: GameConfig) -> None:
    """ConfigError unless LBR knows the game: heads-up hold'em with a whole deck."""
    plain = config.has_whole_deck and config.board_cards == (0, 3, 4, 5)
    if config.num_players != 2 or not plain:
        raise ConfigError(
            f"local best response plays heads-up hold'em, and {config.name} is another game; for three and more "
            "players nothing of the kind is proved, so play matches; for toy games use holdem best-response"
        )


def play_matches(
    open_opponent: OpenAgent,
    config: GameConfig,
    menus: Menus,
    deals: int,
    *,
    seed: int = 0,
    num_workers: int = 1,
    progress: Callable[[int], None] | None = None,
    stopped: Callable[[], bool] = lambda: False,
    first: int = 0,
    keep: Callable[[int, Float64], None] | None = None,
) -> Float64:
    """(deals played, 2, 5): the columns of `play_deal` by deal and position (big blind, button).

    When `stopped` turns true, the deals so far. Those before `first` were played another time; `keep` is told of every
    piece, by the number of its first deal.
    """
    check_game(config)
    played: dict[int, Float64] = {}

    def deliver(start: int, stop: int, won: Float64) -> None:
        played[start] = won
        if keep is not None:
            keep(first + start, won)
        if progress is not None:
            progress(2 * (stop - start))

    make = partial(_DealPlayer, open_opponent, config, menus, seed, first)
    run_pieces(make, deals - first, num_workers, deliver, stopped)
    return np.concatenate([np.empty((0, 2, COLUMNS)), *(played[start] for start in sorted(played))])


def summarise(chips: Float64, opponent: str, config: GameConfig, menus: Menus, seed: int) -> LocalBestResponseResult:
    """The figures of some deals."""
    mbb = chips * (1000.0 / config.big_blind)
    steady = [without_luck(mbb[:, seat, 0], mbb[:, seat, 2:]) for seat in (0, 1)]
    won, as_dealt = (steady[0] + steady[1]) / 2.0, mbb[:, :, 1].mean(axis=1)
    return LocalBestResponseResult(
        opponent,
        config.name,
        menus,
        2 * len(chips),
        seed,
        won=_estimate(won),
        as_dealt=_estimate(as_dealt),
        in_big_blind=_estimate(steady[0]),
        on_button=_estimate(steady[1]),
        variance_factor=float(as_dealt.var() / won.var()) if won.std() > 1e-6 else None,
    )


def _estimate(values: Float64) -> MeasuredMean:
    return MeasuredMean(float(values.mean()), half_interval(values))


class _DealPlayer:
    """Plays deals in one process, counted from `first`, against an agent that it opens."""

    def __init__(self, open_opponent: OpenAgent, config: GameConfig, menus: Menus, seed: int, first: int = 0) -> None:
        self.opponent = as_range_agent(open_opponent())
        self.game, self.menus, self.seed, self.first = Game(config), menus, seed, first

    def close(self) -> None:
        """The opponent lets go of what it holds."""
        close_agent(self.opponent)

    def __call__(self, start: int, stop: int) -> Float64:
        won = np.empty((stop - start, 2, COLUMNS))
        for deal in range(start, stop):
            for seat in (0, 1):
                deal_seed = derived_seed(self.seed, "local best response", self.first + deal)
                won[deal - start, seat] = play_deal(self.game, self.opponent, self.menus, deal_seed, seat)
        return won


def as_range_agent(agent: Agent) -> RangeAgent:
    """The agent, if its whole strategy is known, ready to be asked about many boards."""
    if not isinstance(agent, RangeAgent):
        raise ConfigError(
            f"{agent.name} does not tell its strategy, so its range cannot be followed: a RangeAgent is needed, which "
            "has range_policy(public_state); name a blueprint, a searching agent, or an agent of yours that has it"
        )
    prepare_tables(getattr(agent, "buckets", None))
    return agent


def play_deal(
    game: Game, opponent: RangeAgent, menus: Menus, deal_seed: int, seat: int
) -> tuple[float, float, float, float, float]:
    """Chips that LBR wins at `seat` (0 is the big blind, 1 the button) in one hand.

    With the mean of its showdown, and as dealt; then the luck of its cards, of the board, and of the opponent's draws.
    """
    hand = game.new_hand(deal_seed)
    deal = derived_seed(deal_seed, "observed deal")
    hole, theirs = hand.hole_cards[seat], hand.hole_cards[1 - seat]
    assert hole is not None and theirs is not None
    response = LocalBestResponse(opponent, menus, seat, hole)
    of_hole, of_board, of_draws = hole_luck(response, hand), 0.0, 0.0
    decisions = 0
    board = hand.board
    while hand.actor is not None:
        if hand.board != board:
            of_board += board_luck(response, hand, board)
            board = hand.board
        if hand.actor == seat:
            hand.act(response.choose(hand))
            continue
        actions, probabilities = opponent.range_policy(public_state(hand))
        draw = float(stream(deal, "action", 1 - seat, decisions).random())
        choice = drawn(probabilities[hole_index(*theirs)], draw)
        of_draws += action_luck(response, hand, actions, probabilities, choice)
        response.saw(probabilities[:, choice])
        hand.act(actions[choice])
        decisions += 1
    dealt = won = float(hand.payoffs[seat])
    if all(hand.live):
        stake = sum(record.amount for record in hand.records if isinstance(record, PotAwarded)) // 2
        won = response.showdown_value(stake, board)
    return won, dealt, of_hole, of_board, of_draws


def drawn(row: Float64, draw: float) -> int:
    """The place of a row of probabilities that a number in [0, 1) stands for."""
    cumulative = row.cumsum()
    return min(int(np.searchsorted(cumulative, draw * cumulative[-1], side="right")), len(row) - 1)
