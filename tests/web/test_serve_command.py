"""`holdem serve` as a process: signals while somebody plays, and what is on disk after them."""

import http.client
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from pokerkit import HandHistory as PokerkitHistory
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from holdem.table.history.hand_history import read_history
from tests.table.policies import save_jam_or_fold
from tests.waiting import PATIENCE_SECONDS, wait_for
from tests.web.pages import THINKER, Page, open_page, read_until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="these signals are those of POSIX")


PAGES_AT_ONCE = 8
END_SECONDS = 30.0
"""After Ctrl+C, whatever is going on: less than any bot thinks. On a machine that is free it takes up to five."""
ALL_HANDS_ARE_PLAYED_TO_THEIR_END = """
from holdem.cli import serve
from holdem.cli.app import run_command
from holdem.web.play import sessions
sessions.PATIENCE_SECONDS = 20
run_command(serve.command)
"""
"""After two seconds, which a busy machine needs, they would be kept unfinished."""
SAYS_GOODBYE_FOR_A_MINUTE = """
import sys
from holdem.cli import serve
from holdem.cli.app import run_command
from holdem.web import server
server.GRACE_SECONDS = 60
run_command(serve.command)
"""


@contextmanager
def serving(
    folder: Path, *more: str, opponent: str = "always-call", program: Sequence[str] = ("-m", "holdem.cli.serve")
) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """The command at a free port, with a baseline in the other seat; and its address."""
    arguments = ["--no-open", "--port", "0", "--opponent", opponent, "--history", "hands.phhs", *more]
    with subprocess.Popen(
        [sys.executable, *program, *arguments],
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
    patient = "-c", ALL_HANDS_ARE_PLAYED_TO_THEIR_END
    with serving(tmp_path, program=patient) as (process, host), ExitStack() as stack:
        one, two = (stack.enter_context(connect(f"ws://{host}/play", open_timeout=PATIENCE_SECONDS)) for _ in range(2))
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
    assert ("3 hands" in output) == (hands == 3)
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


def end_quickly(process: "subprocess.Popen[str]") -> str:
    start = time.monotonic()
    output, _ = process.communicate(timeout=PATIENCE_SECONDS)
    assert time.monotonic() - start < END_SECONDS
    assert "Traceback" not in output
    return output


@pytest.mark.parametrize("thinking", [False, True])
def test_ctrl_c_while_many_pages_are_in_the_middle_of_hands(tmp_path: Path, thinking: bool) -> None:
    """At the people's turns, and while all bots think."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "thinker.py").write_text(THINKER, encoding="utf-8")
    opponent = f"process:{sys.executable} thinker.py bots" if thinking else "always-call"
    patient = "-c", ALL_HANDS_ARE_PLAYED_TO_THEIR_END
    with serving(tmp_path, opponent=opponent, program=patient) as (process, host), ExitStack() as stack:
        for _ in range(PAGES_AT_ONCE):
            raw = stack.enter_context(open_page(host))
            if not thinking:
                read_until(raw, b'"turn"')
        if thinking:
            wait_for(lambda: len(list((tmp_path / "bots").iterdir())) == PAGES_AT_ONCE)
        process.send_signal(signal.SIGINT)
        output = end_quickly(process)
        assert process.returncode == 130
        assert f"{PAGES_AT_ONCE} hands" in output
    stored = read_history(tmp_path / "hands.phhs")
    assert len(stored) == PAGES_AT_ONCE
    assert all(one.hand.is_over for one in stored)
    for bot in (tmp_path / "bots").iterdir():
        with pytest.raises(ProcessLookupError):
            os.kill(int(bot.name), 0)


def test_a_second_ctrl_c_waits_for_nothing(tmp_path: Path) -> None:
    patient = "-c", SAYS_GOODBYE_FOR_A_MINUTE
    with serving(tmp_path, program=patient) as (process, host), open_page(host) as raw:
        read_until(raw, b'"turn"')
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        assert "Ctrl+C again does not wait" in process.stdout.readline()
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(timeout=PATIENCE_SECONDS)
        assert time.monotonic() - start < END_SECONDS  # the first waits for the page to say goodbye
        assert process.returncode == -signal.SIGINT


def test_other_machines_need_the_link_that_is_printed(tmp_path: Path) -> None:
    with serving(tmp_path, "--host", "0.0.0.0", "--allow-host", "poker.example") as (process, link):
        address, _, token = link.partition("/?token=")
        assert len(token) >= 32
        port = int(address.partition(":")[2])
        statuses = {}
        for host in ("evil.example", "poker.example", f"localhost:{port}", "192.0.2.1"):
            for path in ("/data/runs", f"/data/runs?token={token}", f"/data/runs?token={token[:-1]}"):
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
                connection.request("GET", path, headers={"Host": host})
                statuses[host, path] = connection.getresponse().status
                connection.close()
        let_in = [host for (host, path), status in statuses.items() if status == 200 and path.endswith(token)]
        assert let_in == ["poker.example", f"localhost:{port}", "192.0.2.1"]
        assert sorted(statuses.values()) == [200] * 3 + [403] * 9
        assert process.stdout is not None
        assert "whoever has the link can play" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        end_quickly(process)


@pytest.mark.parametrize("arguments", [("--token", "short"), ("--allow-host", "http://x")])
def test_names_and_tokens_that_are_none(tmp_path: Path, arguments: tuple[str, str]) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "holdem.cli.serve", "--no-open", "--port", "0", "--opponent", "always-call", *arguments],
        cwd=tmp_path, text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert arguments[0] in ended.stderr
    assert not list(tmp_path.rglob("*.phhs"))


@pytest.mark.slow
def test_a_page_is_told_what_it_waits_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With nothing compiled yet."""
    monkeypatch.setenv("HOLDEM_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    policy = save_jam_or_fold(tmp_path / "jam")
    with serving(tmp_path, "--policy", str(policy)) as (process, host), connect(f"ws://{host}/play") as raw:
        page = Page(raw)
        while (message := page.until("told", "table"))["type"] == "told" and "compil" not in message["text"]:
            pass
        assert re.match(r"compiling \d+ kernels for this machine, once for each version", message["text"])
        page.until("table")
        process.send_signal(signal.SIGINT)
        end_quickly(process)
