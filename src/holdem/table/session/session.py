"""When a player leaves a table, and what is kept of the time there."""

from dataclasses import dataclass, replace

from holdem.game.records import Record
from holdem.table.history.hand_history import HandHistory
from holdem.table.history.observed_hand import ObservedHand, SeatObserver
from holdem.table.session.leave_signals import LeaveSignals
from holdem.util.words import counted

LOST = "the table was lost"
"""The reason if the table ended the session, not the player."""


@dataclass(frozen=True)
class Limits:
    """When to leave: after some hands, or when that many chips are lost."""

    max_hands: int | None = None
    stop_loss: float | None = None

    def reached(self, hands: int, chips: float) -> str:
        """Why to leave now, in words; empty if there is no reason."""
        if self.max_hands is not None and hands >= self.max_hands:
            return f"{counted(hands, 'hand')} {'was' if hands == 1 else 'were'} played"
        if self.stop_loss is not None and -chips >= self.stop_loss:
            return f"{-chips:,g} chips are lost, and the stop-loss is {self.stop_loss:,g}"
        return ""


class HistoryKeeper(SeatObserver):
    """Appends every hand that its seat saw to a history, the last one also if it was left unfinished."""

    def __init__(self, history: HandHistory, leave: LeaveSignals) -> None:
        self.history, self.leave = history, leave
        self.hands = 0
        self.chips = 0
        """Won or lost by the seat over all hands."""
        self.last: tuple[ObservedHand, int] | None = None
        """The last hand that was over, and its number in the file."""
        self._going_on: ObservedHand | None = None

    def hand_started(self, hand: ObservedHand) -> None:
        """Begin to follow a hand."""
        self._going_on = hand

    def happened(self, record: Record) -> None:
        """Follow it."""
        if self._going_on is not None:
            self._going_on = replace(self._going_on, records=(*self._going_on.records, record))

    def hand_over(self, hand: ObservedHand) -> None:
        """Write it down before anything else can happen."""
        self.hands += 1
        self.chips += hand.payoffs[hand.seat]
        with self.leave.interruptible(really=False):
            self.last = hand, self.history.append(hand, extra=self.fields(hand))
            self._going_on = None

    def fields(self, hand: ObservedHand) -> dict[str, int]:
        """What else is kept of a hand."""
        return {}

    def leave_table(self) -> None:
        """Write down a hand that was left before its end."""
        if self._going_on is not None:
            self.history.append(self._going_on, extra={**self.fields(self._going_on), "unfinished": 1})
            self._going_on = None

    def close(self) -> None:
        """Write down an unfinished hand and close the file."""
        self.leave_table()
        self.history.close()
