"""Matches: every deal is played once from every rotation of the seats, so that a match against oneself is exactly zero.

In a rotation everybody moves on by one seat and the cards stay, so over all of them everybody has held everybody's
cards. Agents draw from a stream of the deal, the position and the decision: the same agent in the same place does the
same again. Deal d of a match comes from (seed, d) alone, so the result does not depend on the number of workers.

Where all seats are blueprints of one betting tree, a compiled kernel plays (`blueprint_match`); otherwise the rules
engine. A `Correction` (AIVAT) may take luck out of hands that the rules engine played, and out of compiled matches if
it knows how (`PartedCorrection`). Several matches share one set of
workers and advance together, so that an interrupted evaluation has something to say about every opponent.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol, runtime_checkable

import numpy as np

from holdem.blueprint.buckets import prepare_tables
from holdem.errors import ConfigError, HoldemError
from holdem.evaluation.match.blueprint_match import BlueprintMatch
from holdem.evaluation.match.fitted_luck import without_luck
from holdem.evaluation.match.piece_workers import Work, run_pieces
from holdem.evaluation.match.win_rates import WinRate
from holdem.game.agent import Agent, close_agent
from holdem.game.game import Game
from holdem.game.hand import Hand
from holdem.game.imported_agent import runs_code
from holdem.game.play import play_hand
from holdem.types import GameConfig
from holdem.util.arrays import Float64
from holdem.util.rng import derived_seed

MANY_SEATS_NOTE = (
    "With three or more players no figure here proves how strong a strategy is: there is no value of the game to "
    "compare with, playing an equilibrium does not protect from losing, and no lower bound on exploitability is "
    "computed."
)


class OpenAgent(Protocol):
    """Opens the agent of a spec; a function of an importable module, since workers call it."""

    def __call__(self, spec: str, config: GameConfig | None = None) -> Agent:
        """The agent for this game."""


class Correction(Protocol):
    """Takes luck out of a finished hand without changing the mean: a control variate such as AIVAT."""

    @property
    def name(self) -> str:
        """What the method is called in results: `aivat`."""

    def corrected(self, hand: Hand, agents: Sequence[Agent]) -> Sequence[float]:
        """Chips of each seat with luck taken out. The hand has its records and its deal; agents by seat."""


@runtime_checkable
class PartedCorrection(Correction, Protocol):
    """A correction that tells luck in parts, of which a match takes off as much as makes it vary least.

    It may also know how to play some matches without the rules engine.
    """

    @property
    def parts(self) -> int:
        """How many parts there are."""

    def luck(self, hand: Hand, agents: Sequence[Agent]) -> Float64:
        """(parts, seats) chips that a finished hand brought beyond the mean; agents by seat."""

    def compiled(self, config: GameConfig, agents: Sequence[Agent], seed: int) -> Work | None:
        """`play(start, stop)`: (deals, 2 * agents) chips, then the same with luck taken out; None if it cannot."""


OpenCorrection = Callable[[Sequence[Agent]], Correction]
OpenedAgents = dict[tuple[str, int], Agent]
"""By spec, and how many seats before it have the same one."""


@dataclass(frozen=True)
class MatchSetup:
    """Who plays what: picklable, so that workers can open their own agents. One spec per seat."""

    config: GameConfig
    specs: tuple[str, ...]
    open_agent: OpenAgent
    seed: int = 0
    open_correction: OpenCorrection | None = None

    def agents(self, opened: OpenedAgents | None = None) -> list[Agent]:
        """One agent per seat; the same spec is opened once, and those already in `opened` not again.

        Agents of somebody's own may remember what they see, so each seat has one of its own.
        """
        if len(self.specs) != self.config.num_players:
            raise ConfigError(
                f"{self.config.name} has {self.config.num_players} seats, and {len(self.specs)} agents were named; "
                "name one for each seat (a name may be repeated)"
            )
        opened = {} if opened is None else opened
        keys = [(spec, self.specs[:seat].count(spec) if runs_code(spec) else 0) for seat, spec in enumerate(self.specs)]
        for key in keys:
            if key not in opened:
                opened[key] = self.open_agent(key[0], self.config)
                prepare_tables(getattr(opened[key], "buckets", None))
        return [opened[key] for key in keys]


@dataclass(frozen=True)
class MatchResult:
    """chips: (deals, agents) won over all rotations of each deal; corrected: the same with luck taken out."""

    setup: MatchSetup
    chips: Float64
    corrected: Float64 | None = None
    correction: str | None = None
    seconds: float = 0.0
    complete: bool = True
    compiled: bool = False

    @property
    def deals(self) -> int:
        """Deals that were played."""
        return len(self.chips)

    @property
    def hands(self) -> int:
        """Hands that were played: each deal once per rotation."""
        return self.deals * len(self.setup.specs)

    @property
    def method(self) -> str:
        """How luck was kept small."""
        return "duplicate" if self.correction is None else f"duplicate+{self.correction}"

    def win_rate(self, agent: int, as_dealt: bool = False) -> WinRate:
        """Of the agent with this number; `as_dealt` leaves the correction out."""
        table = self.chips if as_dealt or self.corrected is None else self.corrected
        return WinRate.of_deals(table[:, agent], len(self.setup.specs), self.setup.config.big_blind)

    def luck(self, agent: int) -> WinRate | None:
        """What the correction took off; its mean is zero if agents play the strategies that they tell."""
        if self.corrected is None:
            return None
        off = self.chips[:, agent] - self.corrected[:, agent]
        return WinRate.of_deals(off, len(self.setup.specs), self.setup.config.big_blind)

    @property
    def variance_factor(self) -> float | None:
        """How many times smaller the correction makes the variance of the first agent's result; None without one."""
        if self.corrected is None or self.deals < 2:
            return None
        left = float(self.corrected[:, 0].var())
        return float(self.chips[:, 0].var()) / left if left > 0 else None

    def to_plain(self) -> dict[str, Any]:
        """As JSON."""
        agents = []
        for seat, spec in enumerate(self.setup.specs):
            luck = self.luck(seat)
            told = {} if luck is None else {"as_dealt": self.win_rate(seat, True).to_plain(), "luck": luck.to_plain()}
            rate = self.win_rate(seat).to_plain()
            agents.append({"agent": spec, "seat": seat, **rate, "method": self.method, **told})
        return {
            "game": self.setup.config.name,
            "seats": len(self.setup.specs),
            "deals": self.deals,
            "hands": self.hands,
            "seed": self.setup.seed,
            "method": self.method,
            "variance_factor": self.variance_factor,
            "complete": self.complete,
            "seconds": round(self.seconds, 3),
            "note": MANY_SEATS_NOTE if len(self.setup.specs) > 2 else None,
            "agents": agents,
        }


def play_match(
    setup: MatchSetup,
    hands: int,
    num_workers: int = 1,
    progress: Callable[[int], None] = lambda count: None,
    stopped: Callable[[], bool] = lambda: False,
    failed: Callable[[HoldemError], None] | None = None,
) -> MatchResult:
    """At least `hands` hands; `progress` hears the number of finished hands as they come.

    When `stopped` turns true, what was played so far is the result. So it is when an agent fails, if there is a
    `failed` to hear of it.
    """
    return play_matches([setup], hands, num_workers, progress, stopped, failed)[0]


def play_matches(
    setups: Sequence[MatchSetup],
    hands: int,
    num_workers: int = 1,
    progress: Callable[[int], None] = lambda count: None,
    stopped: Callable[[], bool] = lambda: False,
    failed: Callable[[HoldemError], None] | None = None,
) -> list[MatchResult]:
    """Matches of one game side by side, at least `hands` hands each."""
    opened: OpenedAgents = {}
    try:
        return _play_opened(setups, open_matches(setups, opened), hands, num_workers, progress, stopped, failed)
    finally:
        _close(opened)


def _play_opened(
    setups: Sequence[MatchSetup],
    matches: "list[OpenMatch]",
    hands: int,
    num_workers: int,
    progress: Callable[[int], None],
    stopped: Callable[[], bool],
    failed: Callable[[HoldemError], None] | None,
) -> list[MatchResult]:
    seats = setups[0].config.num_players
    deals = -(-hands // seats)
    pieces: list[dict[int, Float64]] = [{} for _ in setups]
    began = time.monotonic()

    def deliver(start: int, stop: int, tables: list[Float64]) -> None:
        for found, table in zip(pieces, tables, strict=True):
            found[start] = table
        progress((stop - start) * seats)

    make = partial(_Interleaved, matches) if num_workers == 1 else partial(_open_interleaved, setups)
    try:
        run_pieces(make, deals * len(setups), num_workers, deliver, stopped)
    except HoldemError as error:
        if failed is None or not all(pieces):
            raise
        failed(error)
    seconds = time.monotonic() - began
    return [match.result(found, deals, seconds) for match, found in zip(matches, pieces, strict=True)]


@dataclass(frozen=True)
class OpenMatch:
    """A match whose agents are open: `play(start, stop)` are the deals of that range.

    Behind the chips of each agent come as many corrected ones, or `parts` times as many of luck.
    """

    setup: MatchSetup
    correction: Correction | None
    compiled: bool
    play: Work
    parts: int = 0

    def result(self, pieces: dict[int, Float64], deals: int, seconds: float) -> MatchResult:
        """What pieces, by where they began, amount to."""
        seats = len(self.setup.specs)
        found = [pieces[start] for start in sorted(pieces)]
        table = np.concatenate(found) if found else np.zeros((0, (1 + max(self.parts, 1)) * seats))
        chips, behind = table[:, :seats], table[:, seats:]
        result = MatchResult(self.setup, chips, seconds=seconds, compiled=self.compiled)
        if self.correction is not None:
            corrected = without_luck(chips, behind.reshape(len(table), self.parts, seats)) if self.parts else behind
            result = replace(result, corrected=corrected, correction=self.correction.name)
        return replace(result, complete=len(table) == deals)


def open_matches(setups: Sequence[MatchSetup], opened: OpenedAgents | None = None) -> list[OpenMatch]:
    """Open the agents of matches of one game, each spec once; `opened` is told of them."""
    opened = {} if opened is None else opened
    return [_open_match(setup, setup.agents(opened)) for setup in setups]


def _close(opened: OpenedAgents) -> None:
    for agent in opened.values():
        close_agent(agent)


def _open_match(setup: MatchSetup, agents: Sequence[Agent]) -> OpenMatch:
    """What plays the deals of a match: the kernel if it can, else the rules engine."""
    if setup.open_correction is not None:
        correction = setup.open_correction(agents)
        if not isinstance(correction, PartedCorrection):
            return OpenMatch(setup, correction, False, partial(_play_deals, setup, agents, correction))
        play = correction.compiled(setup.config, agents, setup.seed)
        if play is not None:
            return OpenMatch(setup, correction, True, play)
        play = partial(_play_deals, setup, agents, correction)
        return OpenMatch(setup, correction, False, play, correction.parts)
    if BlueprintMatch.fits(setup.config, agents):
        return OpenMatch(setup, None, True, BlueprintMatch(setup.config, agents, setup.seed).play)
    return OpenMatch(setup, None, False, partial(_play_deals, setup, agents, None))


def _open_interleaved(setups: Sequence[MatchSetup]) -> "_Interleaved":
    """In a worker process: its own agents."""
    opened: OpenedAgents = {}
    return _Interleaved(open_matches(setups, opened), opened)


class _Interleaved:
    """Items are deals of the matches in turn: item i is deal i // n of match i % n."""

    def __init__(self, matches: Sequence[OpenMatch], opened: OpenedAgents | None = None) -> None:
        self._matches, self._opened = matches, opened or {}

    def __call__(self, start: int, stop: int) -> list[Float64]:
        count = len(self._matches)
        return [
            match.play(-(-(start - number) // count), -(-(stop - number) // count))
            for number, match in enumerate(self._matches)
        ]

    def close(self) -> None:
        """The agents that were opened for it are closed."""
        _close(self._opened)


def _play_deals(
    setup: MatchSetup, agents: Sequence[Agent], correction: Correction | None, start: int, stop: int
) -> Float64:
    """(deals, agents) chips, and behind them the columns of the correction if there is one."""
    game, seats = Game(setup.config), len(agents)
    told = 0 if correction is None else correction.parts if isinstance(correction, PartedCorrection) else 1
    table = np.zeros((stop - start, 1 + told, seats))
    for deal in range(start, stop):
        rows = table[deal - start]
        for shift in range(seats):
            numbers = [(seat + shift) % seats for seat in range(seats)]
            seated = [agents[number] for number in numbers]
            hand = play_hand(game, seated, derived_seed(setup.seed, "match", deal))
            rows[0, numbers] += hand.payoffs
            if isinstance(correction, PartedCorrection):
                rows[1:, numbers] += correction.luck(hand, seated)
            elif correction is not None:
                rows[1, numbers] += correction.corrected(hand, seated)
    return table.reshape(stop - start, (1 + told) * seats)
