"""A table in this process: it deals hands under the rules, asks the seats, and tells observers what their seat sees.

A seat whose agent fails or answers what the rules do not allow checks or folds; the whole state is logged and the
fault is counted, and the hand goes on.
"""

import time
from collections.abc import Callable, Sequence

from holdem.errors import ConfigError
from holdem.game.actions import Action
from holdem.game.agent import Agent, Observation, observe
from holdem.game.game import Game
from holdem.game.hand import Hand
from holdem.game.records import format_records
from holdem.table.history.observed_hand import ObservedHand, SeatObserver, seen_by
from holdem.table.session.safe_action import check_or_fold
from holdem.util.logs import LOGGER
from holdem.util.rng import derived_seed


class LocalTable:
    """Hands of one game. The button moves a seat every hand; hand n has the same cards for the same seed."""

    def __init__(
        self,
        game: Game,
        players: Sequence[Agent],
        *,
        seed: int,
        stacks: Sequence[int] | None = None,
        carry_on: bool = False,
        pace_seconds: float = 0.0,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """`stacks` by seat, by default the game's; `carry_on` keeps them, and players without chips buy in again."""
        count = game.config.num_players
        if len(players) != count:
            raise ConfigError(f"{len(players)} players for {count} seats; give one per seat")
        self.game, self.players, self.seed = game, tuple(players), seed
        self.buy_in = tuple(stacks) if stacks is not None else None
        self.carry_on, self.pace_seconds, self.pause = carry_on, pace_seconds, pause
        self.hands_played = 0
        self.faults = 0
        """Times that an agent failed or answered what the rules do not allow."""
        self.winnings = [0] * count
        """Chips won by seat over all hands."""
        self._stacks: list[int] | None = None
        self._observers: list[tuple[int, SeatObserver]] = []

    def add_observer(self, seat: int, observer: SeatObserver) -> None:
        """Let an observer see what a seat sees."""
        self._observers.append((seat, observer))

    def play_hand(self) -> tuple[int, ...]:
        """Deal and play the next hand; chips won by seat."""
        deal_seed = derived_seed(self.seed, "table hand", self.hands_played)
        button = (self.hands_played - 1) % self.game.config.num_players
        hand = self.game.new_hand(deal_seed, button=button, stacks=self._stacks or self.buy_in)
        told = self._begin(hand)
        deal = derived_seed(deal_seed, "observed deal")  # the seed itself would tell everybody's cards
        decisions = [0] * len(self.players)
        while (seat := hand.actor) is not None:
            hand.act(self._answer(seat, observe(hand, deal, decisions[seat])))
            decisions[seat] += 1
            told = self._tell(hand, told)
            if self.pace_seconds:
                self.pause(self.pace_seconds)
        return self._finish(hand)

    def _begin(self, hand: Hand) -> int:
        for seat, observer in self._observers:
            observer.hand_started(self._seen(hand, seat))
        return len(hand.records)

    def _answer(self, seat: int, observation: Observation) -> Action:
        for watched, observer in self._observers:
            if watched == seat:
                observer.to_act(observation)
        player = self.players[seat]
        try:
            action = player.act(observation)
            if observation.legal.allows(action):
                return action
            reason = f"answered {action}, and may {observation.legal}"
        except Exception as error:  # whatever an agent does, the table goes on
            reason = f"failed with {type(error).__name__}: {error}"
        self.faults += 1
        action = check_or_fold(observation.legal)
        LOGGER.error("%s %s; taken as %s\n%s", player.name, reason, action, format_records(observation.history))
        return action

    def _tell(self, hand: Hand, told: int) -> int:
        new = hand.records[told:]
        for seat, observer in self._observers:
            for record in seen_by(new, seat):
                observer.happened(record)
        return len(hand.records)

    def _finish(self, hand: Hand) -> tuple[int, ...]:
        payoffs = hand.payoffs
        self.winnings = [total + won for total, won in zip(self.winnings, payoffs, strict=True)]
        if self.carry_on:
            self.buy_in = self.buy_in or hand.starting_stacks
            self._stacks = [left or again for left, again in zip(hand.stacks, self.buy_in, strict=True)]
        for seat, observer in self._observers:
            observer.hand_over(self._seen(hand, seat))
        self.hands_played += 1
        return payoffs

    def _seen(self, hand: Hand, seat: int) -> ObservedHand:
        payoffs = hand.payoffs if hand.is_over else (0,) * len(self.players)
        names = tuple(player.name for player in self.players)
        return ObservedHand(self.hands_played, seat, names, seen_by(hand.records, seat), payoffs)
