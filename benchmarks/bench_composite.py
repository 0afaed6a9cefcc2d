"""Composite exploitability: what an opponent who knows every answer of the searching agent wins from it.

    python -m benchmarks.bench_composite --policy runs/blueprint --num-workers 2
    python -m benchmarks.bench_composite --agent "search+root=resolve:runs/blueprint" --spots 2 --rivers 6

At fixed turns, both ranges given and small, the agent plays one seat: it is asked at every state of the turn and of the
rivers, as it would be at the table. The exact best response (benchmarks/composite.py) takes what it can with bets of
50 %, 100 % and all-in and raises of 100 % of the pot. Its gain over the value of the game (benchmarks/zero_point.py,
only the zero of the scale) is the seat's exploitability, in per cent of the pot. The blueprint without search stands
beside it, with the same zero.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.composite import ALL_RIVERS, MOST_RIVERS, Ask, ComposedResponse, CompositeSpot
from benchmarks.given_ranges import GivenRanges
from benchmarks.measurement import Measurement
from benchmarks.resumable import Result, measure, policy_digest, tell_errors
from benchmarks.spots import few_hands, hand_at, random_state
from benchmarks.zero_point import TARGET_PERCENT, ZeroSolver
from holdem.blueprint.agent import BlueprintAgent
from holdem.cards.cards import NUM_CARDS, format_cards
from holdem.errors import ConfigError
from holdem.game.agent import PublicState, RangeAgent
from holdem.realtime.search.agent import SearchAgent
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.specs import open_agent
from holdem.types import SearchConfig
from holdem.util.rng import stream

POLICY = "runs/blueprint"
TURN = 2
FIRST_SPOT = 7_000
HANDS = 80
RIVERS = 12
_WARMING_UP = 3


@dataclass(frozen=True)
class CompositeSettings:
    """What is measured; the same settings measure the same spots."""

    policy: str
    agent: str
    policy_digest: str = ""
    budget_ms: float = 80.0
    rivers: int = RIVERS
    hands: int = HANDS
    target_percent: float = TARGET_PERCENT


def spot_of(number: int, rivers: int, hands: int) -> tuple[PublicState, SeatRanges, tuple[int, ...]]:
    """The start of a turn, what both seats may hold, and the rivers that may come."""
    state = random_state(TURN, FIRST_SPOT + number)
    deck = [card for card in range(NUM_CARDS) if card not in state.board]
    cards = tuple(sorted(stream(number, "composite rivers").choice(deck, rivers, replace=False).tolist()))
    dead = (*state.board, *cards) if rivers < ALL_RIVERS else state.board
    return state, few_hands(dead, hands, FIRST_SPOT + number), cards


def spot_for(state: PublicState, ranges: SeatRanges, rivers: tuple[int, ...], seat: int) -> CompositeSpot:
    """The spot with the agent in a seat."""
    return CompositeSpot(hand_at(state), seat, ranges.weights[[seat, 1 - seat]], rivers)


@cache
def opened(settings: CompositeSettings) -> tuple[RangeAgent, BlueprintAgent]:
    """The agents of a process; one that searches has measured what such turns cost."""
    agent = open_agent(settings.agent, search=SearchConfig(time_budget_ms=settings.budget_ms))
    if not isinstance(agent, RangeAgent):
        raise ConfigError(f"{settings.agent} does not tell its whole strategy; name a blueprint, or search: and one")
    if isinstance(agent, SearchAgent):
        for number in range(_WARMING_UP):
            state, ranges, _ = spot_of(-1 - number, settings.rivers, settings.hands)
            GivenRanges(agent.controller, ranges, TURN).range_policy(state)
    return agent, BlueprintAgent.open(settings.policy)


def measure_seat(settings: CompositeSettings, job: str) -> Result:
    """One seat of one spot, `0 oop` or `0 ip`: the zero point, and what is won from the agent and the blueprint."""
    number, position = job.split()
    agent, blueprint = opened(settings)
    state, ranges, rivers = spot_of(int(number), settings.rivers, settings.hands)
    seat = state.seat if position == "oop" else 1 - state.seat
    spot = spot_for(state, ranges, rivers, seat)
    start = time.monotonic()
    zero = ZeroSolver(spot).solve(settings.target_percent)
    place: Result = {"board": format_cards(state.board, " "), "pot": state.pot, "stack": state.stacks[seat]}
    zero_point = {"percent": 100 * zero.value / state.pot, "error": 100 * zero.error / state.pot,
                  "iterations": zero.iterations, "seconds": time.monotonic() - start}  # fmt: skip
    counts: dict[str, int] = {}
    ask: Ask = agent.range_policy
    if isinstance(agent, SearchAgent):
        controller = GivenRanges(agent.controller, ranges, TURN)
        ask, counts = controller.range_policy, controller.counts
    played = {
        "agent": _response(spot, ask, zero.value),
        "blueprint": _response(spot, blueprint.range_policy, zero.value),
    }
    return {**place, "zero": zero_point, **played, "counts": dict(counts)}


def _response(spot: CompositeSpot, ask: Ask, zero: float) -> Result:
    """What the best response wins from one agent, in per cent of the pot."""
    start = time.monotonic()
    response = ComposedResponse(spot, ask)
    value = response.value()
    pot = spot.hand.pot
    return {
        "exploitability": 100.0 * (value - zero) / pot,
        "asked": response.asked,
        "not_followed": 100.0 * response.given_up / pot,
        "seconds": time.monotonic() - start,
    }


def composite(settings: CompositeSettings, spots: int, out: Path | None = None, workers: int = 1) -> dict[str, Result]:
    """Measure both seats of so many spots and print what is won from them."""
    jobs = [f"{number} {position}" for number in range(spots) for position in ("oop", "ip")]
    results = measure(measure_seat, settings, jobs, out, workers)
    if not results:
        return results
    print(
        f"{len(results)} seats of {spots} turns, {settings.hands} hands each, {settings.rivers} rivers, "
        f"{settings.budget_ms:g} ms: exploitability of the composite strategy, % of the pot"
    )
    for name, spec in (("agent", settings.agent), ("blueprint", settings.policy)):
        rows = [result[name] for result in results.values()]
        lost, asked, seconds = (np.array([row[key] for row in rows]) for key in ("exploitability", "asked", "seconds"))
        print(
            f"  {spec}: mean {lost.mean():.2f}, worst {lost.max():.2f} (each: {_listed(lost)}); "
            f"{asked.mean():.0f} answers a seat, {1000 * seconds.sum() / asked.sum():.1f} ms each, "
            f"actions not followed change at most {max(row['not_followed'] for row in rows):.3f}"
        )
    errors = [result["zero"]["error"] for result in results.values()]
    print(f"  the zero point is exact to {max(errors):.3f} in its own tree")
    return results


def _listed(values: Any) -> str:
    return ", ".join(f"{value:.2f}" for value in values)


def run() -> list[Measurement]:
    """One spot with two rivers, where there is a blueprint."""
    if not Path(POLICY).exists():
        return []
    results = composite(CompositeSettings(POLICY, f"search:{POLICY}", policy_digest(POLICY), rivers=2), 1)
    agent, blueprint = (
        float(np.mean([result[name]["exploitability"] for result in results.values()]))
        for name in ("agent", "blueprint")
    )
    return [Measurement("composite exploitability at 80 ms", agent, "% of pot", "without search", blueprint)]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--policy", default=POLICY, help="the blueprint beside the agent")
    parser.add_argument("--agent", help="who is judged; by default search: with the blueprint")
    parser.add_argument("--spots", type=int, default=6)
    parser.add_argument("--rivers", type=int, default=RIVERS, help=f"1 to {MOST_RIVERS}, or {ALL_RIVERS} for all")
    parser.add_argument("--hands", type=int, default=HANDS, help="of each range")
    parser.add_argument("--budget-ms", type=float, default=80.0)
    parser.add_argument("--num-workers", type=int, default=1, help="processes over seats; 0: one per core")
    parser.add_argument("--out", type=Path, help="JSON file that keeps every seat; a measurement goes on from it")
    options = parser.parse_args(arguments)
    if not (1 <= options.rivers <= MOST_RIVERS or options.rivers == ALL_RIVERS):
        raise ConfigError(f"--rivers is {options.rivers}; give 1 to {MOST_RIVERS}, or {ALL_RIVERS} for all of them")
    if options.spots < 1 or options.hands < 1 or options.budget_ms <= 0:
        raise ConfigError("--spots, --hands and --budget-ms must be above 0")
    settings = CompositeSettings(
        options.policy,
        options.agent or f"search:{options.policy}",
        policy_digest(options.policy),
        options.budget_ms,
        options.rivers,
        options.hands,
    )
    composite(settings, options.spots, options.out, options.num_workers)


if __name__ == "__main__":
    tell_errors(main, sys.argv[1:])
