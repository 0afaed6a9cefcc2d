"""Shared memory: handed to spawned processes, never left behind, and refused in one sentence where it does not fit."""

import gc
import os
import resource
import subprocess
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
import pytest

from holdem.errors import RunFailed
from holdem.mccfr.diagnostics import double_in_place, spawn_test
from holdem.mccfr.workers.control import ControlBlock, block_bytes
from holdem.util.shared_memory import SharedMemory

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /dev/shm")


@pytest.mark.parametrize("anonymous", [True, False])
def test_zeroed_and_writable(anonymous: bool) -> None:
    with SharedMemory.create(4096, "a test", anonymous=anonymous) as memory:
        numbers = memory.array(np.int32, (512, 2))
        assert not numbers.any()
        numbers[3, 1] = 7
        assert memory.array(np.int64, (4,)).tolist()[3] == 7 << 32
        del numbers


@linux
@pytest.mark.parametrize("anonymous", [True, False])
def test_nothing_stays_behind(anonymous: bool) -> None:
    SharedMemory.create(1, "an earlier one", anonymous=anonymous).close()  # starts the tracker of Python, which stays
    gc.collect()  # descriptors of earlier tests that nobody has closed would go in between
    descriptors = open_files()
    memory = SharedMemory.create(1 << 20, "a test", anonymous=anonymous)
    kept = memory.array(np.int64, (1,))
    named = Path("/dev/shm") / getattr(memory._mapping, "name", "nothing")  # others make files there at the same time
    assert named.exists() != anonymous
    memory.close()
    assert not named.exists()
    kept[0] = 1  # a view that is still alive keeps its page; using it is a mistake, not a crash
    del kept, memory
    assert open_files() == descriptors


def open_files() -> int:
    """How many descriptors this process has."""
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208


@pytest.mark.parametrize("anonymous", [True, False])
def test_a_spawned_process_writes_into_it(anonymous: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdem.util.shared_memory.SharedMemory.create.__func__.__defaults__", (anonymous,))
    assert spawn_test() > 0.0  # and RunFailed where it cannot


def leave_slowly(connection: Connection, memory: SharedMemory) -> None:
    """As on a machine that has no processor for a process that ends."""
    double_in_place(connection, memory)
    time.sleep(1.5)


def test_a_process_that_has_answered_may_end_late() -> None:
    assert spawn_test(leave_slowly) > 1.5


@linux
def test_too_much_is_refused() -> None:
    with pytest.raises(RunFailed, match=r"the table needs .* MB of shared memory"):
        SharedMemory.create(1 << 62, "the table")
    with pytest.raises(RunFailed, match="/dev/shm has"):
        SharedMemory.create(1 << 50, "the table", anonymous=False)


@linux
def test_a_limit_of_address_space_is_named() -> None:
    code = (
        "import resource\n"
        "from holdem.util.shared_memory import SharedMemory\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2 << 30, resource.RLIM_INFINITY))\n"
        "SharedMemory.create(3 << 30, 'the table')\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "the table needs 3,221.2 MB of shared memory and cannot have it" in result.stderr
    assert resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY


@linux
def test_a_small_dev_shm_does_not_matter(tmp_path: Path) -> None:
    code = (
        "from holdem.util.shared_memory import SharedMemory\n"
        "SharedMemory.create(64 << 20, 'the table').array('int8', (64 << 20,))[:] = 1\n"
    )
    script = f"mount -t tmpfs -o size=1M tmpfs /dev/shm && {sys.executable} - <<'END'\n{code}END"
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script]
    if subprocess.run([*command[:4], "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this system has no unprivileged mount namespaces")
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_claims_are_exclusive_and_recoverable() -> None:
    with SharedMemory.create(block_bytes(3), "a test") as memory:
        control = ControlBlock(memory, 3)
        control.bounds[:5] = (0, 10, 20, 25, 26)
        control.publish(4)
        assert control.claim(0) == (0, 0, 10)
        assert control.claim(1) == (1, 10, 20)
        control.finish(0, 0)
        assert control.claim(0) == (2, 20, 25)
        assert control.release(0) == 1  # worker 0 is gone: what it held is free, what it did stays done
        assert control.claim(2) == (3, 25, 26)
        assert control.claim(2) == (2, 20, 25)
        assert control.claim(2) is None
        for piece in (1, 2, 3):
            control.finish(piece, 1 if piece == 1 else 2)
        assert control.done().all()
        assert control.done_by_worker().tolist() == [10, 10, 6]
        del control
