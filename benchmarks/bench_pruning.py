"""The price and the gain of pruning on Leduc: exploitability and work after the same iterations, with and without.

Regrets of Leduc stay small, so the default threshold of -300,000,000 chips never acts there; these do.
"""

from benchmarks.measurement import Measurement
from holdem.evaluation.response.exact import BestResponse
from holdem.game.toy_games import toy_game
from holdem.mccfr.solver import MCCFRSolver
from holdem.mccfr.training_game import TrainingGame
from holdem.types import MCCFRConfig

ITERATIONS = 6_000_000
THRESHOLDS = (-3_000.0, -300.0)


def run() -> list[Measurement]:
    """Two lines for each threshold: what it costs, and what it saves."""
    game = TrainingGame.from_preset("leduc")
    without = _train(game, MCCFRConfig(seed=2, enable_pruning=False))
    lines = []
    for threshold in THRESHOLDS:
        distance, visits, share = _train(game, MCCFRConfig(seed=2, pruning_threshold=threshold))
        name = f"Leduc, {ITERATIONS:,} iterations, threshold {threshold:,.0f} chips ({share:.1%} of actions skipped)"
        lines.append(Measurement(f"{name}: exploitability", distance, "", "no pruning", without[0], "< 0.02"))
        lines.append(Measurement(f"{name}: decisions visited", visits, "", "no pruning", without[1]))
    return lines


def _train(game: TrainingGame, config: MCCFRConfig) -> tuple[float, float, float]:
    """Exploitability, decisions visited, and the share of actions that were skipped."""
    solver = MCCFRSolver(config, game)
    solver.run(ITERATIONS)
    evaluator = BestResponse(toy_game(game.config), game.tree, game.layout)
    distance = evaluator.exploitability(solver.tracker.average_strategy_table())
    statistics = solver.statistics
    return distance, float(statistics.decisions), statistics.actions_pruned / statistics.actions_considered
