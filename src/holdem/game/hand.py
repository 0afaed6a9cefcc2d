"""One hand of no-limit hold'em, from the antes to the last pot.

Dealing, showdown and settlement happen by themselves as soon as the betting allows. A hand may also be
watched from outside: hole cards that are not known are None, a board that is not known is short, and the hand
then waits for `deal_board`, `show` and `muck` to be told what happened.
"""

from collections.abc import Callable, Iterable, Sequence

from holdem.cards import evaluate
from holdem.cards.cards import Cards, format_cards
from holdem.errors import CardError, IllegalAction
from holdem.game import records as rec
from holdem.game.betting import Betting
from holdem.game.deal import check_deal
from holdem.game.pots import Pot, side_pots, split
from holdem.game.showdown import can_win, showdown_order, winners
from holdem.types import STREET_NAMES, GameConfig


class Hand(Betting):
    """The exact state of a hand; verbs change it and append to `records`."""

    __slots__ = (
        "_betting_over",
        "_known_board",
        "_mucked",
        "_to_show",
        "board",
        "hole_cards",
        "is_over",
        "show_all",
    )

    def __init__(
        self,
        config: GameConfig,
        hole_cards: Sequence[Cards | None] | None = None,
        board: Cards = (),
        *,
        button: int | None = None,
        stacks: Sequence[int] | None = None,
        show_all: bool = False,
    ) -> None:
        """`hole_cards` and `stacks` by seat; `show_all` makes losers show too."""
        super().__init__(config, button, stacks)
        pairs = [None] * self.num_seats if hole_cards is None else hole_cards
        self.hole_cards: list[Cards | None] = [None if cards is None else tuple(cards) for cards in pairs]
        check_deal(config, self.hole_cards, board)
        self.board: Cards = ()
        self.is_over = False
        self.show_all = show_all
        self._known_board = tuple(board)
        self._betting_over = False
        self._to_show: list[int] | None = None
        self._mucked = [False] * self.num_seats
        self.records.append(rec.HandStarted(config, self.button, self.starting_stacks, show_all))
        after = self._post_forced_bets()
        for position in range(self.num_seats):
            seat = self.seat_at(position)
            self.records.append(rec.HoleCardsDealt(seat, self.hole_cards[seat]))
        self._start_betting(after)

    def copy(self) -> "Hand":
        """An independent copy, to try actions on."""
        twin = object.__new__(Hand)
        for base in (Betting, Hand):
            for name in base.__slots__:
                value = getattr(self, name)
                setattr(twin, name, value.copy() if isinstance(value, list) else value)
        return twin

    def __repr__(self) -> str:
        if self.is_over:
            turn = "over"
        elif self.actor is not None:
            turn = f"seat {self.actor} to act"
        else:
            turn = "waiting for cards"
        street = f"{STREET_NAMES[self.street]} {format_cards(self.board)}".rstrip()
        return f"<Hand: {street}, pot {self.pot}, {turn}>"

    @property
    def pots(self) -> list[Pot]:
        """Main pot and side pots as they stand, with the seats that can win them."""
        return side_pots(self.contributions, self.live)

    @property
    def known_board(self) -> Cards:
        """The board as far as it is known, with cards that have not been dealt yet; for those who judge a hand."""
        return self._known_board

    @property
    def payoffs(self) -> tuple[int, ...]:
        """Chips won or lost by seat; chips in the middle count as lost until they are won."""
        return tuple(now - before for now, before in zip(self.stacks, self.starting_stacks, strict=True))

    @property
    def showdown_seat(self) -> int | None:
        """The seat that has to show or muck and whose cards are not known; None if there is none."""
        return self._to_show[0] if self._to_show else None

    @property
    def awaited_board_cards(self) -> int:
        """How many board cards the hand waits for; 0 when it does not wait."""
        if self.actor is not None or self.is_over or self._to_show:
            return 0
        return self.config.board_cards[self.street + 1] - len(self.board)

    # Cards that become known during a watched hand

    def verify_deal_board(self, cards: Cards) -> None:
        """Raise if the hand does not wait for exactly these board cards."""
        count = self.awaited_board_cards
        if not count:
            raise IllegalAction("the hand does not wait for board cards; deal them when awaited_board_cards is not 0")
        if len(cards) != count:
            raise CardError(f"{len(cards)} board cards were dealt where {count} are due; give {count}")
        check_deal(self.config, self.hole_cards, self.board + tuple(cards))

    def can_deal_board(self, cards: Cards) -> bool:
        """Whether the hand waits for these board cards."""
        return _is_legal(lambda: self.verify_deal_board(cards))

    def deal_board(self, cards: Cards) -> rec.BoardDealt:
        """Deal the next board cards of a hand whose board was not known."""
        self.verify_deal_board(cards)
        self._known_board = self.board + tuple(cards)
        record = rec.BoardDealt(self.street + 1, tuple(cards))
        self._continue()
        return record

    def verify_show(self, seat: int, cards: Cards) -> None:
        """Raise if `seat` is not the one to show, or cannot hold these cards."""
        self._verify_showdown_seat(seat)
        pairs = self.hole_cards.copy()
        pairs[seat] = tuple(cards)
        check_deal(self.config, pairs, self._known_board)

    def can_show(self, seat: int, cards: Cards) -> bool:
        """Whether `seat` may show these cards now."""
        return _is_legal(lambda: self.verify_show(seat, cards))

    def show(self, seat: int, cards: Cards) -> rec.CardsShown:
        """A seat whose cards were not known shows them."""
        self.verify_show(seat, cards)
        assert self._to_show is not None
        self.hole_cards[seat] = tuple(cards)
        self._to_show.pop(0)
        record = rec.CardsShown(seat, tuple(cards))
        self.records.append(record)
        self._continue()
        return record

    def verify_muck(self, seat: int) -> None:
        """Raise if `seat` is not the one to show, or is the last who could win some pot."""
        self._verify_showdown_seat(seat)
        others = set(self._contenders()) - {seat}
        for pot in self.pots:
            if seat in pot.seats and others.isdisjoint(pot.seats):
                raise IllegalAction(
                    f"seat {seat} cannot muck: nobody else can win a pot of {pot.amount}; show its cards"
                )

    def can_muck(self, seat: int) -> bool:
        """Whether `seat` may give up its hand at the showdown."""
        return _is_legal(lambda: self.verify_muck(seat))

    def muck(self, seat: int) -> rec.CardsMucked:
        """A seat whose cards are not known gives up at the showdown."""
        self.verify_muck(seat)
        assert self._to_show is not None
        self._to_show.pop(0)
        record = self._record_muck(seat)
        self._continue()
        return record

    # What happens by itself

    def _close_street(self) -> None:
        self._return_uncalled_bet()
        if self.live.count(True) == 1:
            self._settle()
            return
        with_chips = sum(1 for seat in range(self.num_seats) if self.live[seat] and self.stacks[seat])
        self._betting_over = with_chips <= 1
        self._continue()

    def _continue(self) -> None:
        """Deal, show and settle until somebody has to act, cards are awaited, or the hand is over."""
        last_street = len(self.config.board_cards) - 1
        while True:
            at_end = self.street == last_street
            if self._to_show is None and (at_end or self._betting_over):
                self._start_showdown()
            if self._to_show and not self._show_known_cards(at_end):
                return
            if at_end:
                self._settle()
                return
            if not self._deal_next_street():
                return
            if not self._betting_over:
                self._start_betting(self.button)
                return

    def _deal_next_street(self) -> bool:
        """Deal the next street's board cards; False if they are not known."""
        size = self.config.board_cards[self.street + 1]
        if len(self._known_board) < size:
            return False
        cards = self._known_board[len(self.board) : size]
        self.board = self._known_board[:size]
        self._begin_street()
        if not self._betting_over:
            self.aggressor = None
        self.records.append(rec.BoardDealt(self.street, cards))
        return True

    def _start_showdown(self) -> None:
        first = self.seat_at(0) if self.aggressor is None else self.aggressor
        self._to_show = showdown_order(first, self.live)

    def _show_known_cards(self, at_end: bool) -> bool:
        """Seats show or muck in order; False if the cards of the next one are not known.

        Everybody shows as soon as somebody is all-in and the betting is over (TDA rule 16); otherwise a hand
        that cannot win any more is mucked.
        """
        assert self._to_show is not None
        must_show = self.show_all or any(live and not stack for live, stack in zip(self.live, self.stacks, strict=True))
        pots = self.pots
        shown = {} if must_show or not at_end else self._strengths(self._seats_shown())
        while self._to_show:
            seat = self._to_show[0]
            cards = self.hole_cards[seat]
            if len(self._contenders()) == 1:
                self._to_show.pop(0)
                continue
            if cards is None:
                return False
            self._to_show.pop(0)
            if not must_show:
                strength = evaluate(cards + self.board)
                if not can_win(seat, strength, shown, pots):
                    self._record_muck(seat)
                    continue
                shown[seat] = strength
            self.records.append(rec.CardsShown(seat, cards))
        return True

    def _settle(self) -> None:
        """Award every pot."""
        pots = self.pots
        contenders = self._contenders()
        strengths = self._strengths(contenders) if len(contenders) > 1 else {contenders[0]: 1}
        for number, pot in enumerate(pots):
            seats, shares = split(pot.amount, winners(pot, strengths), self.button, self.num_seats)
            for seat, share in zip(seats, shares, strict=True):
                self.stacks[seat] += share
            self.records.append(rec.PotAwarded(number, pot.amount, seats, shares))
        self.contributions = [0] * self.num_seats
        self.street_bets = [0] * self.num_seats
        self.is_over = True

    def _contenders(self) -> list[int]:
        """Seats that can still win something."""
        return [seat for seat in range(self.num_seats) if self.live[seat] and not self._mucked[seat]]

    def _strengths(self, seats: Iterable[int]) -> dict[int, int]:
        hands = {seat: self.hole_cards[seat] for seat in seats}
        return {seat: evaluate(cards + self.board) for seat, cards in hands.items() if cards is not None}

    def _seats_shown(self) -> list[int]:
        return [record.seat for record in self.records if isinstance(record, rec.CardsShown)]

    def _record_muck(self, seat: int) -> rec.CardsMucked:
        self._mucked[seat] = True
        record = rec.CardsMucked(seat)
        self.records.append(record)
        return record

    def _verify_showdown_seat(self, seat: int) -> None:
        if self.showdown_seat != seat:
            due = "nobody" if self.showdown_seat is None else f"seat {self.showdown_seat}"
            raise IllegalAction(f"seat {seat} cannot show or muck now: {due} is awaited; look at Hand.showdown_seat")


def _is_legal(verify: Callable[[], None]) -> bool:
    try:
        verify()
    except (IllegalAction, CardError):
        return False
    return True
