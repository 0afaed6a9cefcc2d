"""Two agents against the same strangers with the same deals: what one wins more than the other, deal by deal.

Cards, seats and the draws of a decision are the same for both, so luck that both had is not in the difference; the more
alike they play, and the less AIVAT has taken out before, the more that is. One piece of work is the same deals of all
matches, so whatever has been played can be paired.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from benchmarks.strangers.opening import open_any
from holdem.evaluation.aivat.opening import blueprint_of, open_aivat
from holdem.evaluation.aivat.table import TableAivat
from holdem.evaluation.match.match import Correction, MatchResult, MatchSetup, open_matches
from holdem.evaluation.match.piece_workers import Work, run_pieces
from holdem.evaluation.match.win_rates import WinRate
from holdem.game.agent import Agent
from holdem.types import BettingConfig, GameConfig
from holdem.util.arrays import Float64


@dataclass(frozen=True)
class PairedResult:
    """What the agent and the one beside it won from one stranger; the same object twice if they are one."""

    stranger: str
    agent: MatchResult
    beside: MatchResult

    @property
    def difference(self) -> WinRate:
        """What the agent won more than the one beside it, over deals."""
        more = chips_of(self.agent) - chips_of(self.beside)
        setup = self.agent.setup
        return WinRate.of_deals(more, len(setup.specs), setup.config.big_blind)

    def to_plain(self) -> dict[str, Any]:
        """As JSON."""
        plain = {"stranger": self.stranger, "agent": self.agent.to_plain(), "beside": self.beside.to_plain()}
        return {**plain, "difference": self.difference.to_plain()}


def chips_of(result: MatchResult) -> Float64:
    """(deals,) chips of the first agent, with luck taken out where it was."""
    return (result.chips if result.corrected is None else result.corrected)[:, 0]


def table_of(config: GameConfig) -> GameConfig:
    """The rules of a game without its betting tree: anybody may bet anything. The rules engine then plays every match,
    also one of two blueprints of a tree, so that all have the same deals."""
    return config.model_copy(update={"name": f"{config.name}_table", "betting": BettingConfig()})


def setups_of(
    config: GameConfig, agents: Sequence[str], strangers: Sequence[str], seed: int, aivat: bool
) -> list[MatchSetup]:
    """Each agent against the first stranger, then against the next."""
    correction = shared_aivat if aivat else None
    table = table_of(config)
    return [
        MatchSetup(table, (agent, stranger), open_any, seed, correction) for stranger in strangers for agent in agents
    ]


def play_paired(
    setups: Sequence[MatchSetup],
    hands: int,
    num_workers: int = 1,
    progress: Callable[[int], None] = lambda count: None,
    stopped: Callable[[], bool] = lambda: False,
) -> list[PairedResult]:
    """At least `hands` hands of each match of `setups_of`; when `stopped` turns true, what there is so far."""
    deals = -(-hands // 2)
    matches = open_matches(setups)
    pieces: list[dict[int, Float64]] = [{} for _ in setups]
    began = time.monotonic()

    def deliver(start: int, stop: int, tables: list[Float64]) -> None:
        for found, table in zip(pieces, tables, strict=True):
            found[start] = table
        progress((stop - start) * 2 * len(setups))

    opened = [match.play for match in matches]
    make = partial(_together, opened) if num_workers == 1 else partial(_open_together, setups)
    run_pieces(make, deals, num_workers, deliver, stopped)
    seconds = time.monotonic() - began
    results = [match.result(found, deals, seconds) for match, found in zip(matches, pieces, strict=True)]
    return pair_up(results)


def pair_up(results: Sequence[MatchResult]) -> list[PairedResult]:
    """Results against each stranger side by side; the first is the agent's, the last that of the one beside it."""
    by_stranger: dict[str, list[MatchResult]] = {}
    for result in results:
        by_stranger.setdefault(result.setup.specs[1], []).append(result)
    return [PairedResult(stranger, found[0], found[-1]) for stranger, found in by_stranger.items()]


def shared_aivat(agents: Sequence[Agent]) -> Correction:
    """AIVAT with the values of the first blueprint; matches of one blueprint share it, since its tables are large."""
    for policy in map(blueprint_of, agents):
        if policy is not None and policy.path is not None:
            return _aivat_of(policy.path)
    return open_aivat(agents)


@lru_cache(maxsize=2)
def _aivat_of(path: Path) -> TableAivat:
    return TableAivat.open(path)


def _together(plays: Sequence[Work]) -> Work:
    def work(start: int, stop: int) -> list[Float64]:
        return [play(start, stop) for play in plays]

    return work


def _open_together(setups: Sequence[MatchSetup]) -> Work:
    """In a worker process: its own agents."""
    return _together([match.play for match in open_matches(setups)])
