"""When to save: intervals as asked for, but never more than a twentieth of the training time.

At tens of thousands of iterations a second an interval of 10,000 comes several times a second. A save that is due is
postponed until the training since the last one is nineteen times what a save costs, and the log says so once.
"""

from dataclasses import dataclass

from holdem.util.logs import LOGGER
from holdem.util.words import duration

SAVING_SHARE = 0.05
FIRST_GUESS_BYTES_PER_SECOND = 2e8


@dataclass
class SavingClock:
    """Decides whether a due save may happen now; all times are seconds of training.

    cost: what the last save took (at first a guess); last: when it happened.
    """

    cost: float
    last: float = 0.0
    _told: bool = False

    @property
    def allowed_from(self) -> float:
        """Training time from which the next save stays within its share."""
        return self.last + self.cost * (1.0 - SAVING_SHARE) / SAVING_SHARE

    def may_save(self, now: float) -> bool:
        """Whether a due save may happen now; the first postponed one is logged."""
        if now >= self.allowed_from:
            return True
        if not self._told:
            self._told = True
            LOGGER.info(
                f"Checkpoints are due faster than saving allows, and a save takes about {duration(self.cost)}: the "
                f"interval is stretched to {duration(self.allowed_from - self.last)}, so that saving stays below "
                f"{SAVING_SHARE:.0%} of the training time"
            )
        return False

    def saved(self, now: float, cost: float) -> None:
        """A save at `now` took `cost` seconds."""
        self.last, self.cost = now, cost
