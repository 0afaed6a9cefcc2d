"""Chips, turns and raise limits of a no-limit hand: everything about betting, nothing about cards.

Seats are 0..n-1 around the table. Position p sits at seat (button + 1 + p) % n, and positions act in order
after the flop, so the button acts last there; heads-up the button posts the small blind and acts first before
the flop.

Raise limits (TDA rules 43 and 47): a raise is at least as large as the largest bet or raise of the street
before it, or all-in. Whoever has acted may raise again only when facing at least such a full raise, in one
piece or in several short all-ins. A blind that is all-in for less does not lower the price of a call for the
others.
"""

import operator
from collections.abc import Sequence
from itertools import chain

from holdem.errors import ConfigError, IllegalAction
from holdem.game import records as rec
from holdem.game.actions import Action, ActionKind, LegalActions
from holdem.game.pots import uncalled
from holdem.types import GameConfig


class Betting:
    """The betting of one hand. `Hand` adds cards, showdown and the pots' winners."""

    __slots__ = (
        "_acted",
        "_full_raise",
        "_legal",
        "_level",
        "_level_posted",
        "actor",
        "aggressor",
        "button",
        "config",
        "contributions",
        "live",
        "num_seats",
        "records",
        "stacks",
        "starting_stacks",
        "street",
        "street_bets",
    )

    def __init__(self, config: GameConfig, button: int | None = None, stacks: Sequence[int] | None = None) -> None:
        if config.variant != "holdem":
            raise ConfigError(f"{config.name} is {config.variant}, not hold'em; play it with holdem.game.toy_games")
        count = config.num_players
        self.config = config
        self.num_seats = count
        self.button = count - 1 if button is None else button
        if not 0 <= self.button < count:
            raise ConfigError(f"button {button} is not a seat; seats are 0 to {count - 1}")
        if stacks is None:
            stacks = [config.starting_stacks[self.position(seat)] for seat in range(count)]
        self.starting_stacks = _checked_stacks(stacks, count)
        self.stacks = list(self.starting_stacks)
        """Chips behind, by seat."""
        self.street_bets = [0] * count
        """Chips in front of each seat on this street."""
        self.contributions = [0] * count
        """Chips in the pot of the whole hand, by seat; antes and this street's bets included."""
        self.live = [True] * count
        """Whether each seat is still in the hand."""
        self.street = 0
        self.actor: int | None = None
        """The seat to act; None when the hand is over or waits for cards."""
        self.aggressor: int | None = None
        """Who bet or raised last on the last street that had betting."""
        self.records: list[rec.Record] = []
        self._acted = [False] * count
        self._level = 0
        self._level_posted = True
        self._full_raise = config.big_blind or config.ante or 1
        self._legal: LegalActions | None = None

    def position(self, seat: int) -> int:
        """The position of a seat: 0 acts first after the flop, the button last."""
        return (seat - self.button - 1) % self.num_seats

    def seat_at(self, position: int) -> int:
        """The seat of a position."""
        return (self.button + 1 + position) % self.num_seats

    @property
    def pot(self) -> int:
        """All chips in the middle, this street's bets included; 0 once they are won."""
        return sum(self.contributions)

    # What is allowed now

    def legal_actions(self) -> LegalActions:
        """What the seat to act may do."""
        if self._legal is None:
            seat = self._verify_actor()
            call_amount = self._call_amount(seat)
            if self._may_raise(seat):
                most = self.street_bets[seat] + self.stacks[seat]
                self._legal = LegalActions(
                    call_amount > 0, call_amount, min(self._level + self._full_raise, most), most
                )
            else:
                self._legal = LegalActions(call_amount > 0, call_amount, None, None)
        return self._legal

    def verify_fold(self) -> None:
        """Raise IllegalAction if the seat to act may not fold: folding is refused when checking is free."""
        if not self.legal_actions().can_fold:
            raise IllegalAction(f"seat {self.actor} cannot fold when there is nothing to call; check instead")

    def can_fold(self) -> bool:
        """Whether the seat to act may fold."""
        return self.actor is not None and self.legal_actions().can_fold

    def verify_check_or_call(self) -> None:
        """Raise IllegalAction if nobody is to act; otherwise a check or a call is always allowed."""
        self._verify_actor()

    def can_check_or_call(self) -> bool:
        """Whether somebody is to act."""
        return self.actor is not None

    def verify_bet_or_raise_to(self, amount: int) -> int:
        """`amount` as an int, or IllegalAction saying why the seat to act may not raise to it."""
        legal = self.legal_actions()
        seat = self.actor
        assert seat is not None
        try:
            chips = operator.index(amount)
        except TypeError:
            raise IllegalAction(f"raise to {amount!r} is not a whole number of chips; round it") from None
        if legal.min_raise_to is None or legal.max_raise_to is None:
            raise IllegalAction(f"seat {seat} cannot raise to {chips}: {self._why_no_raise(seat)}; legal: {legal}")
        if not legal.min_raise_to <= chips <= legal.max_raise_to:
            limit = "below the minimum" if chips < legal.min_raise_to else "more than the stack"
            raise IllegalAction(f"seat {seat} cannot raise to {chips}: it is {limit}; legal: {legal}")
        return chips

    def can_bet_or_raise_to(self, amount: int) -> bool:
        """Whether the seat to act may raise to `amount`."""
        try:
            self.verify_bet_or_raise_to(amount)
        except IllegalAction:
            return False
        return True

    # Actions

    def fold(self) -> rec.Fold:
        """The seat to act gives up its hand."""
        self.verify_fold()
        return self._fold()

    def check_or_call(self) -> rec.Check | rec.Call:
        """The seat to act matches the bet, or checks when there is none."""
        amount = self.legal_actions().call_amount
        seat = self._take_turn()
        record: rec.Check | rec.Call
        if amount:
            self._put_in(seat, amount)
            if self.street_bets[seat] == self._level:
                self._level_posted = True
            record = rec.Call(seat, amount, not self.stacks[seat])
        else:
            record = rec.Check(seat)
        self._finish_turn(record, seat)
        return record

    def bet_or_raise_to(self, amount: int) -> rec.Bet | rec.Raise:
        """The seat to act bets or raises, to `amount` chips in front of it on this street."""
        chips = self.verify_bet_or_raise_to(amount)
        seat = self._take_turn()
        self._put_in(seat, chips - self.street_bets[seat])
        kind = rec.Raise if self._level else rec.Bet
        self._full_raise = max(self._full_raise, chips - self._level)
        self._level = chips
        self._level_posted = True
        self.aggressor = seat
        record = kind(seat, chips, not self.stacks[seat])
        self._finish_turn(record, seat)
        return record

    def act(self, action: Action, *, recorded: bool = False) -> rec.BettingRecord:
        """Do `action` for the seat to act; one `recorded` at a table elsewhere may be a fold where a check is free."""
        if action.kind is ActionKind.FOLD:
            return self._fold() if recorded else self.fold()
        if action.kind is ActionKind.CHECK_OR_CALL:
            return self.check_or_call()
        return self.bet_or_raise_to(action.amount)

    # How a street runs

    def _close_street(self) -> None:
        """Nobody has to act any more on this street: `Hand` deals, shows or settles."""
        raise NotImplementedError

    def _post_forced_bets(self) -> int:
        """Antes, blinds and straddle; the seat after which the betting starts."""
        config = self.config
        order = [self.seat_at(position) for position in range(self.num_seats)]
        for seat in order if config.ante else ():
            amount = min(config.ante, self.stacks[seat])
            self._put_in(seat, amount)
            self.street_bets[seat] = 0
            self.records.append(rec.AntePosted(seat, amount, not self.stacks[seat]))
        small, big = (order[1], order[0]) if self.num_seats == 2 else (order[0], order[1])
        for seat, blind in ((small, config.small_blind), (big, config.big_blind)):
            amount = min(blind, self.stacks[seat])
            if amount:
                self._put_in(seat, amount)
                self.records.append(rec.BlindPosted(seat, amount, not self.stacks[seat]))
        self._level = config.big_blind
        if config.straddle and self.stacks[order[2]] >= config.straddle:
            seat = order[2]
            self._put_in(seat, config.straddle)
            self.records.append(rec.StraddlePosted(seat, config.straddle, not self.stacks[seat]))
            self._level = self._full_raise = config.straddle
            big = seat
        self._level_posted = max(self.street_bets) >= self._level
        return big if self._level else self.button

    def _start_betting(self, after: int) -> None:
        """Give the turn to the first seat after `after` that has something to decide."""
        self._legal = None
        self.actor = self._next_to_act(after)
        if self.actor is None:
            self._close_street()

    def _begin_street(self) -> None:
        self.street += 1
        count = self.num_seats
        self.street_bets = [0] * count
        self._acted = [False] * count
        self._level = 0
        self._level_posted = True
        self._full_raise = self.config.big_blind or self.config.ante or 1

    def _verify_actor(self) -> int:
        if self.actor is None:
            raise IllegalAction("nobody is to act: the hand is over or waits for cards; look at Hand.is_over")
        return self.actor

    def _fold(self) -> rec.Fold:
        seat = self._take_turn()
        self.live[seat] = False
        record = rec.Fold(seat)
        self._finish_turn(record, seat)
        return record

    def _take_turn(self) -> int:
        seat = self._verify_actor()
        self._acted[seat] = True
        self._legal = None
        return seat

    def _finish_turn(self, record: rec.Record, seat: int) -> None:
        self.records.append(record)
        self._start_betting(seat)

    def _put_in(self, seat: int, amount: int) -> None:
        self.stacks[seat] -= amount
        self.street_bets[seat] += amount
        self.contributions[seat] += amount

    def _return_uncalled_bet(self) -> None:
        seat, amount = uncalled(self.contributions)
        if amount and self.live[seat]:
            self.contributions[seat] -= amount
            self.street_bets[seat] = max(0, self.street_bets[seat] - amount)
            self.stacks[seat] += amount
            self.records.append(rec.UncalledBetReturned(seat, amount))

    def _next_to_act(self, after: int) -> int | None:
        """The first seat after `after` that faces a bet, or has not acted and could be called if it bet."""
        live, stacks = self.live, self.stacks
        if live.count(True) == 1:
            return None
        for seat in chain(range(after + 1, self.num_seats), range(after + 1)):
            if live[seat] and stacks[seat]:
                if self.street_bets[seat] < self._price(seat):
                    return seat
                if not self._acted[seat] and self._somebody_else_has_chips(seat):
                    return seat
        return None

    def _somebody_else_has_chips(self, seat: int) -> bool:
        return any(stack and other != seat and self.live[other] for other, stack in enumerate(self.stacks))

    def _price(self, seat: int) -> int:
        """What a seat must have in front of it to stay in.

        That is the bet on the table; before the flop at least the full blind, even if its owner was all-in
        for less, but never more than some opponent could match.
        """
        if self._level_posted:
            return self._level
        others = (s for s in range(self.num_seats) if s != seat and self.live[s])
        return min(self._level, max(self.street_bets[other] + self.stacks[other] for other in others))

    def _call_amount(self, seat: int) -> int:
        return max(0, min(self.stacks[seat], self._price(seat) - self.street_bets[seat]))

    def _may_raise(self, seat: int) -> bool:
        to_match = self._level - self.street_bets[seat]
        if self.stacks[seat] <= to_match:
            return False
        if self._acted[seat] and to_match < self._full_raise and not self.config.all_in_reopens:
            return False
        return self._somebody_could_call_more(seat)

    def _somebody_could_call_more(self, seat: int) -> bool:
        level = self._level
        for other in range(self.num_seats):
            if other != seat and self.live[other] and self.street_bets[other] + self.stacks[other] > level:
                return True
        return False

    def _why_no_raise(self, seat: int) -> str:
        if self.stacks[seat] <= self._level - self.street_bets[seat]:
            return "the stack only covers a call"
        if not self._somebody_could_call_more(seat):
            return "no opponent has chips left to call it"
        return "it has acted and the all-in since was less than a full raise"


def _checked_stacks(stacks: Sequence[int], count: int) -> tuple[int, ...]:
    if len(stacks) != count:
        raise ConfigError(f"{len(stacks)} stacks for {count} seats; give one per seat")
    for seat, stack in enumerate(stacks):
        if isinstance(stack, bool) or not hasattr(stack, "__index__") or stack <= 0:
            raise ConfigError(f"the stack of seat {seat} is {stack!r}; it must be a whole number of chips above 0")
    return tuple(int(stack) for stack in stacks)
