"""The coach: how often what it shows contradicts itself, how accurate its solves are, and what telling that costs.

Decisions are of the blueprint in runs/blueprint against itself, as many of each street. A contradiction is an action
with more than a tenth of the frequency whose worth is behind the best one's by more than the error stated: two standard
errors of an estimate, the accuracy of a solve with the hand, and a chip in any case, since whole chips are shown.
"""

import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.bench_tables import make_blueprint
from benchmarks.measurement import Measurement
from holdem.blueprint.agent import BlueprintAgent
from holdem.game.agent import Observation, observe
from holdem.game.game import Game
from holdem.realtime.search.measured_costs import calibrate_once
from holdem.realtime.search.street_resolver import StreetResolver
from holdem.realtime.search.street_solution import Accuracy
from holdem.realtime.search_controller import SearchController
from holdem.realtime.subgame.nodes.view import NodeView
from holdem.realtime.subgame.solution import Solution
from holdem.realtime.vector.search import VectorSearch
from holdem.table.advice.advisor import Advisor, blueprint_decision
from holdem.table.advice.open_advisor import DEALS, PATIENCE_MS, PATIENT_ITERATIONS
from holdem.table.advice.recommendation import CLEAR_ERRORS, Recommendation
from holdem.table.advice.rollouts import Rollouts
from holdem.types import STREET_NAMES, SearchConfig

RUN = Path("runs/blueprint")
DECISIONS = 200
OFTEN = 0.1
EARLIER_DEALS = 1_000
"""Of the estimates that stood beside the blueprint's frequencies on every street, whatever the action."""


def run() -> list[Measurement]:
    """Contradictions of the coach beside those of the blueprint with rollouts of everything; accuracy; cost."""
    blueprint = BlueprintAgent.open(RUN) if RUN.exists() else make_blueprint()
    seen = decisions(blueprint, DECISIONS // len(STREET_NAMES))
    earlier = [contradiction(_everything_by_rollouts(blueprint, one)) for one in seen]
    patient = SearchConfig(time_budget_ms=PATIENCE_MS, min_iters=PATIENT_ITERATIONS, root="unsafe")
    controller = SearchController(blueprint, patient, StreetResolver(blueprint), advises=True)
    calibrate_once(controller)
    with _Clock() as clock:
        told = [Advisor(controller.decide, Rollouts(blueprint, DEALS)).recommend(one) for one in seen]
    now = [contradiction(one) for one in told]
    lines = []
    for street, name in enumerate(STREET_NAMES):
        places = [place for place, one in enumerate(seen) if one.street == street]
        lines += _beside(name, [now[place] for place in places], [earlier[place] for place in places])
        accuracies = [(told[place].decision.accuracy, seen[place].pot) for place in places]
        shares = [100 * accuracy / pot for accuracy, pot in accuracies if accuracy is not None]
        if shares:
            lines.append(Measurement(f"{name}: accuracy of the solves, median", float(np.median(shares)), "% of pot"))
    return [*lines, Measurement("accuracy of a solve, mean time", 1e3 * float(np.mean(clock.seconds)), "ms")]


def decisions(blueprint: BlueprintAgent, of_each_street: int) -> list[Observation]:
    """What the blueprint saw at its turns against itself."""
    game, deal = Game(blueprint.policy.config), 0
    found: dict[int, list[Observation]] = {street: [] for street in range(len(STREET_NAMES))}
    while min(map(len, found.values())) < of_each_street:
        deal += 1
        hand, turns = game.new_hand(deal), [0] * game.config.num_players
        while hand.actor is not None:
            seen = observe(hand, deal, turns[hand.actor])
            turns[hand.actor] += 1
            if len(found[hand.street]) < of_each_street:
                found[hand.street].append(seen)
            hand.act(blueprint.act(seen))
    return [seen for street in found.values() for seen in street]


def contradiction(told: Recommendation) -> float:
    """By how much of the pot something that is often played is shown to be worth less than something else, beyond the
    error; 0 if nothing is."""
    evs, best = told.decision.evs, told.best
    if evs is None or best is None:
        return 0.0
    errors = told.ev_errors or (told.decision.hand_accuracy or 0.0,) * len(evs)
    times = 1.0 if told.worth is None else CLEAR_ERRORS
    largest = 0.0
    for place, share in enumerate(told.decision.probabilities):
        behind = evs[best] - evs[place]  # never true if it is not shown
        if share > OFTEN and behind > max(1.0, times * errors[place], times * errors[best]):
            largest = max(largest, behind / told.observation.pot)
    return largest


def _everything_by_rollouts(blueprint: BlueprintAgent, seen: Observation) -> Recommendation:
    decision = blueprint_decision(blueprint, seen)
    worth = Rollouts(blueprint, EARLIER_DEALS).worth(seen, decision.actions)
    if worth is None:
        return Recommendation(seen, decision)
    return Recommendation(seen, replace(decision, evs=worth.evs), worth, worth.source)


def _beside(name: str, now: list[float], earlier: list[float]) -> list[Measurement]:
    """How many contradictions there are, and the largest."""
    other = "blueprint, rollouts of everything"
    shares = [100 * float(np.mean(np.array(sizes) > 0)) for sizes in (now, earlier)]
    return [
        Measurement(f"{name}: decisions that contradict themselves", shares[0], "%", other, shares[1]),
        Measurement(f"{name}: largest contradiction", 100 * max(now), "% of pot", other, 100 * max(earlier)),
    ]


class _Clock:
    """Times the accuracy of every solve while it is open."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self._accuracy = VectorSearch._accuracy

    def __enter__(self) -> "_Clock":
        accuracy, seconds = self._accuracy, self.seconds

        def timed(search: VectorSearch, solved: Solution, view: NodeView) -> Accuracy:
            start = time.perf_counter()
            found = accuracy(search, solved, view)
            seconds.append(time.perf_counter() - start)
            return found

        VectorSearch._accuracy = timed  # type: ignore[method-assign, assignment]
        return self

    def __exit__(self, *_: object) -> None:
        VectorSearch._accuracy = self._accuracy  # type: ignore[method-assign]
