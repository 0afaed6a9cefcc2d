"""`holdem serve`: refusals in one sentence, and a real server that is ended in the middle of a hand."""

import json
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from holdem.table.history.hand_history import read_history
from tests.cli.runs import Run, save_toy
from tests.cli.table_processes import start


def test_no_blueprint(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments in ((), ("--policy", "runs/other")):
        refused = run("serve", "--no-open", *arguments)
        assert refused.status == 2
        assert refused.err.count("\n") == 1
        assert "holdem train" in refused.err
        assert arguments or "holdem serve --opponent tight-aggressive" in refused.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("arguments", [("--most-solves", "0"), ("--solve-memory", "0"), ("--solve-memory", "x")])
def test_limits_of_solves_that_are_none(run: Run, arguments: tuple[str, str]) -> None:
    refused = run("serve", "--no-open", *arguments)
    assert refused.status == 2
    assert arguments[0] in refused.err


def test_help_names_the_limits_of_solves(run: Run) -> None:
    told = run("serve", "--help").out
    assert "--most-solves" in told
    assert "--solve-memory GB" in told


def test_a_policy_of_another_game(run: Run, tmp_path: Path) -> None:
    refused = run("serve", "--policy", save_toy(tmp_path / "kuhn", "kuhn"), "--no-open")
    assert refused.status == 2
    assert "is not played at a hold'em table" in refused.err


def test_a_port_that_is_taken(run: Run, policy: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        refused = run("serve", "--policy", policy, "--no-open", "--port", port)
    assert refused.status == 2
    assert refused.err == f"error: port {port} of 127.0.0.1 is in use; give another one, as in --port {port + 1}\n"
    assert not list(tmp_path.rglob("*.phhs"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--host", "no.such.host.invalid"), "is not an address of any machine"),
        (("--port", "70000"), "65535"),
        (("--opponent", "always-cal"), "did you mean always-call?"),
        (("--history", "/dev/null/hands.phhs"), "cannot be written"),
    ],
)
def test_other_wrong_arguments(run: Run, policy: Path, arguments: tuple[str, ...], words: str) -> None:
    refused = run("serve", "--policy", policy, "--no-open", "--port", "0", *arguments)
    assert refused.status == 2
    assert refused.err.count("\n") == 1, refused.err
    assert words in refused.err


def test_another_host_needs_a_token_and_a_visit_of_nobody_leaves_no_file(
    run: Run, policy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def ended(app: object, listener: socket.socket) -> Iterator[threading.Thread]:
        yield threading.Thread()

    monkeypatch.setattr("holdem.web.server.running", ended)
    result = run("serve", "--policy", policy, "--no-open", "--port", 0, "--host", "0.0.0.0")
    assert result.status == 0
    assert re.match(r"serving at http://localhost:\d+/\?token=[\w-]{32}; ", result.out)
    assert "whoever has the link can play" in result.out
    assert "token" not in run("serve", "--policy", policy, "--no-open", "--port", 0).out
    assert not list(tmp_path.rglob("*.phhs"))


def test_a_served_hand_is_whole_after_ctrl_c(policy: Path, tmp_path: Path) -> None:
    history = tmp_path / "hands.phhs"
    server = start(
        "serve",
        "--policy",
        policy,
        "--opponent",
        "always-call",
        "--port",
        0,
        "--no-open",
        "--no-search",
        "--history",
        history,
    )
    server.wait_until(lambda lines: any("serving at" in line for line in lines))
    found = re.search(r"http://127\.0\.0\.1:\d+", server.out)
    assert found
    with urlopen(found[0]) as page:
        assert "connect-src" not in page.headers["Content-Security-Policy"]  # so it is default-src, this server
        assert b"/static/play/play.js" in page.read()
    with connect(found[0].replace("http", "ws") + "/play") as socket:
        socket.send('{"table": {}}')
        while json.loads(socket.recv(timeout=600))["type"] != "turn":
            pass
        server.send(signal.SIGINT)
        with pytest.raises(ConnectionClosed):
            while True:
                socket.recv(timeout=600)
    assert server.end() == 130, server.err
    assert server.err == ""
    [stored] = read_history(history)
    assert stored.hand.is_over
    assert f"1 hand; look back with: holdem review {history}" in server.out


def test_other_verbs_do_not_pay_for_the_server() -> None:
    code = "import sys; import holdem.cli.play, holdem.cli.serve; sys.exit('fastapi' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
