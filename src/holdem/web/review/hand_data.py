"""What the review page shows of files: the list of hands, and one hand step by step as its seat saw it.

A step is the message that a table sends to the page of somebody who plays there (`table_view`).
"""

import datetime
from typing import Any

from holdem.cards.cards import Cards
from holdem.errors import HoldemError
from holdem.game import records as rec
from holdem.table.advice.review import dealt_cards, own_decisions, seat_to_review
from holdem.table.history.hand_history import StoredHand
from holdem.table.history.hand_texts import HandTexts, ReadingTime
from holdem.table.history.observed_hand import ObservedHand, seen_by
from holdem.table.history.record_words import YOU
from holdem.web.play.table_view import Dealing, SeenTable, cards_of
from holdem.web.strategy.data import Plain

HANDS_A_PAGE = 100
LONGEST_NAME = 40
NOBODY = -1
"""The seat of somebody who is not in a hand."""


def list_hands(texts: HandTexts, player: str | None, first: int) -> Plain:
    """A page of hands from a number on with what each brought, or why it cannot be read.

    The newest page for a number that the file does not have, such as 0.
    """
    if not 1 <= first <= len(texts):
        first = max(len(texts) - 1, 0) // HANDS_A_PAGE * HANDS_A_PAGE + 1
    left = ReadingTime(texts.name)
    rows = []
    for number in range(first, min(first + HANDS_A_PAGE, len(texts) + 1)):
        left.check()
        try:
            rows.append(_row(number, texts.hand(number), player))
        except HoldemError as error:
            rows.append({"number": number, "error": f"{error!s:.300}"})
    players = [name for name in texts.players if len(name) <= LONGEST_NAME]
    return {
        "name": texts.name, "count": len(texts), "first": first, "page": HANDS_A_PAGE, "unit": texts.unit,
        "players": players, "hands": rows
    }  # fmt: skip


def show_hand(texts: HandTexts, number: int, player: str | None) -> Plain:
    """One hand: the table after every record, whose turn it was, and at which steps the seat decides.

    Of a hand without the named player only what everybody saw.
    """
    stored = texts.hand(number)
    watched = watched_seat(stored, player)
    seat = NOBODY if watched is None else watched
    records = seen_by(stored.hand.records, seat)
    payoffs = stored.payoffs or (0,) * stored.hand.num_seats
    names = tuple(f"{name:.{LONGEST_NAME}}" for name in stored.players)
    seen = ObservedHand(number - 1, seat, names, records, payoffs)
    behind = [record for record in records if not isinstance(record, Dealing)]
    actors = [record.seat if isinstance(record, rec.BettingRecord) else None for record in behind]
    steps = [step for step, actor in enumerate(actors) if actor == seat]
    return {
        **_row(number, stored, player),
        "who": YOU if seat == stored.hero else "" if seat == NOBODY else names[seat],
        "steps": list(SeenTable(seen, stored.hero).messages(records)),
        "actors": [*actors, None],
        "decisions": steps[: own_decisions(stored, seat)] if _cards(stored, watched) else [],
    }


def watched_seat(stored: StoredHand, player: str | None) -> int | None:
    """Whose eyes: the named player's, None in a hand without it; without a name the seat's that saw the hand, else the
    first whose cards are known.
    """
    seat = seat_to_review(stored, player)
    if seat is None and player is None:
        seat = next((place for place, cards in enumerate(dealt_cards(stored.hand)) if cards), 0)
    return seat


def _row(number: int, stored: StoredHand, player: str | None) -> Plain:
    hand, seat = stored.hand, watched_seat(stored, player)
    payoffs = stored.payoffs
    return {
        "number": number,
        "seats": hand.num_seats,
        "seat": seat,
        "absent": seat is None,
        "player": f"{player if seat is None else stored.players[seat]:.{LONGEST_NAME}}",
        "cards": cards_of(_cards(stored, seat)),
        "board": cards_of(hand.board),
        "big_blind": hand.config.big_blind,
        "won": None if payoffs is None or seat is None else payoffs[seat],
        "left": seat is not None and own_decisions(stored, seat) is not None,
        "when": _when(stored.fields),
    }


def _cards(stored: StoredHand, seat: int | None) -> Cards:
    """The hole cards of a seat, as far as they are known."""
    return () if seat is None else stored.hand.hole_cards[seat] or ()


def _when(fields: Any) -> str:
    """`2026-11-16 14:52` as the file says; empty where it does not."""
    date = [fields.get(name) for name in ("year", "month", "day")]
    if not all(isinstance(part, int) and 0 <= part < 10_000 for part in date):
        return ""
    clock = fields.get("time")
    return f"{date[0]:04}-{date[1]:02}-{date[2]:02}" + (f" {clock:%H:%M}" if isinstance(clock, datetime.time) else "")
