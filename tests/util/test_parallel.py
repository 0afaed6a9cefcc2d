"""Chunks over threads: every item once, progress that adds up, errors and Ctrl+C that stop the rest."""

import os
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem.errors import ConfigError
from holdem.util.parallel import ALLOWED_PER_CORE, ALWAYS_ALLOWED, available_cores, run_chunks, workers_for

MANY = 1_000_000
"""Items that take the better part of a minute: the others go on while the thread that fails has no processor."""


@given(st.integers(0, 200), st.integers(1, 50), st.integers(1, 4))
def test_every_item_once(total: int, chunk: int, threads: int) -> None:
    seen = [0] * total
    finished: list[int] = []

    def work(start: int, stop: int) -> None:
        for i in range(start, stop):
            seen[i] += 1

    run_chunks(work, total, chunk, threads, finished.append)
    assert seen == [1] * total
    assert sum(finished) == total


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_stops_the_hand_out(error: type[BaseException]) -> None:
    started = 0
    lock = threading.Lock()

    def work(start: int, stop: int) -> None:
        nonlocal started
        with lock:
            started += 1
        if start == 0:
            raise error

    with pytest.raises(error):
        run_chunks(work, MANY, 1, threads=2)
    assert started < MANY


def test_cores_are_those_of_this_process() -> None:
    assert 1 <= available_cores() <= (os.cpu_count() or 1)


def test_absurdly_many_workers_are_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores in (1, 2, 64):
        monkeypatch.setattr("holdem.util.parallel.available_cores", lambda cores=cores: cores)
        most = max(ALWAYS_ALLOWED, ALLOWED_PER_CORE * cores)
        assert [workers_for(asked) for asked in (0, 1, most)] == [cores, 1, most]
        with pytest.raises(ConfigError, match=f"workers are too many for {cores} cores.* at most {most}, or for 0"):
            workers_for(most + 1)
    with pytest.raises(ConfigError, match="100,000 workers are too many"):
        run_chunks(lambda start, stop: None, 10, 1, threads=100_000)
