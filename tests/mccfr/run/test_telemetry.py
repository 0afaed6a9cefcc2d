"""What a look at a table says, against NumPy."""

import numpy as np
import pytest

from holdem.mccfr.run.telemetry import look_at
from holdem.mccfr.table.regret_tracker import RegretTracker
from holdem.mccfr.training_game import TrainingGame


def test_a_look_at_a_random_table() -> None:
    game = TrainingGame.from_preset("leduc")
    tracker = RegretTracker.allocate(game)
    generator = np.random.default_rng(0)
    tracker.table[:, 0] = generator.integers(-100, 100, len(tracker.table))
    tracker.table[:, 1] = generator.integers(0, 50, len(tracker.table))
    rows: dict[int, list[float]] = {0: [], 1: []}
    touched = 0
    for node in np.flatnonzero(game.tree.player >= 0):
        street, width = int(game.tree.street[node]), int(game.tree.num_actions[node])
        for bucket in range(game.buckets_per_street[street]):
            start = game.layout.row_start(int(node), bucket)
            sums = tracker.table[start : start + width, 1].astype(float)
            touched += bool(tracker.table[start : start + width].any())
            if sums.sum() > 0:
                shares = sums[sums > 0] / sums.sum()
                rows[street].append(float(-(shares * np.log2(shares)).sum()))
    figures = look_at(tracker)
    assert figures.infosets_touched == touched
    assert figures.entropy_bits["preflop"] == pytest.approx(np.mean(rows[0]))
    assert figures.entropy_bits["flop"] == pytest.approx(np.mean(rows[1]))
    positive = np.maximum(tracker.table[:, 0], 0).astype(float)
    assert figures.regret_norm == pytest.approx(np.sqrt((positive**2).sum()) / game.unit)


def test_an_empty_table() -> None:
    figures = look_at(RegretTracker.allocate(TrainingGame.from_preset("kuhn")))
    assert figures.infosets_touched == 0
    assert figures.entropy_bits == {}
