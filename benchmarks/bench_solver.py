"""The subgame solver beside the best open solver: time to 0.5 % and 0.1 % of the pot, and memory.

The other solver's figures are those of `assets/spots/subgames.json`, measured on a 2-core server of the same kind.
Times are solves alone, checks of the exploitability included, building and compiling not.
"""

import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measurement import Measurement
from holdem.realtime.solve import warm_up
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.spot import Spot
from holdem.util.words import counted

REFERENCE_FILE = Path(__file__).parents[1] / "assets" / "spots" / "subgames.json"
REPEATS = {5: 30, 4: 5, 3: 1}
"""Solves of a spot by the cards on its board: the shorter, the more easily disturbed."""
THREAD_KEYS = {1: "one_thread_ms", 2: "two_threads_ms"}
FLOP: dict[str, Any] = {
    "id": "flop, 86 and 90 hands",
    "board": "Qs Jh 2h",
    "pot": 60,
    "effective_stack": 300,
    "range_oop": "QQ-77, AQs-A9s, KQs, KTs, QJs, JTs, T9s, 98s, 87s, AQo, KQo",
    "range_ip": "JJ-66, AJs-A8s, KJs, QTs, J9s, 87s, 76s, AJo, QJo, KQo",
    "bet_sizes": {street: {"bet": "50%", "raise": "50%"} for street in ("flop", "turn", "river")},
}


def run() -> list[Measurement]:
    for threads in (1, 2):
        warm_up(threads=threads)
    spots = {spot["id"]: spot for spot in json.loads(REFERENCE_FILE.read_text(encoding="utf-8"))["spots"]}
    lines = []
    for name, threads in (("PR1", 1), ("PT1", 1), ("PT1", 2)):
        speed = spots[name]["speed_of_the_best_open_solver"]
        for target in ("0.5%", "0.1%"):
            milliseconds, iterations = _time_to(spots[name], float(target[:-1]), threads)
            label = f"{name} to {target}, {counted(threads, 'thread')}, {iterations} iterations"
            factor = "≤ 1×" if name == "PR1" else "≤ 1.2×"
            lines.append(_line(label, milliseconds, "ms", speed[target][THREAD_KEYS[threads]], factor))
    for name in ("PR1", "PT1"):
        megabytes = SubgameSolver(Spot.from_plain(spots[name])).estimate().total_bytes / 1e6
        memory = spots[name]["speed_of_the_best_open_solver"]["memory_MB"]
        lines.append(_line(f"{name} memory", megabytes, "MB", memory, "≤ 1.2×"))
    return [*lines, _flop(), _full_river()]


def _line(name: str, value: float, unit: str, reference: float, target: str) -> Measurement:
    return Measurement(name, value, unit, "best open solver", reference, target)


def _time_to(content: dict[str, Any], target: float, threads: int) -> tuple[float, int]:
    """Shortest time of a few solves in milliseconds, and its iterations."""
    results = []
    for _ in range(REPEATS[len(content["board"].split())]):
        solver = SubgameSolver(Spot.from_plain(content), threads=threads).allocate()
        result = solver.solve(target_percent=target)
        results.append((1000.0 * result.seconds, result.iterations))
    return min(results)


def _flop() -> Measurement:
    milliseconds, iterations = _time_to(FLOP, 0.5, 2)
    name = f"{FLOP['id']}, to 0.5%, 2 threads, {iterations} iterations"
    return Measurement(name, milliseconds / 1000.0, "s", target="< 60 s")


def _full_river() -> Measurement:
    """All 1,081 hands a side: the cost of one iteration, from which iterations in 80 ms follow."""
    sizes = {"river": {"bet": "50%, 100%, a", "raise": "60%, a"}}
    spot = Spot.from_plain(
        {"board": "Ah9c4d7s2h", "pot": 90, "effective_stack": 300, "range_oop": "random", "range_ip": "random",
         "bet_sizes": sizes}
    )  # fmt: skip
    times = []
    for _ in range(5):
        solver = SubgameSolver(spot).allocate()
        start = time.perf_counter()
        solver.solve(max_iterations=100)
        times.append((time.perf_counter() - start) / 100)
    return Measurement("river of all hands, one iteration", float(np.min(times)) * 1000.0, "ms", target="≤ 0.8 ms")
