"""One random hand played here and in pokerkit at the same time, compared at every step.

pokerkit differs from card-room rules in a few places. The oracle steps around them, and `test_betting.py` and
`test_hand.py` test our side by name:
- It takes the first wager of a street for a full one even if it is a short all-in, and counts short all-ins
  from the last time they added up; TDA rule 47 looks at what the player faces: see `may_reraise`.
- With a big blind that is all-in for less it lowers the price of a call for everybody; deals have a full one
  whenever that could matter.
- It lets the blind check when all opponents are all-in; we skip a decision without a choice.
- It gives all odd chips to the first winner, and divides pots with the same winners as one; we give one each
  and divide every pot by itself (TDA rules 20 and 21).
- It keeps one minimum bet for all streets; a straddle raises it before the flop only, so streets are built
  by hand.
"""

import random
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

from pokerkit import (
    Automation,
    BettingStructure,
    Card,
    ChipsPushing,
    HoleCardsShowingOrMucking,
    Opening,
    StandardHighHand,
    State,
    Street,
)

from holdem.cards import format_card
from holdem.game import Game, GameConfig, Hand, records

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
CARDS = [next(Card.parse(format_card(card))) for card in range(52)]


@lru_cache(maxsize=512)
def _best_hand(hole: tuple[Card, ...], board: tuple[Card, ...]) -> StandardHighHand:
    return StandardHighHand(max(combinations(hole + board, 5), key=StandardHighHand.lookup.get_entry))


class CachedHighHand(StandardHighHand):
    """pokerkit's own hand order; it asks for the same hand many times over, so remember it."""

    @classmethod
    def from_game(cls, hole_cards: Any, board_cards: Any = ()) -> StandardHighHand:
        return _best_hand(tuple(hole_cards), tuple(board_cards))


@dataclass(frozen=True)
class Deal:
    """What both sides are given: rules, button and stacks by position."""

    config: GameConfig
    button: int
    stacks: tuple[int, ...]


def random_deal(rng: random.Random) -> Deal:
    """Blinds, antes, straddle and odd stacks, from a few chips to a few hundred big blinds."""
    count = rng.randint(2, 6)
    big_blind = rng.choice((2, 3, 10, 100))
    # Heads-up with equal blinds pokerkit lets the big blind begin; at a table the button does.
    small_blind = rng.choice((big_blind // 2, big_blind if count > 2 else 1, 1))
    ante = rng.choice((0, 0, 0, 1, big_blind // 4 + 1, big_blind))
    straddle = rng.choice((0, 0, 2 * big_blind, 3 * big_blind)) if count > 2 else 0
    depth = rng.choice((3, 12, 60, 300))
    stacks = [rng.randint(1, depth * big_blind) for _ in range(count)]
    if count > 2:
        stacks[1] += ante + big_blind
    if straddle:
        stacks[2] += ante + straddle
    config = GameConfig(
        num_players=count,
        small_blind=small_blind,
        big_blind=big_blind,
        ante=ante,
        straddle=straddle,
    )
    return Deal(config, rng.randrange(count), tuple(stacks))


def new_state(deal: Deal, cards: list[int]) -> State:
    """The same deal in pokerkit, without burnt cards and with a deck of just the cards to be dealt."""
    config = deal.config
    sizes = [max(config.big_blind, config.straddle), *[config.big_blind] * 3]
    streets = tuple(
        Street(False, (False, False) if not cards else (), cards, False, Opening.POSITION, size, None)
        for cards, size in zip((0, 3, 1, 1), sizes, strict=True)
    )
    return State(
        AUTOMATIONS,
        [CARDS[card] for card in cards],  # type: ignore[arg-type]
        (CachedHighHand,),
        streets,
        BettingStructure.NO_LIMIT,
        True,
        config.ante,
        [config.small_blind, config.big_blind, config.straddle, 0, 0, 0][: config.num_players],
        0,
        deal.stacks,
        config.num_players,
    )


class Comparison:
    """Plays one hand on both sides; `rules_apart` counts the decisions where TDA rule 47 decided."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        deal = random_deal(rng)
        count = deal.config.num_players
        self.seats = [(deal.button + 1 + position) % count for position in range(count)]
        stacks = [deal.stacks[self.seats.index(seat)] for seat in range(count)]
        cards = rng.sample(range(52), 2 * count + 5)
        pairs = [cards[2 * seat : 2 * seat + 2] for seat in range(count)]
        self.board = cards[-5:]
        self.hand = Game(deal.config).new_hand(button=deal.button, stacks=stacks, hole_cards=pairs, board=self.board)
        self.state = new_state(deal, cards)
        for position, seat in enumerate(self.seats):
            self.state.deal_hole([CARDS[card] for card in pairs[seat]], position)
        self.chips = sum(deal.stacks)
        self.rules_apart = 0

    def play(self) -> None:
        """Compare every decision, then the result."""
        self._deal_board()
        while self.hand.actor is not None:
            assert self.state.actor_index is not None
            assert self.seats[self.state.actor_index] == self.hand.actor
            self._compare_chips()
            self._act()
            self._deal_board()
        self._compare_results()

    def _deal_board(self) -> None:
        """Deal pokerkit's board and make the checks that we skip."""
        state = self.state
        while True:
            if any(state.board_dealing_counts):
                start = len(state.board_cards)
                state.deal_board([CARDS[card] for card in self.board[start : 3 if not start else start + 1]])
                if self.hand.actor is not None:
                    self._compare_pots()
            elif state.actor_index is not None and self.hand.actor is None:
                assert state.checking_or_calling_amount == 0
                assert state.min_completion_betting_or_raising_to_amount is None
                state.check_or_call()
            else:
                return

    def _by_position(self, values: list[int]) -> list[int]:
        return [values[seat] for seat in self.seats]

    def _compare_chips(self) -> None:
        hand = self.hand
        assert self._by_position(hand.stacks) == self.state.stacks
        assert self._by_position(hand.street_bets) == self.state.bets
        assert sum(hand.stacks) + hand.pot == self.chips

    def _compare_pots(self) -> None:
        ours = [(pot.amount, {self.seats.index(seat) for seat in pot.seats}) for pot in self.hand.pots]
        assert ours == [(pot.amount, set(pot.player_indices)) for pot in self.state.pots]

    def _act(self) -> None:
        hand, state = self.hand, self.state
        legal = hand.legal_actions()
        assert legal.call_amount == state.checking_or_calling_amount
        assert legal.can_fold == (legal.call_amount > 0)
        least = state.min_completion_betting_or_raising_to_amount
        raising = self.rng.random() < 0.35
        if legal.min_raise_to == least:
            assert legal.max_raise_to == state.max_completion_betting_or_raising_to_amount
        else:
            assert least is None or legal.min_raise_to is None
            assert legal.can_raise == may_reraise(hand)
            self.rules_apart += 1
            raising = False
        if raising and legal.min_raise_to is not None and legal.max_raise_to is not None:
            low, high = legal.min_raise_to, legal.max_raise_to
            top = self.rng.choice((low, min(high, 3 * low), high))
            amount = self.rng.randint(low, top) if self.rng.random() < 0.6 else top
            hand.bet_or_raise_to(amount)
            state.complete_bet_or_raise_to(amount)
        elif legal.can_fold and self.rng.random() < 0.3:
            hand.fold()
            state.fold()
        else:
            hand.check_or_call()
            state.check_or_call()

    def _compare_results(self) -> None:
        hand, state = self.hand, self.state
        assert hand.is_over
        assert not state.status
        assert sum(hand.stacks) == self.chips
        if state.folded_status:
            assert self._by_position(hand.stacks) == state.stacks
        else:
            self._compare_pushes()
            self._compare_showdown()

    def _compare_pushes(self) -> None:
        """Pot by pot: the winners, and the shares as pokerkit divides them."""
        hand, state = self.hand, self.state
        before = hand.stacks.copy()
        pots = [record for record in hand.records if isinstance(record, records.PotAwarded)]
        for pot in pots:
            for winner, share in zip(pot.winners, pot.shares, strict=True):
                before[winner] -= share
        pushes = [push for push in state.operations if isinstance(push, ChipsPushing)]
        for push in pushes:
            winners = self._compare_awards(pots, push.total_amount)
            share, odd = divmod(push.total_amount, len(winners))
            assert list(push.amounts) == [share * (seat in winners) + odd * (seat == winners[0]) for seat in self.seats]
            for position, chips in enumerate(push.amounts):
                before[self.seats[position]] += chips
        assert not pots
        assert self._by_position(before) == state.stacks

    def _compare_awards(self, pots: list[records.PotAwarded], amount: int) -> tuple[int, ...]:
        """Take our next pots that make up one push of pokerkit; the winners of all of them."""
        pot = pots.pop(0)
        total = pot.amount
        while total < amount:
            assert pots[0].winners == pot.winners
            total += pots.pop(0).amount
        assert total == amount
        return pot.winners

    def _compare_showdown(self) -> None:
        shown = [
            (self.seats.index(record.seat), isinstance(record, records.CardsShown))
            for record in self.hand.records
            if isinstance(record, records.CardsShown | records.CardsMucked)
        ]
        theirs = [
            (operation.player_index, bool(operation.hole_cards))
            for operation in self.state.operations
            if isinstance(operation, HoleCardsShowingOrMucking)
        ]
        # Nothing depends on the order in which all-in hands are turned up.
        if self.state.all_in_status:
            assert set(shown) == set(theirs)
        else:
            assert shown == theirs


def may_reraise(hand: Hand) -> bool:
    """TDA rule 47 told by the history: the largest full bet or raise so far, and what the actor faces."""
    seat = hand.actor
    assert seat is not None
    config = hand.config
    last_deal = max(
        (n for n, r in enumerate(hand.records) if isinstance(r, records.BoardDealt)),
        default=len(hand.records),
    )
    before_flop = last_deal == len(hand.records)
    street = hand.records if before_flop else hand.records[last_deal:]
    straddle = any(isinstance(record, records.StraddlePosted) for record in street)
    opening = config.straddle if straddle else config.big_blind
    level, full = (opening if before_flop else 0), opening
    for record in street:
        if isinstance(record, records.Bet | records.Raise):
            full = max(full, record.amount - level)
            level = record.amount
    acted = any(
        isinstance(r, records.Check | records.Call | records.Bet | records.Raise) and r.seat == seat for r in street
    )
    facing = level - hand.street_bets[seat]
    somebody_can_call = any(
        hand.live[other] and other != seat and hand.stacks[other] + hand.street_bets[other] > level
        for other in range(hand.num_seats)
    )
    return hand.stacks[seat] > facing and somebody_can_call and (not acted or facing >= full)
