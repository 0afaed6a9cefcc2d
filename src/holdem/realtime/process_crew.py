"""Traversals of one vector solve by several processes: each visits its share of the cards dealt after the root street.

A vector solve is deterministic, so that solving it twice gives nothing; sharing out the boards does, because they touch
different parts of the tables. The parent walks the root street, the workers the rest, into work arrays of their own
that the parent adds up. A worker that dies or keeps still is given up, and the parent does its share from then on.
"""

import pickle
import time
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from holdem.realtime import _kernels_subgame as kernels
from holdem.realtime.resolver_worker import DONE, Share, run_share
from holdem.realtime.subgame_solver import SubgameSolver
from holdem.realtime.traversal import Crew
from holdem.realtime.vector_search import VectorSearch

if TYPE_CHECKING:
    from holdem.realtime.resolver_process import ResolverProcess

Float32 = npt.NDArray[np.float32]

LEAST_PATIENCE = 0.02
"""Seconds that a share may take in any case before its worker is given up."""
PATIENCE = 6.0
"""Times the longest share so far that a share may take."""


class ProcessCrew(Crew):
    """Runs the traversals of a solver whose tables are in shared memory. `helpers`: the workers that built it too;
    `deadline`: of `time.monotonic`, if the solve has one."""

    def __init__(
        self,
        search: VectorSearch,
        tables: tuple[Float32, Float32, list[Float32]],
        helpers: "list[ResolverProcess | None]",
        deadline: float | None = None,
    ) -> None:
        super().__init__(search.solver)
        self.search, self.tables, self.helpers, self.deadline = search, tables, helpers, deadline
        self.lost = 0
        self._longest = 0.0

    def __call__(self, solver: SubgameSolver) -> Crew:
        """Stand in for the usual crew of a solver."""
        assert solver is self.solver
        return self

    @property
    def in_one_go(self) -> bool:
        """Never: the workers wait between the streets."""
        return False

    def _deal(self, player: int, mode: int, factors: Float32) -> None:
        solver = self.solver
        tree, plan, parent = solver.tree.arrays, solver.plan, solver.work[0]
        kernels.clear_deals(tree, plan, 0, player, parent)
        content = player, mode, np.ascontiguousarray(factors, dtype=np.float32).tobytes()
        message = pickle.dumps(("deal", content))
        start = time.monotonic()
        for place, helper in enumerate(self.helpers):
            if helper is not None and not helper.send(message):
                self._give_up(place)
        for place, helper in enumerate(self.helpers):
            if helper is None:
                self._run_here(place, content)
            elif helper.receive(self._patience()) != DONE:
                self._give_up(place)
                self._run_here(place, content)
        self._longest = max(self._longest, time.monotonic() - start) if not self.lost else self._longest
        self._add_up(player)

    def _patience(self) -> float:
        """Seconds to wait for a share: by the longest so far, and never more than a third of the time that is left."""
        usual = max(LEAST_PATIENCE, PATIENCE * self._longest) if self._longest else 1.0
        if self.deadline is None:
            return usual
        return min(usual, max(LEAST_PATIENCE, (self.deadline - time.monotonic()) / 3))

    def _give_up(self, place: int) -> None:
        """A worker that does not answer is ended, so that it cannot write into the tables later."""
        helper = self.helpers[place]
        if helper is not None:
            helper.end()
        self.helpers[place] = None
        self.lost += 1

    def _run_here(self, place: int, content: tuple[int, int, bytes]) -> None:
        run_share(self.search, self.tables, Share(place, len(self.helpers)), *content)

    def _add_up(self, player: int) -> None:
        """The values at the deals: the sum over all shares."""
        solver, arrays = self.solver, self.solver.tree.arrays
        hands, parent = int(arrays.player_hands[player]), solver.work[0]
        for node in arrays.deals[: arrays.deal_start[1]]:
            start = int(solver.plan.values_at[0]) + int(arrays.value_row[player, node]) * hands
            for work in self.tables[2][1:]:
                parent[start : start + hands] += work[start : start + hands]
