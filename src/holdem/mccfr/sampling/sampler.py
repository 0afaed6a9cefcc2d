"""What a sampler does, and what it counts."""

from dataclasses import dataclass
from math import sqrt
from typing import Protocol

import numpy as np
import numpy.typing as npt

from holdem.mccfr.kernels.external import CONSIDERED, DECISIONS, NUM_COUNTERS, PRUNED, TERMINALS

DEALS_PER_CALL = 1_024
"""Iterations of one call of a kernel: about 10 ms of hold'em, and enough that the call itself costs nothing."""


class Sampler(Protocol):
    """Runs iterations on a table. Iterations count from 0; all that changes with them is a function of their number."""

    @property
    def statistics(self) -> "Statistics":
        """Counted since the sampler was made."""

    def run(self, first: int, last: int, regret_weight: float, strategy_weight: float) -> None:
        """Iterations [first, last), all with the same weights."""


@dataclass
class Statistics:
    """Counts of a run: counters (NUM_COUNTERS,) int64, utilities (players, 2) float64 in table units."""

    unit: int
    counters: npt.NDArray[np.int64]
    utilities: npt.NDArray[np.float64]
    iterations: int = 0

    @classmethod
    def empty(cls, num_players: int, unit: int) -> "Statistics":
        return cls(unit, np.zeros(NUM_COUNTERS, dtype=np.int64), np.zeros((num_players, 2)))

    def reset(self) -> None:
        """Start counting anew."""
        self.counters[:] = 0
        self.utilities[:] = 0.0
        self.iterations = 0

    @property
    def decisions(self) -> int:
        """Decision nodes visited."""
        return int(self.counters[DECISIONS])

    @property
    def terminals(self) -> int:
        """Terminals visited; what a fold of the traverser costs is known without a visit."""
        return int(self.counters[TERMINALS])

    @property
    def nodes(self) -> int:
        """Nodes visited."""
        return self.decisions + self.terminals

    @property
    def actions_considered(self) -> int:
        """Actions at the traverser's decisions."""
        return int(self.counters[CONSIDERED])

    @property
    def actions_pruned(self) -> int:
        """Those that pruning skipped."""
        return int(self.counters[PRUNED])

    def value_chips(self, player: int) -> float:
        """Mean value of the player's traversals: what it won a hand while it learnt."""
        return float(self.utilities[player, 0]) / max(self.iterations, 1) / self.unit

    def standard_error_chips(self, player: int) -> float:
        """Standard error of `value_chips`, as if iterations were independent."""
        count = max(self.iterations, 1)
        total, squares = (float(x) for x in self.utilities[player])
        return sqrt(max(squares / count - (total / count) ** 2, 0.0) / count) / self.unit
