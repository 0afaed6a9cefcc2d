"""The lock of a file between real processes: one holder, gone with its death, never kept by a child."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from holdem.util.files import lock as file_lock
from holdem.util.files.lock import FileLock, NoLocks

HOLD = """
import os, sys, time
from pathlib import Path
from holdem.util.files.lock import FileLock
lock = FileLock(Path(sys.argv[1]))
assert lock.acquire()
"""
WAIT = "print('held', flush=True); time.sleep(600)\n"
FORK = """
child = os.fork()
if child == 0:
    time.sleep(600)
    os._exit(0)
print('held', child, flush=True); time.sleep(600)
"""


@contextmanager
def holding(path: Path, then: str = WAIT) -> Iterator[tuple["subprocess.Popen[str]", list[str]]]:
    """Another process that holds the lock, and what it said."""
    process = subprocess.Popen([sys.executable, "-c", HOLD + then, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process, process.stdout.readline().split()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_one_holder_at_a_time_and_none_after_a_kill(tmp_path: Path) -> None:
    lock = FileLock(tmp_path / "lock")
    with holding(lock.path) as (process, said):
        assert said == ["held"]
        assert not lock.acquire()
        holder = lock.holder()
        assert holder is not None
        assert holder.process == process.pid
        process.kill()
        process.wait()
        assert lock.acquire()
    holder = lock.holder()
    assert holder is not None
    assert holder.process == os.getpid()
    lock.release()
    assert list(tmp_path.iterdir()) == []


def test_two_locks_of_one_process_exclude_each_other(tmp_path: Path) -> None:
    first, second = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    assert first.acquire()
    assert not second.acquire()
    second.release()
    assert first.held
    first.release()
    assert second.acquire()
    second.release()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_does_not_keep_the_lock(tmp_path: Path) -> None:
    lock = FileLock(tmp_path / "lock")
    with holding(lock.path, FORK) as (process, said):
        child = int(said[1])
        try:
            assert not lock.acquire()
            process.send_signal(signal.SIGKILL)
            process.wait()
            os.kill(child, 0)  # it is still there
            deadline = time.monotonic() + 60.0
            while not lock.acquire():  # the child closes its copy as the first thing it does
                assert time.monotonic() < deadline, "the child has the lock"
            lock.release()
        finally:
            os.kill(child, signal.SIGKILL)


def test_a_file_that_its_holder_has_removed_is_not_the_lock(tmp_path: Path) -> None:
    """Whoever opened the file before its holder removed it must not believe that it holds what others see."""
    if sys.platform == "win32":
        pytest.skip("an open file cannot be removed here")
    path, stale = tmp_path / "lock", FileLock(tmp_path / "lock")
    lock = FileLock(path)
    assert lock.acquire()
    path.unlink()
    assert stale.acquire()
    lock.release()
    assert path.exists(), "the file of the new holder stays"
    assert not lock.acquire()
    stale.release()


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b'{"process": "x"}', b"[" * 100_000, b"\xff\xfe"])
def test_a_file_that_says_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "lock").write_bytes(content)
    lock = FileLock(tmp_path / "lock")
    assert lock.holder() is None
    assert lock.acquire()
    assert json.loads(lock.path.read_text())["process"] == os.getpid()
    lock.release()


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS])
def test_a_file_system_without_locks_is_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """No such file system can be mounted here: the answer of the system call is what such mounts are known to give."""

    def refuse(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(file_lock, "_lock", refuse)
    with pytest.raises(NoLocks):
        FileLock(tmp_path / "lock").acquire()
