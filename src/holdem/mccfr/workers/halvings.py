"""When the table that workers share is halved: between two steps, because nobody may add to it meanwhile."""

from holdem.mccfr.schedules.intervals import next_multiple
from holdem.mccfr.trainer import Trainer


class Halvings:
    """The halvings of a solver's table, each of them once."""

    def __init__(self, solver: Trainer) -> None:
        self.solver = solver
        self._halved_at = -1
        self._looked_to = solver.iteration

    @property
    def just_done(self) -> bool:
        """Whether the table was halved for the next iteration: it must not be saved before that one."""
        return self._halved_at == self.solver.iteration

    def halve_if_due(self) -> None:
        """Halve the table if that comes before the next iteration and has not been done."""
        halvings = self.solver.discounts.halvings_at(self.solver.iteration)
        if any(halvings) and not self.just_done:
            self.solver.tracker.halve(*halvings)
            self._halved_at = self.solver.iteration

    def next_before(self, stop: int) -> int:
        """The first iteration after the current one at which the table is halved, or `stop` if there is none before."""
        interval = self.solver.config.discount_interval
        if not interval:
            return stop
        iteration = next_multiple(max(self.solver.iteration, self._looked_to - 1), interval)
        while iteration < stop and not any(self.solver.discounts.halvings_at(iteration)):
            iteration += interval
            self._looked_to = iteration
        return min(iteration, stop)
