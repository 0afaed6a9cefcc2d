"""The bot in a seat: it makes a recommendation at each of its turns, shows it, and does it.

Asked to leave at once, it checks or folds without thinking.
"""

from collections.abc import Callable

from holdem.game.actions import Action
from holdem.game.agent import Observation
from holdem.table.advice.advisor import Advisor
from holdem.table.advice.recommendation import Recommendation
from holdem.table.session.leave_signals import LeaveNow, LeaveSignals
from holdem.table.session.safe_action import check_or_fold

Show = Callable[[Recommendation], None]


class AutoPlayer:
    """An `Agent` that follows an advisor."""

    def __init__(self, name: str, advisor: Advisor, leave: LeaveSignals, show: Show) -> None:
        self._name, self.advisor, self.leave, self.show = name, advisor, leave, show
        self.in_haste: Callable[[], None] = lambda: None
        """Called when a decision is a check or a fold because the player has to leave."""

    @property
    def name(self) -> str:
        """What tables and histories call it."""
        return self._name

    def act(self, observation: Observation) -> Action:
        """The recommended action."""
        if not self.leave.now:
            try:
                with self.leave.interruptible():
                    recommendation = self.advisor.recommend(observation)
                self.show(recommendation)
                return recommendation.decision.chosen
            except LeaveNow:
                pass
        self.in_haste()
        return check_or_fold(observation.legal)
