"""What every sampler does: it deals, runs a kernel on a table, and counts."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import sqrt
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from holdem.mccfr.kernels.external import CONSIDERED, DECISIONS, NUM_COUNTERS, PRUNED, TERMINALS
from holdem.mccfr.table.regret_tracker import RegretTracker
from holdem.types import MCCFRConfig
from holdem.util.arrays import AnyArray, Float64, Int32, Int64

DEALS_PER_CALL = 1_024
"""Iterations of one call of a kernel: about 10 ms of hold'em, and enough that the call itself costs nothing."""


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


class Sampler(ABC):
    """Runs iterations on a table. Iterations count from 0; all that changes with them is a function of their number.

    shared: whether other processes or threads write to the same table; additions are then atomic. One sampler belongs
    to one thread. stream_start: random streams are those of iteration number + stream_start.
    """

    name: ClassVar[str]
    dtype: ClassVar[str]
    """Of the entries of its table."""

    def __init__(
        self, config: MCCFRConfig, tracker: RegretTracker, *, shared: bool = False, stream_start: int = 0
    ) -> None:
        if tracker.table.dtype != self.dtype:
            raise ValueError(f"{self.name} sampling needs a table of {self.dtype}, not {tracker.table.dtype}")
        game = tracker.game
        self.config, self.tracker = config, tracker
        self.statistics = Statistics.empty(game.num_players, game.unit)
        """Counted since the sampler was made."""
        self._shared: Literal[1] | None = 1 if shared else None
        self._stream_start = stream_start
        self._rows = np.zeros((DEALS_PER_CALL, game.num_slots), dtype=np.int64)
        self._strengths = np.zeros((DEALS_PER_CALL, game.num_players), dtype=np.int64)

    @abstractmethod
    def run(self, first: int, last: int, regret_weight: float, strategy_weight: float) -> None:
        """Iterations [first, last), all with the same weights."""

    def _dealt(self, first: int, last: int) -> tuple[int, int, Int32, Int32, int, Int64, Int64, AnyArray]:
        """Deal the iterations [first, last), at most `DEALS_PER_CALL`: what the arguments of each kernel begin with."""
        game, seed, stream = self.tracker.game, self.config.seed, self._stream_start + first
        rows, strengths = self._rows[: last - first], self._strengths[: last - first]
        game.dealer.deal(seed, stream, rows, strengths)
        rows += game.slot_starts
        self.statistics.iterations += last - first
        return seed, stream, game.records, game.tree.chips_in, game.unit, rows, strengths, self.tracker.table

    def _counted(self) -> tuple[Int64, Float64, Literal[1] | None]:
        """What the arguments of each kernel end with."""
        return self.statistics.counters, self.statistics.utilities, self._shared
