"""Watching: an observer beside one seat, who says what the bot would do and cannot do it.

Nothing here can act. An observer's methods return nothing, the table asks only the agents in its seats, and what
`watched_hands` gives out is an iterator of hands that are over.
"""

from collections.abc import Callable, Iterator, Sequence

from holdem.game.agent import Agent, Observation
from holdem.table.advice.advisor import Advisor
from holdem.table.advice.recommendation import Recommendation
from holdem.table.history.observed_hand import ObservedHand, SeatObserver
from holdem.table.profiles.open_table import make_local_table
from holdem.table.profiles.profiles import TableProfile
from holdem.table.session.leave_signals import LeaveNow, LeaveSignals
from holdem.types import GameConfig

Show = Callable[[Recommendation], None]


class Watcher(SeatObserver):
    """At each turn of its seat, a recommendation is made and shown."""

    def __init__(self, advisor: Advisor, leave: LeaveSignals, show: Show) -> None:
        self.advisor, self.leave, self.show = advisor, leave, show

    def to_act(self, observation: Observation) -> None:
        """Say what the bot would do."""
        if self.leave.now:
            return
        try:
            with self.leave.interruptible():
                recommendation = self.advisor.recommend(observation)
        except LeaveNow:
            return
        self.show(recommendation)


def watched_hands(
    profile: TableProfile,
    game: GameConfig,
    players: list[Agent],
    observers: Sequence[SeatObserver],
    leave: LeaveSignals,
    seed: int | None = None,
) -> Iterator[ObservedHand]:
    """Hands of a local table as the hero's seat saw them, one after the other, without end."""
    table = make_local_table(profile, game, players, leave, seed)
    last = _LastHand()
    for observer in (*observers, last):
        table.add_observer(profile.hero_seat, observer)
    while True:
        table.play_hand()
        assert last.hand is not None
        yield last.hand


class _LastHand(SeatObserver):
    """Remembers the hand that just ended."""

    def __init__(self) -> None:
        self.hand: ObservedHand | None = None

    def hand_over(self, hand: ObservedHand) -> None:
        """Keep it."""
        self.hand = hand
