"""The best average strategy that a solve has had, for solves that a limit may end at a bad moment.

Exploitability does not fall steadily: where many hands are indifferent, the current strategies begin to swing now and
then, and the average follows them for a while (0.13 % of the pot may become 0.9 % within twenty iterations). So a solve
with a limit looks at its exploitability at growing intervals, keeps the best average, and ends with it if the last one
is worse.
"""

from typing import Any

import numpy.typing as npt
import psutil

from holdem.realtime.subgame.workspace import Workspace

GROWTH = 1.3
"""Iterations at a look, times those at the look before: a look costs about an iteration, so two to four per cent."""
FIRST_LOOK = 40
LARGEST_SHARE = 0.5
"""The copy may take this much of the memory that is free; a solve without that room does without the copy."""


class BestAverage:
    """Follows the averages of a solve; `exploitability` belongs to the averages that were kept.

    While the kept averages stand in for the last ones (`put_in_place`), the last ones wait for the next iterations.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.exploitability = float("inf")
        self._kept: npt.NDArray[Any] | None = None
        self._aside: npt.NDArray[Any] | None = None
        self._room = workspace.storage.averages.nbytes <= LARGEST_SHARE * psutil.virtual_memory().available

    def offer(self, exploitability: float) -> None:
        """Keep the averages of this moment if they are the best so far."""
        if exploitability >= self.exploitability or not self._room:
            return
        self.exploitability = exploitability
        averages = self.workspace.storage.averages
        if self._kept is None:
            self._kept = averages.copy()
        else:
            self._kept[:] = averages

    def put_in_place(self) -> None:
        """Make the averages that were kept those that the solver answers with."""
        if self._kept is not None:
            self._aside = self.workspace.storage.averages
            self.workspace.storage = self.workspace.storage._replace(averages=self._kept)

    def go_on(self) -> None:
        """Give the solver back the averages that its iterations add to."""
        if self._aside is not None:
            self.workspace.storage = self.workspace.storage._replace(averages=self._aside)
            self._aside = None


def next_look(iterations: int) -> int:
    """The number of iterations at which to look again."""
    return max(FIRST_LOOK, int(GROWTH * iterations) + 1)
