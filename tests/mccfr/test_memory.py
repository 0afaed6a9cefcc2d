"""Memory of several processes: shared pages once, private ones of each, nothing of the dead."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil
import pytest

from holdem.mccfr import memory
from holdem.mccfr.memory import MemoryMeter, memory_of

MEGABYTE = 1_000_000
SHARED, PRIVATE = 200 * MEGABYTE, 50 * MEGABYTE
CHILD = f"""
import mmap, sys
file = open(sys.argv[1], "r+b")
shared = mmap.mmap(file.fileno(), {SHARED})
for place in range(0, {SHARED}, 4096):
    shared[place]
private = bytearray(b"x") * {PRIVATE}
print("ready", flush=True)
sys.stdin.read()
"""


@contextmanager
def mapping_children(folder: Path, count: int) -> Iterator[list[int]]:
    """So many processes that map one file and have something for themselves."""
    file = folder / "shared"
    file.write_bytes(b"y" * SHARED)
    with ExitStack() as stack:
        children = []
        for _ in range(count):
            command = [sys.executable, "-c", CHILD, str(file)]
            child = stack.enter_context(
                subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            )
            stack.callback(child.kill)
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
            children.append(child)
        yield [child.pid for child in children]


def test_shared_pages_count_once(tmp_path: Path) -> None:
    with mapping_children(tmp_path, 3) as children:
        counted = memory_of(children, SHARED)
        alone = sum(psutil.Process(child).memory_full_info().uss for child in children)
        all_pages = sum(psutil.Process(child).memory_info().rss for child in children)
    # Python and its libraries are mapped by all and by other programs too: 20 MB for each process is generous.
    assert alone >= 3 * PRIVATE
    assert alone + SHARED - MEGABYTE < counted < alone + SHARED + 3 * 20 * MEGABYTE
    assert counted < all_pages - 2 * SHARED + MEGABYTE, "the plain sum has the file three times"


def test_a_system_that_knows_no_shares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_proportional_bytes", lambda process: 0)
    with mapping_children(tmp_path, 2) as children:
        alone = sum(psutil.Process(child).memory_full_info().uss for child in children)
        assert memory_of(children, SHARED) == pytest.approx(alone + SHARED, abs=MEGABYTE)


def test_a_process_that_has_ended_counts_nothing(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    here = memory_of([os.getpid(), os.getpid()], 0) / 2
    assert memory_of([os.getpid(), ended.pid], 0) == pytest.approx(here, rel=0.1)
    assert memory_of([ended.pid], 0) == 0
    assert memory_of([ended.pid, ended.pid], 1234) == 1234


def test_a_meter_keeps_the_peak_of_processes_that_are_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "LEAST_SECONDS", 600.0)  # a while that does not pass on a busy machine
    present: list[int] = []
    meter = MemoryMeter(lambda: [os.getpid(), *present], SHARED)
    with mapping_children(tmp_path, 2) as children:
        present += children
        seen = meter.now()
        assert meter.now() == seen, "an answer serves for a while"
        present.clear()
    assert seen > SHARED + 2 * PRIVATE
    assert meter.peak() >= seen


def test_the_peak_is_not_that_of_whoever_started_the_process() -> None:
    ballast = bytearray(b"x") * (400 * MEGABYTE)
    code = "from holdem.mccfr.memory import own_peak_bytes; print(own_peak_bytes())"
    peak = int(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
    assert len(ballast) > 300 * MEGABYTE > peak > 5 * MEGABYTE
