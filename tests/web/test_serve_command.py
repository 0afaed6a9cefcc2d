"""`holdem serve` as a process: signals while somebody plays, and what is on disk after them."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pokerkit import HandHistory as PokerkitHistory
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from holdem.table.hand_history import read_history
from tests.web.pages import PATIENCE_SECONDS, Page

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="these signals are those of POSIX")


@contextmanager
def serving(folder: Path) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """The command at a free port, with a baseline in the other seat; and its address."""
    arguments = ["--no-open", "--port", "0", "--opponent", "always-call", "--history", "hands.phhs"]
    with subprocess.Popen(
        [sys.executable, "-m", "holdem.cli.serve", *arguments],
        cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            found = re.search(r"http://(\S+);", process.stdout.readline())
            assert found is not None
            yield process, found[1]
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("number", "status", "hands"), [(signal.SIGKILL, -9, 1), (signal.SIGINT, 130, 3), (signal.SIGTERM, 143, 3)]
)
def test_the_end_of_the_server_while_two_people_play(
    tmp_path: Path, number: signal.Signals, status: int, hands: int
) -> None:
    with serving(tmp_path) as (process, host), connect(f"ws://{host}/play") as one, connect(f"ws://{host}/play") as two:
        Page(two).until("turn")
        first = Page(one)
        first.play_hand()
        first.say("")
        first.until("turn")
        os.kill(process.pid, number)
        output, _ = process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == status
        with pytest.raises(ConnectionClosed):
            first.until("never")
    stored = read_history(tmp_path / "hands.phhs")
    assert len(stored) == hands  # those that were over, and, unless it was killed, the two that were going on
    assert all(one.hand.is_over for one in stored)
    with (tmp_path / "hands.phhs").open("rb") as file:
        assert len([list(history) for history in PokerkitHistory.load_all(file)]) == hands
    assert ("3 hand(s)" in output) == (hands == 3)
    assert "Traceback" not in output


def test_a_port_that_is_taken_is_a_sentence(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, host):
        port = host.rpartition(":")[2]
        arguments = ["--no-open", "--port", port, "--opponent", "always-call"]
        ended = subprocess.run(
            [sys.executable, "-m", "holdem.cli.serve", *arguments],
            cwd=tmp_path, text=True, capture_output=True, check=False,
        )  # fmt: skip
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert f"port {port} of 127.0.0.1 is in use; give another one" in ended.stderr
