"""Write an agent, play it against the bot, and ask what it loses: python examples/write_an_agent.py

The game is jam or fold with ten big blinds: a bot for it trains in a second. `Tight` is an `Agent`: it sees its cards
and acts. `ByRanges` is a `RangeAgent`: it also tells what it does with every hand. Local best response uses that to
measure what an opponent wins who knows the agent. An agent for any other game has the same methods.
"""

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from holdem.blueprint.agent import BlueprintAgent
from holdem.cards import Range, hole_index
from holdem.cards.cards import NUM_HOLE_PAIRS
from holdem.evaluation.match.match import MatchSetup, play_match
from holdem.evaluation.response.local.match import play_matches, summarise
from holdem.game import Action, Agent, GameConfig, LegalActions, Observation, PublicState, load_preset
from holdem.mccfr.solver import MCCFRSolver
from holdem.mccfr.training_game import TrainingGame
from holdem.types import MCCFRConfig


def go_in(legal: LegalActions) -> Action:
    """All-in, or a call where nobody can raise any more."""
    return Action.check_or_call() if legal.max_raise_to is None else Action.raise_to(legal.max_raise_to)


def give_up(legal: LegalActions) -> Action:
    """Fold, or check where that is free."""
    return Action.fold() if legal.can_fold else Action.check_or_call()


class Tight:
    """An `Agent`: a name, and a legal action for what its seat sees."""

    name = "tight"
    hands = Range.parse("TT+, AK")

    def act(self, observation: Observation) -> Action:
        """All-in with the best 46 of the 1,326 hands."""
        good = self.hands.weights[hole_index(*observation.hole_cards)] > 0.0
        return go_in(observation.legal) if good else give_up(observation.legal)


class ByRanges:
    """A `RangeAgent`: the same, and its strategy for all hands at once. A weight of 0.5 goes in every second time."""

    name = "by-ranges"
    big_blind = Range.parse("22+, A2s+, A2o+, K2s+, K6o+, Q8s+, Q9o+, J9s+, JTo:0.5")
    button = Range.parse(
        "22+, A2s+, A2o+, K2s+, K2o+, Q2s+, Q8o+, J4s+, J8o+, T6s+, T8o+, 96s+, 98o, 85s+, 75s+, 64s+, 54s, 43s:0.5"
    )

    def act(self, observation: Observation) -> Action:
        """Draw from what `range_policy` says; only `observation.draw()` may decide, so that deals can be repeated."""
        actions, table = self.range_policy(observation.public())
        row = np.cumsum(table[hole_index(*observation.hole_cards)])
        return actions[int(np.searchsorted(row, observation.draw(), side="right"))]

    def range_policy(self, public_state: PublicState) -> tuple[list[Action], npt.NDArray[np.float64]]:
        """Its actions, and (1326, actions) their probabilities; every row adds up to 1."""
        if public_state.street > 0:  # local best response may just call, and a flop comes
            return [give_up(public_state.legal)], np.ones((NUM_HOLE_PAIRS, 1))
        weights = (self.big_blind, self.button)[public_state.position].weights
        return [give_up(public_state.legal), go_in(public_state.legal)], np.stack([1.0 - weights, weights], axis=1)


AGENTS: dict[str, Callable[[], Agent]] = {"tight": Tight, "by-ranges": ByRanges}


def open_agent(spec: str, config: GameConfig | None = None) -> Agent:
    """One of ours by its name, or the bot by its folder."""
    return AGENTS[spec]() if spec in AGENTS else BlueprintAgent.open(spec)


def main() -> None:
    """Train a bot, play both agents against it, and measure the second one by local best response."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=10_000, help="hands of each match")
    hands = parser.parse_args().hands
    game = load_preset("jam_or_fold_10bb")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        solver = MCCFRSolver(MCCFRConfig(num_iterations=2_000_000), TrainingGame.from_config(game))
        solver.train(Path(folder), use_tensorboard=False)
        for name in AGENTS:
            rate = play_match(MatchSetup(game, (name, folder), open_agent), hands).win_rate(0)
            print(f"{name}: {rate.bb_per_100:+.1f} bb/100 over {rate.hands} hands, ", end="")
            print(f"95 % interval {rate.ci95[0]:+.1f} to {rate.ci95[1]:+.1f}: {rate.verdict}")
    everywhere = ("fcpa", "fcpa", "fcpa", "fcpa")
    chips = play_matches(ByRanges, game, everywhere, deals=hands // 10)
    answer = summarise(chips, "by-ranges", game, everywhere, seed=0)
    print(f"who knows by-ranges wins {answer.won.mbb_per_hand:.0f} ± {answer.won.interval:.0f} mbb/hand from it")


if __name__ == "__main__":
    main()
