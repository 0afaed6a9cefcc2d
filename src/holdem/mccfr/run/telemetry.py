"""What a run shows of itself: TensorBoard scalars, and the figures behind them.

`Regret/L2Norm` is the root of the summed squares of all positive regrets in chips, divided by the iteration and by the
weight of an iteration now: an average regret that falls. `Regret/L2NormSlope` is the slope of its logarithm against the
logarithm of the iteration since the last look: −0.5 is what theory promises. `Policy/Entropy/<street>` is the mean
entropy, in bits, of the average policy over the rows that have one.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

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
    """Walk the whole table once."""
    tree, game = tracker.game.tree, tracker.game
    touched, squares, start = 0, 0.0, 0
    entropies: dict[str, float] = {}
    for street in range(game.config.num_streets):
        figures = np.zeros(4)
        for position in range(game.num_players):
            widths = tree.num_actions[(tree.street == street) & (tree.player == position)]
            row_figures(tracker.table, widths, game.buckets_per_street[street], start, figures)
            start += int(widths.sum(dtype=np.int64)) * game.buckets_per_street[street]
        touched += int(figures[0])
        squares += float(figures[3])
        if figures[1] > 0:
            entropies[STREET_NAMES[street]] = float(figures[2] / figures[1])
    return TableFigures(touched, entropies, math.sqrt(squares) / game.unit)


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
