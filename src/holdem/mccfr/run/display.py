"""All that shows a run while it goes on: the line of a terminal, `progress.json` for other processes, TensorBoard."""

import os
import time

from holdem.mccfr.memory import MemoryMeter
from holdem.mccfr.run.engine import Engine
from holdem.mccfr.run.progress import ProgressDisplay
from holdem.mccfr.run.spec import Run
from holdem.mccfr.run.state import RunReporter
from holdem.mccfr.run.telemetry import TensorBoard, look_at
from holdem.mccfr.schedules.discount import DiscountSchedule

SCALARS_SECONDS = 5.0
LOOK_SHARE = 0.01
"""Looking at the whole table for TensorBoard costs at most this share of the time."""


class RunDisplay:
    """Shows a run; `seconds` are always seconds of training so far."""

    def __init__(self, run: Run, engine: Engine) -> None:
        self.run, self.engine = run, engine
        self.memory = MemoryMeter(lambda: [os.getpid(), *engine.worker_processes], engine.tracker.table.nbytes)
        self.line = ProgressDisplay(run.budget.share_done, self.memory.now)
        self._reporter = RunReporter(run.directory.path, run.budget.iterations, engine.workers)
        self._writer = _open_tensorboard(run) if run.tensorboard else None
        self._discounts = DiscountSchedule.of(run.config, run.game.num_players)
        self._last_scalars = (run.clock.seconds, engine.iteration, 0)
        self._last_look, self._look_cost = run.clock.seconds, 0.0

    def show(self, seconds: float, last_checkpoint: int | None) -> None:
        """Show where the run stands, in every place whose time has come."""
        iteration, nodes = self.engine.iteration, self.engine.statistics.nodes
        self.memory.now()
        self.line.last_checkpoint = last_checkpoint
        self.line.update(iteration, seconds, nodes)
        self._reporter.update(iteration, seconds, nodes, self.run.budget.share_done(iteration, seconds))
        if self._writer is None:
            return
        if seconds - self._last_scalars[0] >= SCALARS_SECONDS:
            self._write_scalars(self._writer, seconds)
        if seconds - self._last_look >= max(SCALARS_SECONDS, self._look_cost / LOOK_SHARE):
            self.look(seconds)

    def _write_scalars(self, writer: TensorBoard, seconds: float) -> None:
        then, iteration, nodes = self._last_scalars
        statistics, elapsed = self.engine.statistics, seconds - then
        values = {
            "Performance/IterationsPerSecond": (self.engine.iteration - iteration) / elapsed,
            "Performance/NodesPerSecond": (statistics.nodes - nodes) / elapsed,
            "Performance/MemoryBytes": float(self.memory.now()),
            "Training/PrunedShare": statistics.actions_pruned / max(statistics.actions_considered, 1),
        }
        for player in range(self.run.game.num_players):
            values[f"Training/Utility/Position{player}"] = statistics.value_chips(player)
        values["Training/Utility"] = statistics.value_chips(0)
        writer.scalars(self.engine.iteration, values)
        self._last_scalars = seconds, self.engine.iteration, statistics.nodes

    def look(self, seconds: float) -> None:
        """Walk the whole table for TensorBoard."""
        if self._writer is None:
            return
        start = time.perf_counter()
        weight, _ = self._discounts.weights(max(self.engine.iteration - 1, 0))
        self._writer.table(self.engine.iteration, look_at(self.engine.tracker), weight.mantissa)
        self._last_look, self._look_cost = seconds, time.perf_counter() - start

    def close(self) -> None:
        """Nothing more goes to TensorBoard."""
        if self._writer is not None:
            self._writer.close()

    def end(self, reason: str, seconds: float) -> None:
        """Tell other processes how the run ended."""
        iteration = self.engine.iteration
        self._reporter.end(reason, iteration, seconds, self.run.budget.share_done(iteration, seconds))


def _open_tensorboard(run: Run) -> TensorBoard:
    texts = {
        "config": f"```\n{run.config.model_dump_json(indent=2)}\n```",
        "game": f"```\n{run.game.config.model_dump_json(indent=2)}\n```",
    }
    return TensorBoard(run.directory.tensorboard, texts)
