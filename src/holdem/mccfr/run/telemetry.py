"""What a run shows of itself: TensorBoard scalars, and the figures behind them.

`Regret/L2Norm` is the root of the summed squares of all positive regrets in chips, divided by the iteration and by the
weight of an iteration now: an average regret that falls. `Regret/L2NormSlope` is the slope of its logarithm against the
logarithm of the iteration since the last look: −0.5 is what theory promises. `Policy/Entropy/<street>` is the mean
entropy, in bits, of the average policy over the rows that have one.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from holdem.abstraction.betting.row_layout import row_blocks
from holdem.abstraction.betting.tree import BettingTree
from holdem.mccfr.kernels.telemetry import row_figures
from holdem.mccfr.table.regret_tracker import RegretTracker
from holdem.types import STREET_NAMES


@dataclass(frozen=True)
class TableFigures:
    """One look at a table: rows touched, mean entropy by street, and the norm of its positive regrets."""

    infosets_touched: int
    entropy_bits: dict[str, float]
    regret_norm: float


def look_at(tracker: RegretTracker) -> TableFigures:
    """Walk the whole table of a tracker once."""
    game = tracker.game
    return figures_of(tracker.table, game.tree, game.buckets_per_street, game.unit)


def figures_of(
    table: npt.NDArray[Any], tree: BettingTree, buckets_per_street: Sequence[int], unit: int
) -> TableFigures:
    """Walk a whole table once; unit: table units in a chip."""
    if table.shape != (tree.counts.entries(buckets_per_street), 2):
        raise ValueError(f"a table of shape {table.shape} does not fit the game")
    figures = np.zeros((tree.config.num_streets, 4))
    for block in row_blocks(tree, buckets_per_street):
        row_figures(table, block.widths, block.buckets, block.start, figures[block.street])
    touched, averaged, bits, squares = figures.T
    entropies = {
        STREET_NAMES[street]: float(bits[street] / averaged[street]) for street in np.flatnonzero(averaged).tolist()
    }
    return TableFigures(int(touched.sum()), entropies, math.sqrt(squares.sum()) / unit)


class TensorBoard:
    """Writes scalars into `tensorboard/` of a run."""

    def __init__(self, folder: Path, texts: dict[str, str]) -> None:
        from tensorboardX import SummaryWriter

        self._writer: Any = SummaryWriter(str(folder), flush_secs=10)
        for name, text in texts.items():
            self._writer.add_text(name, text, 0)
        self._last: tuple[int, float] | None = None

    def scalars(self, iteration: int, values: dict[str, float]) -> None:
        """Write named values at an iteration."""
        for name, value in values.items():
            self._writer.add_scalar(name, value, iteration)
        self._writer.flush()

    def table(self, iteration: int, figures: TableFigures, regret_weight: float) -> None:
        """Write a look at the table; `regret_weight` is what an iteration counts now."""
        values = {f"Policy/Entropy/{street}": bits for street, bits in figures.entropy_bits.items()}
        values["Training/InfosetsTouched"] = float(figures.infosets_touched)
        norm = figures.regret_norm / (max(iteration, 1) * regret_weight)
        values["Regret/L2Norm"] = norm
        if self._last is not None and norm > 0 and self._last[1] > 0 and iteration > self._last[0] > 0:
            rise = math.log(norm / self._last[1]) / math.log(iteration / self._last[0])
            values["Regret/L2NormSlope"] = rise
        self._last = iteration, norm
        self.scalars(iteration, values)

    def close(self) -> None:
        """Flush and close the file."""
        self._writer.close()
