"""Keeps the hands of a session, and the last one also if the server cannot wait for its end."""

import threading
from collections.abc import Callable

from holdem.game.records import BettingRecord, Record
from holdem.table.history.hand_history import HandHistory
from holdem.table.history.observed_hand import ObservedHand
from holdem.table.session.leave_signals import LeaveSignals
from holdem.table.session.session import HistoryKeeper


class SessionKeeper(HistoryKeeper):
    """A `HistoryKeeper` of the session's thread that another thread may bring to an end: no hand is kept twice."""

    def __init__(self, history: HandHistory, leave: LeaveSignals) -> None:
        super().__init__(history, leave)
        self._lock = threading.Lock()
        self._given_up = False
        self.decided: Callable[[], int] | None = None
        """How many decisions the person has made in this hand."""

    def fields(self, hand: ObservedHand) -> dict[str, int]:
        """`_left`: after how many own decisions the person was gone, and the rest was checked or folded for them."""
        made = sum(isinstance(record, BettingRecord) and record.seat == hand.seat for record in hand.records)
        own = made if self.decided is None else self.decided()
        return {"left": own} if own < made else {}

    def hand_started(self, hand: ObservedHand) -> None:
        """Begin to follow a hand."""
        with self._lock:
            super().hand_started(hand)

    def happened(self, record: Record) -> None:
        """Follow it."""
        with self._lock:
            super().happened(record)

    def hand_over(self, hand: ObservedHand) -> None:
        """Write it down, unless it was written down unfinished."""
        with self._lock:
            if not self._given_up:
                super().hand_over(hand)

    def leave_table(self) -> None:
        """Write down a hand that was left before its end."""
        with self._lock:
            if not self._given_up:
                super().leave_table()

    def give_up(self) -> None:
        """Write down what there is of a hand that still goes on; nothing is written any more."""
        with self._lock:
            if not self._given_up:
                super().leave_table()
            self._given_up = True
