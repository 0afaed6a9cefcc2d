"""Spawned processes with a pipe: started, ended in whatever state they are, and nothing of them left."""

import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from multiprocessing.connection import Connection

import psutil
import pytest

from holdem.errors import ArtifactError, RunFailed
from holdem.util.processes import PipedProcess, telling_errors


def answer_once(connection: Connection, word: str) -> None:
    """Say a word and wait until the pipe is closed."""
    connection.send(word)
    try:
        connection.recv()
    except EOFError:
        sys.exit(3)


def sleep_on(connection: Connection) -> None:
    """Never look at the pipe."""
    connection.send("asleep")
    time.sleep(1000)


def test_a_process_that_listens_leaves_when_the_pipe_closes() -> None:
    process = PipedProcess(answer_once, ("hello",), "test")
    assert process.connection.recv() == "hello"
    assert process.alive and psutil.pid_exists(process.pid)
    pid = process.pid
    assert process.end(60.0).startswith("it ended with status 3")
    assert (process.alive, process.pid, process.exit_code) == (False, 0, 3)
    assert not psutil.pid_exists(pid)
    assert process.connection.closed
    assert process.end() == "it had ended before"


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("state", [None, signal.SIGSTOP])
def test_one_that_does_not_listen_is_ended(state: signal.Signals | None) -> None:
    process = PipedProcess(sleep_on, (), "test")
    assert process.connection.recv() == "asleep"
    if state is not None:
        os.kill(process.pid, state)
    begun = time.monotonic()
    assert "SIGKILL (9)" in process.end(0.1)
    assert time.monotonic() - begun < 60.0  # it would sleep for a thousand seconds
    assert process.exit_code == -9


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_one_that_was_killed_is_noticed_at_the_pipe() -> None:
    process = PipedProcess(sleep_on, (), "test")
    assert process.connection.recv() == "asleep"
    os.kill(process.pid, signal.SIGTERM)
    with pytest.raises((EOFError, OSError)):  # and not a wait for ever: our copy of its end is closed
        process.connection.recv()
    assert process.end(60.0) == "ended by signal SIGTERM (15)"


@pytest.mark.skipif(os.name != "posix", reason="descriptors of POSIX")
def test_a_start_that_fails_leaves_no_pipe_open() -> None:
    count = psutil.Process().num_fds
    PipedProcess(answer_once, ("hello",), "test").end()  # what a first start keeps open for later ones is open now
    gc.collect()  # descriptors of earlier tests that nobody has closed would go in between
    before = count()
    for _ in range(5):
        with pytest.raises(TypeError, match="pickle"):
            PipedProcess(answer_once, (threading.Lock(),), "test")
    assert count() == before


def test_a_killed_one_is_read_to_its_end_before_the_pipe_is_closed() -> None:
    process = PipedProcess(sleep_on, (), "test")
    assert process.connection.recv() == "asleep"
    process.kill()
    with pytest.raises(EOFError):
        process.connection.recv()
    process.end()
    process.kill()  # nothing is left to be ended
    assert process.exit_code not in (0, None)


def test_threads_that_start_processes_at_once_leave_the_main_module_alone() -> None:
    main = sys.modules["__main__"]
    started: list[PipedProcess] = []

    def start() -> None:
        for _ in range(3):
            started.append(PipedProcess(sleep_on, (), "test"))

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for process in started:
        process.kill()
        process.end()
    assert len(started) == 12
    assert sys.modules["__main__"] is main


def say_why(connection: Connection, why: str) -> None:
    with telling_errors(connection):
        if why:
            raise ArtifactError(why)


def test_whoever_waits_hears_why_it_failed() -> None:
    PipedProcess(say_why, ("",), "good").wait(60.0)
    with pytest.raises(RunFailed, match=r"^the disk is full$"):
        PipedProcess(say_why, ("the disk is full",), "bad").wait(60.0)
    killed = PipedProcess(sleep_on, (), "killed")
    assert killed.connection.recv() == "asleep"
    killed.kill()
    with pytest.raises(RunFailed, match="SIGKILL"):
        killed.wait(60.0)


def test_an_end_while_another_thread_takes_exit_codes() -> None:
    """Every start of a process asks the system for the codes of all that have ended."""
    over = threading.Event()

    def take_codes() -> None:
        while not over.is_set():
            multiprocessing.active_children()

    takers = [threading.Thread(target=take_codes) for _ in range(4)]
    for taker in takers:
        taker.start()
    try:
        for _ in range(20):
            process = PipedProcess(sleep_on, (), "test")
            process.kill()
            assert "SIGKILL" in process.end()
            assert process.exit_code == -signal.SIGKILL
    finally:
        over.set()
        for taker in takers:
            taker.join()
