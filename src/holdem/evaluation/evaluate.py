"""How good is a blueprint: matches against opponents, one after another in turn, with intervals.

The blueprint has one seat and the opponent all others; over the rotations of a deal it plays every position. Heads-up
there is more to say than who was beaten: a lower bound on what it loses to somebody who knows it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from holdem.blueprint.source import PolicySource
from holdem.errors import ConfigError, HoldemError
from holdem.evaluation.litmus.litmus import LitmusReport, run_litmus
from holdem.evaluation.match.match import (
    MANY_SEATS_NOTE,
    MatchResult,
    MatchSetup,
    OpenAgent,
    OpenCorrection,
    play_matches,
)
from holdem.evaluation.response.local.actions import parse_menus
from holdem.evaluation.response.local.match import LocalBestResponseResult, as_range_agent, summarise
from holdem.evaluation.response.local.match import play_matches as play_lbr
from holdem.game.agent import Agent
from holdem.policy.unpacked_models import run_name
from holdem.types import GameConfig

BLUEPRINT = "blueprint, under evaluation"
"""Has a comma, which separates the names of opponents, so that none of them is taken for the blueprint itself."""

MANY_PLAYERS_NOTE = (
    f"{MANY_SEATS_NOTE} These are results against these opponents, in which all other seats are played by the same one."
)


@dataclass(frozen=True)
class OpenContestants:
    """Opens the blueprint under evaluation by its own name and everybody else by spec."""

    source: PolicySource
    open_others: OpenAgent

    def __call__(self, spec: str, config: GameConfig | None = None) -> Agent:
        """The agent of a spec."""
        if spec != BLUEPRINT:
            return self.open_others(spec, config)
        agent = self.source.open(BLUEPRINT)
        players = agent.policy.config.num_players
        if config is not None and config.num_players != players:
            raise ConfigError(
                f"{run_name(self.source.path)} is a policy for {players} players, and {config.name} has "
                f"{config.num_players}; leave --game out, or name one for as many"
            )
        return agent


def evaluate(
    source: PolicySource,
    config: GameConfig,
    opponents: Sequence[str],
    open_others: OpenAgent,
    hands: int,
    seed: int = 0,
    num_workers: int = 1,
    progress: Callable[[int], None] = lambda count: None,
    stopped: Callable[[], bool] = lambda: False,
    open_correction: OpenCorrection | None = None,
    failed: Callable[[HoldemError], None] | None = None,
) -> list[MatchResult]:
    """The blueprint against each opponent; agent 0 of every result is the blueprint."""
    open_agent = OpenContestants(source, open_others)
    others = config.num_players - 1
    setups = [
        MatchSetup(config, (BLUEPRINT, *[opponent] * others), open_agent, seed, open_correction)
        for opponent in opponents
    ]
    return play_matches(setups, hands, num_workers, progress, stopped, failed)


def lower_bound(
    source: PolicySource,
    config: GameConfig,
    hands: int,
    seed: int = 0,
    num_workers: int = 1,
    progress: Callable[[int], None] = lambda count: None,
    stopped: Callable[[], bool] = lambda: False,
) -> LocalBestResponseResult | None:
    """What the blueprint loses at least, by local best response with fold, call, pot and all-in from the turn on.

    None if no hands were wanted or played, or if the game is not heads-up hold'em with a whole deck.
    """
    if hands == 0 or stopped() or not is_whole_deck(config) or config.num_players != 2:
        return None
    menus = parse_menus("fcpa", "turn,river")
    opener = partial(source.open, BLUEPRINT)
    if num_workers != 1:
        as_range_agent(opener())  # builds the bucket tables here, which workers do not
    chips = play_lbr(
        opener, config, menus, -(-hands // 2), seed=seed, num_workers=num_workers, progress=progress, stopped=stopped
    )
    return summarise(chips, run_name(source.path), config, menus, seed) if len(chips) > 1 else None


def litmus_of(source: PolicySource) -> LitmusReport | None:
    """The shipped litmus checks; None for a game that they do not cover."""
    agent = source.open(BLUEPRINT)
    if not is_whole_deck(agent.policy.config):
        return None
    try:
        return run_litmus(agent.policy, bucketing=agent.buckets.bucketing)
    except ConfigError:
        return None


def is_whole_deck(config: GameConfig) -> bool:
    """Hold'em with 52 cards and four streets."""
    return config.has_whole_deck and config.num_streets == 4


def results_as_json(source: PolicySource, config: GameConfig, results: Sequence[MatchResult]) -> dict[str, Any]:
    """`{"opponents": {name: {"hands", "bb_per_100", "ci95", "method", ...}}}` and what they rest on."""
    opponents = {
        result.setup.specs[1]: {
            **result.win_rate(0).to_plain(),
            "method": result.method,
            "variance_factor": result.variance_factor,
            "hands_for_1_bb_per_100": result.win_rate(0).hands_for(1.0),
        }
        for result in results
    }
    return {
        "policy": run_name(source.path),
        "game": config.name,
        "num_players": config.num_players,
        "seed": results[0].setup.seed,
        "complete": all(result.complete for result in results),
        "seconds": round(max(result.seconds for result in results), 3),
        "note": MANY_PLAYERS_NOTE if config.num_players > 2 else None,
        "opponents": opponents,
    }
