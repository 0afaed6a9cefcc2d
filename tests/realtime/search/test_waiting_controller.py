"""The blueprint plays until a process has compiled the search, and no hand is changed in the middle."""

import logging
import os
import signal
import subprocess
import sys
import threading
from multiprocessing.connection import Connection
from pathlib import Path

import psutil
import pytest
from numba.core import config as numba_config

from holdem.abstraction.bucketing import HandBucketing
from holdem.blueprint import buckets as policy_buckets
from holdem.cli.compile_jobs import RUN, TRAINING, prepare
from holdem.game.actions import Action
from holdem.game.agent import Observation, observe
from holdem.game.game import Game
from holdem.realtime.parallel_resolver import ParallelSubgameResolver
from holdem.realtime.search import measured_costs, waiting_controller
from holdem.realtime.search.agent import SearchAgent
from holdem.realtime.search.decision import Method
from holdem.realtime.search.waiting_controller import (
    COMPILER,
    SearchCompilation,
    WaitingController,
    compile_search,
    mark_search,
    search_is_compiled,
)
from holdem.realtime.search_controller import SearchController
from holdem.types import SearchConfig
from holdem.util.files.lock import FileLock
from holdem.util.logs import LOGGER
from holdem.util.processes import end_with_parent
from tests.evaluation.blueprints import holdem_config
from tests.manifest_only import nearly_built, save_travelled
from tests.waiting import PATIENCE_SECONDS, wait_for

GO = "compile now"
"""A file of the run: the test lets the compiler begin."""
OPEN = """
import atexit, os, sys, time
atexit.register(time.sleep, 1.0)  # called last: there is time to complain of children that were ended
from numba.core import config
from holdem.realtime.search.agent import SearchAgent
from holdem.util.compiling import COMPILATIONS

COMPILATIONS.announce("play")
os.environ["NUMBA_CACHE_DIR"] = sys.argv[2]
config.reload_config()
agent = SearchAgent.open(sys.argv[1], may_wait=True)
print(agent.controller._compilation._process.pid, flush=True)
if sys.argv[3] == "stay":
    time.sleep(600)
"""
"""A program with a table whose search is compiled into an empty folder, which takes a minute."""


def compile_when_told(connection: Connection, path: str) -> None:
    """`compile_search`, when the file is there."""
    end_with_parent(connection)
    wait_for((Path(path) / GO).exists)
    compile_search(connection, path)


def fail(connection: Connection, path: str) -> None:
    """A compiler that crashes."""
    sys.exit(3)


def seen_after(decisions: int) -> Observation:
    """What the seat to act sees after so many checks and calls."""
    hand = Game.from_preset("headsup_100bb").new_hand(5)
    for _ in range(decisions):
        hand.act(Action.check_or_call())
    return observe(hand, deal=5)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("waiting")
    prepare(folder)
    assert TRAINING.start(folder).wait() == 0, TRAINING.last_words(folder)
    return folder / RUN


@pytest.fixture
def no_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Marks of this test's own: nothing is remembered as compiled, and kernels come from where they always do."""
    wait_for(lambda: not waiting_controller._RUNNING)  # of other tests in this process
    numba_config.reload_config()  # type: ignore[no-untyped-call]  # now, not with the first kernel that is compiled
    monkeypatch.setattr(numba_config, "CACHE_DIR", str(tmp_path / "marks"))


def waiting_agent(run: Path, config: SearchConfig | None = None) -> tuple[SearchAgent, WaitingController]:
    agent = SearchAgent.open(run, config, may_wait=True)
    assert isinstance(agent.controller, WaitingController)
    return agent, agent.controller


@pytest.mark.long
@pytest.mark.usefixtures("no_marks")
def test_the_blueprint_plays_until_the_search_is_compiled(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting_controller, "compile_search", compile_when_told)
    _, controller = waiting_agent(run, SearchConfig(iterations=5, min_iters=5))
    first, flop = seen_after(0), seen_after(2)
    assert controller.decide(first).method is Method.BLUEPRINT
    waiting = controller.decide(flop)
    assert waiting.method is Method.BLUEPRINT and waiting.note == "the search is still being compiled"
    assert not search_is_compiled(2)
    (run / GO).touch()
    wait_for(lambda: not waiting_controller._RUNNING)
    assert controller._compilation.ready and search_is_compiled(2)
    # In the middle of a hand nothing changes; from the next one on there is a search.
    assert controller.decide(flop).method is Method.BLUEPRINT
    controller.decide(first)
    assert controller.decide(flop).method is Method.SEARCH
    # Who comes later need not wait.
    assert not isinstance(SearchAgent.open(run, may_wait=True).controller, WaitingController)


def test_a_compilation_that_failed_is_not_said_to_go_on() -> None:
    compilation = SearchCompilation.__new__(SearchCompilation)
    compilation.waits_for, compilation.ready, compilation.over = COMPILER, False, threading.Event()
    assert compilation.note == "the search is still being compiled"
    compilation.over.set()
    assert compilation.note == "the search could not be compiled"


@pytest.mark.long
@pytest.mark.usefixtures("no_marks")
def test_costs_are_measured_with_the_resolver_that_plays(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[object] = []
    calibrate = SearchController.calibrate

    def recorded(controller: SearchController) -> None:
        measured.append(type(controller.resolver))
        calibrate(controller)

    monkeypatch.setattr(SearchController, "calibrate", recorded)
    monkeypatch.setattr(measured_costs, "_MEASURED", type(measured_costs._MEASURED)())
    agent, controller = waiting_agent(run, SearchConfig(num_workers=2))
    wait_for(lambda: not waiting_controller._RUNNING)
    assert controller._compilation.ready and not measured
    controller.decide(seen_after(0))
    agent.close()
    assert measured == [ParallelSubgameResolver]


@pytest.mark.long
@pytest.mark.usefixtures("no_marks")
def test_after_a_failure_the_next_table_tries_again(
    run: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(waiting_controller, "compile_search", fail)
    monkeypatch.setattr(LOGGER, "propagate", True)
    with caplog.at_level(logging.WARNING):
        _, failed = waiting_agent(run)
        wait_for(lambda: not waiting_controller._RUNNING)
    assert "the search could not be compiled (it ended with status 3" in caplog.text
    assert not failed._compilation.ready and failed.decide(seen_after(2)).method is Method.BLUEPRINT
    monkeypatch.setattr(waiting_controller, "compile_search", compile_search)
    _, again = waiting_agent(run)
    assert again._compilation is not failed._compilation
    wait_for(lambda: not waiting_controller._RUNNING)
    assert again._compilation.ready


@pytest.mark.long
@pytest.mark.usefixtures("no_marks")
def test_three_players_wait_for_bucket_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy_buckets, "default_path", lambda preset: tmp_path / "nothing.pkl")
    monkeypatch.setenv("HOLDEM_CACHE", str(tmp_path / "cache"))
    mark_search(3)  # as if it were compiled: tables are all that is missing
    run = save_travelled(tmp_path / "run", players=3)
    lock = FileLock(nearly_built(HandBucketing.load(run / "buckets.pkl", tables=False)).with_suffix(".lock"))
    assert lock.acquire()  # as another process that builds the same
    _, controller = waiting_agent(run, SearchConfig(iterations=5, min_iters=5))
    hand = Game(holdem_config(3)).new_hand(5)
    first = observe(hand, deal=5)
    for _ in range(3):
        hand.act(Action.check_or_call())
    flop = observe(hand, deal=5)
    assert controller.decide(first).method is Method.BLUEPRINT
    assert controller.decide(flop).note == "the bucket tables of the policy are still being built"
    lock.release()
    wait_for(lambda: not waiting_controller._RUNNING)
    assert controller._compilation.ready and not controller.blueprint.buckets.lacks_tables
    controller.decide(first)
    assert controller.decide(flop).method is Method.SEARCH
    assert not isinstance(SearchAgent.open(run, may_wait=True).controller, WaitingController)


def start_table(run: Path, folder: Path, what: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", OPEN, str(run), str(folder / "empty"), what]
    environment = os.environ | {"NUMBA_CACHE_DIR": numba_config.CACHE_DIR}  # type: ignore[attr-defined]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM])
def test_the_compiler_does_not_outlive_a_table_that_is_killed(run: Path, tmp_path: Path, by: signal.Signals) -> None:
    with start_table(run, tmp_path, "stay") as table:
        assert table.stdout is not None
        compiler = psutil.Process(int(table.stdout.readline()))
        wait_for(lambda: any((tmp_path / "empty").rglob("*.nbi")))
        assert compiler.is_running()
        table.send_signal(by)
        table.wait()
        gone, _ = psutil.wait_procs([compiler], timeout=30.0)  # it would compile for a minute
        assert gone


def test_a_table_that_closes_says_nothing_of_its_compiler(run: Path, tmp_path: Path) -> None:
    with start_table(run, tmp_path, "leave") as table:
        said, complained = table.communicate(timeout=PATIENCE_SECONDS)
    assert table.returncode == 0 and not psutil.pid_exists(int(said))
    assert complained.splitlines() == [
        "the blueprint plays until the search is compiled, once for each version: about a minute"
    ]
