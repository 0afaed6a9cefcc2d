"""Work in pieces over processes: whatever happens to a process, every piece is there once and comes out the same."""

import os
import signal
from collections.abc import Callable
from functools import partial
from multiprocessing import active_children
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

from holdem.errors import ConfigError, RunFailed
from holdem.evaluation.match.piece_workers import Pieces, Work, run_pieces
from holdem.util.logs import LOGGER

pytestmark = pytest.mark.skipif(os.name == "nt", reason="SIGKILL")

TOTAL = 40


def squares() -> Work:
    return lambda start, stop: [number**2 for number in range(start, stop)]


def deadly(folder: Path, deaths: int) -> Work:
    """Item 3 kills the process that is at it, so many times."""

    def work(start: int, stop: int) -> list[int]:
        if start <= 3 < stop and len(list(folder.iterdir())) < deaths:
            (folder / str(os.getpid())).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return [number**2 for number in range(start, stop)]

    return work


def refusing() -> Work:
    raise ConfigError("this cannot be opened; open something else")


def collect(make: Any, workers: int, deliver: Any = lambda start, stop: None) -> list[int]:
    found: dict[int, list[int]] = {}

    def keep(start: int, stop: int, result: list[int]) -> None:
        assert start not in found
        found[start] = result
        deliver(start, stop)

    run_pieces(make, TOTAL, workers, keep)
    return [number for start in sorted(found) for number in found[start]]


EXPECTED = [number**2 for number in range(TOTAL)]


@pytest.fixture
def workers() -> Callable[[], list[BaseProcess]]:
    """The processes that a test has started, and not those that an earlier one has left behind."""
    before = set(active_children())
    return lambda: [process for process in active_children() if process not in before]


@pytest.mark.parametrize("count", [1, 3])
def test_every_piece_once(count: int) -> None:
    assert collect(squares, count) == EXPECTED


def test_a_lost_piece_is_handed_out_once_more() -> None:
    pieces = Pieces(2)
    first = pieces.take()
    assert first == (0, 1)
    assert pieces.lose(first)
    assert [pieces.take(), pieces.take(), pieces.take()] == [(0, 1), (1, 2), None]
    assert not pieces.lose(first)


@pytest.mark.parametrize("victims", [1, 2])
def test_workers_that_are_killed_lose_nothing(
    victims: int, workers: Callable[[], list[BaseProcess]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of two, and both, so that a new one has to be started."""
    said: list[str] = []
    monkeypatch.setattr(LOGGER, "warning", said.append)
    killed: list[int] = []

    def kill(start: int, stop: int) -> None:
        if not killed:
            for process in workers()[:victims]:
                assert process.pid is not None
                os.kill(process.pid, signal.SIGKILL)
                killed.append(process.pid)

    assert collect(squares, 2, kill) == EXPECTED
    assert len(killed) == victims
    assert len(said) == victims
    assert all(sentence.startswith("a worker process is gone: ended by signal SIGKILL (9)") for sentence in said)
    assert not workers()


def test_a_piece_that_kills_once_is_done_again_and_one_that_kills_twice_ends_the_work(
    workers: Callable[[], list[BaseProcess]], tmp_path: Path
) -> None:
    (tmp_path / "once").mkdir()
    (tmp_path / "always").mkdir()
    assert collect(partial(deadly, tmp_path / "once", 1), 2) == EXPECTED
    with pytest.raises(RunFailed, match=r"the same piece of work: ended by signal SIGKILL.*fewer --num-workers"):
        collect(partial(deadly, tmp_path / "always", 1_000), 2)
    assert len(list((tmp_path / "always").iterdir())) == 2
    assert not workers()


def test_what_a_worker_says_about_a_mistake_is_said_here() -> None:
    with pytest.raises(ConfigError, match="this cannot be opened; open something else"):
        collect(refusing, 2)
