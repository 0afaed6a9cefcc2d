"""Local best response and best response on sampled boards, on one core.

The blueprint is random, so hands go on for longer than against a trained one. Times are those of the thread, so that
other work on the machine disturbs little.
"""

import time
from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.bench_matches import blueprint
from benchmarks.measurement import Measurement
from holdem.cards import parse_cards
from holdem.evaluation.response.local.actions import parse_menus
from holdem.evaluation.response.local.match import play_matches
from holdem.evaluation.response.local.response import hand_chances
from holdem.evaluation.response.sampled.response import SampledBestResponse, Samples

DEALS = 150


def run() -> list[Measurement]:
    """Hands a second of LBR, milliseconds of its kernel, microseconds a node of the best response."""
    agent = blueprint(1)
    config = agent.policy.config
    rates = []
    for actions in ("fcpa", "wide"):
        play = partial(play_matches, lambda: agent, config, parse_menus(actions, "turn,river"), DEALS)
        rates.append(2 * DEALS / _thread_seconds(play))
    chances = _thread_seconds(lambda: hand_chances(parse_cards("AhKd"), parse_cards("Ks7d2c")), 20)
    evaluator = SampledBestResponse(
        agent.policy.tree,
        agent.policy.layout,
        agent.policy.info.buckets_per_street,
        agent.policy.table,
        agent.buckets.of_holes,
    )
    nodes, seconds = _sampled_flop(evaluator)
    return [
        Measurement("LBR, four actions from the turn on", rates[0], "hands/s", target="≥ 100 hands/s a core"),
        Measurement("LBR, 56 sizes from the turn on", rates[1], "hands/s"),
        Measurement("one hand against every hand, all 990 runouts of a flop", 1e3 * chances, "ms"),
        Measurement("best response on one flop, 3 turns, 3 rivers each", seconds, "s"),
        Measurement("best response, a node with all its hands", 1e6 * seconds / nodes, "µs"),
    ]


def _thread_seconds(function: Callable[[], object], repeats: int = 3) -> float:
    function()
    times = []
    for _ in range(repeats):
        start = time.thread_time()
        function()
        times.append(time.thread_time() - start)
    return min(times)


def _sampled_flop(evaluator: SampledBestResponse) -> tuple[int, float]:
    """Nodes visited and seconds for both positions."""
    reaches = [evaluator.first.reach(1 - position) for position in (0, 1)]
    values = np.zeros((2, 2, len(evaluator.first.closings), 1326))
    samples = Samples(3, 3, 3)
    nodes = 0

    def once() -> None:
        nonlocal nodes
        generator = np.random.default_rng(0)
        counts = (samples.turns, samples.rivers)
        nodes = evaluator.one_flop((3, 17, 40), counts, generator, reaches, values)

    seconds = _thread_seconds(once, 1)
    return nodes, seconds
