"""Write an agent, play it against the bot, and ask what it loses: python examples/write_an_agent.py

The agents are in `my_agent.py` beside this file, and are named as on the command line, `python:my_agent:Tight`. The
game is jam or fold with ten big blinds: a bot for it trains in a second. `Tight` is an `Agent`: it sees its cards and
acts. `ByRanges` is a `RangeAgent`: it also tells what it does with every hand. Local best response uses that to measure
what an opponent wins who knows the agent. An agent for any other game has the same methods.
"""

import argparse
import tempfile
from functools import partial
from pathlib import Path

from holdem.evaluation.match.match import MatchSetup, play_match
from holdem.evaluation.response.local.match import play_matches, summarise
from holdem.game import load_preset
from holdem.mccfr.solver import MCCFRSolver
from holdem.mccfr.training_game import TrainingGame
from holdem.realtime.search.specs import open_agent
from holdem.types import MCCFRConfig


def main() -> None:
    """Train a bot, play both agents against it, and measure the second one by local best response."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=10_000, help="hands of each match")
    hands = parser.parse_args().hands
    game = load_preset("jam_or_fold_10bb")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        solver = MCCFRSolver(MCCFRConfig(num_iterations=2_000_000), TrainingGame.from_config(game))
        solver.train(Path(folder), use_tensorboard=False)
        for name in ("Tight", "ByRanges"):
            rate = play_match(MatchSetup(game, (f"python:my_agent:{name}", folder), open_agent), hands).win_rate(0)
            print(f"{name}: {rate.bb_per_100:+.1f} bb/100 over {rate.hands} hands, ", end="")
            print(f"95 % interval {rate.ci95[0]:+.1f} to {rate.ci95[1]:+.1f}: {rate.verdict}")
    everywhere = ("fcpa", "fcpa", "fcpa", "fcpa")
    chips = play_matches(partial(open_agent, "python:my_agent:ByRanges", game), game, everywhere, deals=hands // 10)
    answer = summarise(chips, "ByRanges", game, everywhere, seed=0)
    print(f"who knows ByRanges wins {answer.won.mbb_per_hand:.0f} ± {answer.won.interval:.0f} mbb/hand from it")


if __name__ == "__main__":
    main()
