"""How fast regrets and strategy sums fade: the discount of each iteration (Brown & Sandholm 2019).

Before iteration t (from 0) is added, positive regrets are multiplied by t₁^alpha / (t₁^alpha + 1) with t₁ = t − 1,
negative regrets by `negative`, and the weight of all earlier strategies in the average by (t / (t + 1))^gamma.
Positive regrets fade only during the first `fading` iterations. Regret matching moves a strategy by the new regret over
the sum of the old ones; if that sum goes on shrinking, the steps grow until hands that are indifferent swing from one
action to another. `docs/solver.md` compares schedules.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

ALWAYS = 1 << 62
"""More iterations than a solve has."""


@dataclass(frozen=True)
class Schedule:
    """A discount schedule; `restart` forgets the average strategy at iterations 1, 4, 16, 64, ..."""

    alpha: float = 1.5
    negative: float = 0.1
    gamma: float = 4.0
    restart: bool = False
    fading: int = 30

    def factors(self, first: int, count: int) -> npt.NDArray[np.float32]:
        """(count, 3) from iteration `first` on: factors of positive and of negative regrets, and the share of the
        iteration's own strategy in the average."""
        return _factor_table(self, 1 << (first + count).bit_length())[first : first + count]

    def table(self, length: int) -> npt.NDArray[np.float32]:
        """(length, 3): the factors of the first iterations."""
        iteration = np.arange(length, dtype=np.float64)
        power = np.maximum(iteration - 1.0, 0.0) ** self.alpha
        restarts = self._restarts(iteration) if self.restart else np.zeros(length)
        weight = (iteration - restarts + 1.0) ** self.gamma
        total = np.cumsum(weight)
        before = np.concatenate([[0.0], total])[restarts.astype(np.int64)]
        positive = np.where(iteration < self.fading, power / (power + 1.0), 1.0)
        columns = [positive, np.full(length, self.negative), weight / (total - before)]
        return np.stack(columns, axis=1).astype(np.float32)

    @staticmethod
    def _restarts(iteration: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        exponent = np.floor(np.log2(np.maximum(iteration, 1.0)) / 2.0)
        return np.where(iteration > 0, 4.0**exponent, 0.0)


@lru_cache(maxsize=32)
def _factor_table(schedule: Schedule, length: int) -> npt.NDArray[np.float32]:
    return schedule.table(length)


SCHEDULES = {
    "default": Schedule(),
    "dcfr": Schedule(1.5, 0.5, 2.0, fading=ALWAYS),
    "restarting": Schedule(1.5, 0.5, 3.0, restart=True, fading=ALWAYS),
}
"""By name: ours, the paper's DCFR(3/2, 0, 2), and the one of the best open solver."""
