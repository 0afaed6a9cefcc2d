"""Solves by threads and processes: the same answers, and no decision that a dying worker costs more than its time."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import psutil
import pytest

from holdem.game.actions import Action
from holdem.realtime import parallel_resolver
from holdem.realtime.parallel_resolver import (
    _STUCK_SECONDS,
    PATIENCE_SECONDS,
    ParallelSubgameResolver,
    _known_mean,
)
from holdem.realtime.search.budget import LATER
from holdem.realtime.search.ranges import SeatRanges
from holdem.realtime.search.request import Depth, SolveRequest
from holdem.realtime.search.street_resolver import StreetResolver
from holdem.realtime.search.street_tree import Menu
from holdem.realtime.vector.search import VectorSearch
from tests.realtime.blueprints import CALL, open_random, random_blueprint, state_after

SMALL = Menu("75%", "a", 1)
NARROW = np.arange(1326) % 6 == 0
"""Every sixth hand: enough to be a game, and quick to solve."""
BUDGET = 0.5


def turn_request(**changes: object) -> SolveRequest:
    state = state_after([Action.raise_to(300), CALL, CALL, CALL])
    ranges = SeatRanges.all_hands(2).after_board(state.board).weights * NARROW
    request = SolveRequest(state, ranges, SMALL, Depth.END, later=replace(LATER, bets="75%"), iterations=12)
    return replace(request, **changes)  # type: ignore[arg-type]


def three_player_request(**changes: object) -> SolveRequest:
    state = state_after([CALL] * 9, num_players=3)
    ranges = SeatRanges.all_hands(3).after_board(state.board).weights
    return replace(SolveRequest(state, ranges, SMALL, Depth.SAMPLED, iterations=30), **changes)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def pair() -> Iterator[ParallelSubgameResolver]:
    with ParallelSubgameResolver(partial(open_random, 2), num_workers=2, shared_bytes=64 << 20) as resolver:
        assert resolver.wait_until_ready() == 0
        yield resolver


@pytest.fixture(scope="module")
def trio() -> Iterator[ParallelSubgameResolver]:
    with ParallelSubgameResolver(partial(open_random, 3), num_workers=2, shared_bytes=64 << 20) as resolver:
        assert resolver.wait_until_ready(600.0) == 2  # two minutes of a busy machine may go into compiling
        yield resolver


def test_two_players_are_solved_by_threads_and_no_process_starts(pair: ParallelSubgameResolver) -> None:
    threads = VectorSearch(turn_request(), threads=2).allocate()
    threads.run(12)
    expected = threads.solution()
    together = pair.solve(turn_request())
    assert pair.pids == []
    assert (pair.threads, together.iterations, together.fallbacks) == (2, 12, ())
    for line, (actions, policy) in expected.decisions.items():
        assert together.decisions[line][0] == actions
        assert np.array_equal(together.decisions[line][1], policy), "the same numbers are added in the same order"


def test_threads_help_within_eighty_milliseconds(pair: ParallelSubgameResolver) -> None:
    """The solver of a turn has two threads also where the budget is short."""
    deadline = time.monotonic() + 0.08
    searched = pair.searched(turn_request(iterations=None, min_iterations=1, deadline=deadline))
    assert isinstance(searched.search, VectorSearch)
    assert searched.search.solver.threads == 2


def test_sampled_solves_are_the_mean_of_independent_ones(trio: ParallelSubgameResolver) -> None:
    request = three_player_request()
    together = trio.solve(request)
    resolver = StreetResolver(random_blueprint(3))
    alone = [resolver.solve(replace(request, seed=request.seed + 1 + worker)) for worker in (0, 1)]
    assert together.iterations == 60
    expected = (alone[0].options[1] + alone[1].options[1]) / 2
    assert together.options[1] == pytest.approx(expected, abs=1e-6)
    assert not np.array_equal(alone[0].options[1], alone[1].options[1])


def test_a_mean_counts_only_the_answers_that_know_a_value() -> None:
    values = np.full((2, 1326, 1), np.nan, dtype=np.float32)
    values[:, 0, 0] = 10.0, 40.0
    values[0, 1, 0] = 7.0
    mean = _known_mean(np.array([2 / 3, 1 / 3], dtype=np.float32), values)
    assert mean[:2, 0] == pytest.approx([20.0, 7.0])
    assert np.isnan(mean[2:]).all()


def disturb_after(seconds: float, pid: int, number: int) -> threading.Timer:
    timer = threading.Timer(seconds, os.kill, (pid, number))
    timer.start()
    return timer


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="needs signals that stop a process")
@pytest.mark.parametrize("number", ["SIGKILL", "SIGSTOP"])
def test_a_worker_that_is_killed_or_stopped_costs_at_most_the_budget(
    number: str, trio: ParallelSubgameResolver
) -> None:
    seconds, seen = [], []
    for _ in range(3):  # the machine may stand still for a moment, or come to the signal when all is solved
        trio.solve(three_player_request())  # replaces what was killed before
        assert trio.wait_until_ready() == 2
        before = trio.counts.copy()
        victim, start = trio.pids[0], time.monotonic()
        timer = disturb_after(BUDGET / 3, victim, getattr(signal, number))
        solution = trio.solve(three_player_request(iterations=None, min_iterations=1, deadline=start + BUDGET))
        seconds.append(time.monotonic() - start)
        timer.join()
        if number == "SIGSTOP":  # one that was stopped behind its answer would be asked again, and waited for
            os.kill(victim, signal.SIGCONT)
        assert solution.iterations >= 1
        assert solution.options[1].sum(axis=1) == pytest.approx(np.ones(1326), abs=1e-4)
        seen.append(trio.counts != before)
    # A busy machine may stand still for two seconds; who waited for the lost worker would wait for five.
    assert min(seconds) < BUDGET + PATIENCE_SECONDS + 2.0 < _STUCK_SECONDS
    assert any(seen), "a fallback must be visible"
    trio.solve(three_player_request())
    assert all(psutil.pid_exists(pid) for pid in trio.pids), "a lost worker is replaced"


def test_a_solve_that_misses_its_minimum_of_iterations_returns_them_late(
    trio: ParallelSubgameResolver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One process does the same: the minimum has priority over the deadline."""
    monkeypatch.setattr(parallel_resolver, "PATIENCE_SECONDS", 60.0)  # the machine may stand still for a moment
    trio.solve(three_player_request())
    assert trio.wait_until_ready() == 2
    request = three_player_request(iterations=None, min_iterations=200, deadline=time.monotonic() + 0.001)
    solution = trio.solve(request)
    # Each worker does its half; on a busy machine the answer of the first one may be taken alone.
    assert solution.iterations in (100, 200)
    assert "solved in this process" not in solution.fallbacks


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="needs signals that stop a process")
def test_if_all_workers_stop_the_solve_is_done_here(trio: ParallelSubgameResolver) -> None:
    trio.solve(three_player_request())
    assert trio.wait_until_ready() == 2
    for pid in trio.pids:
        os.kill(pid, signal.SIGSTOP)
    solution = trio.solve(three_player_request(iterations=None, min_iterations=20, deadline=time.monotonic() + 0.05))
    assert solution.iterations >= 20
    assert "solved in this process" in solution.fallbacks
    for pid in trio.pids:
        os.kill(pid, signal.SIGCONT)


def test_without_workers_the_solve_runs_here_and_says_so() -> None:
    with ParallelSubgameResolver(partial(open_random, 3), num_workers=1, shared_bytes=64 << 20) as resolver:
        os.kill(resolver.pids[0], signal.SIGTERM)
        solution = resolver.solve(three_player_request())
        assert solution.iterations == 30
        assert "solved in this process" in solution.fallbacks


def test_closing_ends_the_workers(tmp_path: Path) -> None:
    resolver = ParallelSubgameResolver(partial(open_random, 3), num_workers=2, shared_bytes=1 << 20)
    pids = resolver.pids
    resolver.close()
    assert not any(psutil.pid_exists(pid) for pid in pids)


SCRIPT = """
from functools import partial
from holdem.realtime.parallel_resolver import ParallelSubgameResolver
from tests.realtime.blueprints import open_random
resolver = ParallelSubgameResolver(partial(open_random, 3), num_workers=1, shared_bytes=1 << 20)
print(resolver.pids[0], flush=True)
import time
time.sleep(60)
"""


def test_no_worker_outlives_a_killed_parent(tmp_path: Path) -> None:
    """The script has no guard around its main part; its workers do not import it."""
    script = tmp_path / "unguarded.py"
    script.write_text(SCRIPT)
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=environment)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    parent.kill()
    parent.communicate()
    end = time.monotonic() + 60.0
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < end, "the worker is an orphan"
        time.sleep(0.05)
