"""Train a game of your own and look into it: python examples/train_your_own_game.py

The game has a deck of twelve cards, queen to ace, stacks of eight big blinds and a board of three cards. It is small
enough for the exact exploitability: what a perfect opponent wins. The same game as a YAML file, with the same keys
(docs/betting_trees.md), is trained by `holdem train --game-config FILE`.
"""

import argparse
import tempfile
from pathlib import Path

from holdem.abstraction.betting.line import parse_line
from holdem.blueprint.view import StrategyView, view_strategy
from holdem.cards.ranges import CLASS_NAMES
from holdem.evaluation.response.exact import BestResponse
from holdem.game.toy_games import toy_game
from holdem.mccfr.solver import MCCFRSolver
from holdem.mccfr.training_game import TrainingGame
from holdem.policy.policy import AveragePolicy
from holdem.types import BettingConfig, GameConfig, MCCFRConfig, StreetMenus

GAME = GameConfig(
    name="queen_to_ace",
    stacks=(800,),
    small_blind=50,
    big_blind=100,
    ranks="QKA",
    board_cards=(0, 3),
    betting=BettingConfig(sizes=StreetMenus(preflop=("2.5x, a",), flop=("100%, a",)), max_raises=(2, 2, 2, 2)),
)


def print_view(view: StrategyView) -> None:
    """What each class of hands does at one decision."""
    print(f"\n{view.summary.line}: {view.summary.turn}")
    print("       " + "".join(f"{action:>18}" for action in view.summary.actions))
    for name, held, row in zip(CLASS_NAMES, view.class_sizes(), view.class_probabilities(), strict=True):
        if held:
            print(f"  {name:<5}" + "".join(f"{probability:>18.3f}" for probability in row))


def main() -> None:
    """Train into a folder, measure, and show two decisions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--iterations", type=int, default=5_000_000)
    parser.add_argument("--logdir", type=Path, help="keep the run here, for holdem show, export and best-response")
    options = parser.parse_args()
    game = TrainingGame.from_config(GAME)
    judge = BestResponse(toy_game(GAME), game.tree, game.layout)
    solver = MCCFRSolver(MCCFRConfig(num_iterations=options.iterations, seed=1), game)
    untrained = judge.exploitability(solver.tracker.average_strategy_table())
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        solver.train(options.logdir or Path(folder), use_tensorboard=False)
        policy = AveragePolicy.load(options.logdir or Path(folder))
        trained = judge.exploitability(policy.strategy())
        print(f"exploitability: {untrained:.2f} chips a hand before training, {trained:.2f} after")
        for line in ("", "SB all-in"):
            print_view(view_strategy(policy, parse_line(policy.tree, line).node))


if __name__ == "__main__":
    main()
