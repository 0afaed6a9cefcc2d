"""How fast regrets and strategy sums fade: the discount of each iteration (Brown & Sandholm 2019).

Before iteration t (from 0) is added, positive regrets are multiplied by t₁^alpha / (t₁^alpha + 1) with t₁ = t − 1,
negative regrets by `negative`, and strategy sums by (t / (t + 1))^gamma. `docs/solver.md` compares schedules.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Schedule:
    """A discount schedule; `restart` forgets the strategy sums at iterations 1, 4, 16, 64, ..."""

    alpha: float = 1.5
    negative: float = 0.0
    gamma: float = 4.0
    restart: bool = False

    def factors(self, first: int, count: int) -> npt.NDArray[np.float32]:
        """(count, 3): factors of positive regrets, negative regrets and strategy sums from iteration `first` on."""
        iteration = np.arange(first, first + count, dtype=np.float64)
        power = np.maximum(iteration - 1.0, 0.0) ** self.alpha
        since = iteration - self._restarts(iteration) if self.restart else iteration
        fading = (since / (since + 1.0)) ** self.gamma
        return np.stack([power / (power + 1.0), np.full(count, self.negative), fading], axis=1).astype(np.float32)

    @staticmethod
    def _restarts(iteration: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        exponent = np.floor(np.log2(np.maximum(iteration, 1.0)) / 2.0)
        return np.where(iteration > 0, 4.0**exponent, 0.0)


SCHEDULES = {
    "default": Schedule(),
    "dcfr": Schedule(1.5, 0.5, 2.0),
    "restarting": Schedule(1.5, 0.5, 3.0, restart=True),
}
"""By name: ours, the paper's DCFR(3/2, 0, 2), and the one of the best open solver."""
