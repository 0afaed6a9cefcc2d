"""Sequential against parallel training, with a small table at the end: python examples/parallel_training_demo.py

Heads-up hold'em if the default card buckets are built, Leduc otherwise. Each run trains for a few seconds.
"""

import argparse
import tempfile
from pathlib import Path

from holdem.abstraction.bucketing import HandBucketing
from holdem.abstraction.buckets.presets import DEFAULT_PRESET, default_path
from holdem.game.presets import load_preset
from holdem.mccfr.parallel_solver import ParallelMCCFRSolver
from holdem.mccfr.run.spec import Summary
from holdem.types import MCCFRConfig
from holdem.util.parallel import available_cores


def train(workers: int, seconds: float, folder: Path) -> Summary:
    buckets = default_path(DEFAULT_PRESET)
    config = MCCFRConfig(time_budget_seconds=seconds, num_workers=workers, batch_size=100)
    if buckets.exists():
        solver = ParallelMCCFRSolver(config, HandBucketing.load(buckets), num_players=2)
    else:
        solver = ParallelMCCFRSolver(config, game=load_preset("leduc"))
    return solver.train(logdir=folder / f"{workers}_workers", use_tensorboard=False)


def print_table(rows: list[Summary]) -> None:
    print(f"\n{'workers':>8}{'iterations':>14}{'iterations/s':>15}{'M nodes/s':>12}{'speed-up':>10}")
    for row in rows:
        speedup = row.nodes_per_second / rows[0].nodes_per_second
        print(
            f"{row.workers:>8}{row.iterations:>14,}{row.iterations_per_second:>15,.0f}"
            f"{row.nodes_per_second / 1e6:>12.2f}{speedup:>9.2f}×"
        )
    print("The speed-up is in nodes visited a second: iterations grow longer as training goes on.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=8.0, help="training time of each run")
    parser.add_argument("--workers", type=int, nargs="*", default=sorted({1, 2, available_cores()}))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print_table([train(workers, arguments.seconds, Path(folder)) for workers in arguments.workers])


if __name__ == "__main__":
    main()
