"""The table as a page shows it: after every record, all that the person's seat can see, as plain data.

It is built from an `ObservedHand` and the records that follow, which have no place for cards that the seat cannot see.
"""

from collections.abc import Callable
from typing import Any

from holdem.abstraction.betting.tree import position_names
from holdem.cards.cards import Cards, format_card
from holdem.game import records as rec
from holdem.table.history.observed_hand import ObservedHand, SeatObserver
from holdem.table.history.record_words import Told, action_words, tell
from holdem.table.history.seen_chips import SeenChips
from holdem.types import STREET_NAMES

Message = dict[str, Any]
Send = Callable[[Message], None]


class TableView(SeatObserver):
    """Sends a `table` message for every record; counts hands and chips won."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.hands = 0
        self.total = 0
        self.won = 0
        """Chips of the last hand."""

    def hand_started(self, hand: ObservedHand) -> None:
        """A new hand: blinds, button, own cards."""
        config, count = hand.started.config, len(hand.players)
        names = position_names(config)
        self._hand, self._chips = hand, SeenChips(hand.started)
        self._positions = [names[(seat - hand.started.button - 1) % count] for seat in range(count)]
        self._board: Cards = ()
        self._live = [True] * count
        self._shown: dict[int, Cards] = {} if hand.hole_cards is None else {hand.seat: hand.hole_cards}
        self._last = [""] * count
        self._wins = [0] * count
        told: list[Told] = []
        for record in hand.records:
            told += self._follow(record)
        told.append(Told("you are dealt", hand.hole_cards or ()))
        self._send_table("deal", told)

    def happened(self, record: rec.Record) -> None:
        """What everybody saw."""
        self._send_table(type(record).__name__, self._follow(record))

    def hand_over(self, hand: ObservedHand) -> None:
        """What the hand brought."""
        self.won = hand.payoffs[hand.seat]
        self.hands += 1
        self.total += self.won

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
        told = tell(record, self._hand.players, self._hand.seat, self._board)
        if isinstance(record, rec.CardsShown):
            self._last[record.seat] = told[0].remark or "show"
        elif not isinstance(record, rec.HandStarted | rec.BoardDealt | rec.PotAwarded | rec.HoleCardsDealt):
            self._last[record.seat] = action_words(record)
        return told

    def _send_table(self, event: str, told: list[Told]) -> None:
        config = self._hand.started.config
        self._send(
            {
                "type": "table",
                "event": event,
                "hand": self._hand.number + 1,
                "street": STREET_NAMES[config.board_cards.index(len(self._board))],
                "board": cards_of(self._board),
                "pot": self._chips.pot,
                "seats": [self._seat(seat) for seat in range(len(self._hand.players))],
                "log": [{"words": t.words, "cards": cards_of(t.cards), "remark": t.remark} for t in told],
            }
        )

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
