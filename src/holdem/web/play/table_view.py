"""The table as a page shows it: after every record, all that the person's seat can see, as plain data.

It is built from an `ObservedHand` and the records that follow, which have no place for cards that the seat cannot see.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from holdem.abstraction.betting.tree import position_names
from holdem.cards.cards import Cards, format_card
from holdem.game import records as rec
from holdem.table.history.observed_hand import ObservedHand, SeatObserver
from holdem.table.history.record_words import YOU, Told, action_words, tell
from holdem.table.history.seen_chips import SeenChips
from holdem.types import STREET_NAMES

Message = dict[str, Any]
Send = Callable[[Message], None]
Dealing = rec.HandStarted | rec.AntePosted | rec.BlindPosted | rec.StraddlePosted | rec.HoleCardsDealt
"""What happens before anybody acts."""


class TableView(SeatObserver):
    """Sends a `table` message for every record; counts hands and chips won."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.hands = 0
        self.total = 0
        self.won = 0
        """Chips of the last hand."""

    def hand_started(self, hand: ObservedHand) -> None:
        """A new hand: blinds, button, own cards; and what follows by itself where the blinds put everybody all-in."""
        self._table = SeenTable(hand, hand.seat)
        for message in self._table.messages(hand.records):
            self._send(message)

    def happened(self, record: rec.Record) -> None:
        """What everybody saw."""
        self._send(self._table.message(record))

    def hand_over(self, hand: ObservedHand) -> None:
        """What the hand brought."""
        self.won = hand.payoffs[hand.seat]
        self.hands += 1
        self.total += self.won


class SeenTable:
    """Follows a hand as its seat sees it, while it is played or from a file; a message after every record.

    `person` is the seat of whoever reads it, who is `you`; None if nobody there does.
    """

    def __init__(self, hand: ObservedHand, person: int | None) -> None:
        self._person = person
        config, count = hand.started.config, len(hand.players)
        names = position_names(config)
        self._hand, self._chips = hand, SeenChips(hand.started)
        self._positions = [names[(seat - hand.started.button - 1) % count] for seat in range(count)]
        self._board: Cards = ()
        self._live = [True] * count
        self._shown: dict[int, Cards] = {} if hand.hole_cards is None else {hand.seat: hand.hole_cards}
        self._last = [""] * count
        self._wins = [0] * count

    def messages(self, records: Sequence[rec.Record]) -> Iterator[Message]:
        """The deal with antes, blinds and cards, and a message for each record behind it; from the first record on."""
        told: list[Told] = []
        after = next((place for place, record in enumerate(records) if not isinstance(record, Dealing)), len(records))
        for record in records[:after]:
            told += self._follow(record)
        if self._hand.hole_cards:
            watched = self._hand.seat
            who = f"{YOU} are" if watched == self._person else f"{self._hand.players[watched]} is"
            told.append(Told(f"{who} dealt", self._hand.hole_cards))
        yield self._message("deal", told)
        yield from map(self.message, records[after:])

    def message(self, record: rec.Record) -> Message:
        """The table after the next record."""
        return self._message(type(record).__name__, self._follow(record))

    def _follow(self, record: rec.Record) -> list[Told]:
        self._chips.follow(record)
        match record:
            case rec.BoardDealt(cards=cards):
                self._board += cards
                self._last = ["fold" if not live else "" for live in self._live]
            case rec.CardsShown(seat=seat, cards=cards):
                self._shown[seat] = cards
            case rec.PotAwarded(winners=winners, shares=shares):
                for seat, share in zip(winners, shares, strict=True):
                    self._wins[seat] += share
            case rec.Fold(seat=seat):
                self._live[seat] = False
        told = tell(record, self._hand.players, self._person, self._board)
        if isinstance(record, rec.CardsShown):
            self._last[record.seat] = told[0].remark or "show"
        elif not isinstance(record, rec.HandStarted | rec.BoardDealt | rec.PotAwarded | rec.HoleCardsDealt):
            self._last[record.seat] = action_words(record)
        return told

    def _message(self, event: str, told: list[Told]) -> Message:
        config = self._hand.started.config
        return {
            "type": "table",
            "event": event,
            "hand": self._hand.number + 1,
            "street": STREET_NAMES[config.board_cards.index(len(self._board))],
            "board": cards_of(self._board),
            "pot": self._chips.pot,
            "seats": [self._seat(seat) for seat in range(len(self._hand.players))],
            "log": [{"words": t.words, "cards": cards_of(t.cards), "remark": t.remark} for t in told],
        }

    def _seat(self, seat: int) -> Message:
        return {
            "name": self._hand.players[seat],
            "position": self._positions[seat],
            "button": seat == self._hand.started.button,
            "stack": self._chips.stacks[seat],
            "bet": self._chips.street_bets[seat],
            "live": self._live[seat],
            "cards": cards_of(self._shown.get(seat, ())),
            "last": self._last[seat],
            "won": self._wins[seat],
        }


def cards_of(cards: Cards) -> list[str]:
    """`["Ks", "7d", "2c"]`."""
    return [format_card(card) for card in cards]
