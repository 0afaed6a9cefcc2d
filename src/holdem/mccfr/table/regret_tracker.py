"""The table that training fills: a regret and a strategy sum for every infoset and action."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.row_layout import row_blocks
from holdem.mccfr.kernels import table as kernels
from holdem.mccfr.training_game import TrainingGame

REGRET, STRATEGY_SUM = 0, 1


@dataclass
class RegretTracker:
    """Regrets and strategy sums of a game.

    table: (entries, 2), the regret and the strategy sum of each entry of the game's row layout; int32 for external
        sampling (in table units), float64 for outcome sampling. It may be a view of shared memory.
    """

    game: TrainingGame
    table: npt.NDArray[Any] = field(repr=False)

    @classmethod
    def allocate(cls, game: TrainingGame, dtype: npt.DTypeLike = np.int32) -> "RegretTracker":
        """An empty table; memory is taken when rows are first visited."""
        return cls(game, np.zeros((game.layout.entries, 2), dtype=dtype))

    def __post_init__(self) -> None:
        if self.table.shape != (self.game.layout.entries, 2) or not self.table.flags.c_contiguous:
            raise ValueError(
                f"a table of shape {self.table.shape} does not fit; "
                f"the game needs a contiguous ({self.game.layout.entries}, 2)"
            )

    @property
    def regrets(self) -> npt.NDArray[Any]:
        """(entries,) view of the regrets."""
        return self.table[:, REGRET]

    @property
    def strategy_sums(self) -> npt.NDArray[Any]:
        """(entries,) view of the strategy sums."""
        return self.table[:, STRATEGY_SUM]

    def current_strategy(self, node: int, bucket: int) -> npt.NDArray[np.float64]:
        """What regret matching plays now: positive regrets in proportion, uniform if there are none."""
        return _proportions(self.regrets[self._row(node, bucket)])

    def average_strategy(self, node: int, bucket: int) -> npt.NDArray[np.float64]:
        """The result of training at an infoset, uniform if it was never visited."""
        return _proportions(self.strategy_sums[self._row(node, bucket)])

    def average_strategy_table(self) -> npt.NDArray[np.float64]:
        """(entries,) probabilities of the average strategy, every row adding up to 1."""
        return self._normalised(STRATEGY_SUM)

    def current_strategy_table(self) -> npt.NDArray[np.float64]:
        """(entries,) probabilities of the current strategy."""
        return self._normalised(REGRET)

    def infosets_touched(self) -> int:
        """Rows in which something was ever added (and has not been halved away)."""
        return sum(
            kernels.count_touched(self.table, block.widths, block.buckets, block.start)
            for block in row_blocks(self.game.tree, self.game.buckets_per_street)
        )

    def halve(self, regret_halvings: int, strategy_halvings: int) -> None:
        """Halve the whole table this many times; nothing else may write meanwhile."""
        if self.table.dtype == np.int32:
            kernels.halve_integers(self.table, min(regret_halvings, 31), min(strategy_halvings, 31))
        else:
            kernels.halve_floats(self.table, regret_halvings, strategy_halvings)

    def _row(self, node: int, bucket: int) -> slice:
        start = self.game.layout.row_start(node, bucket)
        return slice(start, start + int(self.game.tree.num_actions[node]))

    def _normalised(self, column: int) -> npt.NDArray[np.float64]:
        out = np.empty(len(self.table))
        for block in row_blocks(self.game.tree, self.game.buckets_per_street):
            kernels.normalise_rows(self.table, column, block.widths, block.buckets, block.start, out)
        return out


def _proportions(entries: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    positive = np.maximum(entries, 0).astype(np.float64)
    total = positive.sum()
    return positive / total if total > 0 else np.full(len(entries), 1.0 / len(entries))
